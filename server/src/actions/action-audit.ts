import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { NO_REASON } from '@hengtai/contract/house/audit/calls';
import { CODE, type Code } from '@hengtai/contract/wire/envelope';
import { recordAudit } from './audit.store.ts';
import type { App, Caller, Ctx } from '../app/context.ts';
import { runInScope } from '../database/connect.ts';
import type { Refused } from '../app/refuse.ts';

/** The target of an action, as the audit row and the approval list name it. */
export interface Subject {
  type: string;
  id: number;
  userId?: number | null;
  account?: string | null;
  agentId?: number | null;
}

/** Returns the subjects of one kind of records that belong to no agent: they belong to the tree of who acts. */
export const houseSubject =
  (type: string) =>
  ({ operator }: Pick<Ctx, 'operator'>, { id }: { id: number }): Subject => ({ type, id, agentId: operator.id });

/** Returns the subjects of one kind of users' records. */
export const recordSubject =
  (type: string) =>
  ({ id, userId, account, agentId }: { id: number; userId: number; account: string; agentId: number }): Subject => ({
    type,
    id,
    userId,
    account,
    agentId,
  });

export const auditSubject = (subject: Subject | undefined) => ({
  targetType: subject?.type,
  targetId: subject?.id,
  userId: subject?.userId,
  account: subject?.account,
  agentId: subject?.agentId,
});

/** The reason that an input carries, if any. */
export function reasonOf(input: unknown): string {
  const reason: unknown = input !== null && typeof input === 'object' && 'reason' in input ? input.reason : undefined;
  return typeof reason === 'string' ? reason.trim() : '';
}

/** The reason for the audit row. A call that expects one and got none is recorded with `NO_REASON`. */
export function auditReason({ reason }: Pick<CallSpec, 'reason'>, input: unknown): string {
  return reasonOf(input) || (reason === 'expected' ? NO_REASON : '');
}

function numberIn(input: unknown, field: string): number | undefined {
  const value: unknown = input !== null && typeof input === 'object' ? Reflect.get(input, field) : undefined;
  return typeof value === 'number' ? value : undefined;
}

const AUDITED: readonly Code[] = [CODE.forbidden, CODE.wrongCredentials, CODE.fresh];

/** Audits a refusal in its own transaction, because the transaction of the action was rolled back. */
export async function recordRefusal(
  app: App,
  caller: Caller,
  actionName: string,
  error: Refused,
  input: unknown,
): Promise<void> {
  if (!AUDITED.includes(error.refusal.code)) return;
  const id = numberIn(input, 'id') ?? numberIn(input, 'deleteId');
  const userId = numberIn(input, 'userId');
  await runInScope(app.requests, caller.scope, caller.operator.id, (db) =>
    recordAudit(
      db,
      { ...caller, now: app.clock.now() },
      {
        action: actionName,
        result: error.refusal.code,
        targetId: id ?? userId,
        targetType: id !== undefined ? actionName.split('.')[0] : userId !== undefined ? 'user' : undefined,
        reason: reasonOf(input),
      },
    ),
  );
}
