import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../postgres/connect.ts';
import type { Network } from '@hengtai/contract/market.schema';
import { type DestinationKeys, keyTypes, makeKeys } from '../../destination/keys.ts';
import { unnestRows } from '../../postgres/bulk.ts';

/** The tables whose rows have keys. */
export type KeyedTable = 'withdraw' | 'recharge';

/** The order of the index of rows to be keyed. The withdrawals of one user follow each other, so each is soon known. */
const orders: Readonly<Record<KeyedTable, RawBuilder<unknown>>> = {
  withdraw: sql`t.user_id, t.id`,
  recharge: sql`t.id`,
};

/**
 * The order makes the planner use the index of rows to be keyed, also where its statistics say that most rows are. From the
 * end, because the job begins at the other one and leaves dead entries there.
 */
const lastUnkeyed: Readonly<Record<KeyedTable, RawBuilder<unknown>>> = {
  withdraw: sql`(select true from withdraw k where k.account_rules is null order by k.user_id desc, k.id desc limit 1)`,
  recharge: sql`(select true from recharge k where k.account_rules is null order by k.id desc limit 1)`,
};

/** Whether any withdrawal is still to be keyed. */
export const isKeying = sql<boolean>`(${lastUnkeyed.withdraw} is true)`;

/** Whether any row is still to be keyed. Needs full scope. */
export async function hasUnkeyed(db: Db, table: KeyedTable): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${prepared}select ${lastUnkeyed[table]} is true as found`.execute(db);
  return rows[0]?.found === true;
}

interface UnkeyedRow {
  id: number;
  network: string;
  address: string;
  memo: string;
  listed: Network[];
}

const keyedTypes = { id: 'bigint', ...keyTypes } as const;

/**
 * Makes the keys of the next rows that have none. Rows that are locked are left for another call.
 *
 * @returns how many rows were keyed
 */
export async function keyRows(db: Db, table: KeyedTable, limit: number): Promise<number> {
  const { rows } = await sql<UnkeyedRow>`${prepared}
    select t.id, t.network, t.address, t.memo, m.networks as listed
    from ${sql.table(table)} t join market m on m.id = t.market_id
    where t.account_rules is null order by ${orders[table]} limit ${limit} for no key update of t skip locked`.execute(
    db,
  );
  if (rows.length === 0) return 0;
  const keys = rows.map(({ id, listed, ...texts }): DestinationKeys & { id: number } => ({
    id,
    ...makeKeys(listed, texts),
  }));
  await sql`${prepared}
    update ${sql.table(table)} t set account_key = k."accountKey", memo_key = k."memoKey", beneficiary = k.beneficiary,
      address_faults = string_to_array(k."addressFaults", ','), account_rules = k."accountRules"
    from ${unnestRows('k', keyedTypes, keys)} where t.id = k.id`.execute(db);
  return rows.length;
}
