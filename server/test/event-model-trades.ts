import type { Contract, ModelEvent, SpotOrder } from './event-model-state.ts';
import {
  type EventModel,
  type Move,
  type Effect,
  type Rule,
  LIMIT,
  ONE,
  activeAccount,
  amountOf,
  decimalsOf,
  frozenAccount,
  hasField,
  houseAccount,
  move,
  numberOf,
  reject,
  textOf,
  multiplyDown,
  multiplyUp,
} from './event-model.ts';

/** Spot orders, binary contracts with their ticks, and followings. */

const SPOT = 2;
const FUTURE = 3;
const SECOND = 4;
const optionalAmount = (event: ModelEvent, field: string): bigint | undefined =>
  hasField(event, field) ? amountOf(event, field) : undefined;

/** A purchase freezes USDT, a sale freezes its coin. */
const heldCoinOf = ({ side, market }: Pick<SpotOrder, 'side' | 'market'>): string => (side === 1 ? 'USDT' : market);
const holdOf = (order: Pick<SpotOrder, 'account' | 'side' | 'market'>, no: string) =>
  frozenAccount(order.account, heldCoinOf(order), SPOT, `trade ${no}`);

function placeOrder(model: EventModel, event: ModelEvent): Effect {
  const { orders } = model.state;
  const [no, market, side, isLimit] = [
    textOf(event, 'no'),
    textOf(event, 'market'),
    numberOf(event, 'side'),
    numberOf(event, 'type') === 1,
  ];
  const [price, amount, funds] = [
    optionalAmount(event, 'price'),
    optionalAmount(event, 'amount'),
    optionalAmount(event, 'funds'),
  ];
  const { account, market: terms, faults } = model.resolveNames(event);
  const isByFunds = !isLimit && side === 1;
  if ((price !== undefined) !== isLimit) faults.push('invalid: price');
  if ((funds !== undefined) !== isByFunds) faults.push('invalid: funds');
  if ((amount === undefined) !== isByFunds) faults.push('invalid: amount');
  if (terms) {
    if (price !== undefined && decimalsOf(price) > terms.pricePrecision) faults.push('invalid: price');
    if (amount !== undefined && decimalsOf(amount) > terms.amountPrecision) faults.push('invalid: amount');
    if (!terms.spot) faults.push('closed');
    if (amount !== undefined && amount < terms.minAmount) faults.push('below min');
    if (amount !== undefined && terms.maxAmount > 0n && amount > terms.maxAmount) faults.push('above max');
  }
  if (orders.has(no)) faults.push('exists');
  // Maximum cost, rounded up: a rounded-down hold might not cover all fills.
  const held = side === 2 ? (amount ?? 0n) : (funds ?? multiplyUp(price ?? 0n, amount ?? 0n));
  const order = { account, market, side, price, amount, filled: 0n, turnover: 0n, held, state: 0 };
  return {
    faults,
    moves: [move(activeAccount(account, heldCoinOf(order), SPOT), holdOf(order, no), held)],
    record: () => void orders.set(no, order),
  };
}

function fillOrder(model: EventModel, event: ModelEvent): Effect {
  const { orders, trades } = model.state;
  const [no, tradeNo] = [textOf(event, 'no'), textOf(event, 'tradeNo')];
  const [price, amount, fee] = [amountOf(event, 'price'), amountOf(event, 'amount'), amountOf(event, 'fee')];
  const order = orders.get(no);
  const faults = trades.has(tradeNo) ? ['exists'] : [];
  if (!order) return reject(...faults, 'unknown: no');
  const { account, market, side, price: limit } = order;
  const turnover = multiplyDown(price, amount);
  const received = side === 1 ? amount : turnover;
  if (![0, 1, 4].includes(order.state)) faults.push('state');
  if (limit !== undefined && (side === 1 ? price > limit : price < limit)) faults.push('beyond the limit');
  const remaining = order.amount === undefined ? order.held - turnover : order.amount - order.filled - amount;
  if (remaining < 0n) faults.push('beyond the order');
  const receivedCoin = side === 1 ? market : 'USDT';
  const feeCoin = hasField(event, 'feeCoin') ? textOf(event, 'feeCoin') : receivedCoin;
  if (!model.terms.markets.has(feeCoin)) faults.push('unknown: feeCoin');
  if (feeCoin === receivedCoin && (fee > received || -fee > received)) faults.push('fee');
  if (order.turnover + turnover >= LIMIT || order.filled + amount >= LIMIT) faults.push('invalid: amount');
  if (faults.length > 0) return reject(...faults);
  // Value of the market's smallest amount at this price.
  const smallest = ONE / 10n ** BigInt(model.terms.markets.get(market)?.amountPrecision ?? 18);
  const isFilled = order.amount === undefined ? remaining * ONE < price * smallest : remaining === 0n;
  const held = isFilled
    ? 0n
    : side === 2 || order.amount === undefined
      ? remaining
      : multiplyUp(limit ?? 0n, remaining);
  const hold = holdOf(order, no);
  const spent = side === 1 ? turnover : amount;
  const moves = [
    move(hold, houseAccount('trading', account, heldCoinOf(order)), spent),
    move(houseAccount('trading', account, receivedCoin), activeAccount(account, receivedCoin, SPOT), received),
    move(hold, activeAccount(account, heldCoinOf(order), SPOT), order.held - held - spent),
    fee < 0n
      ? move(houseAccount('fee', account, feeCoin), activeAccount(account, feeCoin, SPOT), -fee)
      : move(activeAccount(account, feeCoin, SPOT), houseAccount('fee', account, feeCoin), fee),
  ];
  const record = (): void => {
    trades.add(tradeNo);
    const state = isFilled ? 2 : order.state === 4 ? 4 : 1;
    Object.assign(order, { filled: order.filled + amount, turnover: order.turnover + turnover, held, state });
  };
  return { faults, moves, record };
}

function cancelOrder(model: EventModel, event: ModelEvent): Effect {
  const no = textOf(event, 'no');
  const order = model.state.orders.get(no);
  if (!order) return reject('unknown: no');
  if (![0, 1, 4].includes(order.state)) return reject('state');
  return {
    faults: [],
    moves: [move(holdOf(order, no), activeAccount(order.account, heldCoinOf(order), SPOT), order.held)],
    record: () => Object.assign(order, { state: 3, held: 0n }),
  };
}

function openContract(model: EventModel, event: ModelEvent): Effect {
  const { contracts, ticks, isLive } = model.state;
  const { rates, markets } = model.terms;
  const [no, market, amount] = [textOf(event, 'no'), textOf(event, 'market'), amountOf(event, 'amount')];
  const [side, seconds] = [numberOf(event, 'side'), numberOf(event, 'seconds')];
  const { account, user, market: terms, faults } = model.resolveNames(event);
  const rate = rates.get(seconds);
  const precision = markets.get('USDT')?.amountPrecision ?? 0;
  if (decimalsOf(amount) > precision) faults.push('invalid: amount');
  if (terms && !terms.second) faults.push('closed');
  if (!rate) faults.push('unknown: seconds');
  if (rate && amount < rate.min) faults.push('below min');
  if (rate && rate.max > 0n && amount > rate.max) faults.push('above max');
  if (contracts.has(no)) faults.push('exists');
  const settleAt = event.at + seconds * 1000;
  if (isLive && (ticks.get(market)?.at(-1)?.at ?? 0) >= settleAt) faults.push('already decided');
  // Payout percentage, rounded down to the precision of USDT.
  const smallest = ONE / 10n ** BigInt(precision);
  const unrounded = (amount * (user?.winRate ?? rate?.rate ?? 0n)) / (100n * ONE);
  const payout = unrounded - (unrounded % smallest);
  const contract = { account, market, side, amount, payout, openAt: event.at, settleAt, state: 0, result: 0 };
  return {
    faults,
    moves: [
      move(activeAccount(account, 'USDT', SECOND), frozenAccount(account, 'USDT', SECOND, `second ${no}`), amount),
    ],
    record: () => void contracts.set(no, contract),
  };
}

/** Settles contracts by the tick record. An equal price or a voided contract returns the stake. */
export function settleContracts(model: EventModel): void {
  for (const [no, contract] of model.state.contracts) {
    if (contract.state !== 0) continue;
    const ticks = model.state.ticks.get(contract.market) ?? [];
    const opening = firstFrom(ticks, contract.openAt);
    const closing = firstFrom(ticks, contract.settleAt);
    const { tolerance } = model.terms;
    if (!opening) continue;
    const isLate = opening.at > contract.openAt + tolerance;
    if (!isLate && !closing) continue;
    const isVoid = isLate || (closing?.at ?? 0) > contract.settleAt + tolerance;
    const priceChange = (closing?.price ?? 0n) - opening.price;
    const result = isVoid ? 0 : priceChange === 0n ? 3 : priceChange > 0n === (contract.side === 1) ? 1 : 2;
    const faults = model.apply({
      moves: contractMoves(no, contract, result),
      record: () => Object.assign(contract, { state: isVoid ? 2 : 1, result }),
    });
    if (faults.length > 0) throw new Error(`${no} cannot be settled: ${faults.join()}`);
  }
}

export function contractMoves(no: string, { account, amount, payout }: Contract, result: number): Move[] {
  const hold = frozenAccount(account, 'USDT', SECOND, `second ${no}`);
  const trading = houseAccount('trading', account, 'USDT');
  const free = activeAccount(account, 'USDT', SECOND);
  if (result === 2) return [move(hold, trading, amount)];
  return [move(hold, free, amount), ...(result === 1 ? [move(trading, free, payout)] : [])];
}

/** Binary search, because ticks are in time order. */
function firstFrom(ticks: readonly { price: bigint; at: number }[], at: number) {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ticks[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return ticks[low];
}

function takeTick(model: EventModel, event: ModelEvent): Effect {
  const { ticks } = model.state;
  const [market, at] = [textOf(event, 'market'), numberOf(event, 'at')];
  if (!model.terms.markets.has(market)) return reject('unknown: market');
  const faults = market === 'USDT' ? ['invalid: market'] : [];
  const record = ticks.get(market) ?? [];
  if (at < (record.at(-1)?.at ?? 0)) faults.push('late');
  return {
    faults,
    moves: [],
    record: () => {
      record.push({ price: amountOf(event, 'price'), at });
      ticks.set(market, record);
    },
  };
}

function openFollowing(model: EventModel, event: ModelEvent): Effect {
  const { followings, users } = model.state;
  const [no, account, amount] = [
    textOf(event, 'no'),
    textOf(event, 'account').toLowerCase(),
    amountOf(event, 'amount'),
  ];
  const signal = model.terms.signals.get(textOf(event, 'signal'));
  const faults: string[] = [];
  if (!users.has(account)) faults.push('unknown: account');
  if (users.get(account)?.frozen) faults.push('frozen');
  if (!signal) faults.push('unknown: signal');
  if (signal && (event.at < signal.from || event.at >= signal.to)) faults.push('closed');
  if (signal && amount < signal.min) faults.push('below min');
  if (signal && amount > signal.max) faults.push('above max');
  if (event.data['auto'] === true) faults.push('trading closed');
  if (followings.has(no)) faults.push('exists');
  return {
    faults,
    moves: [
      move(activeAccount(account, 'USDT', FUTURE), frozenAccount(account, 'USDT', FUTURE, `follow ${no}`), amount),
    ],
    record: () => void followings.set(no, { account, amount, state: 1 }),
  };
}

function closeFollowing(model: EventModel, event: ModelEvent): Effect {
  const [no, profit] = [textOf(event, 'no'), amountOf(event, 'profit')];
  const following = model.state.followings.get(no);
  if (!following) return reject('unknown: no');
  const faults = following.state === 2 ? ['state'] : [];
  if (profit + following.amount < 0n) faults.push('beyond the stake');
  if (faults.length > 0) return reject(...faults);
  const { account, amount } = following;
  const [hold, trading, free] = [
    frozenAccount(account, 'USDT', FUTURE, `follow ${no}`),
    houseAccount('trading', account, 'USDT'),
    activeAccount(account, 'USDT', FUTURE),
  ];
  const moves =
    profit < 0n
      ? [move(hold, trading, -profit), move(hold, free, amount + profit)]
      : [move(hold, free, amount), move(trading, free, profit)];
  return { faults, moves, record: () => void (following.state = 2) };
}

export const spotRules: Readonly<Record<string, Rule>> = {
  'order.placed': placeOrder,
  'order.filled': fillOrder,
  'order.cancelled': cancelOrder,
  'second.opened': openContract,
  tick: takeTick,
  'follow.opened': openFollowing,
  'follow.closed': closeFollowing,
};
