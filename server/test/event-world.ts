import { sql } from 'kysely';
import type { World } from './crash-world.ts';
import type { ModelMarket, ModelTerms, RecordKind } from './event-model-state.ts';
import { parseUnits } from './ledger-model.ts';
import type { Operation } from './event-operations.ts';

/** Prepares and reads a real installation for the event model. */

const DAY = 24 * 3_600_000;

/** Turns all policies off, so that one operator decides. One market uses 18 decimals, another only a few. */
export async function prepareTerms(world: World, start: number): Promise<ModelTerms> {
  await sql`update config set state = 0 where key like 'policy.%'`.execute(world.db);
  await sql`update market set price_precision = 18, amount_precision = 18, max_leverage = 100, withdraw_min = 0
    where market_name = 'BTC'`.execute(world.db);
  await sql`update market set min_amount = 0.01, max_amount = 1000000, withdraw_max = 5000 where market_name = 'ETH'`.execute(
    world.db,
  );
  await sql`update market set amount_precision = 15, withdraw_min = 0.000000000000000001 where market_name = 'USDT'`.execute(
    world.db,
  );
  await sql`update second_config set payout_rate = 83.123456789012345678, min_amount = 0.000000000000000001, max_amount = 0
    where seconds = 30`.execute(world.db);
  await sql`update second_config set min_amount = 0.5, max_amount = 100000 where seconds = 60`.execute(world.db);
  const signals = new Map<string, { from: number; to: number; min: bigint; max: bigint }>();
  const { rows: btc } = await sql<{ id: number }>`select id from market where market_name = 'BTC'`.execute(world.db);
  for (const [from, to] of [
    [start - DAY, start + 3 * DAY],
    [start + 2 * DAY, start + 3 * DAY],
  ] as const) {
    const [min, max] = ['0.000000000000000002', '1000000000'];
    const terms = { side: 1, leverage: 5, price: '100', takeProfit: null, stopLoss: null, ratio: '10', minAmount: min };
    const signal = {
      title: `model ${from}`,
      marketId: btc[0]?.id,
      ...terms,
      maxAmount: max,
      startAt: from,
      endAt: to,
      state: 1,
    };
    const { data, msg } = await world.post<{ no: string } | null>('signal/add', signal);
    if (!data) throw new Error(`signal/add: ${msg}`);
    signals.set(data.no, { from, to, min: parseUnits(min), max: parseUnits(max) });
  }
  const { rows } = await sql<Record<keyof ModelMarket, string | number> & { name: string }>`
    select market_name as name, spot, future, second, ieo, price_precision as "pricePrecision",
      amount_precision as "amountPrecision", min_amount as "minAmount", max_amount as "maxAmount",
      max_leverage as "maxLeverage", withdraw_min as "withdrawMin", withdraw_max as "withdrawMax"
    from market`.execute(world.db);
  const { rows: durations } = await sql<{ seconds: number; rate: string; min: string; max: string }>`
    select seconds, payout_rate as rate, min_amount as min, max_amount as max from second_config`.execute(world.db);
  const { rows: config } = await sql<{ num: string }>`select num from config where key = 'second.tolerance'`.execute(
    world.db,
  );
  return {
    markets: new Map(rows.map((row) => [row.name, marketOf(row)])),
    rates: new Map(
      durations.map(({ seconds, rate, min, max }) => [
        seconds,
        { rate: parseUnits(rate), min: parseUnits(min), max: parseUnits(max) },
      ]),
    ),
    tolerance: Number(config[0]?.num) * 1000,
    signals,
  };
}

const marketOf = (row: Record<keyof ModelMarket, string | number>): ModelMarket => ({
  spot: row.spot === 1,
  future: row.future === 1,
  second: row.second === 1,
  ieo: row.ieo === 1,
  pricePrecision: Number(row.pricePrecision),
  amountPrecision: Number(row.amountPrecision),
  minAmount: parseUnits(String(row.minAmount)),
  maxAmount: parseUnits(String(row.maxAmount)),
  maxLeverage: Number(row.maxLeverage),
  withdrawMin: parseUnits(String(row.withdrawMin)),
  withdrawMax: parseUnits(String(row.withdrawMax)),
});

const tables: Readonly<Record<RecordKind, string>> = {
  recharge: 'recharge',
  withdraw: 'withdraw',
  ieo: 'ieo',
  trade: 'trade_order',
  future: 'future_order',
  second: 'second_contract',
  follow: 'follow',
};

/** Record or user ids by number or account. For a payout, the id of its last command. */
export async function findIds(
  world: World,
  kind: Operation['target']['kind'],
  nos: readonly string[],
): Promise<number[]> {
  const values = [...nos];
  const query =
    kind === 'user'
      ? sql<{ id: number }>`select id from users where account = any(${values}::text[])`
      : kind === 'payout'
        ? sql<{ id: number }>`select max(c.id) as id from command c join withdraw w on w.id = c.ref_id
            where c.type = 'withdraw.payout' and c.ref_type = 'withdraw' and w.no = any(${values}::text[]) group by w.id`
        : kind === 'shortfall'
          ? sql<{ id: number }>`select a.id from alarm a join recharge r on a.ref_type = 'recharge' and a.ref_id = r.id
            where a.kind = 'recharge.reversed' and r.no = any(${values}::text[])`
          : sql<{ id: number }>`select id from ${sql.table(tables[kind])} where no = any(${values}::text[])`;
  return (await query.execute(world.db)).rows.map(({ id }) => id);
}

/** Number of contracts that are due by the tick record but not yet settled or opened. */
export async function countUnsettled(world: World): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from second_contract c join market m on m.id = c.market_id
    where c.state = 0 and (c.settle_at <= m.price_at
      or (c.open_tick is null and c.created_at + c.tolerance < m.price_at))`.execute(world.db);
  return rows[0]?.n ?? 0;
}

/** Balances under the model's account names with the house summed up, the holds, and the state of each record. */
export async function readBooks(world: World) {
  const { rows: balances } = await sql<{ name: string; balance: string }>`
    select case when a.user_id is null then a.owner || ' ' || m.market_name
        else u.account || ' ' || m.market_name || ' ' || a.platform || ' ' || a.bucket end as name,
      sum(a.balance) as balance
    from account a join market m on m.id = a.market_id left join users u on u.id = a.user_id
    group by 1 having sum(a.balance) <> 0`.execute(world.db);
  const numbers = sql.join(
    Object.entries(tables).map(
      ([type, table]) => sql`when ${sql.lit(type)} then (select no from ${sql.table(table)} where id = h.ref_id)`,
    ),
    sql` `,
  );
  const { rows: holds } = await sql<{ name: string; amount: string }>`
    select h.ref_type || ' ' || (case h.ref_type ${numbers} else u.account end) || ' ' || m.market_name || ' ' || h.platform as name,
      h.amount - h.released as amount
    from hold h join users u on u.id = h.user_id join market m on m.id = h.market_id
    where h.amount <> h.released`.execute(world.db);
  const states = sql.join(
    Object.entries(tables).map(
      ([type, table]) => sql`select ${sql.lit(type)} || ' ' || no as name, state::int from ${sql.table(table)}`,
    ),
    sql` union all `,
  );
  const { rows: records } = await sql<{ name: string; state: number }>`${states}`.execute(world.db);
  return {
    states: Object.fromEntries(records.map(({ name, state }) => [name, state])),
    balances: Object.fromEntries(balances.map(({ name, balance }) => [name, balance])),
    holds: Object.fromEntries(holds.map(({ name, amount }) => [name, amount])),
  };
}
