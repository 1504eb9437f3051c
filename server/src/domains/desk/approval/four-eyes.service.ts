import { ABILITY } from '@hengtai/contract/authority/ability';
import {
  LOCK_HOLDERS,
  POLICY,
  RESET_LINK_HOURS,
  approval as calls,
  lockedValueOf,
  POLICY_PREFIX,
} from '@hengtai/contract/desk/approval/calls';
import type {
  ApprovalLock,
  ApprovalRow,
  FourEyesState,
  OtherOperators,
  OtherOperatorsInput,
} from '@hengtai/contract/desk/approval/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { App, Ctx } from '../../../app/context.ts';
import { withFullScope } from '../../../database/connect.ts';
import { lockTree } from '../../../database/tree.ts';
import { changeSetting } from '../config/config.steps.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import type { Preview } from '../../../actions/preview.ts';
import { refuse, refuseField } from '../../../app/refuse.ts';
import { hashOf, newToken } from '../../../authority/token.ts';
import { notifyApprovers } from '../../../actions/approver-notification.store.ts';
import { type ApprovalRecord, findOpenApprovalId } from '../../../actions/approval.store.ts';
import { holderItems, isPolicyName, lockItems } from './lock-preview.ts';
import {
  clearControls,
  countOperators,
  findDependentPair,
  findOtherOperators,
} from '../../../authority/control.store.ts';
import {
  type Holder,
  type PolicyState,
  addVote,
  confirmApprovers,
  findFourEyes,
  findHolders,
  findLimits,
  findLockSwitches,
  findLockedAt,
  findPolicies,
  findVoters,
  insertResetLink,
  isEffectiveApprover,
  lockFourEyes,
} from '../../../actions/four-eyes.store.ts';

/** Name of the action that makes an operator count as known. */
const KNOWN = 'approval.known';

/** The installation has no id; approvals about it use 0. */
const INSTALLATION = { type: 'installation', id: 0 };

/**
 * Refuses a checker who is not yet effective, has no one-time codes, or is not independent of the maker or the other
 * checker. While four-eyes are open, every holder of the ability may approve.
 *
 * @throws Refused 403
 */
export async function requireEffectiveApprover(ctx: Ctx, record: ApprovalRecord): Promise<void> {
  const lockedAt = await findLockedAt(ctx.db);
  if (lockedAt === null) return;
  const { db, operator, now } = ctx;
  if (!(await isEffectiveApprover(db, operator.id, now))) throw refuse(refusals.approverNotEffective);
  const people = [record.makerId, ...(await findVoters(db, record.id)), operator.id];
  const isDependent = async (ids: readonly number[]) => (await findDependentPair(db, ids)) !== undefined;
  // A checker who is independent of an operator is so of everybody on record for it.
  const vouchesForOwn = record.type === KNOWN && (await isDependent([record.targetId, operator.id]));
  if (vouchesForOwn || (await isDependent(people))) throw refuse(refusals.notIndependent);
}

/**
 * Requires the checker of the lock to repeat the policies that stay off.
 *
 * @throws Refused 422
 */
export function requireSignedExceptions(record: ApprovalRecord, signed: readonly string[] = []): void {
  if (record.type !== calls.lock.approvable) return;
  const requested = exceptionsIn(record.input);
  if (requested.length === signed.length && requested.every((name) => signed.includes(name))) return;
  throw refuseField('exceptions', '：须逐项签署保持关闭的策略');
}

const exceptionsIn = (input: unknown): readonly string[] => (input as ApprovalLock).exceptions ?? [];

/**
 * Counts the approval of this checker.
 *
 * @returns how many checkers have approved, including this one
 * @throws Refused when this checker has approved already
 */
export async function collectVote(ctx: Ctx, record: ApprovalRecord): Promise<number> {
  if ((await findVoters(ctx.db, record.id)).includes(ctx.operator.id)) throw refuse(refusals.approvedAlready);
  return addVote(ctx.db, record.id, ctx.operator.id, ctx.now);
}

/** Creates the one-time link of an approved password reset, which the checker hands over; undefined for other actions. */
export async function issueResetLink(ctx: Ctx, record: ApprovalRecord): Promise<ApprovalRow['link']> {
  if (record.type !== 'agent.pwdUpdate') return undefined;
  const token = newToken();
  const expiresAt = ctx.now + RESET_LINK_HOURS * 3_600_000;
  const link = { operatorId: record.targetId, approvalId: record.id, now: ctx.now, expiresAt };
  await insertResetLink(ctx.db, { ...link, hash: hashOf(token) });
  // Browsers do not send the fragment, so neither proxies nor logs see the token.
  return { path: `/login#reset=${token}`, expiresAt };
}

/**
 * Makes the operators whom the checker of the lock knows, or every holder, count as known, and the maker and the checker.
 *
 * @returns their ids; undefined for other actions
 * @throws Refused 422 for an operator that does not exist
 */
export async function tickKnown(
  ctx: Ctx,
  record: ApprovalRecord,
  known: readonly number[] | undefined,
): Promise<number[] | undefined> {
  if (record.type !== calls.lock.approvable) return undefined;
  const { db, now, operator } = ctx;
  return withFullScope(db, async () => {
    const ticked = known ?? (await findHolders(db, now)).map(({ id }) => id);
    if ((await countOperators(db, ticked)) < ticked.length) throw refuseField('known', '：操作员不存在');
    const ids = [...new Set([...ticked, record.makerId, operator.id])].toSorted((a, b) => a - b);
    await clearControls(db, ids, now);
    return ids;
  });
}

interface LockTarget {
  holders: Holder[];
  policies: PolicyState[];
  locked: boolean;
}

/** Loads every holder, because the checker must see those outside its scope too. */
const loadLock = async ({ db, now }: Ctx): Promise<LockTarget> => ({
  holders: await withFullScope(db, () => findHolders(db, now)),
  policies: await findPolicies(db),
  locked: (await findLockedAt(db)) !== null,
});

/** Why four-eyes cannot be locked now, as a Chinese text; null when they can. */
function lockProblemOf({ holders, locked }: LockTarget): string | null {
  if (locked) return '四眼已锁定';
  const readyHolders = holders.filter(({ abilities, codes }) => abilities.includes(ABILITY.approval) && codes);
  if (readyHolders.length >= LOCK_HOLDERS) return null;
  return `需要至少 ${LOCK_HOLDERS} 名已启用验证码或通行密钥的审批复核持有者（含顶级管理员），目前 ${readyHolders.length} 名`;
}

/** Locks four-eyes: requested by the top-level admin, executed when another approver confirms. */
export const fourEyesLock = defineAction<ApprovalLock, ApprovalRow, LockTarget>({
  call: calls.lock,
  validate: ({ exceptions = [] }) => {
    if (!exceptions.every(isPolicyName)) throw refuseField('exceptions', '：策略不存在');
  },
  authorize: ({ operator }) => {
    if (!operator.top) throw refuse(refusals.forbidden);
  },
  load: loadLock,
  check: (_ctx, target) => {
    const problem = lockProblemOf(target);
    if (problem !== null) throw refuse(refusals.cannotLock, problem);
  },
  policy: {
    // Without an agent the request is visible to every approver.
    subject: () => ({ ...INSTALLATION, agentId: null }),
    amount: () => null,
    preview: previewLock,
  },
  guard: { loosens: () => false },
  execute: async (ctx, input, target, approved) => {
    if (!approved) throw new Error('Locking four-eyes was not approved.');
    return executeLock(ctx, input, target, approved);
  },
});

async function executeLock(
  ctx: Ctx,
  input: ApprovalLock,
  { holders }: LockTarget,
  approved: { id: number; maker: string; checker: string },
): Promise<ActionResult<ApprovalRow>> {
  // Waits for actions that began while four-eyes were open.
  await lockTree(ctx.db, 'exclusive');
  const exceptions = exceptionsIn(input);
  for (const policy of await findPolicies(ctx.db, true)) {
    if (policy.state === POLICY.off && isPolicyName(policy.key) && !exceptions.includes(policy.key))
      await switchOn(ctx, { ...policy, key: `${POLICY_PREFIX}${policy.key}`, kind: 'num' }, lockedValueOf(policy.key));
  }
  for (const { id, key } of await findLockSwitches(ctx.db))
    await switchOn(ctx, { id, key, kind: 'switch', num: '0' }, { state: 1, num: '0' });
  await confirmApprovers(ctx.db);
  if (!(await lockFourEyes(ctx.db, { ...approved, now: ctx.now }))) throw refuse(refusals.cannotLock, '四眼已锁定');
  await notifyApprovers(ctx, 'fourEyes.locked');
  return {
    // The checker receives the approval as data, so the action returns none.
    data: undefined as never,
    subject: INSTALLATION,
    before: { locked: false },
    after: {
      locked: true,
      holders: holders.map(({ account, abilities }) => ({ account, abilities })),
      exceptions,
    },
  };
}

async function switchOn(
  ctx: Ctx,
  { id, key, kind, num }: { id: number; key: string; kind: string; num: string },
  after: { state: number; num: string },
): Promise<void> {
  await changeSetting(ctx, {
    setting: { id, key, kind },
    before: { str: '', num, state: POLICY.off },
    after: { str: '', ...after },
    reason: '锁定四眼',
    restoredId: null,
  });
}

async function previewLock(ctx: Ctx, input: ApprovalLock): Promise<Preview> {
  const target = await loadLock(ctx);
  const { holders, policies } = target;
  return {
    input: lockItems({ policies, limits: await findLimits(ctx.db), exceptions: exceptionsIn(input) }),
    now: holderItems(holders),
    legs: [],
    problem: lockProblemOf(target),
  };
}

/** Operators to tick. Who has to confirm the lock sees those of every tree. */
export async function otherOperators(ctx: Ctx, input: OtherOperatorsInput): Promise<OtherOperators> {
  const isLockAsked = (await findOpenApprovalId(ctx, INSTALLATION)) !== undefined;
  return isLockAsked
    ? withFullScope(ctx.db, () => findOtherOperators(ctx.db, { kind: 'all' }, input))
    : findOtherOperators(ctx.db, ctx.scope, input);
}

/** The state of four-eyes, and why they cannot be locked now. */
export async function fourEyesState(ctx: Ctx, _input: object, app: App): Promise<FourEyesState> {
  const state = await findFourEyes(ctx.db);
  const holders = await findHolders(app.system, ctx.now);
  const policies = await findPolicies(ctx.db);
  const openApprovalId = (await findOpenApprovalId(ctx, INSTALLATION)) ?? null;
  return {
    ...state,
    locked: state.lockedAt !== null,
    // Holders are listed for operators with full scope and for approvers who have to confirm the lock.
    holders: ctx.scope.kind === 'all' || openApprovalId !== null ? holders : [],
    policies: policies.map(({ id: _id, ...policy }) => policy),
    asked: openApprovalId,
    problem: lockProblemOf({ holders, policies, locked: state.lockedAt !== null }),
  };
}
