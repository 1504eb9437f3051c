import { type EventModel, LIMIT, ONE, least } from './event-model.ts';
import type { Position } from './event-model-state.ts';
import { type EventSource, type Kind, type Made, MODEST } from './event-source.ts';

/** Kinds of generated events and their weights. */

export const COINS = ['USDT', 'BTC', 'ETH', 'HTT'] as const;
const NETWORKS: Readonly<Record<string, string>> = { USDT: 'TRC20', BTC: 'Bitcoin', ETH: 'ERC20', HTT: 'ERC20' };
const SECONDS = [30, 60, 120, 300];

const coinOf = (source: EventSource): string => (source.chance(1) ? 'NONE' : source.pick(COINS));
const traded = (source: EventSource): string => (source.chance(3) ? coinOf(source) : source.pick(['BTC', 'ETH']));
const terms = (model: EventModel, market: string) =>
  model.terms.markets.get(market) ?? { pricePrecision: 2, amountPrecision: 8 };
const of = (type: string, data: Record<string, unknown>): Made => ({ type, data });

const deposit = (source: EventSource, no: string): Record<string, unknown> => {
  const market = coinOf(source);
  const network = NETWORKS[market] ?? 'TRC20';
  const amount = source.text(source.amount(LIMIT - 1n));
  const [account, confirmations] = [source.account(), source.below(50)];
  return { no, account, market, network, address: 'T-deposit', amount, confirmations, source: 1 + source.below(2) };
};

const recharges: readonly Kind[] = [
  [3, (source) => of('recharge.detected', deposit(source, source.fresh('recharge')))],
  [8, (source) => of('recharge.credited', deposit(source, source.fresh('recharge')))],
  [2, (source) => of('recharge.credited', { no: source.known('recharge', 0, 3) })],
  [
    1,
    (source, model) => {
      const no = source.known('recharge', 0);
      const row = model.state.recharges.get(no);
      return of('recharge.credited', row ? { no, account: row.account, confirmations: 9 } : deposit(source, no));
    },
  ],
  [1, (source) => of('recharge.failed', { no: source.known('recharge', 0, 3) })],
  [2, (source) => of('recharge.reversed', { no: source.known('recharge', 1) })],
];

function withdrawal(source: EventSource, type: string): Made {
  const market = coinOf(source);
  const account = source.payer(market, 1);
  const amount = source.partOf(source.freeOf(account, market, 1));
  const where = { market, network: NETWORKS[market] ?? 'TRC20', address: `T-${source.below(5)}` };
  const asked = { ...where, amount: source.text(amount), fee: source.text(source.feeOf(amount)) };
  return of(type, { no: source.fresh('withdraw'), account, ...asked });
}

const withdrawals: readonly Kind[] = [
  [7, (source) => withdrawal(source, 'withdraw.requested')],
  [2, (source) => of('withdraw.cancelled', { no: source.known('withdraw', 0) })],
  [2, (source) => of('withdraw.paying', { no: source.known('withdraw', 2) })],
  [3, (source) => of('withdraw.paid', { no: source.known('withdraw', 2, 3, 7, 8), txHash: '0xpaid' })],
  [2, (source) => of('withdraw.failed', { no: source.known('withdraw', 2, 3, 8), reason: 'no gas' })],
  [1, (source) => of('withdraw.unknown', { no: source.known('withdraw', 2, 3) })],
];

/** Mostly moves money from the fund account to the other accounts. Caps amounts on accounts that can make profits. */
function transferred(source: EventSource): Made {
  const own = source.chance(75);
  const market = source.chance(70) ? 'USDT' : coinOf(source);
  const [platform, toPlatform] = [source.chance(60) ? 1 : 1 + source.below(4), 1 + source.below(4)];
  const account = source.payer(market, platform);
  const part = source.partOf(source.freeOf(account, market, platform));
  const amount = source.text(toPlatform > 2 && part > MODEST ? MODEST : part);
  const toAccount = own ? account : source.account();
  return of('transfer.made', { no: source.no('other'), account, toAccount, market, platform, toPlatform, amount });
}

function subscribed(source: EventSource, type: string): Made {
  const [account, market] = [source.payer('USDT', 1), source.chance(93) ? 'HTT' : coinOf(source)];
  const price = source.cut(source.price(18), 2 + source.below(8));
  const free = source.partOf(source.freeOf(account, 'USDT', 1));
  const amount = source.cut((free * ONE) / price + 1n, source.below(9));
  const asked = { price: source.text(price), amount: source.text(amount < LIMIT ? amount : LIMIT - 1n) };
  return of(type, { no: source.fresh('ieo'), account, market, ...asked });
}

const imports: readonly Kind[] = [
  [
    3,
    (source) => {
      const [active, platform] = [source.amount(MODEST), 1 + source.below(4)];
      const market = coinOf(source);
      return of('balance.imported', { account: source.account(), market, platform, active: source.text(active) });
    },
  ],
  [
    1,
    (source) => {
      const { type, data } = withdrawal(source, 'withdraw.imported');
      return of(type, { ...data, state: source.pick([4, 5, 6, 9]), booked: source.chance(70) });
    },
  ],
  [
    1,
    (source) => {
      const { type, data } = subscribed(source, 'ieo.imported');
      return of(type, { ...data, state: 1 + source.below(3), booked: source.chance(70) });
    },
  ],
];

function ordered(source: EventSource, model: EventModel): Made {
  const [market, side] = [traded(source), 1 + source.below(2)];
  const account = source.payer(side === 1 ? 'USDT' : market, 2);
  const type = source.chance(70) ? 1 : 2;
  const { pricePrecision, amountPrecision } = terms(model, market);
  const price = source.price(pricePrecision);
  const free = source.partOf(source.freeOf(account, side === 1 ? 'USDT' : market, 2));
  const coins = side === 1 ? (free * ONE) / price + 1n : free;
  const amount = source.text(source.fit(coins < LIMIT ? coins : LIMIT - 1n, amountPrecision));
  const asked =
    type === 2 && side === 1
      ? { funds: source.text(free) }
      : { amount, ...(type === 1 || source.chance(2) ? { price: source.text(price) } : {}) };
  return of('order.placed', { no: source.fresh('trade'), account, market, side, type, ...asked });
}

function filled(source: EventSource, model: EventModel): Made {
  const no = source.known('trade', 0, 1, 4);
  const order = model.state.orders.get(no);
  const tradeNo = source.chance(97) ? source.no('other') : 'trade-known';
  if (!order) return of('order.filled', { no, tradeNo, price: '1', amount: '1', fee: '0' });
  const precision = terms(model, order.market);
  const price = source.priceNear(
    order.price ?? source.price(18),
    order.side,
    source.chance(50) ? 18 : precision.pricePrecision,
  );
  const rest = order.amount === undefined ? (order.held * ONE) / price : order.amount - order.filled;
  const part = source.chance(30) ? rest : source.partOf(rest);
  const amount = source.cut(part < LIMIT ? part : LIMIT - 1n, source.chance(50) ? 18 : precision.amountPrecision);
  const received = order.side === 1 ? amount : (amount * price) / ONE;
  const fee = source.text(source.feeOf(received) % LIMIT);
  return of('order.filled', { no, tradeNo, price: source.text(price), amount: source.text(amount), fee });
}

const spot: readonly Kind[] = [
  [9, ordered],
  [13, filled],
  [3, (source) => of('order.cancelled', { no: source.known('trade', 0, 1, 4) })],
];

function placed(source: EventSource, model: EventModel): Made {
  const [account, market, side] = [source.payer('USDT', 3), traded(source), 1 + source.below(2)];
  const { pricePrecision, amountPrecision } = terms(model, market);
  const [type, demo] = [1 + source.below(2), source.chance(8) ? 1 : 0];
  const isPriced = (type === 1) !== source.chance(2);
  const price = isPriced ? { price: source.text(source.price(pricePrecision)) } : {};
  const amount = source.text(source.fit(source.amount(10n ** 5n * ONE), amountPrecision));
  const margin = source.text(source.partOf(source.freeOf(account, 'USDT', 3)));
  const asked = { side, type, demo, leverage: 1 + source.below(102), ...price, amount, margin };
  return of('position.placed', { no: source.fresh('future'), account, market, ...asked });
}

function opened(source: EventSource, model: EventModel): Made {
  const no = source.known('future', 0, 5);
  const position = model.state.positions.get(no);
  const price = source.priceNear(position?.price ?? source.price(18), position?.side ?? 1, 18);
  return of('position.opened', { no, price: source.text(price), fee: source.text(charged(source, position)) });
}

/** A fee: zero, tiny, part of the margin, the free balance plus part of the margin, or more than the user has. */
function charged(source: EventSource, position: Position | undefined): bigint {
  const held = least(position?.held ?? ONE, MODEST);
  if (source.chance(15)) return source.amount(10n ** 7n * ONE);
  if (position && source.chance(10)) return source.freeOf(position.account, 'USDT', 3) + source.partOf(held);
  return source.feeOf(held);
}

function closed(source: EventSource, model: EventModel): Made {
  const no = source.known('future', 1, 6);
  const position = model.state.positions.get(no);
  const closeNo = source.chance(97) ? source.no('other') : 'close-known';
  const price = source.text(source.chance(40) ? source.price(18) : source.priceNear(position?.open || ONE, 1, 18));
  const fee = source.text(charged(source, position));
  if (source.chance(15)) return of('position.liquidated', { no, closeNo, price, fee });
  const amount = source.text(source.partOf(position ? position.amount - position.closed : ONE));
  const closeType = source.pick([1, 2, 3, 5, 5]);
  return of('position.closed', { no, closeNo, amount, price, fee, closeType });
}

const futures: readonly Kind[] = [
  [7, placed],
  [6, opened],
  [
    3,
    (source, model) => {
      const no = source.known('future', 0, 1, 6);
      const position = model.state.positions.get(no);
      const free = position ? source.freeOf(position.account, 'USDT', 3) : ONE;
      const margin = source.chance(50)
        ? source.partOf(position?.held ?? ONE)
        : (position?.held ?? 0n) + source.partOf(free);
      return of('position.changed', {
        no,
        ...(source.chance(90) ? { margin: source.text(margin) } : { stopLoss: '0' }),
      });
    },
  ],
  [11, closed],
  [2, (source) => of('position.cancelled', { no: source.known('future', 0, 5) })],
  [
    4,
    (source, model) => {
      const position = source.known('future', 1, 6);
      const amount = source.text(charged(source, model.state.positions.get(position)) || 1n);
      const no = source.chance(97) ? source.no('other') : 'funding-known';
      return of('funding.paid', { no, position, amount: source.chance(60) ? `-${amount}` : amount });
    },
  ],
];

const seconds: readonly Kind[] = [
  [
    7,
    (source, model) => {
      const account = source.payer('USDT', 4);
      const precision = terms(model, 'USDT').amountPrecision;
      const amount = source.text(source.fit(source.partOf(source.freeOf(account, 'USDT', 4)), precision));
      const length = source.chance(3) ? 31 : source.pick(SECONDS);
      const asked = { side: 1 + source.below(2), seconds: length, amount };
      return of('second.opened', { no: source.fresh('second'), account, market: traded(source), ...asked });
    },
  ],
  [
    8,
    (source, model) => {
      const market = traded(source);
      const last = model.state.ticks.get(market)?.at(-1)?.price ?? source.price(18);
      const price = source.chance(30) ? last : source.priceNear(last, source.below(2) + 1, 18);
      return of('tick', { market, price: source.text(price) });
    },
  ],
];

const followings: readonly Kind[] = [
  [
    4,
    (source, model) => {
      const account = source.payer('USDT', 3);
      const signal = source.chance(90)
        ? ([...model.terms.signals.keys()][0] ?? '')
        : source.pick([...model.terms.signals.keys(), 'none']);
      const amount = source.text(source.partOf(source.freeOf(account, 'USDT', 3)));
      return of('follow.opened', {
        no: source.fresh('follow'),
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
      const no = source.known('follow', 1, 3);
      const part = source.partOf(model.state.followings.get(no)?.amount ?? ONE);
      return of('follow.closed', { no, profit: source.chance(60) ? `-${source.text(part)}` : source.text(part) });
    },
  ],
];

/** Initial funds on every account of every user. */
export const endowments = (source: EventSource): Made[] =>
  source.accounts.flatMap((account) =>
    COINS.flatMap((market) =>
      (market === 'USDT' ? [1, 2, 3, 4] : [1, 2]).map((platform) => {
        const active = source.text(source.digits(23) + ONE);
        return of('balance.imported', { account, market, platform, active });
      }),
    ),
  );

export const kinds: readonly Kind[] = [
  ...recharges,
  ...withdrawals,
  [14, transferred],
  [3, (source) => subscribed(source, 'ieo.ordered')],
  [1, (source) => of('ieo.cancelled', { no: source.known('ieo', 0) })],
  ...imports,
  ...spot,
  ...futures,
  ...seconds,
  ...followings,
];
