import { type EventModel, LIMIT, ONE, minOf } from './event-model.ts';
import type { Position } from './event-model-state.ts';
import { type EventSource, type EventKind, type EventDraft, MODEST } from './event-source.ts';

/** Kinds of generated events and their weights. */

export const COINS = ['USDT', 'BTC', 'ETH', 'HTT'] as const;
const NETWORKS: Readonly<Record<string, string>> = { USDT: 'TRC20', BTC: 'Bitcoin', ETH: 'ERC20', HTT: 'ERC20' };
const SECONDS = [30, 60, 120, 300];

const pickCoin = (source: EventSource): string => (source.chance(1) ? 'NONE' : source.pick(COINS));
const pickTradedCoin = (source: EventSource): string =>
  source.chance(3) ? pickCoin(source) : source.pick(['BTC', 'ETH']);
const termsOf = (model: EventModel, market: string) =>
  model.terms.markets.get(market) ?? { pricePrecision: 2, amountPrecision: 8 };
const event = (type: string, data: Record<string, unknown>): EventDraft => ({ type, data });

const makeDeposit = (source: EventSource, no: string): Record<string, unknown> => {
  const market = pickCoin(source);
  const network = NETWORKS[market] ?? 'TRC20';
  const amount = source.format(source.drawAmount(LIMIT - 1n));
  const [account, confirmations] = [source.pickAccount(), source.below(50)];
  return { no, account, market, network, address: 'T-deposit', amount, confirmations, source: 1 + source.below(2) };
};

const recharges: readonly EventKind[] = [
  [3, (source) => event('recharge.detected', makeDeposit(source, source.pickNewNo('recharge')))],
  [8, (source) => event('recharge.credited', makeDeposit(source, source.pickNewNo('recharge')))],
  [2, (source) => event('recharge.credited', { no: source.pickKnownNo('recharge', 0, 3) })],
  [
    1,
    (source, model) => {
      const no = source.pickKnownNo('recharge', 0);
      const row = model.state.recharges.get(no);
      return event('recharge.credited', row ? { no, account: row.account, confirmations: 9 } : makeDeposit(source, no));
    },
  ],
  [1, (source) => event('recharge.failed', { no: source.pickKnownNo('recharge', 0, 3) })],
  [2, (source) => event('recharge.reversed', { no: source.pickKnownNo('recharge', 1) })],
];

function makeWithdrawal(source: EventSource, type: string): EventDraft {
  const market = pickCoin(source);
  const account = source.pickPayer(market, 1);
  const amount = source.drawPart(source.freeOf(account, market, 1));
  const route = { market, network: NETWORKS[market] ?? 'TRC20', address: `T-${source.below(5)}` };
  const fields = { ...route, amount: source.format(amount), fee: source.format(source.drawFee(amount)) };
  return event(type, { no: source.pickNewNo('withdraw'), account, ...fields });
}

/** One of few transactions, so that some state their fee twice. */
function makePayment(source: EventSource): EventDraft {
  const chainFee = source.format(source.drawFee(ONE) % LIMIT);
  const fee = source.chance(70) ? { chainFee, ...(source.chance(50) && { feeMarket: pickCoin(source) }) } : {};
  const no = source.pickKnownNo('withdraw', 2, 3, 7, 8);
  return event('withdraw.paid', { no, txHash: `0xpaid${source.below(20)}`, ...fee });
}

const withdrawals: readonly EventKind[] = [
  [7, (source) => makeWithdrawal(source, 'withdraw.requested')],
  [2, (source) => event('withdraw.cancelled', { no: source.pickKnownNo('withdraw', 0) })],
  [2, (source) => event('withdraw.paying', { no: source.pickKnownNo('withdraw', 2) })],
  [3, makePayment],
  [2, (source) => event('withdraw.failed', { no: source.pickKnownNo('withdraw', 2, 3, 8), reason: 'no gas' })],
  [1, (source) => event('withdraw.unknown', { no: source.pickKnownNo('withdraw', 2, 3) })],
];

/** Mostly moves money from the fund account to the other accounts. Caps amounts on accounts that can make profits. */
function makeTransfer(source: EventSource): EventDraft {
  const isOwn = source.chance(75);
  const market = source.chance(70) ? 'USDT' : pickCoin(source);
  const [platform, toPlatform] = [source.chance(60) ? 1 : 1 + source.below(4), 1 + source.below(4)];
  const account = source.pickPayer(market, platform);
  const share = source.drawPart(source.freeOf(account, market, platform));
  const amount = source.format(toPlatform > 2 && share > MODEST ? MODEST : share);
  const toAccount = isOwn ? account : source.pickAccount();
  return event('transfer.made', {
    no: source.newNo('other'),
    account,
    toAccount,
    market,
    platform,
    toPlatform,
    amount,
  });
}

function makeSubscription(source: EventSource, type: string): EventDraft {
  const [account, market] = [source.pickPayer('USDT', 1), source.chance(93) ? 'HTT' : pickCoin(source)];
  const price = source.truncate(source.drawPrice(18), 2 + source.below(8));
  const free = source.drawPart(source.freeOf(account, 'USDT', 1));
  const amount = source.truncate((free * ONE) / price + 1n, source.below(9));
  const fields = { price: source.format(price), amount: source.format(amount < LIMIT ? amount : LIMIT - 1n) };
  return event(type, { no: source.pickNewNo('ieo'), account, market, ...fields });
}

/** A corporate action: adds to or takes from an active balance, sometimes with the expected balance. */
function makeAdjustment(source: EventSource): EventDraft {
  const [market, platform, isAdded] = [pickCoin(source), 1 + source.below(2), source.chance(60)];
  const account = source.pickPayer(market, platform);
  const free = source.freeOf(account, market, platform);
  const amount = isAdded ? source.drawAmount(MODEST) : source.drawPart(free);
  const after = isAdded ? free + amount : free - amount;
  const balance = source.chance(30) && after >= 0n && after < LIMIT ? { balance: source.format(after) } : {};
  const no = source.chance(97) ? source.newNo('other') : 'adjustment-known';
  const signed = `${isAdded ? '' : '-'}${source.format(amount)}`;
  const action = { batch: 'B-1', kind: 1 + source.below(4), reason: 'model' };
  return event('balance.adjusted', { no, ...action, account, market, platform, amount: signed, ...balance });
}

const imports: readonly EventKind[] = [
  [
    3,
    (source) => {
      const [active, platform] = [source.drawAmount(MODEST), 1 + source.below(4)];
      const market = pickCoin(source);
      return event('balance.imported', {
        account: source.pickAccount(),
        market,
        platform,
        active: source.format(active),
      });
    },
  ],
  [
    1,
    (source) => {
      const { type, data } = makeWithdrawal(source, 'withdraw.imported');
      return event(type, { ...data, state: source.pick([4, 5, 6, 9]), booked: source.chance(70) });
    },
  ],
  [
    1,
    (source) => {
      const { type, data } = makeSubscription(source, 'ieo.imported');
      return event(type, { ...data, state: 1 + source.below(3), booked: source.chance(70) });
    },
  ],
];

function makeOrder(source: EventSource, model: EventModel): EventDraft {
  const [market, side] = [pickTradedCoin(source), 1 + source.below(2)];
  const account = source.pickPayer(side === 1 ? 'USDT' : market, 2);
  const type = source.chance(70) ? 1 : 2;
  const { pricePrecision, amountPrecision } = termsOf(model, market);
  const price = source.drawPrice(pricePrecision);
  const free = source.drawPart(source.freeOf(account, side === 1 ? 'USDT' : market, 2));
  const coins = side === 1 ? (free * ONE) / price + 1n : free;
  const amount = source.format(source.truncateToMarket(coins < LIMIT ? coins : LIMIT - 1n, amountPrecision));
  const fields =
    type === 2 && side === 1
      ? { funds: source.format(free) }
      : { amount, ...(type === 1 || source.chance(2) ? { price: source.format(price) } : {}) };
  return event('order.placed', { no: source.pickNewNo('trade'), account, market, side, type, ...fields });
}

function makeFill(source: EventSource, model: EventModel): EventDraft {
  const no = source.pickKnownNo('trade', 0, 1, 4);
  const order = model.state.orders.get(no);
  const tradeNo = source.chance(97) ? source.newNo('other') : 'trade-known';
  if (!order) return event('order.filled', { no, tradeNo, price: '1', amount: '1', fee: '0' });
  const precision = termsOf(model, order.market);
  const price = source.drawPriceNear(
    order.price ?? source.drawPrice(18),
    order.side,
    source.chance(50) ? 18 : precision.pricePrecision,
  );
  const remaining = order.amount === undefined ? (order.held * ONE) / price : order.amount - order.filled;
  const share = source.chance(30) ? remaining : source.drawPart(remaining);
  const amount = source.truncate(
    share < LIMIT ? share : LIMIT - 1n,
    source.chance(50) ? 18 : precision.amountPrecision,
  );
  const received = order.side === 1 ? amount : (amount * price) / ONE;
  const fill = { no, tradeNo, price: source.format(price), amount: source.format(amount) };
  const feeCoin = source.chance(25) ? pickCoin(source) : undefined;
  const charged = feeCoin === undefined ? received : source.freeOf(order.account, feeCoin, 2);
  const fee = source.format(source.drawFee(charged) % LIMIT);
  const signed = source.chance(15) && fee !== '0' ? `-${fee}` : fee;
  return event('order.filled', { ...fill, fee: signed, ...(feeCoin !== undefined && { feeCoin }) });
}

const spot: readonly EventKind[] = [
  [9, makeOrder],
  [13, makeFill],
  [3, (source) => event('order.cancelled', { no: source.pickKnownNo('trade', 0, 1, 4) })],
];

function makePosition(source: EventSource, model: EventModel): EventDraft {
  const [account, market, side] = [source.pickPayer('USDT', 3), pickTradedCoin(source), 1 + source.below(2)];
  const { pricePrecision, amountPrecision } = termsOf(model, market);
  const [type, demo] = [1 + source.below(2), source.chance(8) ? 1 : 0];
  const isPriced = (type === 1) !== source.chance(2);
  const price = isPriced ? { price: source.format(source.drawPrice(pricePrecision)) } : {};
  const amount = source.format(source.truncateToMarket(source.drawAmount(10n ** 5n * ONE), amountPrecision));
  const margin = source.format(source.drawPart(source.freeOf(account, 'USDT', 3)));
  const fields = { side, type, demo, leverage: 1 + source.below(102), ...price, amount, margin };
  return event('position.placed', { no: source.pickNewNo('future'), account, market, ...fields });
}

function makeOpening(source: EventSource, model: EventModel): EventDraft {
  const no = source.chance(25) ? source.pickKnownNo('future', 1, 6) : source.pickKnownNo('future', 0, 5);
  const position = model.state.positions.get(no);
  const price = source.drawPriceNear(position?.price ?? source.drawPrice(18), position?.side ?? 1, 18);
  const waiting = (position?.state === 1 ? position.unopened : position?.amount) ?? ONE;
  const part = source.chance(40) ? { amount: source.format(source.drawPart(waiting)) } : {};
  return event('position.opened', {
    no,
    price: source.format(price),
    fee: source.format(drawFee(source, position)),
    ...part,
  });
}

/** A position that grows, or turns to the other side. */
function makeTurn(source: EventSource, model: EventModel): EventDraft {
  const no = source.pickKnownNo('future', 1, 6);
  const position = model.state.positions.get(no);
  const price = source.format(source.drawPriceNear(position?.open || ONE, 1, 18));
  const amount = source.format(source.drawAmount(10n ** 5n * ONE));
  const free = position ? source.freeOf(position.account, 'USDT', 3) : ONE;
  const margin = source.format(source.drawPart(free));
  const fee = source.format(drawFee(source, position));
  if (source.chance(60))
    return event('position.increased', { no, tradeNo: source.newNo('other'), amount, price, fee, margin });
  const numbers = { no, closeNo: source.newNo('other'), newNo: source.pickNewNo('future') };
  return event('position.flipped', { ...numbers, amount, price, fee, margin });
}

/** A fee: zero, tiny, part of the margin, the free balance plus part of the margin, or more than the user has. */
function drawFee(source: EventSource, position: Position | undefined): bigint {
  const margin = minOf(position?.held ?? ONE, MODEST);
  if (source.chance(15)) return source.drawAmount(10n ** 7n * ONE);
  if (position && source.chance(10)) return source.freeOf(position.account, 'USDT', 3) + source.drawPart(margin);
  return source.drawFee(margin);
}

function makeClose(source: EventSource, model: EventModel): EventDraft {
  const no = source.pickKnownNo('future', 1, 6);
  const position = model.state.positions.get(no);
  const closeNo = source.chance(97) ? source.newNo('other') : 'close-known';
  const price = source.format(
    source.chance(40) ? source.drawPrice(18) : source.drawPriceNear(position?.open || ONE, 1, 18),
  );
  const fee = source.format(drawFee(source, position));
  if (source.chance(15)) return event('position.liquidated', { no, closeNo, price, fee });
  const amount = source.format(source.drawPart(position ? position.amount - position.closed : ONE));
  const closeType = source.pick([1, 2, 3, 5, 5]);
  return event('position.closed', { no, closeNo, amount, price, fee, closeType });
}

const futures: readonly EventKind[] = [
  [7, makePosition],
  [8, makeOpening],
  [4, makeTurn],
  [
    3,
    (source, model) => {
      const no = source.pickKnownNo('future', 0, 1, 6);
      const position = model.state.positions.get(no);
      const free = position ? source.freeOf(position.account, 'USDT', 3) : ONE;
      const margin = source.chance(50)
        ? source.drawPart(position?.held ?? ONE)
        : (position?.held ?? 0n) + source.drawPart(free);
      return event('position.changed', {
        no,
        ...(source.chance(90) ? { margin: source.format(margin) } : { stopLoss: '0' }),
      });
    },
  ],
  [11, makeClose],
  [2, (source) => event('position.cancelled', { no: source.pickKnownNo('future', 0, 1, 5) })],
  [
    4,
    (source, model) => {
      const position = source.pickKnownNo('future', 1, 6);
      const amount = source.format(drawFee(source, model.state.positions.get(position)) || 1n);
      const no = source.chance(97) ? source.newNo('other') : 'funding-known';
      return event('funding.paid', { no, position, amount: source.chance(60) ? `-${amount}` : amount });
    },
  ],
];

const seconds: readonly EventKind[] = [
  [
    7,
    (source, model) => {
      const account = source.pickPayer('USDT', 4);
      const precision = termsOf(model, 'USDT').amountPrecision;
      const amount = source.format(
        source.truncateToMarket(source.drawPart(source.freeOf(account, 'USDT', 4)), precision),
      );
      const duration = source.chance(3) ? 31 : source.pick(SECONDS);
      const fields = { side: 1 + source.below(2), seconds: duration, amount };
      return event('second.opened', {
        no: source.pickNewNo('second'),
        account,
        market: pickTradedCoin(source),
        ...fields,
      });
    },
  ],
  [
    8,
    (source, model) => {
      const market = pickTradedCoin(source);
      const last = model.state.ticks.get(market)?.at(-1)?.price ?? source.drawPrice(18);
      const price = source.chance(30) ? last : source.drawPriceNear(last, source.below(2) + 1, 18);
      return event('tick', { market, price: source.format(price) });
    },
  ],
];

const followings: readonly EventKind[] = [
  [
    4,
    (source, model) => {
      const account = source.pickPayer('USDT', 3);
      const signal = source.chance(90)
        ? ([...model.terms.signals.keys()][0] ?? '')
        : source.pick([...model.terms.signals.keys(), 'none']);
      const amount = source.format(source.drawPart(source.freeOf(account, 'USDT', 3)));
      return event('follow.opened', {
        no: source.pickNewNo('follow'),
        account,
        signal,
        amount,
        ...(source.chance(3) ? { auto: true } : {}),
      });
    },
  ],
  [
    4,
    (source, model) => {
      const no = source.pickKnownNo('follow', 1, 3);
      const share = source.drawPart(model.state.followings.get(no)?.amount ?? ONE);
      return event('follow.closed', {
        no,
        profit: source.chance(60) ? `-${source.format(share)}` : source.format(share),
      });
    },
  ],
];

/** Initial funds on every account of every user. */
export const initialFunds = (source: EventSource): EventDraft[] =>
  source.accounts.flatMap((account) =>
    COINS.flatMap((market) =>
      (market === 'USDT' ? [1, 2, 3, 4] : [1, 2]).map((platform) => {
        const active = source.format(source.drawDigits(23) + ONE);
        return event('balance.imported', { account, market, platform, active });
      }),
    ),
  );

export const kinds: readonly EventKind[] = [
  ...recharges,
  ...withdrawals,
  [14, makeTransfer],
  [3, (source) => makeSubscription(source, 'ieo.ordered')],
  [1, (source) => event('ieo.cancelled', { no: source.pickKnownNo('ieo', 0) })],
  [3, makeAdjustment],
  ...imports,
  ...spot,
  ...futures,
  ...seconds,
  ...followings,
];
