import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import {
  BINARY_CONTRACT_RISK_EXPIRY,
  BINARY_CONTRACT_RISK_MARKET,
  BINARY_CONTRACT_RISK_ROWS,
} from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractExposure, BinaryContractRisk } from '@hengtai/contract/trading/binary-contract/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';

/** A contract counts as overdue this long after expiry plus tolerance, by the clock of the server. */
const OVERDUE_MS = 30_000;

/** Select fields that sum one group of running contracts: both sides, and the largest possible loss of the house. */
const sums = sql`
  count(*) filter (where c.side = 1)::int as "upCount", coalesce(sum(c.amount) filter (where c.side = 1), 0) as "upAmount",
  coalesce(sum(c.payout) filter (where c.side = 1), 0) as "upPayout",
  count(*) filter (where c.side = 2)::int as "downCount", coalesce(sum(c.amount) filter (where c.side = 2), 0) as "downAmount",
  coalesce(sum(c.payout) filter (where c.side = 2), 0) as "downPayout",
  greatest(0, coalesce(sum(case when c.side = 1 then c.payout else -c.amount end), 0),
    coalesce(sum(case when c.side = 2 then c.payout else -c.amount end), 0)) as risk`;

export interface ExposureRow {
  marketId: number;
  marketName: string;
  upCount: number;
  upAmount: string;
  upPayout: string;
  downCount: number;
  downAmount: string;
  downPayout: string;
  risk: string;
  alert: boolean;
}

const thresholds = sql`(select (select num from config where key = ${BINARY_CONTRACT_RISK_EXPIRY}) as expiry,
  (select num from config where key = ${BINARY_CONTRACT_RISK_MARKET}) as market)`;

/** Running contracts summed by market and expiry second, highest risk first. `scopeCondition` restricts rows `c` to a scope. */
export async function fetchExpiryRisks(
  db: Db,
  scopeCondition: RawBuilder<boolean>,
  limit: number,
): Promise<(ExposureRow & { settleAt: number })[]> {
  const { rows } = await sql<ExposureRow & { settleAt: number }>`
    select x.*, t.expiry > 0 and x.risk >= t.expiry as alert from (
      select c.market_id as "marketId", m.market_name as "marketName", c.settle_at / 1000 * 1000 as "settleAt", ${sums}
      from second_contract c join market m on m.id = c.market_id where c.state = ${sql.lit(BINARY_CONTRACT.open)} and ${scopeCondition}
      group by c.market_id, m.market_name, c.settle_at / 1000) x
    cross join ${thresholds} t
    order by x.risk desc, x."settleAt", x."marketId" limit ${limit}`.execute(db);
  return rows;
}

/** Running contracts summed by market, highest risk first. */
export async function fetchMarketRisks(
  db: Db,
  scopeCondition: RawBuilder<boolean>,
  now: number,
): Promise<(ExposureRow & { price: string | null; priceAt: number | null; overdue: number })[]> {
  const { rows } = await sql<ExposureRow & { price: string | null; priceAt: number | null; overdue: number }>`
    select x.*, t.market > 0 and x.risk >= t.market as alert from (
      select c.market_id as "marketId", m.market_name as "marketName", m.price, m.price_at as "priceAt", ${sums},
        count(*) filter (where c.settle_at + c.tolerance + ${OVERDUE_MS} < ${now})::int as overdue
      from second_contract c join market m on m.id = c.market_id where c.state = ${sql.lit(BINARY_CONTRACT.open)} and ${scopeCondition}
      group by c.market_id, m.market_name, m.price, m.price_at, m.sort) x
    cross join ${thresholds} t order by x.risk desc, x."marketId"`.execute(db);
  return rows;
}

/** The largest possible losses of the house within the scope. */
export async function fetchBinaryContractRisk(ctx: Ctx): Promise<BinaryContractRisk> {
  const scopeCondition = inScope(ctx.scope, 'c.agent_id');
  const { rows } = await sql<
    BinaryContractRisk['thresholds']
  >`select coalesce(t.expiry, 0) as expiry, coalesce(t.market, 0) as market
    from ${thresholds} t`.execute(ctx.db);
  const markets = await fetchMarketRisks(ctx.db, scopeCondition, ctx.now);
  const expiries = await fetchExpiryRisks(ctx.db, scopeCondition, BINARY_CONTRACT_RISK_ROWS);
  return {
    now: ctx.now,
    thresholds: rows[0] ?? { expiry: '0', market: '0' },
    markets: markets.map(({ price, priceAt, overdue, ...row }) => ({ ...exposureOf(row), price, priceAt, overdue })),
    expiries: expiries.map(({ settleAt, ...row }) => ({ ...exposureOf(row), settleAt })),
  };
}

const exposureOf = (row: ExposureRow): Omit<BinaryContractExposure, 'settleAt'> => ({
  marketId: row.marketId,
  marketName: row.marketName,
  up: { count: row.upCount, amount: row.upAmount, payout: row.upPayout },
  down: { count: row.downCount, amount: row.downAmount, payout: row.downPayout },
  risk: row.risk,
  alert: row.alert,
});
