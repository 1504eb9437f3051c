import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import type { ReportDay } from '../report/report-day.store.ts';
import { inScope } from '../../postgres/scope.ts';

/** Volume of one kind of trading on one day, and the users' profit or loss. Decimal strings in USDT. */
export interface TradingFigures {
  kind: 'spot' | 'future' | 'second' | 'ieo';
  /** 1 is the first of the days. */
  day: number;
  value: string;
  count: number;
  result: string;
}

/**
 * Volumes by day: fills at their time; positions when opened and again when closed; binary contracts when opened, their
 * results when settled; subscriptions when passed. Demo positions and voided contracts do not count.
 */
export async function fetchTrading(ctx: Ctx, days: readonly ReportDay[]): Promise<TradingFigures[]> {
  const starts = sql`${days.map(({ start }) => start)}::bigint[]`;
  const from = days[0]?.start ?? ctx.now;
  const own = inScope(ctx.scope, 'x.agent_id');
  const { rows } = await sql<TradingFigures>`
    with trading as (
      select 'spot' as kind, x.created_at as at, x.turnover as value, 1 as count, 0::numeric as result
      from trade_fill x where x.created_at >= ${from} and ${own}
      union all
      select 'future', x.opened_at, x.open_price * x.amount, 1, 0
      from future_order x where x.demo = 0 and x.opened_at >= ${from} and ${own}
      union all
      select 'future', x.created_at, x.price * x.amount, 1, x.realized
      from future_close x where x.demo = 0 and x.created_at >= ${from} and ${own}
      union all
      select 'second', x.created_at, x.amount, 1, 0
      from second_contract x where x.state <> 2 and x.created_at >= ${from} and ${own}
      union all
      select 'second', x.settled_at, 0, 0, x.profit
      from second_contract x where x.state = 1 and x.settled_at >= ${from} and ${own}
      union all
      select 'ieo', x.reviewed_at, x.pay, 1, 0
      from ieo x where x.state = 1 and x.reviewed_at >= ${from} and ${own}
    )
    select kind, width_bucket(at, ${starts}) as day, trim_scale(round(sum(value), 2)) as value, sum(count) as count,
      trim_scale(round(sum(result), 2)) as result
    from trading group by 1, 2`.execute(ctx.db);
  return rows;
}
