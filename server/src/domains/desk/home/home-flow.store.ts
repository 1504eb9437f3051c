import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { selectCountedAdjustments } from '../../funds/asset/asset.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { ReportDay } from '../../../books/lists/report-day.ts';
import { inScope } from '../../../database/scope.ts';

/** Deposits or withdrawals of one coin on one day. */
export interface Flow {
  kind: 'recharge' | 'withdraw';
  /** 1 is the first of the days. */
  day: number;
  marketId: number;
  marketName: string;
  amount: string;
  count: number;
  /** In USDT; null while the coin has no price. */
  value: string | null;
}

/**
 * `records` are credited deposits and paid withdrawals, the rows of the lists that the cards open. A `report` also has
 * the adjustments that count as such.
 */
export type FlowRows = 'records' | 'report';

/**
 * Deposits and withdrawals in the operator's scope by day and coin. The current day is valued at the last price. Past
 * days are valued at their own last price, so that their figures do not change; without a tick of that time, at the last
 * price.
 */
export async function fetchFlows(ctx: Ctx, days: readonly ReportDay[], of: FlowRows): Promise<Flow[]> {
  const starts = sql`${days.map(({ start }) => start)}::bigint[]`;
  const from = days[0]?.start ?? ctx.now;
  const adjustments = sql`
      union all
      select 'recharge', c.market_id, c.amount, c.at from (${selectCountedAdjustments('recharge')}) c
      where c.at >= ${from} and ${inScope(ctx.scope, 'c.agent_id')}
      union all
      select 'withdraw', c.market_id, c.amount, c.at from (${selectCountedAdjustments('withdraw')}) c
      where c.at >= ${from} and ${inScope(ctx.scope, 'c.agent_id')}`;
  const { rows } = await sql<Flow>`
    with moved as (
      select 'recharge' as kind, r.market_id, r.amount, r.credited_at as at from recharge r
      where r.state = ${sql.lit(RECHARGE.credited)} and r.credited_at >= ${from} and ${inScope(ctx.scope, 'r.agent_id')}
      union all
      select 'withdraw', w.market_id, w.amount, w.paid_at from withdraw w
      where w.state = ${sql.lit(WITHDRAW.paid)} and w.paid_at >= ${from} and ${inScope(ctx.scope, 'w.agent_id')}
      ${of === 'report' ? adjustments : sql``}
    ), flow as (
      select kind, width_bucket(at, ${starts}) as day, market_id, sum(amount) as amount, count(*) as count
      from moved group by 1, 2, 3
    )
    select f.kind, f.day, f.market_id as "marketId", m.market_name as "marketName", f.amount, f.count,
      f.amount * case when m.market_name = ${SETTLEMENT} then 1 else coalesce(t.price, usdt_price(m.id)) end as value
    from flow f join market m on m.id = f.market_id
    left join lateral (
      select t.price from tick t
      where f.day < ${days.length} and t.market_id = f.market_id and t.at < (${starts})[f.day + 1]
      order by t.at desc, t.id desc limit 1
    ) t on true
    order by m.sort, m.id, f.day, f.kind`.execute(ctx.db);
  return rows;
}

export interface DayCount {
  day: number;
  count: number;
}

export async function countNewUsers(ctx: Ctx, days: readonly ReportDay[]): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select width_bucket(u.created_at, ${days.map(({ start }) => start)}::bigint[]) as day, count(*) as count from users u
    where u.deleted_at is null and u.created_at >= ${days[0]?.start ?? ctx.now} and ${inScope(ctx.scope, 'u.agent_id')}
    group by 1`.execute(ctx.db);
  return rows;
}

export interface DayReview extends DayCount {
  /** Milliseconds from request to decision; discrete percentiles, so they are values that occurred. */
  median: number;
  p90: number;
}

/** Waiting times of the withdrawals that were decided on each day. */
export async function fetchReviewTimes(ctx: Ctx, days: readonly ReportDay[]): Promise<DayReview[]> {
  const { rows } = await sql<DayReview>`
    select day, count(*) as count, percentile_disc(0.5) within group (order by waited) as median,
      percentile_disc(0.9) within group (order by waited) as p90
    from (
      select width_bucket(w.reviewed_at, ${days.map(({ start }) => start)}::bigint[]) as day,
        greatest(w.reviewed_at - w.created_at, 0) as waited
      from withdraw w
      where w.reviewed_at >= ${days[0]?.start ?? ctx.now} and ${inScope(ctx.scope, 'w.agent_id')}
    ) decided
    group by day`.execute(ctx.db);
  return rows;
}

/** Number and age of the withdrawals that now wait for review. */
export async function countWaitingWithdraws(ctx: Ctx): Promise<{ count: number; oldestAt: number | null }> {
  const { rows } = await sql<{ count: number; oldestAt: number | null }>`
    select count(*) as count, min(w.created_at) as "oldestAt" from withdraw w
    where w.state = ${sql.lit(WITHDRAW.review)} and ${inScope(ctx.scope, 'w.agent_id')}`.execute(ctx.db);
  return rows[0] ?? { count: 0, oldestAt: null };
}
