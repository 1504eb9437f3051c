import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { ReportDay } from '../../../books/lists/report-day.ts';
import { inScope } from '../../../database/scope.ts';

/** Volume of one kind of trading on one day, and the users' profit or loss. Decimal strings in USDT. */
export interface TradingFigures {
  kind: 'spot' | 'future' | 'second' | 'ieo';
  /** 1 is the first of the days. */
  day: number;
  value: string;
  count: number;
  /** How many of them are without value, because their quote has no price. */
  unpriced: number;
  result: string;
}

/**
 * Volumes by day: fills at their time, in other quotes than USDT at their last price; positions at each opening and each close; binary contracts when opened, their
 * results when settled; subscriptions when passed. Demo positions and voided contracts do not count.
 */
export async function fetchTrading(ctx: Ctx, days: readonly ReportDay[]): Promise<TradingFigures[]> {
  const starts = sql`${days.map(({ start }) => start)}::bigint[]`;
  const from = days[0]?.start ?? ctx.now;
  const own = inScope(ctx.scope, 'x.agent_id');
  const { rows } = await sql<TradingFigures>`
    with trading as (
      select 'future' as kind, x.opened_at as at, x.open_price * x.amount as value, 1 as count, 0::numeric as result
      from future_order x where x.demo = 0 and x.parts = 0 and x.opened_at >= ${from} and ${own}
      union all
      select 'future', x.created_at, x.price * x.amount, 1, 0
      from future_open x where x.demo = 0 and x.created_at >= ${from} and ${own}
      union all
      select 'future', x.created_at, x.price * x.amount, 1, x.realized
      from future_close x where x.demo = 0 and x.created_at >= ${from} and ${own}
      union all
      select 'second', x.created_at, x.amount, 1, 0
      from second_contract x where x.state <> ${sql.lit(BINARY_CONTRACT.voided)} and x.created_at >= ${from} and ${own}
      union all
      select 'second', x.settled_at, 0, 0, x.profit
      from second_contract x where x.state = ${sql.lit(BINARY_CONTRACT.settled)} and x.settled_at >= ${from} and ${own}
      union all
      select 'ieo', x.reviewed_at, x.pay, 1, 0
      from ieo x where x.state = ${sql.lit(IEO.passed)} and x.reviewed_at >= ${from} and ${own}
    ),
    -- In the quote of each market.
    fills as (
      select width_bucket(x.created_at, ${starts}) as day, x.market_id, sum(x.turnover) as turnover, count(*) as count
      from trade_fill x where x.created_at >= ${from} and ${own} group by 1, 2
    ),
    by_day as (
      select kind, width_bucket(at, ${starts}) as day, sum(value) as value, sum(count) as count, 0 as unpriced,
        sum(result) as result
      from trading group by 1, 2
      union all
      select 'spot', f.day, sum(f.turnover * p.price), sum(f.count), coalesce(sum(f.count) filter (where p.price is null), 0), 0
      from fills f join market m on m.id = f.market_id
      cross join lateral (select case when m.quote_id is null then 1 else usdt_price(m.quote_id) end as price) p
      group by f.day
    )
    select kind, day, trim_scale(round(coalesce(value, 0), 2)) as value, count::bigint as count, unpriced::bigint as unpriced,
      trim_scale(round(result, 2)) as result
    from by_day`.execute(ctx.db);
  return rows;
}
