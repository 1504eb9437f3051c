import { sql } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ACCOUNT_RULES } from '../../destination/destination.ts';
import type { Db } from '../../postgres/connect.ts';
import { type EntryDestination, toEntryKeys } from './address-key.rules.ts';

/** About 0.1 s of work, after which other requests have their turn. */
const BATCH = 1_000;

type UnkeyedEntry = EntryDestination & { id: number };

/**
 * Keys entries that have no keys, or those of older rules: in the transaction that inserts them, before a new version serves,
 * and in the background those that servers of the last release insert. Callers have full scope.
 *
 * @returns how many there were, at most 1,000
 */
export async function keyBatch(db: Db): Promise<number> {
  const { rows } = await sql<UnkeyedEntry>`
    select e.id, e.list, e.network, e.address, e.memo, e.any_memo as "anyMemo" from address_entry e
    where e.removed_at is null and e.rules < ${ACCOUNT_RULES} order by e.id limit ${BATCH}`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const read = rows.map((row) => ({ id: row.id, ...toEntryKeys(row) }));
  const keys = read.flatMap((entry) => entry.keys.map((key) => ({ id: entry.id, key })));
  // Locks the rows in their order first: another process may key the same ones.
  await sql`
    update address_entry e set account = r.account, rules = ${ACCOUNT_RULES}
    from unnest(${ids}::bigint[], ${read.map(({ account }) => account)}::text[]) as r(id, account)
    where e.id = r.id`.execute(db);
  await sql`delete from address_entry_key where entry_id = any(${ids}::bigint[])`.execute(db);
  await sql`
    insert into address_entry_key (key, entry_id)
    select * from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ id }) => id)}::bigint[])
    on conflict do nothing`.execute(db);
  return rows.length;
}

export async function keyEntries(db: Db): Promise<void> {
  while ((await keyBatch(db)) > 0) await nextTurn();
}
