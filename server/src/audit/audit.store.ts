import { sql } from 'kysely';
import type { Caller } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';

/** What one action, refusal or login leaves behind. */
export interface AuditEntry {
  action: string;
  result: number;
  targetType?: string | undefined;
  targetId?: number | undefined;
  userId?: number | null | undefined;
  account?: string | null | undefined;
  /** The direct agent of the target; decides who may read the row. Defaults to the operator. */
  agentId?: number | null | undefined;
  before?: unknown;
  after?: unknown;
  reason?: string | undefined;
  approvalId?: number | null | undefined;
}

type Who = Pick<Caller, 'sessionId' | 'ip' | 'userAgent' | 'requestId' | 'now' | 'clockOffset'> & {
  operator: { id: number; account: string } | null;
};

/**
 * Writes the audit row in the transaction that `db` is, and hands it to the sealer. `recorded_at` is the database's own
 * clock, read after the locks of the transaction.
 */
export async function recordAudit(db: Db, who: Who, entry: AuditEntry): Promise<void> {
  const json = (value: unknown): string | null =>
    value === undefined || value === null ? null : JSON.stringify(value);
  await sql`${prepared}
    with written as (
      insert into audit (operator_id, operator, session_id, ip, user_agent, action, target_type, target_id, user_id,
        account, agent_id, before, after, reason, approval_id, result, request_id, created_at, recorded_at)
      values (${who.operator?.id ?? null}, ${who.operator?.account ?? null}, ${who.sessionId}, ${who.ip}, ${who.userAgent},
        ${entry.action}, ${entry.targetType ?? null}, ${entry.targetId ?? null}, ${entry.userId ?? null},
        ${entry.account ?? null}, ${entry.agentId ?? who.operator?.id ?? null}, ${json(entry.before)}::jsonb,
        ${json(entry.after)}::jsonb, ${entry.reason ?? ''}, ${entry.approvalId ?? null}, ${entry.result},
        ${who.requestId}, ${who.now},
        (extract(epoch from clock_timestamp()) * 1000)::bigint + ${who.clockOffset ?? 0}::bigint)
      returning id
    )
    insert into audit_pending (audit_id) select id from written`.execute(db);
}
