import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { sql } from 'kysely';
import { isApprovalVisible } from '../../../actions/approval.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { ReportDay } from '../../../books/lists/report-day.ts';
import { inScope } from '../../../database/scope.ts';

/** How many records began on each day. */
export interface DailyCount {
  kind: 'user' | 'withdraw' | 'auth' | 'ieo' | 'approval' | 'trade' | 'future' | 'second' | 'login';
  /** 1 is the first of the days. */
  day: number;
  count: number;
  /** How many of them before `until`, a time of yesterday. */
  before: number;
}

/**
 * Counts users, requests, orders, positions and contracts by the day they began, and the operators who logged in on a
 * day. Deleted users, demo positions and voided contracts do not count.
 */
export async function countDaily(ctx: Ctx, days: readonly ReportDay[], until: number): Promise<DailyCount[]> {
  const starts = sql`${days.map(({ start }) => start)}::bigint[]`;
  const from = days[0]?.start ?? ctx.now;
  const own = inScope(ctx.scope, 'x.agent_id');
  const { rows } = await sql<DailyCount>`
    with began as (
      select 'user' as kind, x.created_at as at from users x
      where x.deleted_at is null and x.created_at >= ${from} and ${own}
      union all
      select 'withdraw', x.created_at from withdraw x where x.created_at >= ${from} and ${own}
      union all
      select 'auth', x.created_at from auth x where x.created_at >= ${from} and ${own}
      union all
      select 'ieo', x.created_at from ieo x where x.created_at >= ${from} and ${own}
      union all
      select 'approval', a.created_at from approval a where a.created_at >= ${from} and ${isApprovalVisible(ctx)}
      union all
      select 'trade', x.created_at from trade_order x where x.created_at >= ${from} and ${own}
      union all
      select 'future', x.opened_at from future_order x where x.demo = 0 and x.opened_at >= ${from} and ${own}
      union all
      select 'second', x.created_at from second_contract x where x.state <> ${sql.lit(BINARY_CONTRACT.voided)} and x.created_at >= ${from} and ${own}
    )
    select kind, width_bucket(at, ${starts}) as day, count(*) as count, count(*) filter (where at < ${until}) as before
    from began group by 1, 2
    union all
    select 'login', width_bucket(x.created_at, ${starts}), count(distinct x.operator_id),
      count(distinct x.operator_id) filter (where x.created_at < ${until})
    from session x where x.created_at >= ${from} and ${inScope(ctx.scope, 'x.operator_id')} group by 2`.execute(ctx.db);
  return rows;
}

export interface UserTotals {
  now: number;
  /** The number of users at each of the times, in their order. */
  earlier: number[];
}

/** Counts the users of now, and of earlier times: without those who came later, with those deleted since. */
export async function countUsersAt(ctx: Ctx, times: readonly number[]): Promise<UserTotals> {
  const own = inScope(ctx.scope, 'u.agent_id');
  const { rows } = await sql<UserTotals>`
    with total as (select count(*) as count from users u where u.deleted_at is null and ${own}),
    born as (
      select width_bucket(u.created_at, ${[...times]}::bigint[]) as place, count(*) as count from users u
      where u.deleted_at is null and u.created_at >= ${Math.min(...times)} and ${own} group by 1
    ),
    deleted as (
      select u.created_at, u.deleted_at from users u where u.deleted_at >= ${Math.min(...times)} and ${own}
    )
    select t.count as now, (
      select array_agg(t.count - (select coalesce(sum(b.count), 0) from born b where b.place >= p.place)::bigint
        + (select count(*) from deleted d where d.created_at < p.at and d.deleted_at >= p.at) order by p.place)
      from unnest(${[...times]}::bigint[]) with ordinality p(at, place)
    ) as earlier
    from total t`.execute(ctx.db);
  return rows[0] ?? { now: 0, earlier: [] };
}
