import { Decimal } from '@hengtai/contract/values/decimal';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { reject } from '../../../gateway/rejected.ts';
import { type Position, openAmountOf } from './future.rules.ts';

/** Decimals of ledger amounts. */
const LEDGER_DECIMALS = 18;

export interface Opening {
  amount: string;
  price: string;
  /** Margin added by the opening. */
  margin: string;
}

/** The position after an opening, before its fee. Amounts are decimal strings. */
export interface OpeningEffect extends Opening {
  /** Opened in total. */
  opened: string;
  openPrice: string;
  held: string;
  unopened: string;
  pendingMargin: string;
}

/**
 * The average entry price: (entry · open + price · amount) / (open + amount), rounded half up to 18 decimals. What was closed
 * before does not count.
 */
function averageEntry(position: Position, { amount, price }: Pick<Opening, 'amount' | 'price'>): string {
  if (position.openPrice === null) return price;
  const open = openAmountOf(position);
  return new Decimal(position.openPrice)
    .mul(open)
    .plus(new Decimal(price).mul(amount))
    .div(new Decimal(open).plus(amount))
    .toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_HALF_UP)
    .toFixed();
}

/**
 * Opens a part of an order, by default all that waits. The part takes its share of the margin, rounded down; the last part
 * takes the rest.
 *
 * @throws Rejected if the amount exceeds what waits
 */
export function computeOpening(position: Position, price: string, amount: string | undefined): OpeningEffect {
  const isFirst = position.openPrice === null;
  const [waiting, pending] = isFirst ? [position.amount, position.held] : [position.unopened, position.pendingMargin];
  const part = amount ?? waiting;
  if (new Decimal(part).gt(waiting)) throw reject('beyondOrder');
  const margin = new Decimal(part).eq(waiting)
    ? pending
    : new Decimal(pending).mul(part).div(waiting).toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_DOWN).toFixed();
  const opening = { amount: part, price, margin };
  return {
    ...opening,
    opened: isFirst ? part : new Decimal(position.amount).plus(part).toFixed(),
    openPrice: averageEntry(position, opening),
    held: isFirst ? margin : new Decimal(position.held).plus(margin).toFixed(),
    unopened: new Decimal(waiting).minus(part).toFixed(),
    pendingMargin: new Decimal(pending).minus(margin).toFixed(),
  };
}

/** Adds to an open position. */
export const computeIncrease = (position: Position, opening: Opening): OpeningEffect => ({
  ...opening,
  opened: new Decimal(position.amount).plus(opening.amount).toFixed(),
  openPrice: averageEntry(position, opening),
  held: new Decimal(position.held).plus(opening.margin).toFixed(),
  unopened: position.unopened,
  pendingMargin: position.pendingMargin,
});

/** @throws Rejected if the platform reports another figure than the back office computes */
export function compareFigure(field: 'entryPrice' | 'realized', reported: string | undefined, computed: string): void {
  if (reported !== undefined && !new Decimal(reported).eq(computed)) throw reject('invalid', field);
}

export const isPending = ({ state }: Pick<Position, 'state'>): boolean =>
  state === FUTURE.pending || state === FUTURE.cancelling;
