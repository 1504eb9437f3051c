/**
 * Amounts are decimal strings in messages and numeric(36,18) in the database: at most 18 digits before and after the point,
 * no sign, no exponent. Answers are canonical (no trailing zeros); inputs may have trailing zeros.
 */
export const AMOUNT_PATTERN = '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$';
/** As AMOUNT_PATTERN, but greater than zero. */
export const POSITIVE_AMOUNT_PATTERN = '^(?=.*[1-9])(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$';

/** A positive or negative amount other than zero. */
export const SIGNED_AMOUNT_PATTERN = '^(?=.*[1-9])-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$';

/** A positive or negative amount, or zero. */
export const SIGNED_OR_ZERO_AMOUNT_PATTERN = '^-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$';

/** The settlement asset, in which all values are given. */
export const SETTLEMENT = 'USDT';

/** Removes trailing zeros after the point, a trailing point, and the sign of zero. */
export function canonical(amount: string): string {
  if (!amount.includes('.')) return amount;
  const trimmed = amount.replace(/\.?0+$/, '');
  return trimmed === '-0' || trimmed === '' ? '0' : trimmed;
}

/** An amount for the eye: canonical, with separators for thousands. */
export function withSeparators(amount: string): string {
  const [whole = '0', fraction] = canonical(amount).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Amounts of several coins in one text. */
export const coinAmountsText = (amounts: readonly { marketName: string; amount: string }[]): string =>
  amounts.map(({ marketName, amount }) => `${canonical(amount)} ${marketName}`).join('；');

const SCALE = 18;

/** Compares two decimal strings: negative, 0 or positive as with `sort`. Exact to 18 decimals. */
export function compareAmounts(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [toUnits(a), toUnits(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function toUnits(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.slice(0, SCALE).padEnd(SCALE, '0'));
}

export const platformLabels = { 1: '资金账户', 2: '现货账户', 3: '合约账户', 4: '秒合约账户' } as const;
export type Platform = keyof typeof platformLabels;
export const PLATFORM = { fund: 1, spot: 2, future: 3, second: 4 } as const;

export const bucketLabels = { active: '可用', frozen: '冻结' } as const;
export type Bucket = keyof typeof bucketLabels;

/** Types of entries: why the balance changed. */
export const ENTRY = {
  recharge: 1,
  withdraw: 2,
  withdrawReturned: 3,
  transferOut: 4,
  transferIn: 5,
  accountTransfer: 6,
  manualAdd: 7,
  manualSub: 8,
  freeze: 9,
  unfreeze: 10,
  spotBuy: 11,
  spotSell: 12,
  fee: 13,
  margin: 14,
  futuresProfit: 15,
  funding: 16,
  liquidation: 17,
  secondOpen: 18,
  secondSettle: 19,
  secondVoid: 20,
  subscriptionFreeze: 21,
  subscriptionRefund: 22,
  subscriptionGrant: 23,
  follow: 24,
  reversal: 25,
  feeRebate: 26,
  corporateAction: 27,
  chainFee: 28,
  houseTransfer: 30,
} as const;
export type EntryType = (typeof ENTRY)[keyof typeof ENTRY];

/** The types of entries of users' accounts. */
export const userEntryLabels = {
  1: '充值',
  2: '提现',
  3: '提现退回',
  4: '内部转出',
  5: '内部转入',
  6: '账户划转',
  7: '人工增加',
  8: '人工扣减',
  9: '冻结',
  10: '解冻',
  11: '现货买入',
  12: '现货卖出',
  13: '手续费',
  14: '合约保证金',
  15: '合约盈亏',
  16: '资金费用',
  17: '强制平仓',
  18: '秒合约下单',
  19: '秒合约结算',
  20: '秒合约作废退款',
  21: '认购冻结',
  22: '认购退款',
  23: '认购发放',
  24: '跟单',
  25: '冲正',
  26: '手续费返还',
  27: '权益调整',
} as const;

export const entryLabels: Readonly<Record<EntryType, string>> = {
  ...userEntryLabels,
  28: '链上手续费',
  30: '平台划转',
};

/**
 * Accounts of the house. Every transfer sums to zero, so custody is negative: it is the opposite of what the house holds for
 * users and for itself.
 */
export const SYSTEM_ACCOUNTS = [
  'insurance',
  'fee',
  'trading',
  'subscription',
  'adjustment',
  'chainFee',
  'capital',
  'custody',
] as const;
export type SystemAccount = (typeof SYSTEM_ACCOUNTS)[number];
export const systemAccountLabels: Readonly<Record<SystemAccount, string>> = {
  insurance: '风险准备金',
  fee: '手续费收入',
  trading: '交易对手',
  subscription: '认购',
  adjustment: '人工调账',
  chainFee: '链上手续费',
  capital: '自有资金',
  custody: '托管',
};
