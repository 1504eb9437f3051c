import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import type { Caller, Ctx } from '../app/context.ts';
import { type Db, prepared } from '../database/connect.ts';
import { namedInScope } from '../database/scope.ts';

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

/** A change of a record as its audit row recorded it. */
export interface RecordedChange {
  action: string;
  /** Null for the system, and for operators outside the caller's scope. */
  by: string | null;
  isByOutsider: boolean;
  at: number;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>>;
}

/** Changes that are read at most. */
const CHANGES_MAX = 50;

/** The changes of a record after a time, the latest first. The transaction decides which rows are visible. */
export async function fetchChanges(
  { db, scope }: Pick<Ctx, 'db' | 'scope'>,
  { type, id }: { type: string; id: number },
  since: number,
): Promise<RecordedChange[]> {
  const { rows } = await sql<RecordedChange>`
    select c.action, c.by, c.operator_id is not null and c.by is null as "isByOutsider", c.at, c.before, c.after from (
      select a.id, a.operator_id, a.action, ${namedInScope(scope, 'a.operator')} as by, a.created_at as at, a.before, a.after
      from audit a
      where a.target_type = ${type} and a.target_id = ${id} and a.created_at > ${since} and a.result = ${CODE.ok}
        and jsonb_typeof(a.after) = 'object' and a.after ->> 'unchanged' is null
      order by a.id desc limit ${CHANGES_MAX}
    ) c order by c.id desc`.execute(db);
  return rows;
}
