import type {
  QueueColleague,
  QueueHistory,
  QueueMark,
  QueueMarks,
  QueuePresence,
} from '@hengtai/contract/desk/queue/schema';
import { type ReviewQueueKey, QUEUE_TARGET_PREFIX, reviewQueues } from '@hengtai/contract/desk/queue/work-queue';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { sql } from 'kysely';
import { notificationInsert } from '../../../actions/notification.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';
import { queueOf, waitingRows } from '../../../realtime/waiting.store.ts';
import { type ReviewRecord, canDecide, idOf, isAbove, isAbsent, selectWaiting, visibleIds } from './record.store.ts';

type RecordKey = Pick<ReviewRecord, 'type' | 'id'>;

/** What is agreed about a record; a park that is over, and an operator outside the scope, are null. */
const itemFields = (ctx: Ctx) => sql`
  case when i.parked_until > ${ctx.now} then i.parked_until end as "parkedUntil", i.assignee_id as "assigneeId",
  n.account as assignee, coalesce(i.escalated, false) as escalated`;
const assigneeJoin = ({ scope }: Ctx) => sql`left join agent n on n.id = i.assignee_id and ${inScope(scope, 'n.id')}`;

/** Records that are held, parked, handed over or escalated, among those that the caller sees. */
export async function findMarks(ctx: Ctx, { targetType, ids }: QueueMarks): Promise<QueueMark[]> {
  const { rows } = await sql<QueueMark>`
    select r.id as "targetId", case when c.id is not null then
        json_build_object('operator', o.account, 'mine', c.operator_id = ${ctx.operator.id}) end as holder,
      ${itemFields(ctx)}
    from ${visibleIds(ctx, targetType, ids)} r
    left join claim c on c.target_type = ${targetType} and c.target_id = r.id and c.ended_at is null
      and c.lease_until > ${ctx.now}
    left join agent o on o.id = c.operator_id and ${inScope(ctx.scope, 'o.id')}
    left join queue_item i on i.target_type = ${targetType} and i.target_id = r.id ${assigneeJoin(ctx)}
    where c.id is not null or i.parked_until > ${ctx.now} or i.assignee_id is not null or i.escalated
    order by r.id`.execute(ctx.db);
  return rows;
}

/** What is agreed about a record that the caller sees. */
export async function findItem(ctx: Ctx, { type, id }: RecordKey): Promise<Omit<QueueHistory, 'events'>> {
  const { rows } = await sql<Omit<QueueHistory, 'events'>>`
    select ${itemFields(ctx)} from queue_item i ${assigneeJoin(ctx)}
    where i.target_type = ${type} and i.target_id = ${id}`.execute(ctx.db);
  return rows[0] ?? { parkedUntil: null, assigneeId: null, assignee: null, escalated: false };
}

const EVENTS_MAX = 200;

/** The last events of a record that the caller sees. Operators outside the scope are not named. */
export async function findEvents(ctx: Ctx, { type, id }: RecordKey): Promise<QueueHistory['events']> {
  const { rows } = await sql<QueueHistory['events'][number]>`
    select e.id, e.kind, o.account as by, e.text, e.until, array(
        select t.account from unnest(e.operator_ids) with ordinality as p(id, n)
        left join agent t on t.id = p.id and ${inScope(ctx.scope, 't.id')} order by p.n) as "to",
      e.created_at as "createdAt"
    from queue_event e left join agent o on o.id = e.operator_id and ${inScope(ctx.scope, 'o.id')}
    where e.target_type = ${type} and e.target_id = ${id} order by e.id desc limit ${EVENTS_MAX}`.execute(ctx.db);
  return rows;
}

interface NewEvent {
  kind: 'park' | 'handOver' | 'escalate' | 'comment';
  text: string;
  until?: number | null;
  operatorIds?: readonly number[];
}

export async function addEvent(ctx: Ctx, { type, id }: RecordKey, event: NewEvent): Promise<void> {
  await sql`
    insert into queue_event (target_type, target_id, kind, operator_id, text, until, operator_ids, created_at, recorded_at)
    values (${type}, ${id}, ${event.kind}, ${ctx.operator.id}, ${event.text}, ${event.until ?? null},
      ${[...(event.operatorIds ?? [])]}::bigint[], ${ctx.now}, ${ctx.now})`.execute(ctx.db);
}

/** Parks a record until a time; null returns it to its queue. */
export async function setParked(ctx: Ctx, { type, id }: RecordKey, until: number | null): Promise<void> {
  await sql`
    insert into queue_item (target_type, target_id, parked_until, updated_at) values (${type}, ${id}, ${until}, ${ctx.now})
    on conflict (target_type, target_id)
      do update set parked_until = excluded.parked_until, updated_at = excluded.updated_at`.execute(ctx.db);
}

/** Reserves a record for an operator, or for those above; with neither it is everybody's. A park ends. */
export async function setAssignee(
  ctx: Ctx,
  { type, id }: RecordKey,
  to: { assigneeId: number | null; escalated: boolean },
): Promise<void> {
  await sql`
    insert into queue_item (target_type, target_id, assignee_id, escalated, updated_at)
    values (${type}, ${id}, ${to.assigneeId}, ${to.escalated}, ${ctx.now})
    on conflict (target_type, target_id) do update set parked_until = null, assignee_id = excluded.assignee_id,
      escalated = excluded.escalated, updated_at = excluded.updated_at`.execute(ctx.db);
}

const COLLEAGUES_MAX = 200;

/** Operators of the caller's scope who can decide about the record, with what they hold or were handed of its kind. */
export async function findColleagues(ctx: Ctx, { type, agentId }: ReviewRecord): Promise<QueueColleague[]> {
  const { rows } = await sql<QueueColleague>`
    with waiting as materialized (${selectWaiting(ctx, type)}),
    busy as (
      select x.operator_id, count(distinct x.id) as load from (
        select i.assignee_id as operator_id, w.id from waiting w
        join queue_item i on i.target_type = ${type} and i.target_id = w.id and i.assignee_id is not null
        union all
        select c.operator_id, w.id from waiting w join claim c on c.target_type = ${type} and c.target_id = w.id
          and c.ended_at is null and c.lease_until > ${ctx.now}
      ) x group by x.operator_id
    )
    select o.id, o.account, ${isAbsent(ctx.now)} as absent,
      (select b.back_at from absence b where b.operator_id = o.id and b.back_at > ${ctx.now}) as "backAt",
      coalesce(busy.load, 0) as load
    from agent o left join busy on busy.operator_id = o.id
    where ${inScope(ctx.scope, 'o.id')} and ${canDecide(type, agentId)}
    order by o.account_key limit ${COLLEAGUES_MAX}`.execute(ctx.db);
  return rows;
}

/** Other operators, also outside the caller's scope, who get the record if it is escalated. */
export const findSuperiors = ({ db, operator }: Ctx, { type, agentId }: ReviewRecord): Promise<number[]> =>
  withFullScope(db, async () => {
    const { rows } = await sql<{ id: number }>`
      select o.id from agent o where o.id <> ${operator.id} and ${canDecide(type, agentId)} and ${isAbove(type)}
      order by o.id limit ${COLLEAGUES_MAX}`.execute(db);
    return rows.map(({ id }) => id);
  });

export async function findPresence({ db, operator, now }: Ctx): Promise<QueuePresence> {
  const { rows } = await sql<{ backAt: number | null }>`
    select b.back_at as "backAt" from absence b
    where b.operator_id = ${operator.id} and (b.back_at is null or b.back_at > ${now})`.execute(db);
  return { absent: rows.length > 0, backAt: rows[0]?.backAt ?? null };
}

export async function setAbsent({ db, operator, now }: Ctx, backAt: number | null): Promise<void> {
  await sql`
    insert into absence (operator_id, back_at, created_at) values (${operator.id}, ${backAt}, ${now})
    on conflict (operator_id) do update set back_at = excluded.back_at, created_at = excluded.created_at`.execute(db);
}

export async function setPresent({ db, operator }: Ctx): Promise<void> {
  await sql`delete from absence where operator_id = ${operator.id}`.execute(db);
}

const HOUR_MS = 3_600_000;
const OVERDUE_MAX = 200;

/**
 * Notifies once of records of a queue that have waited longer than its target. What exceeded it more than an hour ago is
 * old news, for example after the target was changed.
 */
export async function notifyOverdue(db: Db, key: ReviewQueueKey, now: number): Promise<void> {
  const { alias, since } = queueOf(key);
  const { type } = reviewQueues[key];
  const notification: NotificationType = `${type}.overdue`;
  const system = {
    db,
    operator: { id: 0, account: '', top: true, abilities: [] },
    scope: { kind: 'all' as const },
    now,
  };
  await sql`
    with aim as (select trunc(num)::bigint * 60000 as ms from config
      where key = ${`${QUEUE_TARGET_PREFIX}${key}`} and num >= 1),
    late as (
      select ${idOf(key)} as id, ${sql.ref(`${alias}.user_id`)} as user_id, ${sql.ref(`${alias}.agent_id`)} as agent_id,
        ${since} as since
      from aim cross join ${waitingRows(key, system)}
        and ${since} < ${now}::bigint - aim.ms and ${since} >= ${now}::bigint - aim.ms - ${sql.lit(HOUR_MS)}
        and not exists (select from queue_item i where i.target_type = ${type} and i.target_id = ${idOf(key)}
          and i.overdue_since = ${since})
      order by ${since} limit ${OVERDUE_MAX}
    ),
    noted as (
      insert into queue_item (target_type, target_id, overdue_since, updated_at)
      select ${type}, l.id, l.since, ${now}::bigint from late l
      on conflict (target_type, target_id)
        do update set overdue_since = excluded.overdue_since, updated_at = excluded.updated_at
    ),
    moved as (
      select l.id, l.user_id, l.agent_id, null::bigint as operator_id, null::bigint as market_id, null::numeric as amount,
        null::smallint as state, ''::text as detail from late l
    )
    ${notificationInsert(notification, now, now)}`.execute(db);
}
