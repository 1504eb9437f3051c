import { FUTURE_SIDE } from '@hengtai/contract/future';
import {
  SIGNAL,
  SIGNAL_RATIO_DECIMALS,
  SIGNAL_RATIO_MAX,
  type SignalField,
  type SignalState,
  signalFields,
  signalEditableFields,
  signalTransitions,
} from '@hengtai/contract/signal';
import type { SignalAdd, SignalChange, SignalRow } from '@hengtai/contract/signal.schema';
import { Decimal } from '@hengtai/contract/decimal';
import { refuseField } from '../refuse.ts';

/** What an operator sets of a signal. */
export type Terms = Pick<SignalRow, SignalField>;

/** The market of a signal, as far as its terms depend on it. */
export interface SignalMarket {
  future: number;
  state: number;
  maxLeverage: number;
  pricePrecision: number;
}

export const termsOf = (input: SignalAdd): Terms => ({
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
 * The terms as a change makes them.
 *
 * @throws Refused 422 for a field that is settled in the signal's state, or a state that it cannot go into
 */
export function changedTerms(row: SignalRow, input: SignalChange): { terms: Terms; state: SignalState } {
  const before = row.state as SignalState;
  const terms = Object.fromEntries(signalFields.map((field) => [field, row[field]])) as Terms;
  for (const field of signalFields) {
    const given = input[field];
    if (given === undefined || sameValue(field, given, row[field])) continue;
    if (!signalEditableFields[before].includes(field)) throw refuseField(field, '在发布后不能修改');
    Object.assign(terms, { [field]: given });
  }
  const state = input.state ?? before;
  if (state !== before && !(signalTransitions[before] as readonly number[]).includes(state))
    throw refuseField('state', '不能退回草稿');
  return { terms, state };
}

const amounts: readonly SignalField[] = ['price', 'takeProfit', 'stopLoss', 'ratio', 'minAmount', 'maxAmount'];

/** `1.50` says what `1.5` says. */
const sameValue = (field: SignalField, given: string | number | null, kept: string | number | null): boolean =>
  given === kept || (amounts.includes(field) && given !== null && kept !== null && new Decimal(given).eq(kept));

/** @throws Refused 422 for what the fields together make wrong */
export function validateTerms(terms: Terms): void {
  const { side, price, takeProfit, stopLoss, ratio } = terms;
  const long = side === FUTURE_SIDE.long;
  if (takeProfit !== null && !(long ? new Decimal(takeProfit).gt(price) : new Decimal(takeProfit).lt(price)))
    throw refuseField('takeProfit', long ? '须高于入场价' : '须低于入场价');
  if (stopLoss !== null && !(long ? new Decimal(stopLoss).lt(price) : new Decimal(stopLoss).gt(price)))
    throw refuseField('stopLoss', long ? '须低于入场价' : '须高于入场价');
  if (new Decimal(ratio).gt(SIGNAL_RATIO_MAX)) throw refuseField('ratio', `不能超过 ${SIGNAL_RATIO_MAX}%`);
  if (new Decimal(ratio).decimalPlaces() > SIGNAL_RATIO_DECIMALS)
    throw refuseField('ratio', `最多 ${SIGNAL_RATIO_DECIMALS} 位小数`);
  if (new Decimal(terms.maxAmount).lt(terms.minAmount)) throw refuseField('maxAmount', '不能小于最小跟单');
  if (terms.endAt <= terms.startAt) throw refuseField('endAt', '须晚于开始时间');
}

/**
 * What the market has to say. Terms that were agreed to are not asked about again: a market may have changed since.
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

/** @throws Refused 422 for a price that is newly set and finer than its market's prices */
export function validatePrecision(terms: Terms, market: SignalMarket | undefined, before: Terms | undefined): void {
  for (const field of ['price', 'takeProfit', 'stopLoss'] as const) {
    const value = terms[field];
    if (value === null || value === before?.[field] || !market) continue;
    if (new Decimal(value).decimalPlaces() > market.pricePrecision)
      throw refuseField(field, `最多 ${market.pricePrecision} 位小数`);
  }
}

/** @throws Refused 422 where what runs, or is to run, would be over already */
export function validateTime({ endAt }: Terms, state: number, now: number): void {
  if (state === SIGNAL.running && endAt <= now) throw refuseField('endAt', '须晚于现在');
}
