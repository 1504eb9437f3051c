import { termLabels } from '@hengtai/contract/risk/withdraw-limit/labels';
import { INT_MAX } from '@hengtai/contract/wire/list';
import { type TermName, termNames } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';
import { decimalOf } from '../../../ui/value/amount.ts';
import { compare, multiply } from '../../../ui/value/decimal.ts';

/** Terms in the form, as typed; empty inherits. The rate of the fee is in percent, on the wire it is a ratio. */
export type TermsDraft = Readonly<Record<keyof LimitTerms, string>>;

export const draftOf = (terms: LimitTerms): TermsDraft =>
  Object.fromEntries(termNames.map((name) => [name, textOf(name, terms[name])])) as TermsDraft;

function textOf(name: TermName, value: LimitTerms[TermName]): string {
  if (value === null) return '';
  return name === 'feeRate' ? multiply(String(value), '100') : String(value);
}

const FEE_PERCENT_MAX = '10';
/** The ratio on the wire has 18 decimals, two more than the percentage. */
const FEE_PERCENT_DECIMALS = 16;

/** The terms as they are sent, or what is wrong. */
export function termsOf(draft: TermsDraft): { value: LimitTerms } | { problem: string } {
  const amounts: Record<'singleMin' | 'singleMax' | 'dayAmount' | 'feeFixed' | 'feeRate', string | null> = {
    singleMin: null,
    singleMax: null,
    dayAmount: null,
    feeFixed: null,
    feeRate: null,
  };
  for (const name of Object.keys(amounts) as (keyof typeof amounts)[]) {
    if (draft[name].trim() === '') continue;
    const amount = decimalOf(draft[name].trim());
    if (amount === undefined) return { problem: `${termLabels[name]}格式不正确` };
    amounts[name] = amount;
  }
  const { singleMin, singleMax, feeRate } = amounts;
  if (singleMin !== null && singleMax !== null && singleMax !== '0' && compare(singleMax, singleMin) < 0)
    return { problem: '单笔最大不能小于单笔最小' };
  if (feeRate !== null) {
    if (compare(feeRate, FEE_PERCENT_MAX) > 0) return { problem: `手续费率不能超过 ${FEE_PERCENT_MAX}%` };
    if ((feeRate.split('.')[1] ?? '').length > FEE_PERCENT_DECIMALS)
      return { problem: `手续费率最多 ${FEE_PERCENT_DECIMALS} 位小数` };
    amounts.feeRate = multiply(feeRate, '0.01');
  }
  const count = draft.dayCount.trim();
  if (count !== '' && !(/^\d{1,10}$/.test(count) && Number(count) <= INT_MAX)) return { problem: '每日笔数须为整数' };
  const withdrawState = draft.withdrawState === '' ? null : draft.withdrawState === '0' ? 0 : 1;
  return { value: { withdrawState, ...amounts, dayCount: count === '' ? null : Number(count) } };
}
