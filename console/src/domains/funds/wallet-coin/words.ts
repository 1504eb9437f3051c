import { compareAmounts } from '@hengtai/contract/values/money';
import { type UnderWayKind, underWayKinds } from '@hengtai/contract/funds/wallet-coin/facts';

export const isZero = (amount: string): boolean => compareAmounts(amount, '0') === 0;

const targetTypes: Readonly<Partial<Record<UnderWayKind, string>>> = {
  recharge: 'recharge',
  withdraw: 'withdraw',
  fee: 'chainFee',
};

/** The record of an item that is under way; a move has none. */
export const targetOf = ({ kind, refId }: { kind: UnderWayKind; refId: number }) => {
  const targetType = targetTypes[kind];
  return targetType === undefined ? undefined : { targetType, targetId: refId };
};

/** What an operator does if the item stays. */
const nextSteps: Readonly<Record<UnderWayKind, string>> = {
  deposit: '平台应报告 recharge.credited',
  payout: '平台应报告 withdraw.paid',
  move: '平台应报告另一边的 chain.moved',
  other: '请平台查明用途，属自有资金的在「平台账户」登记',
  recharge: '平台应报告这笔充值的 chain.moved',
  withdraw: '平台应报告这笔打款的 chain.moved',
  fee: '平台应登记支付手续费的钱包',
};

export const wordsOf = (kind: UnderWayKind) => ({ what: underWayKinds[kind], next: nextSteps[kind] });
