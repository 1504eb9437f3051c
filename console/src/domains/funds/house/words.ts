import { type SystemAccount, systemAccountLabels } from '@hengtai/contract/values/money';
import { formatGrouped } from '../../../ui/value/decimal.ts';

/** What moves the balance of each account. */
export const houseNotes: Readonly<Record<SystemAccount, string>> = {
  insurance: '承担用户穿仓的亏损',
  fee: '用户付的交易与提现手续费',
  trading: '合约、秒合约与现货的对方',
  subscription: '认购的收款与发放',
  adjustment: '人工调账与权益调整的对方',
  chainFee: '链上转账付出的手续费',
  capital: '所有者的资金，不会透支',
  custody: '负数，钱包应持有的数量',
};

export interface TransferDraft {
  from: SystemAccount;
  to: SystemAccount;
}

const ACCOUNTS = Object.keys(systemAccountLabels) as SystemAccount[];

/** Accounts that money of an account can go to: what enters or leaves custody belongs to the owner. */
export const destinationsOf = (from: SystemAccount): SystemAccount[] =>
  from === 'custody'
    ? ['capital']
    : ACCOUNTS.filter((account) => account !== from && (account !== 'custody' || from === 'capital'));

/** What a transfer means, in one sentence. */
export function transferConsequence({ from, to }: TransferDraft, amount: string, coin: string): string {
  const sum = `${formatGrouped(amount)} ${coin}`;
  if (from === 'custody') return `自有资金增加 ${sum}。请先核对这笔链上付款已进入平台的钱包。`;
  if (to === 'custody') return `自有资金减少 ${sum}。请先核对这笔链上付款已从平台的钱包付出。`;
  return `${sum} 从${systemAccountLabels[from]}转入${systemAccountLabels[to]}。用户余额与钱包都不变。`;
}
