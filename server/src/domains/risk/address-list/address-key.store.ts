import { sql } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import type { Db } from '../../../database/connect.ts';
import { type EntryDestination, toEntryKeys } from './address-key.rules.ts';

/** About 0.1 s of work, after which other requests have their turn. */
const BATCH = 1_000;

type UnkeyedEntry = EntryDestination & { id: number };

/**
 * Keys entries that have no keys, or those of older rules: in the transaction that inserts them, before a new version serves,
 * and in the background those that servers of the last release insert. Callers have full scope.
 */
export async function keyEntries(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select e.id from address_entry e where e.removed_at is null and e.rules < ${ACCOUNT_RULES} order by e.id`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += BATCH) {
    await keyBatch(db, ids.slice(start, start + BATCH));
    await nextTurn();
  }
}

async function keyBatch(db: Db, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<UnkeyedEntry>`
    select e.id, e.list, e.network, e.address, e.memo, e.any_memo as "anyMemo" from address_entry e
    where e.id = any(${[...ids]}::bigint[]) order by e.id`.execute(db);
  const read = rows.map((row) => ({ id: row.id, ...toEntryKeys(row) }));
  const keys = read.flatMap((entry) => entry.keys.map((key) => ({ id: entry.id, key })));
  // Locks the rows first: another process may key the same ones.
  await sql`
    update address_entry e set account = r.account, rules = ${ACCOUNT_RULES}
    from unnest(${read.map(({ id }) => id)}::bigint[], ${read.map(({ account }) => account)}::text[]) as r(id, account)
    where e.id = r.id`.execute(db);
  await sql`delete from address_entry_key where entry_id = any(${[...ids]}::bigint[])`.execute(db);
  await sql`
    insert into address_entry_key (key, entry_id)
    select * from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ id }) => id)}::bigint[])
    on conflict do nothing`.execute(db);
}
