import type { Network } from '@hengtai/contract/trading/market/schema';
import { type RawBuilder, sql } from 'kysely';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import { type DestinationKeys, keyTypes, makeKeys } from '../../../destination/keys.ts';
import { unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';

/** The tables whose rows have keys. */
export type KeyedTable = 'withdraw' | 'recharge';

/** Whether a row has no keys, or those of older rules. The partial indexes of such rows have the same condition. */
const isStale = (row: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(`${row}.account_rules`)}, 0) < ${sql.lit(ACCOUNT_RULES)}`;

/** Where a run has come in the order of the index of stale rows. */
export interface Position {
  userId: number;
  id: number;
}

/** The order of the index of stale rows. The withdrawals of one user follow each other, so each is soon known. */
const orders: Readonly<Record<KeyedTable, RawBuilder<unknown>>> = {
  withdraw: sql`t.user_id, t.id`,
  recharge: sql`t.id`,
};
const afterOf: Readonly<Record<KeyedTable, (position: Position) => RawBuilder<boolean>>> = {
  withdraw: ({ userId, id }) => sql`(t.user_id, t.id) > (${userId}, ${id})`,
  recharge: ({ id }) => sql`t.id > ${id}`,
};

/**
 * The order makes the planner use the index of stale rows, also where its statistics say that most rows are. From the end,
 * because the job begins at the other one and leaves dead entries there.
 */
const lastStale: Readonly<Record<KeyedTable, RawBuilder<unknown>>> = {
  withdraw: sql`(select true from withdraw k where ${isStale('k')} order by k.user_id desc, k.id desc limit 1)`,
  recharge: sql`(select true from recharge k where ${isStale('k')} order by k.id desc limit 1)`,
};

/** Whether any row is still to be keyed, for the first time or again. Needs full scope. */
const isKeyingOf = (table: KeyedTable): RawBuilder<boolean> =>
  sql<boolean>`(${lastStale[table]} is true or exists (select from key_renewal where table_name = ${sql.lit(table)}))`;

/** Whether any withdrawal is still to be keyed. Needs full scope. */
export const isKeying = isKeyingOf('withdraw');

/** Whether any withdrawal of the user in this column is still to be keyed. Needs full scope. */
export const isKeyingUser = (user: string): RawBuilder<boolean> => sql<boolean>`(
  exists (select from withdraw k where k.user_id = ${sql.ref(user)} and ${isStale('k')})
  or exists (select from key_renewal r join withdraw k on k.market_id = r.market_id and k.id > r.after_id and k.id <= r.last_id
    where r.table_name = 'withdraw' and k.user_id = ${sql.ref(user)}))`;

/** Whether any row is still to be keyed. Needs full scope. */
export async function hasUnkeyed(db: Db, table: KeyedTable): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${prepared}select ${isKeyingOf(table)} as found`.execute(db);
  return rows[0]?.found === true;
}

interface TypedRow {
  id: number;
  network: string;
  address: string;
  memo: string;
  listed: Network[];
}

/**
 * Makes the keys of the next stale rows. Rows that are locked are left for another call.
 *
 * @param after where the last call ended: before it the index has an entry of every row that was keyed since the last vacuum
 * @returns where it ended; undefined if no stale row follows
 */
export async function keyRows(
  db: Db,
  table: KeyedTable,
  { after, limit }: { after: Position; limit: number },
): Promise<Position | undefined> {
  const { rows } = await sql<TypedRow & { userId: number }>`${prepared}
    select t.id, t.user_id as "userId", t.network, t.address, t.memo, m.networks as listed
    from ${sql.table(table)} t join market m on m.id = t.market_id
    where ${isStale('t')} and ${afterOf[table](after)}
    order by ${orders[table]} limit ${limit} for no key update of t skip locked`.execute(db);
  await writeKeys(db, table, rows);
  return rows.at(-1);
}

interface Renewal {
  marketId: number;
  after: number;
  last: number;
}

/**
 * Makes the keys of the next rows of a coin again whose networks were given other families. Goes no further than the first
 * row that is locked.
 *
 * @returns how many rows were keyed; undefined if none are to be keyed again
 */
export async function renewKeys(db: Db, table: KeyedTable, limit: number): Promise<number | undefined> {
  // The lock keeps a save of the coin from starting again meanwhile. Its networks are read in a later statement, so that they
  // are those of the last save that had the lock.
  const { rows: renewals } = await sql<Renewal>`${prepared}
    select market_id as "marketId", after_id as after, last_id as last from key_renewal where table_name = ${table}
    order by market_id limit 1 for update`.execute(db);
  const [renewal] = renewals;
  if (!renewal) return undefined;
  const { marketId, after, last } = renewal;
  const isRenewal = sql`table_name = ${table} and market_id = ${marketId}`;
  const { rows: next } = await sql<{ id: number }>`${prepared}
    select t.id from ${sql.table(table)} t where t.market_id = ${marketId} and t.id > ${after} and t.id <= ${last}
    order by t.market_id, t.id limit ${limit}`.execute(db);
  const ids = next.map(({ id }) => id);
  const { rows } = await sql<TypedRow>`${prepared}
    select t.id, t.network, t.address, t.memo, m.networks as listed
    from ${sql.table(table)} t join market m on m.id = t.market_id where t.id = any(${ids}::bigint[])
    order by t.id for no key update of t skip locked`.execute(db);
  await writeKeys(db, table, rows);
  const keyed = new Set(rows.map(({ id }) => id));
  const locked = ids.findIndex((id) => !keyed.has(id));
  if (locked < 0 && ids.length < limit) await sql`${prepared}delete from key_renewal where ${isRenewal}`.execute(db);
  else {
    const reached = (locked < 0 ? ids.at(-1) : ids[locked - 1]) ?? after;
    await sql`${prepared}update key_renewal set after_id = ${reached} where ${isRenewal}`.execute(db);
  }
  return locked < 0 ? ids.length : locked;
}

const keyedTypes = { id: 'bigint', ...keyTypes } as const;

async function writeKeys(db: Db, table: KeyedTable, rows: readonly TypedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const keys = rows.map(({ id, listed, network, address, memo }): DestinationKeys & { id: number } => ({
    id,
    ...makeKeys(listed, { network, address, memo }),
  }));
  // Rows whose keys stay the same are not written.
  await sql`${prepared}
    update ${sql.table(table)} t set account_key = k."accountKey", memo_key = k."memoKey", beneficiary = k.beneficiary,
      address_faults = string_to_array(k."addressFaults", ','), account_rules = k."accountRules"
    from ${unnestRows('k', keyedTypes, keys)} where t.id = k.id
      and (t.beneficiary, t.address_faults, t.account_rules)
        is distinct from (k.beneficiary, string_to_array(k."addressFaults", ','), k."accountRules")`.execute(db);
}
