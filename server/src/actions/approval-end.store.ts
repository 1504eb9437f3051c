import { OVERDUE } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { SPOT } from '@hengtai/contract/trading/spot/facts';
import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';
import { notificationFields, stateNotificationInsert } from './approval.store.ts';

// How approvals end without a decision: their record changed, their target ended, or their time is over.

/** Ends open approvals, whose records changed. */
export async function endApprovals(
  db: Db,
  approvals: readonly { id: number }[],
  { answer, now }: { answer: string; now: number },
): Promise<void> {
  await sql`
    with moved as (update approval set state = ${APPROVAL.expired}, answer = ${answer}, decided_at = ${now}, updated_at = ${now}
    where id = any(${approvals.map(({ id }) => id)}::bigint[]) and state = ${sql.lit(APPROVAL.open)} returning ${notificationFields})
    ${stateNotificationInsert(APPROVAL.expired, now)}`.execute(db);
}

/**
 * Locks the open approvals of a target. Call it before locking the target: a decision locks in the same order, which
 * prevents deadlocks.
 */
export async function lockApprovals(db: Db, target: { type: string; id: number }): Promise<void> {
  await sql`${prepared}select 1 from approval
    where target_type = ${target.type} and target_id = ${target.id} and state = ${sql.lit(APPROVAL.open)} order by id for update`.execute(
    db,
  );
}

/** Closes the open approvals of a target whose state changed by other means. */
export async function closeApprovals(
  db: Db,
  target: { type: string; id: number },
  decision: { state: number; answer: string; now: number },
): Promise<void> {
  await sql`${prepared}
    with moved as (update approval set state = ${decision.state}, answer = ${decision.answer}, decided_at = ${decision.now},
      updated_at = ${decision.now}
    where target_type = ${target.type} and target_id = ${target.id} and state = ${sql.lit(APPROVAL.open)} returning ${notificationFields})
    ${stateNotificationInsert(decision.state, decision.now)}`.execute(db);
}

/**
 * Targets that the engine has ended. There are thousands of engine events and few open approvals, so the approvals look
 * for ended targets instead of each event looking for an approval.
 */
const isTargetEnded = sql`(target_type = 'trade' and exists (
    select from trade_order t where t.id = target_id and t.state in (${sql.join([SPOT.filled, SPOT.cancelled])}))
  or target_type = 'future' and exists (select from future_order f where f.id = target_id
    and f.stage <> case action when 'future.cancel' then ${FUTURE.pending}::int else ${FUTURE.open}::int end))`;

interface ExpiredApproval {
  id: number;
  action: string;
  targetType: string;
  targetId: number;
  userId: number | null;
  agentId: number | null;
  answer: string;
}

/** Expires up to 100 approvals that are overdue or whose target has ended. Concurrent calls skip locked rows. */
export async function expireApprovals(db: Db, now: number): Promise<ExpiredApproval[]> {
  const { rows } = await sql<ExpiredApproval>`
    with moved as (update approval set state = ${sql.lit(APPROVAL.expired)}, decided_at = ${now}, updated_at = ${now},
      answer = case when expires_at > ${now} then '委托已结束' when answer = '' then ${OVERDUE} else answer end
    where id in (select id from approval where state = ${sql.lit(APPROVAL.open)} and (expires_at <= ${now} or ${isTargetEnded})
      order by id limit 100 for update skip locked)
    returning ${notificationFields}, action, target_type, target_id, answer),
    notified as (${stateNotificationInsert(APPROVAL.expired, now)})
    select id, action, target_type as "targetType", target_id as "targetId", user_id as "userId", agent_id as "agentId",
      answer from moved`.execute(db);
  return rows;
}
