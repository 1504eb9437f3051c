import { ASSET, type AssetAction, asset as calls } from '@hengtai/contract/asset';
import type { AssetChange, AssetPreview, AssetPreviewInput } from '@hengtai/contract/asset.schema';
import { labelOf } from '@hengtai/contract/labels';
import { refusals } from '@hengtai/contract/refusals';
import type { AssetRow } from '@hengtai/contract/user.schema';
import { needsChecker } from '../approval/policy.store.ts';
import type { Ctx } from '../context.ts';
import { sqlState } from '../db/connect.ts';
import { type Action, type Approved, defineAction } from '../http/action.ts';
import { type Subject, reasonOf } from '../http/action-audit.ts';
import { HoldExceeded, freezeMore, release } from '../ledger/hold.ts';
import { InsufficientBalance, type PostedEntry, type TransferHead, post } from '../ledger/post.ts';
import { previewLegs } from '../ledger/preview.ts';
import { refuse, refuseField } from '../refuse.ts';
import { enqueueBalanceChanges } from '../user/balance.store.ts';
import { findAssets } from '../user/user.store.ts';
import { previewAdjustment } from './asset-preview.service.ts';
import { adjustmentLegs, manualHold, ownerOf } from './asset.rules.ts';
import { type AssetTarget, findAssetTarget, insertAdjustment } from './asset.store.ts';

const NAMES: Readonly<Record<AssetAction, string>> = {
  1: 'asset.active.add',
  2: 'asset.active.sub',
  3: 'asset.frozen.add',
  4: 'asset.frozen.sub',
};

/** What may not be taken, in words behind the field's name. */
const SHORT: Readonly<Record<AssetAction, string>> = {
  1: '超出账户可记录的范围',
  2: '大于可用余额',
  3: '大于可用余额',
  4: '大于人工冻结的数量，业务冻结只能由原申请释放',
};

const OVERFLOW = '22003';

export const activeAdd = adjustment(ASSET.activeAdd, calls.activeAdd);
export const activeSub = adjustment(ASSET.activeSub, calls.activeSub);
export const frozenAdd = adjustment(ASSET.frozenAdd, calls.frozenAdd);
export const frozenSub = adjustment(ASSET.frozenSub, calls.frozenSub);

function adjustment(action: AssetAction, call: Action<AssetChange, AssetRow, AssetTarget>['call']) {
  return defineAction<AssetChange, AssetRow, AssetTarget>({
    name: NAMES[action],
    call,
    load: (ctx, input) => loadTarget(ctx, action, input),
    // What cannot be done as things stand is not put to a second person either.
    check: (_ctx, target) => {
      const problem = problemOf(action, target);
      if (problem !== undefined) throw refuseField('amount', problem);
    },
    policy: {
      subject: subjectOf,
      amount: (target) => target.valuation,
      preview: async (ctx, input) => {
        const target = await loadTarget(ctx, action, input);
        if (!target) throw refuse(refusals.notFound);
        return previewAdjustment(action, input, target, problemOf(action, target));
      },
    },
    execute: async (ctx, input, target, approved) => {
      const entries = await postOrRefuse(ctx, action, target, await headOf(ctx, action, input, target, approved));
      await enqueueBalanceChanges(ctx.db, entries, ctx.now);
      const row = await assetOf(ctx, target);
      const place = { marketName: row.marketName, platform: row.platform };
      const change = { action, amount: target.amount, state: input.state };
      return {
        data: row,
        subject: subjectOf(target),
        before: { ...place, ...balancesBefore(row, entries) },
        after: { ...place, active: row.active, frozen: row.frozen, ...change },
      };
    },
  });
}

/** The rows that an adjustment would post now, made by the rule that posts them, and what would stand in its way. */
export async function assetPreview(ctx: Ctx, input: AssetPreviewInput): Promise<AssetPreview> {
  const { action, amount } = input;
  const target = await loadTarget(ctx, action, { ...input, amount: amount ?? '0' });
  if (!target) throw refuse(refusals.notFound);
  const limits: Record<AssetAction, string | null> = { 1: null, 2: target.active, 3: target.active, 4: target.held };
  const available = limits[action];
  if (amount === undefined) return { lines: [], available, valuation: null, needsApproval: false, refusal: null };
  const problem = problemOf(action, target);
  const needsApproval = await needsChecker(ctx.db, {
    policy: action === ASSET.activeAdd || action === ASSET.activeSub ? 'asset.active' : 'asset.frozen',
    operatorId: ctx.operator.id,
    userId: target.userId,
    amount: target.valuation,
    now: ctx.now,
  });
  const waiting = needsApproval && target.waits ? refusals.approvalOpen.msg : null;
  const refusal = problem === undefined ? waiting : `${labelOf('amount')}${problem}`;
  const lines = refusal === null ? await previewLegs(ctx.db, adjustmentLegs(action, target)) : [];
  return { lines, available, valuation: target.valuation, needsApproval, refusal };
}

async function loadTarget(
  ctx: Ctx,
  action: AssetAction,
  input: Pick<AssetChange, 'userId' | 'marketId' | 'platform' | 'amount'>,
): Promise<AssetTarget | undefined> {
  const target = await findAssetTarget(ctx, action, NAMES[action], input);
  if (target && target.marketName === null) throw refuseField('marketId', '不存在');
  return target;
}

function problemOf(action: AssetAction, target: AssetTarget): string | undefined {
  const takesActive = action === ASSET.activeSub || action === ASSET.frozenAdd;
  if (takesActive && target.aboveActive) return SHORT[action];
  if (action === ASSET.frozenSub && target.aboveHeld) return SHORT[action];
  return target.overflows ? SHORT[ASSET.activeAdd] : undefined;
}

/** Asked for by the maker, agreed to by the checker: the records name the one who wanted it. */
async function headOf(
  ctx: Ctx,
  action: AssetAction,
  input: AssetChange,
  target: AssetTarget,
  approved: Approved | undefined,
): Promise<TransferHead> {
  const reason = reasonOf(input);
  const operatorId = approved?.makerId ?? ctx.operator.id;
  const checkerId = approved ? ctx.operator.id : null;
  const row = { ...target, action, state: input.state, reason, operatorId, checkerId, now: ctx.now };
  const refId = await insertAdjustment(ctx.db, row);
  return { refType: 'adjustment', refId, at: ctx.now, now: ctx.now, remark: reason, operatorId };
}

/** The check may be out of date by now; the ledger decides. */
async function postOrRefuse(
  ctx: Ctx,
  action: AssetAction,
  target: AssetTarget,
  head: TransferHead,
): Promise<PostedEntry[]> {
  const owner = ownerOf(target);
  const hold = manualHold(target.userId);
  try {
    if (action === ASSET.frozenAdd) return await freezeMore(ctx.db, head, hold, owner, target.amount);
    const legs = adjustmentLegs(action, target);
    if (action === ASSET.frozenSub) return await release(ctx.db, head, owner, target.amount, legs, hold);
    return await post(ctx.db, head, legs);
  } catch (error) {
    if (error instanceof InsufficientBalance || error instanceof HoldExceeded)
      throw refuseField('amount', SHORT[action]);
    if (sqlState(error) === OVERFLOW) throw refuseField('amount', SHORT[ASSET.activeAdd]);
    throw error;
  }
}

async function assetOf(ctx: Ctx, target: AssetTarget): Promise<AssetRow> {
  const rows = await findAssets(ctx, target.userId, target.platform);
  const row = rows.find(({ marketId }) => marketId === target.marketId);
  if (!row) throw new Error('The adjusted balance could not be read back.');
  return row;
}

/** From the entries and not from what was read first: somebody may have been in between. */
function balancesBefore(row: AssetRow, entries: readonly PostedEntry[]): { active: string; frozen: string } {
  const before = { active: row.active, frozen: row.frozen };
  for (const { userId, bucket, before: balance } of entries) if (userId !== null) before[bucket] = balance;
  return before;
}

function subjectOf(target: AssetTarget): Subject {
  const { userId, account, agentId } = target;
  return { type: 'user', id: userId, userId, account, agentId };
}
