import type { Network } from '@hengtai/contract/trading/market/schema';
import { type RawBuilder, sql } from 'kysely';
import { unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import { makeKeys } from '../../../destination/keys.ts';

export type KeyedTable = 'wallet' | 'chain_move';

/** The rows `t` with the wallet `w` and where the money arrives. */
const sources: Readonly<Record<KeyedTable, RawBuilder<unknown>>> = {
  wallet: sql`(select id, id as wallet_id, address, memo, account_rules from wallet)`,
  chain_move: sql`(
    select m.id, m.wallet_id, case when m.amount > 0 then h.address else m.address end as address,
      case when m.amount > 0 and m.memo = '' then h.memo else m.memo end as memo, m.account_rules
    from chain_move m join wallet h on h.id = m.wallet_id)`,
};

interface TypedRow {
  id: number;
  network: string;
  address: string;
  memo: string;
  networks: Network[];
}

const rowsOf = (table: KeyedTable): RawBuilder<unknown> => sql`
  select t.id, w.network, t.address, t.memo, k.networks from ${sources[table]} t
  join wallet w on w.id = t.wallet_id join market k on k.id = w.market_id`;

const keyTypes = { id: 'bigint', accountKey: 'text', memoKey: 'text', accountRules: 'int' } as const;

async function writeKeys(db: Db, table: KeyedTable, rows: readonly TypedRow[]): Promise<void> {
  const keys = rows
    .filter(({ address }) => address.length > 0)
    .map(({ id, networks, network, address, memo }) => ({ id, ...makeKeys(networks, { network, address, memo }) }));
  await sql`${prepared}
    update ${sql.table(table)} t set account_key = k."accountKey", memo_key = k."memoKey", account_rules = k."accountRules"
    from ${unnestRows('k', keyTypes, keys)} where t.id = k.id`.execute(db);
}

/** Makes the keys of rows again that older rules made. Returns how many. */
export async function renewOldRules(db: Db, table: KeyedTable, limit: number): Promise<number> {
  const { rows } = await sql<TypedRow>`${prepared}
    ${rowsOf(table)} where t.account_rules < ${sql.lit(ACCOUNT_RULES)} order by t.id limit ${limit}`.execute(db);
  await writeKeys(db, table, rows);
  return rows.length;
}

/** Makes the keys of the next rows of a coin again whose networks were given other families. Returns whether there are any. */
export async function renewFamilies(db: Db, table: KeyedTable, limit: number): Promise<boolean> {
  // The lock keeps a save of the coin from starting again meanwhile; a later statement reads its networks.
  const { rows: renewals } = await sql<{ marketId: number; after: number; last: number }>`${prepared}
    select market_id as "marketId", after_id as after, last_id as last from key_renewal where table_name = ${table}
    order by market_id limit 1 for update`.execute(db);
  const [renewal] = renewals;
  if (!renewal) return false;
  const { marketId, after, last } = renewal;
  const { rows } = await sql<TypedRow>`${prepared}
    ${rowsOf(table)} where w.market_id = ${marketId} and t.id > ${after} and t.id <= ${last} order by t.id limit ${limit}`.execute(
    db,
  );
  await writeKeys(db, table, rows);
  const isRenewal = sql`table_name = ${table} and market_id = ${marketId}`;
  const reached = rows.at(-1)?.id;
  if (rows.length < limit || reached === undefined)
    await sql`${prepared}delete from key_renewal where ${isRenewal}`.execute(db);
  else await sql`${prepared}update key_renewal set after_id = ${reached} where ${isRenewal}`.execute(db);
  return true;
}
