import type { RegisteredAction } from '../../../actions/action.ts';
import { hashOf } from '../../../actions/approval.rules.ts';
import { type ApprovalRecord, raiseApproval } from '../../../actions/approval.store.ts';
import { NO_PRICE, type PolicyValue, countCheckers, largerValue, lockUser } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { Refused } from '../../../app/refuse.ts';

/**
 * Values an approval at the prices of now, and counts its checkers again. Both only rise. Its user is locked, so that
 * approvals of one user that pass at once see each other's amounts.
 */
export async function raiseToValueNow(
  ctx: Ctx,
  action: RegisteredAction<never, unknown> | undefined,
  record: ApprovalRecord,
): Promise<ApprovalRecord> {
  const policy = action?.call.approvable;
  if (!action || policy === undefined) return record;
  const { makerId: operatorId, userId } = record;
  if (userId !== null) await lockUser(ctx, userId);
  // Nothing exceeds an unknown value.
  const value = record.amount === null ? NO_PRICE : await findValue(ctx, action, record);
  if (!value) return record;
  const amount = largerValue(record.amount, value.amount);
  const question = { policy, operatorId, userId, amount, pricedAt: value.pricedAt, now: ctx.now };
  const required = await countCheckers(ctx.db, question);
  return { ...record, ...(await raiseApproval(ctx.db, { id: record.id, amount, required })) };
}

/** Undefined when the action would be refused, or its input was altered. Its execution repeats both checks. */
async function findValue(
  ctx: Ctx,
  action: RegisteredAction<never, unknown>,
  record: ApprovalRecord,
): Promise<PolicyValue | undefined> {
  const { id, makerId, maker, input } = record;
  if (hashOf({ ...record, action: record.type }) !== record.hash) return undefined;
  try {
    // Safe cast: the input was validated at the request, and its hash proves that it is unchanged.
    return await action.valueOf(ctx, input as never, { id, makerId, maker, checker: ctx.operator.account });
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** What a pass raised, for its audit row; empty when nothing rose. */
export function raisedFields(before: ApprovalRecord, after: ApprovalRecord): { before: object; after: object } {
  const names = (['amount', 'required'] as const).filter((name) => before[name] !== after[name]);
  const pick = (record: ApprovalRecord) => Object.fromEntries(names.map((name) => [name, record[name]]));
  return { before: pick(before), after: pick(after) };
}
