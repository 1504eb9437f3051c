import { compareAmounts } from '@hengtai/contract/values/money';
import { type UnderWayKind, underWayKinds } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { walletKinds } from '@hengtai/contract/funds/wallet/facts';
import { formatGrouped } from '../../../ui/value/decimal.ts';

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

type Figures = Omit<WalletProposal, 'amount'>;

const daysText = ({ kind, days, boundDays }: Pick<Figures, 'kind' | 'days' | 'boundDays'>): string =>
  `可支撑 ${days} 天，${kind === 'topUp' ? '低于' : '高于'} ${boundDays} 天`;

/** Why a transfer is proposed, in one sentence with its figures. */
export function whyOf(proposal: Figures): string {
  const { kind, targetDays, ordered, missing, from } = proposal;
  const isTopUp = kind === 'topUp';
  const sum = (amount: string): string => `${formatGrouped(amount)} ${from.marketName}`;
  const target = isTopUp ? `补到 ${targetDays} 天` : `归集后留 ${targetDays} 天`;
  const counted = isZero(ordered) ? '' : `（${isTopUp ? '已计入' : '已扣除'}在途调拨 ${sum(ordered)}）`;
  const rest = isTopUp ? `转出钱包不足，仍差 ${sum(missing)}` : `该钱包归集后仍多 ${sum(missing)}`;
  return `${daysText(proposal)}${counted}，${target}${isZero(missing) ? '' : `；${rest}`}。`;
}

/** The reason that a proposed transfer is requested with. */
export const requestReason = (proposal: Figures): string =>
  `${proposal.kind === 'topUp' ? '补充热钱包' : `归集到${walletKinds[proposal.to.kind]}`}：${daysText(proposal)}`;
