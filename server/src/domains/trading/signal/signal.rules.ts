import { FUTURE_SIDE } from '@hengtai/contract/trading/future/calls';
import {
  SIGNAL_RATIO_DECIMALS,
  SIGNAL_RATIO_MAX,
  type SignalField,
  type SignalState,
  signalFields,
  signalEditableFields,
  signalTransitions,
} from '@hengtai/contract/trading/signal/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalAdd, SignalChange, SignalRow } from '@hengtai/contract/trading/signal/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { refuseField } from '../../../app/refuse.ts';

/** The fields of a signal that an operator sets. */
export type Terms = Pick<SignalRow, SignalField>;

/** The fields of a market that limit the terms of a signal. */
export interface SignalMarket {
  marketName: string;
  future: number;
  state: number;
  maxLeverage: number;
  pricePrecision: number;
}

export const signalTermsOf = (input: SignalAdd): Terms => ({
  title: input.title,
  marketId: input.marketId,
  side: input.side,
  leverage: input.leverage,
  price: input.price,
  takeProfit: input.takeProfit ?? null,
  stopLoss: input.stopLoss ?? null,
  ratio: input.ratio,
  minAmount: input.minAmount,
  maxAmount: input.maxAmount,
  startAt: input.startAt,
  endAt: input.endAt,
});

/**
 * Applies a change to the terms and state of a signal.
 *
 * @throws Refused 422 for a field that cannot change in the state of the signal, or an impossible next state
 */
export function changedTerms(row: SignalRow, input: SignalChange): { terms: Terms; state: SignalState } {
  const before = row.state as SignalState;
  const terms = Object.fromEntries(signalFields.map((field) => [field, row[field]])) as Terms;
  for (const field of signalFields) {
    const value = input[field];
    if (value === undefined || isSameValue(field, value, row[field])) continue;
    if (!signalEditableFields[before].includes(field)) throw refuseField(field, '在发布后不能修改');
    Object.assign(terms, { [field]: value });
  }
  const state = input.state ?? before;
  if (state !== before && !(signalTransitions[before] as readonly number[]).includes(state))
    throw refuseField('state', '不能退回草稿');
  return { terms, state };
}

const amounts: readonly SignalField[] = ['price', 'takeProfit', 'stopLoss', 'ratio', 'minAmount', 'maxAmount'];

/** Compares amounts as decimals: `1.50` equals `1.5`. */
const isSameValue = (field: SignalField, a: string | number | null, b: string | number | null): boolean =>
  a === b || (amounts.includes(field) && a !== null && b !== null && new Decimal(a).eq(b));

/** Whether a signal has all values that a change names. */
export const hasValues = (row: SignalRow, input: SignalChange): boolean =>
  (input.state === undefined || input.state === row.state) &&
  signalFields.every((field) => {
    const value = input[field];
    return value === undefined || isSameValue(field, value, row[field]);
  });

/** @throws Refused 422 for violations that the schema cannot express */
export function validateTerms(terms: Terms): void {
  const { side, price, takeProfit, stopLoss, ratio } = terms;
  const isLong = side === FUTURE_SIDE.long;
  if (takeProfit !== null && !(isLong ? new Decimal(takeProfit).gt(price) : new Decimal(takeProfit).lt(price)))
    throw refuseField('takeProfit', isLong ? '须高于入场价' : '须低于入场价');
  if (stopLoss !== null && !(isLong ? new Decimal(stopLoss).lt(price) : new Decimal(stopLoss).gt(price)))
    throw refuseField('stopLoss', isLong ? '须低于入场价' : '须高于入场价');
  if (new Decimal(ratio).gt(SIGNAL_RATIO_MAX)) throw refuseField('ratio', `不能超过 ${SIGNAL_RATIO_MAX}%`);
  if (new Decimal(ratio).decimalPlaces() > SIGNAL_RATIO_DECIMALS)
    throw refuseField('ratio', `最多 ${SIGNAL_RATIO_DECIMALS} 位小数`);
  if (new Decimal(terms.maxAmount).lt(terms.minAmount)) throw refuseField('maxAmount', '不能小于最小跟单');
  if (terms.endAt <= terms.startAt) throw refuseField('endAt', '须晚于开始时间');
}

/**
 * Checks terms against their market. Prices that equal those in `before` are not checked again, because the precision of the
 * market may have changed since.
 *
 * @throws Refused 422
 */
export function validateMarket(terms: Terms, market: SignalMarket | undefined, before: Terms | undefined): void {
  if (!market) throw refuseField('marketId', '不存在');
  if (market.future !== 1) throw refuseField('marketId', '未开通合约');
  if (market.state !== 1) throw refuseField('marketId', '未上架');
  if (terms.leverage > market.maxLeverage) throw refuseField('leverage', `不能超过该市场的 ${market.maxLeverage} 倍`);
  validatePrecision(terms, market, before);
}

/** @throws Refused 422 for a changed price with more decimals than the market allows */
export function validatePrecision(terms: Terms, market: SignalMarket | undefined, before: Terms | undefined): void {
  for (const field of ['price', 'takeProfit', 'stopLoss'] as const) {
    const value = terms[field];
    if (value === null || value === before?.[field] || !market) continue;
    if (new Decimal(value).decimalPlaces() > market.pricePrecision)
      throw refuseField(field, `最多 ${market.pricePrecision} 位小数`);
  }
}

/** @throws Refused 422 if a running signal would have ended already */
export function validateTime({ endAt }: Terms, state: number, now: number): void {
  if (state === SIGNAL.running && endAt <= now) throw refuseField('endAt', '须晚于现在');
}
