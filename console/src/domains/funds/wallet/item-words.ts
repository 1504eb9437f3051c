import { abilityLabels, ABILITY } from '@hengtai/contract/authority/ability';
import {
  type WalletItemCause,
  isOpenItem,
  openItemStates,
  walletItemActions,
  walletItemStates,
} from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { compareAmounts } from '@hengtai/contract/values/money';
import { formatGrouped } from '../../../ui/value/decimal.ts';

/** What the platform calls a move. */
export const moveKinds: Readonly<Record<string, string>> = {
  deposit: '充值',
  payout: '打款',
  move: '钱包间转账',
  fee: '手续费',
  other: '其他',
};

export const itemStateText = (state: number): string =>
  walletItemStates[state as keyof typeof walletItemStates] ?? String(state);

/** What an operator does about a move that no record explains. */
const nextOfMove: Readonly<Record<string, string>> = {
  deposit: '请平台查明这笔充值属于谁，并补报 recharge.credited。不属于任何用户的，说明为自有资金。',
  payout: '请平台补报这笔打款的 withdraw.paid。',
  move: '请平台补报另一个钱包的 chain.moved。对方不是平台的钱包时，立即在链上核实。',
};

const nextSteps: Readonly<Record<Exclude<WalletItemCause, 'noRecord'>, string>> = {
  noMove: '在链上按交易哈希核实：确有这笔转账的，请平台补报 chain.moved；没有的，是误报的单据，请平台更正。',
  differs: '对照下面标出「不同」的字段，在链上核实哪一边是对的，再请平台更正；多付的向收款人追回。',
  unordered: '立即在链上核实，确认钱包与平台密钥是否泄露。属于自有资金的，说明为自有资金；漏报的请平台补报。',
  foreign: '立即确认收款地址是谁的：自有钱包请平台登记，自有资金的支出说明为自有资金；都不是的按被盗处理。',
  feeDiffers: '账本以第一次报告的手续费为准。在链上核实实际付出的数量，请平台更正后说明原因。',
  feeUnlisted: '手续费以没有上架的币种支付，没有记账。上架该币种，或在核实后说明原因。',
};

/** What an operator does about an open item. */
export function nextStepOf({ why, move }: Pick<WalletItem, 'why' | 'move'>): string {
  if (why !== 'noRecord') return nextSteps[why];
  return nextOfMove[move?.kind ?? ''] ?? '请平台查明这笔转账的用途并补报单据。属于自有资金的，说明为自有资金。';
}

/** The reason why an item cannot be explained; undefined if it can. */
export function disabledReasonOf({ state }: Pick<WalletItem, 'state'>, hasAbility: boolean): string | undefined {
  if (!hasAbility) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  if (isOpenItem({ state })) return undefined;
  const open = openItemStates.map(itemStateText).join('、');
  return `当前为「${itemStateText(state)}」，仅「${open}」可${walletItemActions.explain.short}`;
}

type Posting = Pick<WalletItem, 'marketId' | 'excess' | 'txHash' | 'differs' | 'marketName'>;

/** Why an item cannot be posted as money of the owner; undefined if it can. The server refuses for the same reasons. */
export function ownProblemOf({ marketId, excess, txHash, differs }: Posting): string | undefined {
  if (differs.includes('market')) return '链上与记录的币种不同，请在「平台账户」中分别划转';
  if (marketId === null || compareAmounts(excess, '0') === 0) return '没有账外数量，无须入账';
  return txHash === '' ? '没有交易哈希，不能入账' : undefined;
}

/** What an explanation as money of the owner posts. */
export function postingText({ excess, marketName }: Pick<Posting, 'excess' | 'marketName'>): string {
  const isOut = excess.startsWith('-');
  const sum = `${formatGrouped(isOut ? excess.slice(1) : excess)} ${marketName}`;
  return `自有资金${isOut ? '减少' : '增加'} ${sum}，账面托管同时${isOut ? '减少' : '增加'} ${sum}`;
}
