import { NOTIFICATION_DAYS, NOTIFICATION_HOURS } from '@hengtai/contract/desk/notify/calls';
import {
  type NotificationNoun,
  type NotificationType,
  notificationSpecs,
} from '@hengtai/contract/desk/notify/notification';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/connect.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Insert statement for a CTE of the statement whose CTE `moved` returns the changed rows, so that change and
 * notification are one write. `moved` must return id, user_id, agent_id, operator_id, market_id, amount, state and
 * detail.
 *
 * @param at time of the change, unix milliseconds; changes older than NOTIFICATION_HOURS give no notification
 */
export function notificationInsert(type: NotificationType, at: number, now: number): RawBuilder<unknown> {
  const { noun } = notificationSpecs[type];
  return sql`
    insert into notice (type, noun, ref_type, ref_id, user_id, agent_id, operator_id, market_id, amount, state, detail,
      created_at, recorded_at)
    select ${type}, ${noun}, ${noun}, id, user_id, agent_id, operator_id, market_id, amount, state, detail, ${at}::bigint,
      ${now}::bigint
    from moved where ${isRecent(at, now)}::boolean`;
}

/**
 * As `notificationInsert` for rows that may pass through several states in one write: one notification per step, in the
 * order of `steps`. `moved` must also return recorded_at and created_at.
 *
 * @param steps `of`: the final states whose rows have passed through the step
 */
export function notificationStepsInsert(
  steps: readonly { type: NotificationType; state: number; of: readonly number[] }[],
): RawBuilder<unknown> {
  const parts = steps.flatMap(({ type, state, of }, n) =>
    of.map(
      (to) =>
        sql`(${sql.lit(type)}, ${sql.lit(notificationSpecs[type].noun)}, ${sql.lit(state)}::int, ${sql.lit(to)}::int, ${sql.lit(n)}::int)`,
    ),
  );
  return sql`
    insert into notice (type, noun, ref_type, ref_id, user_id, agent_id, operator_id, market_id, amount, state, detail,
      created_at, recorded_at)
    select t.type, t.noun, t.noun, m.id, m.user_id, m.agent_id, m.operator_id, m.market_id, m.amount, t.state, m.detail, m.created_at,
      m.recorded_at
    from moved m join (values ${sql.join(parts)}) as t(type, noun, state, came_to, n) on t.came_to = m.state
    where m.created_at > m.recorded_at - ${sql.lit(NOTIFICATION_HOURS * 3_600_000)} order by m.id, t.n`;
}

/** The columns that `moved` returns for a row with a user, a market and an amount. */
export const movedMoney = sql`
  id, user_id, agent_id, null::bigint as operator_id, market_id, amount, state, ''::text as detail`;

export interface NewNotification {
  type: NotificationType;
  refType: NotificationNoun | (string & {});
  refId: number;
  userId?: number | null;
  marketId?: number;
  agentId: number | null;
  /** The operator who gets the notification as its own, in addition to the scope of `agentId`. */
  operatorId?: number;
  detail?: string;
  at: number;
  now: number;
}

/** Inserts a notification in the transaction of the change, unless the change is older than NOTIFICATION_HOURS. */
export async function recordNotification(db: Db, notification: NewNotification): Promise<void> {
  const { type, refType, refId, userId, agentId, operatorId, marketId, detail, at, now } = notification;
  if (!isRecent(at, now)) return;
  await sql`
    insert into notice (type, noun, ref_type, ref_id, user_id, agent_id, operator_id, market_id, detail, created_at,
      recorded_at)
    values (${type}, ${notificationSpecs[type].noun}, ${refType}, ${refId}, ${userId ?? null}, ${agentId},
      ${operatorId ?? null}, ${marketId ?? null}, ${detail ?? ''}, ${at}, ${now})`.execute(db);
}

const isRecent = (at: number, now: number): boolean => at > now - NOTIFICATION_HOURS * 3_600_000;

/**
 * Numbers committed notifications that have no number yet. The single row of notice_seq stays locked until this
 * transaction ends, so numbers become visible in ascending order and a slow transaction's rows are not skipped.
 *
 * @returns how many were numbered
 */
export async function assignNotificationNumbers(db: Db, limit: number): Promise<number> {
  await sql`select last from notice_seq for update`.execute(db);
  const { numAffectedRows } = await sql`
    with fresh as (
      select id, row_number() over (order by id) as n from (
        select id from notice where seq is null order by id limit ${limit}) w
    ),
    counted as (
      update notice_seq set last = last + (select count(*) from fresh) returning last - (select count(*) from fresh) as base
    )
    update notice w set seq = counted.base + fresh.n
    from fresh, counted where w.id = fresh.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export async function hasUnnumberedNotifications(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from notice where seq is null limit 1`.execute(db);
  return rows.length > 0;
}

export async function deleteOldNotifications(db: Db, now: number): Promise<void> {
  await sql`delete from notice where recorded_at < ${now - NOTIFICATION_DAYS * DAY_MS}`.execute(db);
}
