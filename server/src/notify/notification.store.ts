import {
  NOTIFICATION_DAYS,
  type NotificationNoun,
  type NotificationType,
  NOTIFICATION_HOURS,
  notificationSpecs,
} from '@hengtai/contract/notify';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/connect.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * The part of a statement that tells of the rows which its CTE `moved` inserted or changed, so that the action and the news
 * of it are one write. `moved` brings id, user_id, agent_id, operator_id, market_id, amount, state and detail.
 *
 * @param at when it happened, unix milliseconds; what is long past is no news
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
 * As `notificationInsert` for rows that may have gone through several states in one write: one piece of news for each step, in their
 * order. `moved` brings recorded_at and, as x_at, when it happened.
 *
 * @param steps of which of the states that rows came into they were a part
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
    select t.type, t.noun, t.noun, m.id, m.user_id, m.agent_id, m.operator_id, m.market_id, m.amount, t.state, m.detail, m.x_at,
      m.recorded_at
    from moved m join (values ${sql.join(parts)}) as t(type, noun, state, came_to, n) on t.came_to = m.state
    where m.x_at > m.recorded_at - ${sql.lit(NOTIFICATION_HOURS * 3_600_000)} order by m.id, t.n`;
}

/** What `moved` brings of a row that belongs to a user and moves that user's money. */
export const movedMoney = sql`
  id, user_id, agent_id, null::bigint as operator_id, market_id, amount, state, ''::text as detail`;

export interface NewNotification {
  type: NotificationType;
  refType: NotificationNoun | (string & {});
  refId: number;
  userId?: number | null;
  marketId?: number;
  agentId: number | null;
  /** Who did it, where that one's own windows have to know. */
  operatorId?: number;
  detail?: string;
  at: number;
  now: number;
}

/** Tells of something in a statement of its own, in the transaction of the action. */
export async function recordNotification(db: Db, fact: NewNotification): Promise<void> {
  if (!isRecent(fact.at, fact.now)) return;
  await sql`
    insert into notice (type, noun, ref_type, ref_id, user_id, agent_id, operator_id, market_id, detail, created_at,
      recorded_at)
    values (${fact.type}, ${notificationSpecs[fact.type].noun}, ${fact.refType}, ${fact.refId}, ${fact.userId ?? null},
      ${fact.agentId}, ${fact.operatorId ?? null}, ${fact.marketId ?? null}, ${fact.detail ?? ''}, ${fact.at}, ${fact.now})`.execute(
    db,
  );
}

const isRecent = (at: number, now: number): boolean => at > now - NOTIFICATION_HOURS * 3_600_000;

/**
 * Numbers committed facts that have no number yet. The one row of notice_seq is held until this transaction ends, so
 * numbers become visible in their order: a fact of a transaction that took long comes late, and never not at all.
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

export async function hasUnnumbered(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from notice where seq is null limit 1`.execute(db);
  return rows.length > 0;
}

export async function deleteOldNotifications(db: Db, now: number): Promise<void> {
  await sql`delete from notice where recorded_at < ${now - NOTIFICATION_DAYS * DAY_MS}`.execute(db);
}
