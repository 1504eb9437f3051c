import type { ModelEvent, Position } from './event-model-state.ts';
import {
  type EventModel,
  type Move,
  type Effect,
  type Rule,
  LIMIT,
  activeAccount,
  amountOf,
  decimalsOf,
  frozenAccount,
  hasField,
  houseAccount,
  minOf,
  move,
  numberOf,
  reject,
  textOf,
  multiplyFloor,
} from './event-model.ts';

/** Futures, from the order to the end of its position. */

const FUTURE = 3;
const COIN = 'USDT';

const holdOf = (position: Pick<Position, 'account'>, no: string) =>
  frozenAccount(position.account, COIN, FUTURE, `future ${no}`);
const freeOf = (position: Pick<Position, 'account'>) => activeAccount(position.account, COIN, FUTURE);
const houseOf = (position: Pick<Position, 'account'>, owner: string) => houseAccount(owner, position.account, COIN);

/** Demo positions move no money. */
const movesUnlessDemo = (position: Position, moves: Move[]): Move[] => (position.demo ? [] : moves);

const newPosition = (order: Pick<Position, 'account' | 'demo' | 'side' | 'price' | 'amount' | 'held'>): Position => ({
  ...order,
  closed: 0n,
  open: 0n,
  unopened: 0n,
  pending: 0n,
  closing: 0n,
  state: 0,
});

function placePosition(model: EventModel, event: ModelEvent): Effect {
  const { positions } = model.state;
  const [no, demo, amount, margin] = [
    textOf(event, 'no'),
    numberOf(event, 'demo') === 1,
    amountOf(event, 'amount'),
    amountOf(event, 'margin'),
  ];
  const price = hasField(event, 'price') ? amountOf(event, 'price') : undefined;
  const { account, market, faults } = model.resolveNames(event);
  if ((price !== undefined) !== (numberOf(event, 'type') === 1)) faults.push('invalid: price');
  if (market) {
    if (price !== undefined && decimalsOf(price) > market.pricePrecision) faults.push('invalid: price');
    if (decimalsOf(amount) > market.amountPrecision) faults.push('invalid: amount');
    if (numberOf(event, 'leverage') > market.maxLeverage) faults.push('invalid: leverage');
    if (!market.future) faults.push('closed');
    if (amount < market.minAmount) faults.push('below min');
    if (market.maxAmount > 0n && amount > market.maxAmount) faults.push('above max');
  }
  if (positions.has(no)) faults.push('exists');
  const side = numberOf(event, 'side');
  const position = newPosition({ account, demo, side, price, amount, held: margin });
  return {
    faults,
    moves: movesUnlessDemo(position, [move(freeOf(position), holdOf(position, no), margin)]),
    record: () => void positions.set(no, position),
  };
}

/**
 * Takes a fee or funding from the free balance, then from the margin, then from the insurance account.
 *
 * @param free free balance and `held` the margin left, both after all earlier moves of the event
 */
function charge(position: Position, no: string, amount: bigint, free: bigint, held: bigint, to: string) {
  if (position.demo) return { moves: [], margin: 0n };
  const fromFree = minOf(amount, free);
  const margin = minOf(amount - fromFree, held);
  const moves = [
    move(freeOf(position), houseOf(position, to), fromFree),
    move(holdOf(position, no), houseOf(position, to), margin),
    move(houseOf(position, 'insurance'), houseOf(position, to), amount - fromFree - margin),
  ];
  return { moves, margin };
}

/** Average of two prices, rounded half up to 10^-18. */
const average = (price: bigint, amount: bigint, other: bigint, added: bigint): bigint =>
  (2n * (price * amount + other * added) + amount + added) / (2n * (amount + added));

function openPosition(model: EventModel, event: ModelEvent): Effect {
  const [no, price, fee] = [textOf(event, 'no'), amountOf(event, 'price'), amountOf(event, 'fee')];
  const position = model.state.positions.get(no);
  if (!position) return reject('unknown: no');
  const { price: limit, side } = position;
  const isFirst = [0, 5].includes(position.state);
  const waiting = isFirst ? position.amount : position.unopened;
  const faults = isFirst || ([1, 6].includes(position.state) && waiting > 0n) ? [] : ['state'];
  if (limit !== undefined && (side === 1 ? price > limit : price < limit)) faults.push('beyond the limit');
  const part = hasField(event, 'amount') ? amountOf(event, 'amount') : waiting;
  if (part > waiting) faults.push('beyond the order');
  if (faults.length > 0) return reject(...faults);
  const pending = isFirst ? position.held : position.pending;
  const share = part === waiting ? pending : (pending * part) / waiting;
  const held = (isFirst ? 0n : position.held) + share;
  const rest = isFirst ? 0n : position.amount - position.closed;
  const free = model.freeOf(position.account, COIN, FUTURE);
  const { moves, margin } = charge(position, no, fee, free, held, 'fee');
  const record = (): void => {
    Object.assign(position, {
      ...(isFirst && { state: 1 }),
      open: rest === 0n ? price : average(position.open, rest, price, part),
      amount: (isFirst ? 0n : position.amount) + part,
      unopened: waiting - part,
      pending: pending - share,
      held: held - margin,
    });
  };
  return { faults, moves, record };
}

function increasePosition(model: EventModel, event: ModelEvent): Effect {
  const { positions, increases } = model.state;
  const [no, tradeNo] = [textOf(event, 'no'), textOf(event, 'tradeNo')];
  const [amount, price, fee] = [amountOf(event, 'amount'), amountOf(event, 'price'), amountOf(event, 'fee')];
  const added = amountOf(event, 'margin');
  const position = positions.get(no);
  const faults = increases.has(tradeNo) ? ['exists'] : [];
  if (!position) return reject(...faults, 'unknown: no');
  if (![1, 6].includes(position.state)) faults.push('state');
  if (position.amount + amount >= LIMIT) faults.push('invalid: amount');
  if (faults.length > 0) return reject(...faults);
  const free = model.freeOf(position.account, COIN, FUTURE) - added;
  const margins = movesUnlessDemo(position, [move(freeOf(position), holdOf(position, no), added)]);
  const { moves, margin } = charge(position, no, fee, free > 0n ? free : 0n, position.held + added, 'fee');
  const record = (): void => {
    increases.add(tradeNo);
    Object.assign(position, {
      open: average(position.open, position.amount - position.closed, price, amount),
      amount: position.amount + amount,
      held: position.held + added - margin,
    });
  };
  return { faults, moves: [...margins, ...moves], record };
}

/** Closes everything and opens the other side under a new number. */
function flipPosition(model: EventModel, event: ModelEvent): Effect {
  const { positions } = model.state;
  const [no, newNo, price] = [textOf(event, 'no'), textOf(event, 'newNo'), amountOf(event, 'price')];
  const position = positions.get(no);
  const closed = closePosition(model, { ...event, data: { ...event.data, closeType: 1 } }, false, true);
  if (positions.has(newNo)) closed.faults.push('exists');
  if (!position || closed.faults.length > 0) return closed;
  const { account, demo } = position;
  const [amount, held] = [amountOf(event, 'amount'), amountOf(event, 'margin')];
  const next = newPosition({ account, demo, side: 3 - position.side, price: undefined, amount, held });
  return {
    faults: [],
    moves: [...closed.moves, ...movesUnlessDemo(next, [move(freeOf(next), holdOf(next, newNo), held)])],
    record: () => {
      closed.record();
      positions.set(newNo, { ...next, open: price, state: 1 });
    },
  };
}

function changePosition(model: EventModel, event: ModelEvent): Effect {
  const no = textOf(event, 'no');
  const position = model.state.positions.get(no);
  if (!position) return reject('unknown: no');
  if (![0, 1, 5, 6].includes(position.state)) return reject('state');
  const margin = hasField(event, 'margin') ? amountOf(event, 'margin') : position.held;
  const increase = margin - position.held;
  const [free, hold] = [freeOf(position), holdOf(position, no)];
  return {
    faults: [],
    moves: movesUnlessDemo(position, [increase > 0n ? move(free, hold, increase) : move(hold, free, -increase)]),
    record: () => void (position.held = margin),
  };
}

/** @param isAll closes everything */
function closePosition(model: EventModel, event: ModelEvent, isLiquidation: boolean, isAll = isLiquidation): Effect {
  const { positions, closes } = model.state;
  const [no, closeNo, price, fee] = [
    textOf(event, 'no'),
    textOf(event, 'closeNo'),
    amountOf(event, 'price'),
    amountOf(event, 'fee'),
  ];
  const position = positions.get(no);
  const faults = closes.has(closeNo) ? ['exists'] : [];
  if (!position) return reject(...faults, 'unknown: no');
  if (![1, 6].includes(position.state)) return reject(...faults, 'state');
  const remaining = position.amount - position.closed;
  const amount = isAll ? remaining : amountOf(event, 'amount');
  if (amount > remaining) faults.push('beyond the order');
  if (faults.length > 0) return reject(...faults);
  const result = multiplyFloor(position.side === 1 ? price - position.open : position.open - price, amount);
  // Proportional share of the margin, rounded down. The last close releases the whole rest.
  const share = amount === remaining ? position.held : (position.held * amount) / remaining;
  const [profit, loss] = result > 0n ? [result, 0n] : [0n, -result];
  const marginLost = minOf(loss, position.held);
  const returned = share > marginLost ? share - marginLost : 0n;
  const free = model.freeOf(position.account, COIN, FUTURE) + returned + profit;
  const feeCharge = charge(position, no, fee, free, position.held - marginLost - returned, 'fee');
  const moves = [
    move(holdOf(position, no), freeOf(position), returned),
    move(houseOf(position, 'trading'), freeOf(position), profit),
    move(holdOf(position, no), houseOf(position, 'trading'), marginLost),
    move(houseOf(position, 'insurance'), houseOf(position, 'trading'), loss - marginLost),
    ...feeCharge.moves,
    move(holdOf(position, no), freeOf(position), amount === remaining ? position.pending : 0n),
  ];
  const record = (): void => {
    closes.add(closeNo);
    if (amount === remaining) Object.assign(position, { unopened: 0n, pending: 0n });
    position.closed += amount;
    position.held -= marginLost + returned + feeCharge.margin;
    reduceClosing(position, amount, !isLiquidation && numberOf(event, 'closeType') === 5);
    if (amount === remaining) position.state = isLiquidation ? 4 : 2;
  };
  return { faults, moves: movesUnlessDemo(position, moves), record };
}

/** Ends the closing state (6) once the amount that an operator ordered to close is closed. */
function reduceClosing(position: Position, amount: bigint, isOrdered: boolean): void {
  if (position.state !== 6) return;
  position.closing = minOf(position.closing - (isOrdered ? amount : 0n), position.amount - position.closed);
  if (position.closing <= 0n) Object.assign(position, { closing: 0n, state: 1 });
}

function cancelPosition(model: EventModel, event: ModelEvent): Effect {
  const no = textOf(event, 'no');
  const position = model.state.positions.get(no);
  if (!position) return reject('unknown: no');
  const isWhole = [0, 5].includes(position.state);
  if (!isWhole && position.unopened === 0n) return reject('state');
  const released = isWhole ? position.held : position.pending;
  return {
    faults: [],
    moves: movesUnlessDemo(position, [move(holdOf(position, no), freeOf(position), released)]),
    record: () => Object.assign(position, isWhole ? { state: 3, held: 0n } : { unopened: 0n, pending: 0n }),
  };
}

function payFunding(model: EventModel, event: ModelEvent): Effect {
  const { positions, fundings } = model.state;
  const [no, positionNo, amount] = [textOf(event, 'no'), textOf(event, 'position'), amountOf(event, 'amount')];
  const position = positions.get(positionNo);
  const faults = fundings.has(no) ? ['exists'] : [];
  if (!position) return reject(...faults, 'unknown: position');
  if (![1, 6].includes(position.state)) faults.push('state');
  if (faults.length > 0) return reject(...faults);
  const free = model.freeOf(position.account, COIN, FUTURE);
  const { moves, margin } =
    amount < 0n
      ? charge(position, positionNo, -amount, free, position.held, 'trading')
      : {
          moves: movesUnlessDemo(position, [move(houseOf(position, 'trading'), freeOf(position), amount)]),
          margin: 0n,
        };
  const record = (): void => {
    fundings.add(no);
    position.held -= margin;
  };
  return { faults, moves, record };
}

export const positionRules: Readonly<Record<string, Rule>> = {
  'position.placed': placePosition,
  'position.opened': openPosition,
  'position.increased': increasePosition,
  'position.flipped': flipPosition,
  'position.changed': changePosition,
  'position.closed': (model, event) => closePosition(model, event, false),
  'position.liquidated': (model, event) => closePosition(model, event, true),
  'position.cancelled': cancelPosition,
  'funding.paid': payFunding,
};
