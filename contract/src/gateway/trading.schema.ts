import { Type } from '@sinclair/typebox';
import * as f from './fields.schema.ts';
import {
  BINARY_CONTRACT_LENGTH_MAX,
  LEVERAGE_MAX,
  MARKET_NAME_PATTERN,
  NETWORKS_MAX,
  EXPLORER_PATTERN,
} from '../wire/input-values.ts';
import { AMOUNT_PATTERN } from '../values/money.ts';
import { Amount, PositiveAmount, SignedAmount, SignedOrZeroAmount, Strict } from '../wire/schema.ts';

const OrderSide = f.choice({ 1: 'buy', 2: 'sell' });
const PositionSide = f.choice({ 1: 'long', 2: 'short' });
const OrderType = f.choice({ 1: 'limit', 2: 'market' });

/** Figures that the back office computes itself. An event that contradicts them is rejected. */
const EntryPrice = f.described(PositiveAmount, 'decimal string in USDT, average price of the position afterwards');
const Realized = f.described(SignedOrZeroAmount, 'decimal string in USDT, profit or loss of the close, before the fee');

/** A network to be listed. `fee` and `explorer` count for a new one only. */
const ListedNetwork = Strict({
  network: f.Network,
  recharge: Type.Optional(f.choice({ 1: 'deposits open', 0: 'deposits as they are; of a new network closed' })),
  withdraw: Type.Optional(f.choice({ 1: 'without effect', 0: 'without effect' })),
  fee: Type.Optional(f.CoinFee),
  explorer: Type.Optional(
    Type.String({ maxLength: 256, pattern: EXPLORER_PATTERN, description: 'URL template with {tx} for the hash' }),
  ),
});

/** The data of the events of markets, orders and positions. */
export const tradingEvents = {
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
  /** The settings that it contains. `version` grows for each market. */
  'market.saved': Strict({
    market: f.described(Type.String({ pattern: MARKET_NAME_PATTERN }), 'marketName of the market'),
    version: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'integer from 1 to 2^53 - 1, higher than that of every earlier event',
    }),
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
        rechargeState: f.choice({ 1: 'opens deposits', 0: 'leaves them as they are' }),
        networks: Type.Array(ListedNetwork, { maxItems: NETWORKS_MAX, description: 'networks to be listed' }),
      }),
    ).properties,
  }),
};
