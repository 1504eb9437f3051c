import { SIGNING_REQUIRED } from '@hengtai/contract/risk/signing/calls';
import { walletTransfer as calls, walletTransferActionStates } from '@hengtai/contract/funds/wallet-transfer/calls';
import { WALLET_TRANSFER, walletTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import type {
  WalletTransferPreview,
  WalletTransferPreviewInput,
  WalletTransferRequest,
  WalletTransferResolve,
  WalletTransferRow,
} from '@hengtai/contract/funds/wallet-transfer/schema';
import { walletKinds } from '@hengtai/contract/funds/wallet/facts';
import { canonical } from '@hengtai/contract/values/money';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ActionInput } from '@hengtai/contract/wire/schema';
import { type Subject, reasonOf } from '../../../actions/action-audit.ts';
import { type Action, type ActionResult, defineAction } from '../../../actions/action.ts';
import { needsChecker, priceAgeOf } from '../../../actions/policy.store.ts';
import {
  type Preview,
  amountItem,
  codeItem,
  problemOf,
  textItem,
  timeItem,
  valueItems,
} from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseField, refuseState, requireFound } from '../../../app/refuse.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { callBackMove, settleMove } from '../../../gateway/wallet-move.store.ts';
import { type WalletPair, availableOf, requirePair, requirePossible } from './wallet-transfer.rules.ts';
import {
  type TransferValue,
  type TransferWallet,
  fetchWallets,
  findTransfer,
  findTransferValue,
  insertTransfer,
  lockWallets,
  moveTransfer,
  transferNumber,
} from './wallet-transfer.store.ts';

interface Target extends WalletPair, TransferValue {
  isSigned: boolean;
  makerId: number;
}

/** @throws Refused 422 for wallets that do not exist or do not go together */
async function loadTarget(
  { db, operator }: Ctx,
  { fromId, toId, amount }: Omit<WalletTransferRequest, 'reason'>,
  makerId: number = operator.id,
): Promise<Target> {
  const wallets = await fetchWallets(db, [fromId, toId]);
  const [from, to] = [wallets.get(fromId), wallets.get(toId)];
  if (!from) throw refuseField('fromId', '不存在');
  if (!to) throw refuseField('toId', '不存在');
  requirePair({ from, to });
  const isSigned = await isSettingOn(db, SIGNING_REQUIRED);
  return { from, to, isSigned, makerId, ...(await findTransferValue(db, from, amount)) };
}

const valueOf = ({ valuation: amount, pricedAt }: TransferValue) => ({ amount, pricedAt });

/** Orders a transfer between two wallets of a platform. Nothing in the ledger changes. */
export const walletTransferRequest = defineAction<WalletTransferRequest, WalletTransferRow, Target>({
  call: calls.request,
  authorize: requireHouse,
  load: async (ctx, input, { makerId, reading }) => {
    if (!reading) await lockWallets(ctx.db, [input.fromId, input.toId]);
    return loadTarget(ctx, input, makerId);
  },
  check: (_ctx, target, { amount }) => requirePossible(target, amount),
  policy: {
    // Wallets belong to no agent, so approvals belong to the tree of their maker.
    subject: ({ from, makerId }): Subject => ({ type: 'wallet', id: from.id, agentId: makerId }),
    amount: valueOf,
    preview: previewRequest,
  },
  execute: async (ctx, input, { from, to }, approved) => {
    const { db, now, operator } = ctx;
    const { platformId } = from;
    const amount = canonical(input.amount);
    const id = await insertTransfer(db, {
      platformId,
      fromId: from.id,
      toId: to.id,
      amount,
      reason: reasonOf(input),
      by: approved?.maker ?? operator.account,
      secondBy: approved?.checker ?? null,
      now,
    });
    const data = { no: transferNumber(id), from: from.no, to: to.no, amount };
    await enqueue(db, { type: 'wallet.move.requested', refType: 'walletTransfer', refId: id, data, platformId, now });
    return resultOf(approved?.makerId ?? operator.id, requireFound(await findTransfer(db, id)));
  },
});

/**
 * What a wallet has to give, and why the transfer would be refused now.
 *
 * @throws Refused 422 for wallets that do not go together
 */
export async function previewTransfer(ctx: Ctx, input: WalletTransferPreviewInput): Promise<WalletTransferPreview> {
  requireHouse(ctx);
  const { amount = '0' } = input;
  const target = await loadTarget(ctx, { ...input, amount });
  const needsApproval = await needsChecker(ctx, 'walletTransfer.request', null, valueOf(target));
  const available = availableOf(target.from);
  const openApproval = needsApproval && target.hasOpenApproval ? refusals.approvalOpen.msg : null;
  return {
    available: available === null ? null : canonical(available),
    valuation: target.valuation,
    ...(await priceAgeOf(ctx, target)),
    needsApproval,
    refusal: (await problemOf(() => requirePossible(target, amount))) ?? openApproval,
  };
}

/** What the checker sees: both wallets with their addresses and last readings, and what follows. */
async function previewRequest(ctx: Ctx, input: WalletTransferRequest): Promise<Preview> {
  const target = await loadTarget(ctx, input);
  const { from, to, valuation } = target;
  return {
    input: [
      textItem(labelOf('fromId'), from.name),
      textItem(labelOf('toId'), to.name),
      amountItem(labelOf('amount'), canonical(input.amount), from.marketName),
    ],
    now: [
      ...valueItems(valuation, { ...target, ...(await priceAgeOf(ctx, target)) }),
      textItem(labelOf('platformId'), from.platformName),
      textItem(labelOf('network'), from.network),
      ...walletItems('转出', from),
      amountItem('待转出', canonical(from.reserved), from.marketName),
      ...walletItems('转入', to),
    ],
    legs: [],
    problem: await problemOf(() => requirePossible(target, input.amount)),
    consequence:
      '指令下发给交易平台，由其钱包执行，账本不变。钱包领取后不能撤销；60 秒没有答复的转为结果不明，不会自动重发。两笔链上转账都到后完成。',
  };
}

const walletItems = (
  side: '转出' | '转入',
  { no, kind, knownSince, address, memo, balance, readAt, marketName }: TransferWallet,
) => [
  codeItem(`${side}钱包标识`, no),
  textItem(`${side}钱包类型`, walletKinds[kind]),
  timeItem(`${side}钱包首次报告`, knownSince),
  ...(address === '' ? [] : [codeItem(`${side}钱包地址`, address)]),
  ...(memo === '' ? [] : [codeItem(`${side}钱包标签(Memo)`, memo)]),
  amountItem(`${side}钱包余额`, balance === null ? null : canonical(balance), marketName),
  ...(readAt === null ? [] : [timeItem(`${side}钱包读数时间`, readAt)]),
];

/** Cancels a transfer whose command nobody was given yet. A delivery changes the same row: one of the two comes first. */
export const walletTransferCancel = changeAction<ActionInput>('cancel', calls.cancel, async ({ db, now }, input) => {
  if (!(await callBackMove(db, input.id, reasonOf(input), now))) throw refuse(refusals.transferHandedOver);
  return WALLET_TRANSFER.cancelled;
});

/** Records the outcome that a person found out. */
export const walletTransferResolve = changeAction<WalletTransferResolve>(
  'resolve',
  calls.resolve,
  async ({ db, now }, { id, done }) => {
    await settleMove(db, id, done, now);
    return done ? WALLET_TRANSFER.done : WALLET_TRANSFER.failed;
  },
);

/** @param settle finishes the command and returns the state of the transfer afterwards. It locks the command before the transfer. */
function changeAction<I extends { id: number }>(
  name: keyof typeof walletTransferActionStates,
  call: Action<I, WalletTransferRow, WalletTransferRow>['call'],
  settle: (ctx: Ctx, input: I) => Promise<number>,
) {
  const from: readonly number[] = walletTransferActionStates[name];
  return defineAction<I, WalletTransferRow, WalletTransferRow>({
    call,
    authorize: requireHouse,
    load: ({ db }, { id }) => findTransfer(db, id),
    check: (_ctx, target) => {
      if (!from.includes(target.state)) throw stateRefusal(target);
    },
    execute: async (ctx, input, target) => {
      const to = await settle(ctx, input);
      const change = { from, to, answer: reasonOf(input), resolvedBy: ctx.operator.account, now: ctx.now };
      const isChanged = await moveTransfer(ctx.db, input.id, change);
      const after = requireFound(await findTransfer(ctx.db, input.id));
      if (!isChanged) throw stateRefusal(after);
      return resultOf(ctx.operator.id, after, target);
    },
  });
}

const stateRefusal = ({ resolvedBy: by, ...row }: WalletTransferRow) =>
  refuseState(walletTransferStates, { ...row, by, secondBy: null });

function resultOf(
  agentId: number,
  data: WalletTransferRow,
  before?: WalletTransferRow,
): ActionResult<WalletTransferRow> {
  return {
    data,
    subject: { type: 'walletTransfer', id: data.id, agentId },
    ...(before && { before: auditedFields(before) }),
    after: auditedFields(data),
  };
}

const auditedFields = ({ no, state, marketName, network, fromWallet, toWallet, amount }: WalletTransferRow) => ({
  no,
  state,
  marketName,
  network,
  fromWallet,
  toWallet,
  amount,
});
