import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { EventType } from './gateway.ts';
import * as f from './gateway-fields.schema.ts';
import { BINARY_CONTRACT_LENGTH_MAX, LEVERAGE_MAX } from './input-values.ts';
import { INT_MAX } from './list.ts';
import { MARKET_NAME_PATTERN } from './market.ts';
import { AMOUNT_PATTERN } from './money.ts';
import {
  Amount,
  FilledText,
  Ms,
  Name,
  PositiveAmount,
  SignedAmount,
  SignedOrZeroAmount,
  Strict,
  Text,
} from './schema.ts';
import { SUPPORT_RECEIVED_MAX } from './support.ts';

const Source = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: '1 detected on chain, 2 a voucher uploaded by the user',
});
const OrderSide = f.choice({ 1: 'buy', 2: 'sell' });
const PositionSide = f.choice({ 1: 'long', 2: 'short' });
const OrderType = f.choice({ 1: 'limit', 2: 'market' });
const Remark = Type.Optional(Text(200));

const rechargeFields = {
  account: f.User,
  market: f.Market,
  network: f.Network,
  address: f.Address,
  txHash: Type.Optional(f.TxHash),
  amount: f.CoinAmount,
  confirmations: f.Confirmations,
  source: Source,
  voucher: Type.Optional(f.Voucher),
};

const withdrawFields = {
  no: f.No,
  account: f.User,
  market: f.Market,
  network: f.Network,
  address: f.Address,
  memo: Type.Optional(f.Memo),
  amount: f.described(f.CoinAmount, `${f.CoinAmount.description}, fee included`),
  fee: f.CoinFee,
};

/** A customer's document. */
const kycFields = {
  account: f.User,
  name: Name(100),
  country: Name(64),
  idType: f.choice({ 1: 'identity card', 2: 'passport', 3: 'driving licence' }),
  idNumber: Name(64),
  level: f.choice({ 1: 'basic', 2: 'advanced' }),
};

/** A subscription: `amount` tokens of the market at `price` USDT each. */
const ieoFields = { account: f.User, market: f.Market, price: f.UsdtAmount, amount: f.CoinAmount };

/** Who decided a record of the time before the platform moved in, and whether its money is part of the history. */
const decidedFields = {
  reason: Type.Optional(Text(200)),
  by: Type.Optional(f.Operator),
  reviewedAt: Type.Optional(Ms),
};
const importedFields = {
  ...decidedFields,
  secondBy: Type.Optional(f.Operator),
  booked: Type.Optional(Type.Boolean({ description: 'whether the record takes its cost from the balance' })),
};

/** Figures that the back office computes itself. An event that contradicts them is rejected. */
const EntryPrice = f.described(PositiveAmount, 'decimal string in USDT, average price of the position afterwards');
const Realized = f.described(SignedOrZeroAmount, 'decimal string in USDT, profit or loss of the close, before the fee');

/** The data of each type of event. */
export const eventData = {
  'agent.registered': Strict({
    account: f.described(f.User, 'account of the new agent'),
    parent: Type.Optional(f.described(f.User, 'account of the agent above; the admin if absent')),
    remark: Remark,
  }),
  'user.registered': Strict({
    account: f.described(f.User, 'account of the new user'),
    agent: Type.Optional(f.described(f.User, 'account of the agent; the admin if absent')),
    remark: Remark,
  }),
  'user.login': Strict({
    account: f.User,
    ip: Type.String({ minLength: 1, maxLength: 64, description: 'IPv4 or IPv6 address' }),
    device: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        description: 'name of the device, text of 1 to 64 characters',
      }),
    ),
  }),
  'user.credential': Strict({
    account: f.User,
    kind: Type.Union([Type.Literal('password'), Type.Literal('otp'), Type.Literal('phone'), Type.Literal('mail')]),
  }),
  'recharge.detected': Strict({ no: f.No, ...rechargeFields }),
  'recharge.credited': Strict({ no: f.No, ...Type.Partial(Type.Object(rechargeFields)).properties }),
  'recharge.failed': Strict({ no: f.No, remark: Remark }),
  'recharge.reversed': Strict({ no: f.No, remark: Remark }),
  'withdraw.imported': Strict({
    ...withdrawFields,
    txHash: Type.Optional(f.TxHash),
    state: f.choice({ 4: 'paid', 5: 'rejected', 6: 'cancelled', 9: 'refunded' }),
    ...importedFields,
  }),
  'withdraw.requested': Strict(withdrawFields),
  'withdraw.cancelled': Strict({ no: f.No }),
  'withdraw.paying': Strict({ no: f.No, txHash: Type.Optional(f.TxHash) }),
  'withdraw.paid': Strict({ no: f.No, txHash: f.TxHash }),
  'withdraw.failed': Strict({ no: f.No, reason: Type.Optional(Text(200)) }),
  'withdraw.unknown': Strict({ no: f.No, reason: Type.Optional(Text(200)) }),
  'auth.submitted': Strict({ ...kycFields, front: f.Photo, back: f.Photo, holding: Type.Optional(f.Photo) }),
  'auth.imported': Strict({
    ...kycFields,
    front: Type.Optional(f.Photo),
    back: Type.Optional(f.Photo),
    holding: Type.Optional(f.Photo),
    state: f.choice({ 1: 'passed', 2: 'rejected' }),
    ...decidedFields,
  }),
  'ieo.ordered': Strict({ no: f.No, ...ieoFields }),
  'ieo.cancelled': Strict({ no: f.No }),
  'ieo.imported': Strict({
    no: f.No,
    ...ieoFields,
    state: f.choice({ 1: 'passed', 2: 'rejected', 3: 'cancelled' }),
    ...importedFields,
  }),
  'transfer.made': Strict({
    no: f.No,
    account: f.User,
    toAccount: f.User,
    market: f.Market,
    platform: f.AccountType,
    toPlatform: f.AccountType,
    amount: f.CoinAmount,
  }),
  'balance.imported': Strict({
    account: f.User,
    market: f.Market,
    platform: f.AccountType,
    active: f.CoinAmount,
  }),
  /** A split, airdrop, redenomination or delisting: one event for each account, all with the number of the batch. */
  'balance.adjusted': Strict({
    no: f.No,
    batch: f.described(f.No, 'number of the whole action, text of 1 to 64 characters'),
    kind: f.choice({ 1: 'split', 2: 'airdrop', 3: 'redenomination', 4: 'delisting' }),
    account: f.User,
    market: f.Market,
    platform: f.AccountType,
    amount: f.described(SignedAmount, 'decimal string in the coin: positive is added, negative is taken'),
    reason: f.described(FilledText(200), 'text of 1 to 200 characters, shown to operators'),
    balance: Type.Optional(f.described(Amount, 'decimal string, expected active balance afterwards')),
  }),
  /** A market buy order has `funds`, the USDT to spend; every other order has `amount`. */
  'order.placed': Strict({
    no: f.No,
    account: f.User,
    market: f.Market,
    side: OrderSide,
    type: OrderType,
    price: Type.Optional(f.UsdtAmount),
    amount: Type.Optional(f.CoinAmount),
    funds: Type.Optional(f.UsdtAmount),
  }),
  'order.filled': Strict({
    no: f.No,
    tradeNo: f.No,
    price: f.UsdtAmount,
    amount: f.CoinAmount,
    fee: f.described(SignedOrZeroAmount, 'decimal string, in `feeCoin`; negative is paid to the user'),
    feeCoin: Type.Optional(
      f.described(f.Market, 'marketName of the coin of the fee; what the user receives if absent'),
    ),
  }),
  'order.cancelled': Strict({ no: f.No }),
  /** `seconds` is one of the market's configured lengths. The back office sets the payout rate. */
  'second.opened': Strict({
    no: f.No,
    account: f.User,
    market: f.Market,
    side: f.choice({ 1: 'higher', 2: 'lower' }),
    seconds: Type.Integer({
      minimum: 1,
      maximum: BINARY_CONTRACT_LENGTH_MAX,
      description: 'length in seconds, one of those of GET seconds',
    }),
    amount: f.UsdtAmount,
  }),
  /** `signal` is the signal's number from the back office. `auto`: the platform followed automatically. */
  'follow.opened': Strict({
    no: f.No,
    account: f.User,
    signal: f.described(f.No, 'number of a signal of the back office'),
    amount: f.UsdtAmount,
    auto: Type.Optional(Type.Boolean({ description: 'whether the platform followed on behalf of the user' })),
  }),
  'follow.closed': Strict({
    no: f.No,
    profit: Type.String({
      pattern: `^-?${AMOUNT_PATTERN.slice(1)}`,
      description: 'decimal string, may be negative, in USDT',
    }),
  }),
  /** A limit order has `price`. The engine computes `margin`, in USDT. */
  'position.placed': Strict({
    no: f.No,
    account: f.User,
    market: f.Market,
    demo: f.choice({ 0: 'with money', 1: 'without money' }),
    side: PositionSide,
    type: OrderType,
    leverage: Type.Integer({ minimum: 1, maximum: 1_000 }),
    price: Type.Optional(f.UsdtAmount),
    amount: f.CoinAmount,
    margin: f.UsdtAmount,
  }),
  'position.opened': Strict({
    no: f.No,
    price: f.UsdtAmount,
    fee: f.UsdtFee,
    amount: Type.Optional(
      f.described(PositiveAmount, 'decimal string, part of the order; all that is not open if absent'),
    ),
    entryPrice: Type.Optional(EntryPrice),
  }),
  /** An open position grows, for example one per user and market. */
  'position.increased': Strict({
    no: f.No,
    tradeNo: f.No,
    amount: f.CoinAmount,
    price: f.UsdtAmount,
    fee: f.UsdtFee,
    margin: f.described(Amount, 'decimal string in USDT, added to the margin'),
    entryPrice: Type.Optional(EntryPrice),
  }),
  /** Closes all of a position and opens one on the other side at the same price. */
  'position.flipped': Strict({
    no: f.No,
    closeNo: f.No,
    newNo: f.described(f.No, 'number of the new position'),
    amount: f.described(PositiveAmount, 'decimal string, amount of the new position'),
    price: f.UsdtAmount,
    fee: f.UsdtFee,
    margin: f.described(PositiveAmount, 'decimal string in USDT, margin of the new position'),
    realized: Type.Optional(Realized),
  }),
  /** Sets the given fields. 0 removes a take-profit or stop-loss. `margin` is the new total. */
  'position.changed': Strict({
    no: f.No,
    takeProfit: Type.Optional(f.UsdtFee),
    stopLoss: Type.Optional(f.UsdtFee),
    margin: Type.Optional(f.UsdtAmount),
  }),
  'position.closed': Strict({
    no: f.No,
    closeNo: f.No,
    amount: f.CoinAmount,
    price: f.UsdtAmount,
    fee: f.UsdtFee,
    closeType: f.choice({ 1: 'by the user', 2: 'take-profit', 3: 'stop-loss', 5: 'command of an operator' }),
    realized: Type.Optional(Realized),
  }),
  'position.liquidated': Strict({
    no: f.No,
    closeNo: f.No,
    price: f.UsdtAmount,
    fee: f.UsdtFee,
    realized: Type.Optional(Realized),
  }),
  'position.cancelled': Strict({ no: f.No }),
  'funding.paid': Strict({
    no: f.No,
    position: f.described(f.No, 'number of the position'),
    amount: f.described(SignedAmount, 'decimal string in USDT: positive is paid to the user, negative by the user'),
  }),
  /** Plain text, which may be empty if there is a picture. */
  'message.received': Strict({
    no: f.No,
    account: f.User,
    text: Text(SUPPORT_RECEIVED_MAX),
    image: Type.Optional(f.Photo),
  }),
  /** The settings that it contains. `version` grows for each market. */
  'market.saved': Strict({
    market: f.described(Type.String({ pattern: MARKET_NAME_PATTERN }), 'marketName of the market'),
    version: Type.Integer({ minimum: 1, maximum: INT_MAX, description: 'higher than that of every earlier event' }),
    base: Type.Optional(f.described(f.Market, 'coin that a new pair trades')),
    quote: Type.Optional(f.described(f.Market, 'coin that a new pair is quoted in')),
    ...Type.Partial(
      Type.Object({
        state: f.choice({ 1: 'listed', 0: 'unlisted', 2: 'suspended' }),
        spot: f.OnOff,
        future: f.OnOff,
        second: f.OnOff,
        ieo: f.OnOff,
        pricePrecision: f.Decimals,
        amountPrecision: f.Decimals,
        minAmount: f.CoinFee,
        maxAmount: f.CoinFee,
        makerFee: f.described(SignedOrZeroAmount, 'decimal string, ratio; negative is paid to the maker'),
        takerFee: f.described(Amount, 'decimal string, ratio'),
        maxLeverage: Type.Integer({ minimum: 1, maximum: LEVERAGE_MAX, description: 'highest leverage' }),
        maintenanceRate: f.described(Amount, 'decimal string, ratio'),
      }),
    ).properties,
  }),
  tick: Strict({
    market: f.Market,
    price: f.UsdtAmount,
    volume: Type.Optional(f.described(Amount, 'decimal string, traded amount of the coin')),
    at: f.described(Ms, 'time of the price, in unix milliseconds'),
  }),
} satisfies Record<EventType, TSchema>;

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> };

export type PlatformEvent = {
  [T in EventType]: { eventId: string; type: T; at: number; data: EventData[T] };
}[EventType];
