import { refusals } from '@hengtai/contract/wire/refusals';
import {
  type WithdrawAction,
  type WithdrawState,
  explainedActions,
  payingActions,
  unexplainedStates,
} from '@hengtai/contract/funds/withdraw/calls';
import { USER_FROZEN, withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawResolve } from '@hengtai/contract/funds/withdraw/schema';
import type { Ctx } from '../../../app/context.ts';
import { priceAgeOf } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, textItem, valueItems } from '../../../actions/preview.ts';
import type { Leg } from '../../../books/ledger/post.ts';
import { refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { type WithdrawRecord, heldText, isHeld, openStates, paidLegs, refundedLegs } from './withdraw.rules.ts';
import { findWithdraw } from './withdraw.store.ts';

type DecisionInput = { id: number } & Partial<Pick<WithdrawResolve, 'paid' | 'txHash'>>;

/**
 * The preview of a decision about a withdrawal that the checker sees: destination, amounts and ledger legs.
 *
 * @throws Refused 404 for a withdrawal outside the operator's scope
 */
export async function previewWithdraw(ctx: Ctx, name: WithdrawAction, input: DecisionInput): Promise<Preview> {
  const row = requireFound(await findWithdraw(ctx, input.id));
  return {
    input: inputItems(row, input),
    now: [
      textItem('提现状态', withdrawStates[row.state as WithdrawState]),
      ...(row.userFrozen ? [textItem('用户状态', USER_FROZEN)] : []),
      amountItem('数量', row.amount, row.marketName),
      amountItem('手续费', row.fee, row.marketName),
      amountItem('到账数量', row.received, row.marketName),
      amountItem('申请时估值', row.valuation, 'USDT'),
      ...valueItems(row.valueNow, await priceAgeOf(ctx, row)),
      textItem('已打款次数', String(row.attempt)),
      textItem('网络', row.network),
      codeItem('地址', row.address),
      ...(row.memo ? [codeItem('标签(Memo)', row.memo)] : []),
    ],
    ...legsOf(name, row, input),
    problem: problemOf(ctx, name, row),
  };
}

/** Why the action would be refused now; null if it would succeed. */
function problemOf({ now }: Ctx, name: WithdrawAction, row: WithdrawRecord): string | null {
  const { state, updatedAt: at, payoutHeldUntil: until } = row;
  if (row.unexplained && explainedActions.includes(name)) return refusals.unexplainedPayment.msg;
  const isUnderReview = name === 'resolve' && row.unexplained && unexplainedStates.includes(state as WithdrawState);
  if (!isUnderReview && !openStates(name, true).includes(state))
    return refuseStateConflict(withdrawStates[state as WithdrawState], { state, by: null, at }).message;
  return payingActions.includes(name) && isHeld(until, now) ? heldText(until, now) : null;
}

function inputItems(row: WithdrawRecord, { paid, txHash }: DecisionInput) {
  return [
    textItem('提现', `#${row.id}`),
    codeItem('平台单号', row.no),
    textItem('用户', `${row.account}（${row.userId}）`),
    ...(paid === undefined ? [] : [textItem('打款结果', paid ? '已打款' : '未打款')]),
    ...(txHash === undefined ? [] : [codeItem('交易哈希', txHash)]),
  ];
}

/** A payout is posted only when the wallet confirms the payment, which `legsWhen` states. */
function legsOf(
  name: WithdrawAction,
  row: WithdrawRecord,
  { paid }: DecisionInput,
): { legs: Leg[]; legsWhen?: string } {
  if (name === 'refund') return { legs: refundedLegs(row) };
  if (name === 'resolve') return { legs: paid ? paidLegs(row) : [] };
  return { legs: paidLegs(row), legsWhen: '钱包确认打款后记账' };
}
