import { ASSET, asset as calls } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction } from '@hengtai/contract/funds/asset/facts';
import type { AssetChange, AssetPreview, AssetPreviewInput } from '@hengtai/contract/funds/asset/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { AssetRow } from '@hengtai/contract/people/user/schema';
import { type PolicyValue, needsChecker, priceAgeOf } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { sqlState } from '../../../database/connect.ts';
import { type Action, type ApprovedRequest, defineAction } from '../../../actions/action.ts';
import { type Subject, reasonOf } from '../../../actions/action-audit.ts';
import { HoldExceeded, freezeMore, release } from '../../../books/ledger/hold.ts';
import { InsufficientBalance, type PostedEntry, type TransferHead, post } from '../../../books/ledger/post.ts';
import { previewLegs } from '../../../books/ledger/preview.ts';
import { refuseField, requireFound } from '../../../app/refuse.ts';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import { findAssets } from '../../people/user/user.store.ts';
import { previewAdjustment } from './asset-preview.service.ts';
import { adjustmentLegs, manualHold, ownerOf } from './asset.rules.ts';
import { type AssetTarget, findAssetTarget, insertAdjustment } from './asset.store.ts';

const NAMES: Readonly<Record<AssetAction, string>> = {
  [ASSET.activeAdd]: 'asset.active.add',
  [ASSET.activeSub]: 'asset.active.sub',
  [ASSET.frozenAdd]: 'asset.frozen.add',
  [ASSET.frozenSub]: 'asset.frozen.sub',
};

/** Text after the field's label when the amount is too large. */
const PROBLEMS: Readonly<Record<AssetAction, string>> = {
  [ASSET.activeAdd]: '超出账户可记录的范围',
  [ASSET.activeSub]: '大于可用余额',
  [ASSET.frozenAdd]: '大于可用余额',
  [ASSET.frozenSub]: '大于人工冻结的数量，业务冻结只能由原申请释放',
};

/** SQLSTATE numeric_value_out_of_range. */
const OVERFLOW = '22003';

const valueOf = ({ valuation: amount, pricedAt }: AssetTarget): PolicyValue => ({ amount, pricedAt });

export const activeAdd = defineAdjustment(ASSET.activeAdd, calls.activeAdd);
export const activeSub = defineAdjustment(ASSET.activeSub, calls.activeSub);
export const frozenAdd = defineAdjustment(ASSET.frozenAdd, calls.frozenAdd);
export const frozenSub = defineAdjustment(ASSET.frozenSub, calls.frozenSub);

function defineAdjustment(action: AssetAction, call: Action<AssetChange, AssetRow, AssetTarget>['call']) {
  return defineAction<AssetChange, AssetRow, AssetTarget>({
    call,
    load: (ctx, input) => loadTarget(ctx, action, input),
    // Refuses an impossible adjustment before an approval is opened for it.
    check: (_ctx, target) => {
      const problem = problemOf(action, target);
      if (problem !== undefined) throw refuseField('amount', problem);
    },
    policy: {
      subject: subjectOf,
      amount: valueOf,
      preview: async (ctx, input) => {
        const target = requireFound(await loadTarget(ctx, action, input));
        return previewAdjustment(
          action,
          input,
          { ...target, ...(await priceAgeOf(ctx, target)) },
          problemOf(action, target),
        );
      },
    },
    execute: async (ctx, input, target, approved) => {
      const entries = await postOrRefuse(
        ctx,
        action,
        target,
        await insertAndBuildHead(ctx, action, input, target, approved),
      );
      await enqueueBalanceChanges(ctx.db, entries, ctx.now);
      const row = await fetchAsset(ctx, target);
      const account = { marketName: row.marketName, platform: row.platform };
      const change = { action, amount: target.amount, state: input.state };
      return {
        data: row,
        subject: subjectOf(target),
        before: { ...account, ...balancesBefore(row, entries) },
        after: { ...account, active: row.active, frozen: row.frozen, ...change },
      };
    },
  });
}

/**
 * The entries that an adjustment would post now, from the same rule that posts them, and why it would be refused.
 *
 * @throws Refused 404 for an unknown user, 422 for an unknown market
 */
export async function assetPreview(ctx: Ctx, input: AssetPreviewInput): Promise<AssetPreview> {
  const { action, amount } = input;
  const target = requireFound(await loadTarget(ctx, action, { ...input, amount: amount ?? '0' }));
  const limits: Record<AssetAction, string | null> = {
    [ASSET.activeAdd]: null,
    [ASSET.activeSub]: target.active,
    [ASSET.frozenAdd]: target.active,
    [ASSET.frozenSub]: target.held,
  };
  const available = limits[action];
  const age = await priceAgeOf(ctx, target);
  if (amount === undefined)
    return { lines: [], available, valuation: null, ...age, needsApproval: false, refusal: null };
  const problem = problemOf(action, target);
  const policy = action === ASSET.activeAdd || action === ASSET.activeSub ? 'asset.active' : 'asset.frozen';
  const needsApproval = await needsChecker(ctx, policy, target.userId, valueOf(target));
  const openApproval = needsApproval && target.hasOpenApproval ? refusals.approvalOpen.msg : null;
  const refusal = problem === undefined ? openApproval : `${labelOf('amount')}${problem}`;
  const lines = refusal === null ? await previewLegs(ctx.db, adjustmentLegs(action, target)) : [];
  return { lines, available, valuation: target.valuation, ...age, needsApproval, refusal };
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
  if (takesActive && target.exceedsActive) return PROBLEMS[action];
  if (action === ASSET.frozenSub && target.exceedsHeld) return PROBLEMS[action];
  return target.overflows ? PROBLEMS[ASSET.activeAdd] : undefined;
}

/** Inserts the adjustment and returns the head of its transfer. Both name the maker as the operator. */
async function insertAndBuildHead(
  ctx: Ctx,
  action: AssetAction,
  input: AssetChange,
  target: AssetTarget,
  approved: ApprovedRequest | undefined,
): Promise<TransferHead> {
  const reason = reasonOf(input);
  const operatorId = approved?.makerId ?? ctx.operator.id;
  const checkerId = approved ? ctx.operator.id : null;
  const row = { ...target, action, state: input.state, reason, operatorId, checkerId, now: ctx.now };
  const refId = await insertAdjustment(ctx.db, row);
  return { refType: 'adjustment', refId, at: ctx.now, now: ctx.now, remark: reason, operatorId };
}

/** The balance may have changed since the check, so errors of the ledger become refusals too. */
async function postOrRefuse(
  ctx: Ctx,
  action: AssetAction,
  target: AssetTarget,
  head: TransferHead,
): Promise<PostedEntry[]> {
  const owner = ownerOf(target);
  const hold = manualHold(target.userId);
  try {
    if (action === ASSET.frozenAdd) return await freezeMore(ctx.db, head, owner, target.amount, hold);
    const legs = adjustmentLegs(action, target);
    if (action === ASSET.frozenSub) return await release(ctx.db, head, owner, target.amount, legs, hold);
    return await post(ctx.db, head, legs);
  } catch (error) {
    if (error instanceof InsufficientBalance || error instanceof HoldExceeded)
      throw refuseField('amount', PROBLEMS[action]);
    if (sqlState(error) === OVERFLOW) throw refuseField('amount', PROBLEMS[ASSET.activeAdd]);
    throw error;
  }
}

async function fetchAsset(ctx: Ctx, target: AssetTarget): Promise<AssetRow> {
  const rows = await findAssets(ctx, target.userId, target.platform);
  const row = rows.find(({ marketId }) => marketId === target.marketId);
  if (!row)
    throw new Error(
      `The balance of user ${target.userId} in market ${target.marketId} was not found after its adjustment.`,
    );
  return row;
}

/** Taken from the entries, because the balance may have changed between the load and the posting. */
function balancesBefore(row: AssetRow, entries: readonly PostedEntry[]): { active: string; frozen: string } {
  const before = { active: row.active, frozen: row.frozen };
  for (const { userId, bucket, before: balance } of entries) if (userId !== null) before[bucket] = balance;
  return before;
}

function subjectOf(target: AssetTarget): Subject {
  const { userId, account, agentId } = target;
  return { type: 'user', id: userId, userId, account, agentId };
}
