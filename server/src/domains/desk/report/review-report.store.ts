import { report as calls } from '@hengtai/contract/desk/report/calls';
import { QUEUE_TARGET_PREFIX, reviewQueueKeys, reviewQueues } from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, isUserInScope } from '../../../database/scope.ts';
import { type ReportPeriod, hoursOf, resolvePeriod } from './report-period.ts';
import { createdAtOf } from './decision.store.ts';
import { findFirstAudit } from './work-report.store.ts';

/** How long records waited and were worked on, by day, queue and operator. */
export const listReviewTimes = defineList(calls.reviews, async (ctx, input): Promise<ListSource> => {
  // The contract has the filters' types in its schema only.
  const { from, to } = input as { from?: number; to?: number };
  const period = await resolvePeriod(ctx, { from, to }, await findFirstAudit(ctx));
  return {
    fields: sql.join(rowFields.map((field) => sql`r.${sql.ref(field)}`)),
    from: sql`${rowsOf(ctx, period)} r`,
    id: 'r.id',
    createdAt: 'r.counted_from',
    filters: { operator: 'r.operator_key', queue: 'r.queue' },
    sort: Object.fromEntries(calls.reviews.list.sortable.map((field) => [field, `r.${field}`])),
  };
});

const rowFields = [
  'id',
  'day',
  'hours',
  'queue',
  'operatorId',
  'operator',
  'decided',
  'late',
  'waitP50',
  'waitP90',
  'workP50',
  'workP90',
  'createdAt',
];

/** The queue that an audited action takes a record from. */
const queueOfAction = sql`case a.action ${sql.join(
  reviewQueueKeys.flatMap((key) =>
    reviewQueues[key].actions.map((action) => sql`when ${sql.lit(action)} then ${sql.lit(key)}`),
  ),
  sql` `,
)} end`;
const actions = sql.join(reviewQueueKeys.flatMap((key) => reviewQueues[key].actions.map((action) => sql.lit(action))));

const percentile = (share: number, column: string): RawBuilder<unknown> =>
  sql`percentile_disc(${sql.lit(share)}) within group (order by t.${sql.ref(column)})`;

/**
 * The claim of the operator knows since when the record waited in the queue. Without a claim, as for bulk calls, the wait is
 * known only in queues whose records wait since their creation.
 */
function rowsOf(ctx: Ctx, { days, from, end }: ReportPeriod): RawBuilder<unknown> {
  const starts = days.map(({ start }) => start);
  const first = starts[0] ?? from;
  return sql`(
    with decided as (
      select a.operator_id, ${queueOfAction} as queue, width_bucket(a.created_at, ${starts}::bigint[]) as n,
        a.target_type, a.target_id, a.created_at as at, ${createdAtOf(ctx)} as entered_at
      from audit a
      where a.created_at >= ${first} and a.created_at < ${end} and a.operator_id is not null
        and a.result in (200, 202) and a.action in (${actions})
        and ${inScope(ctx.scope, 'a.operator_id')} and ${isUserInScope(ctx.scope, 'a.user_id', 'a.agent_id')}
    ),
    timed as (
      select d.operator_id, d.queue, d.n, case when w.since is not null then greatest(d.at - w.since, 0) end as wait, c.work
      from decided d
      left join lateral (
        select max(c.waiting_since) as waiting_since,
          sum(greatest(least(coalesce(c.ended_at, c.lease_until), d.at) - c.since, 0))::bigint as work
        from claim c where c.target_type = d.target_type and c.target_id = d.target_id and c.operator_id = d.operator_id
          and c.queue = d.queue and c.since <= d.at
      ) c on true
      cross join lateral (select coalesce(c.waiting_since, d.entered_at) as since) w
    ),
    summed as (
      select t.operator_id, t.queue, t.n, count(*) as decided,
        count(*) filter (where s.num >= 1 and t.wait > trunc(s.num) * 60000) as late,
        ${percentile(0.5, 'wait')} as wait_p50, ${percentile(0.9, 'wait')} as wait_p90,
        ${percentile(0.5, 'work')} as work_p50, ${percentile(0.9, 'work')} as work_p90
      from timed t left join config s on s.key = ${QUEUE_TARGET_PREFIX}::text || t.queue
      group by 1, 2, 3
    )
    select row_number() over (order by s.n, s.queue, o.account_key desc) as id, (${days.map(({ day }) => day)}::text[])[s.n] as day,
      (${days.map(hoursOf)}::float8[])[s.n] as hours, s.queue,
      o.id as "operatorId", o.account as operator, o.account_key as operator_key, s.decided, s.late,
      s.wait_p50 as "waitP50", s.wait_p90 as "waitP90", s.work_p50 as "workP50", s.work_p90 as "workP90",
      (${starts}::bigint[])[s.n] as "createdAt", greatest((${starts}::bigint[])[s.n], ${from}::bigint) as counted_from
    from summed s join agent o on o.id = s.operator_id and ${inScope(ctx.scope, 'o.id')}
  )`;
}
