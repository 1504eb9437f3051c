import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import type { Caller } from '../app/context.ts';
import { type Db, prepared } from '../database/connect.ts';

/** The audit row of an action, refusal or login. */
export interface AuditEntry {
  action: string;
  result: number;
  targetType?: string | undefined;
  targetId?: number | undefined;
  userId?: number | null | undefined;
  account?: string | null | undefined;
  /** Direct agent of the target, which determines who may read the row. Defaults to the operator. */
  agentId?: number | null | undefined;
  before?: unknown;
  after?: unknown;
  reason?: string | undefined;
  approvalId?: number | null | undefined;
}

/** The operator and the origin of the request. */
type Actor = Pick<Caller, 'sessionId' | 'ip' | 'userAgent' | 'requestId' | 'now' | 'clockOffset'> & {
  operator: { id: number; account: string } | null;
};

/**
 * Inserts an audit row in the transaction `db` and queues it for the sealer. `recorded_at` is the clock of the database,
 * read after the transaction has its locks.
 */
export async function recordAudit(db: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  const json = (value: unknown): string | null =>
    value === undefined || value === null ? null : JSON.stringify(value);
  await sql`${prepared}
    with written as (
      insert into audit (operator_id, operator, session_id, ip, user_agent, action, target_type, target_id, user_id,
        account, agent_id, before, after, reason, approval_id, result, request_id, created_at, recorded_at)
      values (${actor.operator?.id ?? null}, ${actor.operator?.account ?? null}, ${actor.sessionId}, ${actor.ip}, ${actor.userAgent},
        ${entry.action}, ${entry.targetType ?? null}, ${entry.targetId ?? null}, ${entry.userId ?? null},
        ${entry.account ?? null}, ${entry.agentId ?? actor.operator?.id ?? null}, ${json(entry.before)}::jsonb,
        ${json(entry.after)}::jsonb, ${entry.reason ?? ''}, ${entry.approvalId ?? null}, ${entry.result},
        ${actor.requestId}, ${actor.now},
        (extract(epoch from clock_timestamp()) * 1000)::bigint + ${actor.clockOffset ?? 0}::bigint)
      returning id
    )
    insert into audit_pending (audit_id) select id from written`.execute(db);
}

/** Who changed a record last since a time, as far as the caller may read it; undefined if nobody did. */
export async function findLastChange(
  db: Db,
  { targetType, targetId }: { targetType: string; targetId: number },
  since: number,
): Promise<{ by: string | null; at: number } | undefined> {
  const { rows } = await sql<{ by: string | null; at: number }>`
    select a.operator as by, a.created_at as at from audit a
    where a.target_type = ${targetType} and a.target_id = ${targetId} and a.created_at >= ${since}
      and a.result = ${CODE.ok} and a.after is not null
    order by a.id desc limit 1`.execute(db);
  return rows[0];
}
