import { DENIED } from '@hengtai/contract/house/audit/calls';
import {
  WORK_KINDS,
  ACTIONS_WITHOUT_WORK,
  type WorkKind,
  report as calls,
  workKinds,
} from '@hengtai/contract/desk/report/calls';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, isUserInScope } from '../../../database/scope.ts';
import { createdAtOf, decidingActions } from './decision.store.ts';
import { type ReportPeriod, hoursOf, resolvePeriod } from './report-period.ts';

/** Work of the operators in scope, computed from the audit log and the records that it names. */
export const listWork = defineList(calls.work, async (ctx, input): Promise<ListSource> => {
  // The contract has the filters' types in its schema only.
  const { split, from, to } = input as { split?: number; from?: number; to?: number };
  const period = await resolvePeriod(ctx, { from, to }, await findFirstAudit(ctx));
  return {
    fields: sql.join(rowFields.map((field) => sql`r.${sql.ref(field)}`)),
    from: sql`${rowsOf(ctx, period, split === 1)} r`,
    id: 'r.id',
    createdAt: 'r.counted_from',
    filters: { operator: 'r.operator_key' },
    sort: Object.fromEntries(calls.work.list.sortable.map((field) => [field, `r.${field}`])),
  };
});

/** Time of the first audit row in scope; null if there is none. */
export async function findFirstAudit({ db, scope }: Ctx): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select a.created_at as at from audit a where ${inScope(scope, 'a.operator_id')} order by a.created_at limit 1`.execute(
    db,
  );
  return rows[0]?.at ?? null;
}

const rowFields = [
  'id',
  'day',
  'hours',
  'operatorId',
  'operator',
  'decided',
  'median',
  'p95',
  ...WORK_KINDS,
  'other',
  'asked',
  'amounts',
  'logins',
  'denied',
  'createdAt',
];

const actionsOf = (kind: WorkKind): RawBuilder<unknown> => sql.join(workKinds[kind].actions.map((one) => sql.lit(one)));
const countOf = (kind: WorkKind): RawBuilder<unknown> =>
  sql`count(*) filter (where a.result = 200 and a.action in (${actionsOf(kind)})) as ${sql.ref(kind)}`;

const listedActions = sql.join([...WORK_KINDS.map(actionsOf), ...ACTIONS_WITHOUT_WORK.map((one) => sql.lit(one))]);
/** Exports and disclosures are audited, but reading does not count as work. */
const isReading = sql`a.action like 'export%' or a.action in ('auth.reveal', 'auth.find', 'auth.image', 'second.evidence')`;

function rowsOf(ctx: Ctx, { days, from, end }: ReportPeriod, daily: boolean): RawBuilder<unknown> {
  const starts = days.map(({ start }) => start);
  const first = starts[0] ?? from;
  const day = daily ? sql`width_bucket(a.created_at, ${starts}::bigint[])` : sql`1`;
  const lengths = days.map(hoursOf);
  const hours = daily ? lengths : [lengths.reduce((sum, one) => sum + one, 0)];
  const names = daily ? days.map((one) => one.day) : [`${days[0]?.day ?? ''} ~ ${days.at(-1)?.day ?? ''}`];
  const deciding = sql.join(decidingActions().map((one) => sql.lit(one)));
  return sql`(
    with a as (
      select a.*, ${day} as n from audit a
      where a.created_at >= ${first} and a.created_at < ${end} and a.operator_id is not null
        and ${inScope(ctx.scope, 'a.operator_id')} and ${isUserInScope(ctx.scope, 'a.user_id', 'a.agent_id')}
    ),
    counted as (
      select a.operator_id, a.n, ${sql.join(WORK_KINDS.map(countOf))},
        count(*) filter (where a.result = 200 and a.action in (${deciding})) as decided,
        count(*) filter (where a.result = 202) as asked,
        count(*) filter (where a.result = 200 and a.action = 'session.login') as logins,
        count(*) filter (where a.result in (${sql.join(DENIED.map((one) => sql.lit(one)))})) as denied,
        count(*) filter (where a.result = 200 and a.action not in (${listedActions}, ${deciding}) and not (${isReading})) as other
      from a group by 1, 2
    ),
    waited as (
      select a.operator_id, a.n, percentile_disc(0.5) within group (order by greatest(w.ms, 0)) as median,
        percentile_disc(0.95) within group (order by greatest(w.ms, 0)) as p95
      from a
      cross join lateral (
        select a.created_at - ${createdAtOf(ctx)} as ms
      ) w
      where w.ms is not null and a.result in (200, 202) and a.action in (${deciding}) group by 1, 2
    ),
    moved as (
      select a.operator_id, a.n, a.action, x.market_id, x.amount from a join withdraw x on x.id = a.target_id
      where a.target_type = 'withdraw' and a.result = 200 and a.action in ('withdraw.pass', 'withdraw.reject')
        and ${inScope(ctx.scope, 'x.agent_id')}
      union all
      select a.operator_id, a.n, a.action, s.id, x.pay from a join ieo x on x.id = a.target_id
        join market s on s.market_name = 'USDT'
      where a.target_type = 'ieo' and a.result = 200 and a.action = 'ieo.pass' and ${inScope(ctx.scope, 'x.agent_id')}
      union all
      select a.operator_id, ${day},
        case a.action when 1 then 'asset.active.add' when 2 then 'asset.active.sub' when 3 then 'asset.frozen.add' else 'asset.frozen.sub' end,
        a.market_id, a.amount
      from adjustment a
      where a.created_at >= ${first} and a.created_at < ${end} and ${inScope(ctx.scope, 'a.operator_id')}
        and ${inScope(ctx.scope, 'a.agent_id')}
    ),
    summed as (
      select s.operator_id, s.n,
        jsonb_agg(jsonb_build_object('action', s.action, 'marketName', m.market_name, 'amount', s.amount) order by s.action, m.sort, m.id) as amounts
      from (select operator_id, n, action, market_id, trim_scale(sum(amount))::text as amount from moved group by 1, 2, 3, 4) s
      join market m on m.id = s.market_id group by 1, 2
    )
    select row_number() over (order by c.n, o.account_key desc) as id, (${names}::text[])[c.n] as day, (${hours}::float8[])[c.n] as hours,
      o.id as "operatorId",
      o.account as operator, o.account_key as operator_key, c.decided, w.median, w.p95,
      ${sql.join(WORK_KINDS.map((kind) => sql`c.${sql.ref(kind)}`))}, c.other, c.asked,
      coalesce(s.amounts, '[]'::jsonb) as amounts, c.logins, c.denied, (${starts}::bigint[])[c.n] as "createdAt",
      greatest((${starts}::bigint[])[c.n], ${from}::bigint) as counted_from
    from counted c join agent o on o.id = c.operator_id and ${inScope(ctx.scope, 'o.id')}
    left join waited w on w.operator_id = c.operator_id and w.n = c.n
    left join summed s on s.operator_id = c.operator_id and s.n = c.n
  )`;
}
