import { type Static, Type } from '@sinclair/typebox';
import { familyKeys } from '../../values/destination.ts';
import {
  CANDLES_MAX,
  CANDLE_MS,
  type CandleLength,
  DECIMALS_MAX,
  EXPLORER_PATTERN,
  ICON_MAX,
  LEVERAGE_MAX,
  MARKET_NAME_PATTERN,
  MATCH_MINUTES_MAX,
  NETWORKS_MAX,
  PAYING_MINUTES_MAX,
} from '../../wire/input-values.ts';
import {
  Amount,
  Id,
  Int,
  Ms,
  Name,
  EmptyInput,
  Nullable,
  Reason,
  SignedOrZeroAmount,
  AnswerAmount,
  Strict,
  Switch,
  page,
  IdInput,
} from '../../wire/schema.ts';

const Family = Type.Optional(
  Type.Union(
    familyKeys.map((family) => Type.Literal(family)),
    { description: 'how accounts of the network are written; absent: as the name says' },
  ),
);

const PayingMinutes = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: PAYING_MINUTES_MAX,
    description:
      'minutes after which the outcome of a payout that is under way becomes unknown; 0 never; absent: as the setting says',
  }),
);

const MatchMinutes = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MATCH_MINUTES_MAX,
    description: 'minutes that a move on the chain and its record may wait for each other; absent: as the setting says',
  }),
);

export const Network = Type.Object({
  network: Type.String(),
  recharge: Switch,
  withdraw: Switch,
  fee: AnswerAmount,
  explorer: Type.String({ description: 'URL template of the block explorer with {tx} for the hash' }),
  family: Family,
  payingMinutes: PayingMinutes,
  matchMinutes: MatchMinutes,
});
export type Network = Static<typeof Network>;

/** A market as operators and the platform read it. */
export const Market = Type.Object({
  id: Id,
  marketName: Type.String(),
  icon: Type.String(),
  base: Type.Optional(Nullable(Type.String({ description: 'coin that a pair trades; null for a coin' }))),
  quote: Type.Optional(Nullable(Type.String({ description: 'coin that a pair is quoted in; null for a coin: USDT' }))),
  spot: Switch,
  future: Switch,
  second: Switch,
  ieo: Switch,
  pricePrecision: Int,
  amountPrecision: Int,
  minAmount: AnswerAmount,
  maxAmount: AnswerAmount,
  makerFee: Type.String({ description: 'as a ratio: 0.001 is 0.1 %; negative is paid to the maker' }),
  takerFee: Type.String({ description: 'as a ratio' }),
  maxLeverage: Int,
  maintenanceRate: Type.String({ description: 'as a ratio' }),
  withdrawFee: AnswerAmount,
  withdrawMin: AnswerAmount,
  withdrawMax: AnswerAmount,
  rechargeState: Switch,
  withdrawState: Switch,
  networks: Type.Array(Network),
  unconfirmed: Type.Array(Type.String(), {
    description:
      'names of the networks that an upgrade opened because records used them, until an operator confirms them',
  }),
  sort: Int,
  state: Int,
  price: Nullable(Type.String({ description: 'last tick: of a coin in USDT, of a pair in its quote' })),
  pricedAt: Nullable(Ms),
  change24h: Nullable(
    Type.String({
      description:
        'price change in percent, rounded to 4 decimals, against the last tick at least a day old, or the first tick of a younger market; null before the first tick',
    }),
  ),
  halted: Type.Array(Int, {
    description: 'kinds of trading halted by price protection: 1 spot, 2 futures, 3 binary contracts',
  }),
  managed: Type.Integer({ description: '1: the platform keeps the trading rules' }),
  version: Int,
  updatedBy: Nullable(Type.String()),
  createdAt: Ms,
  updatedAt: Ms,
});
export type MarketRow = Static<typeof Market>;

const MarketOption = Type.Object({ id: Id, marketName: Type.String() });
export type MarketName = Static<typeof MarketOption>;

const Decimals = Type.Integer({ minimum: 0, maximum: DECIMALS_MAX });
const SavedNetwork = Strict({
  network: Name(32),
  recharge: Switch,
  withdraw: Switch,
  fee: Amount,
  explorer: Type.String({ maxLength: 256, pattern: EXPLORER_PATTERN }),
  family: Family,
  payingMinutes: PayingMinutes,
  matchMinutes: MatchMinutes,
});

const Settings = Type.Object({
  marketName: Type.String({ pattern: MARKET_NAME_PATTERN }),
  icon: Type.String({ maxLength: ICON_MAX, pattern: '^(data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$' }),
  spot: Switch,
  future: Switch,
  second: Switch,
  ieo: Switch,
  pricePrecision: Decimals,
  amountPrecision: Decimals,
  minAmount: Amount,
  maxAmount: Amount,
  makerFee: SignedOrZeroAmount,
  takerFee: Amount,
  maxLeverage: Type.Integer({ minimum: 1, maximum: LEVERAGE_MAX }),
  maintenanceRate: Amount,
  withdrawFee: Amount,
  withdrawMin: Amount,
  withdrawMax: Amount,
  rechargeState: Switch,
  withdrawState: Switch,
  networks: Type.Array(SavedNetwork, { maxItems: NETWORKS_MAX }),
  unconfirmed: Type.Array(Name(32), {
    maxItems: NETWORKS_MAX,
    description: 'fewer than before, to confirm the others',
  }),
  sort: Int,
  state: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
});
/** The fields that an operator sets. */
export type MarketSettings = Static<typeof Settings>;

const Coin = Type.Optional(Nullable(Settings.properties.marketName));
/**
 * Omitted fields stay unchanged. In a new market they are off, unlimited, or 0; `base` and `quote` make a pair of it. These two,
 * the name and `managed` may be sent as they were read, but not changed.
 */
const Save = Strict({
  id: Type.Optional(Id),
  version: Type.Optional(Int),
  base: Coin,
  quote: Coin,
  managed: Type.Optional(Switch),
  ...Type.Partial(Settings).properties,
  reason: Type.Optional(Reason),
});
export type MarketSave = Static<typeof Save>;

const Affected = Type.Object({
  id: Id,
  items: Type.Array(
    Type.Object({
      what: Type.String(),
      label: Type.String(),
      path: Type.String({ description: 'console page that lists them' }),
      count: Int,
      amount: Nullable(AnswerAmount),
    }),
  ),
});
export type MarketAffected = Static<typeof Affected>;

const lengths = Object.keys(CANDLE_MS) as CandleLength[];
const CandlesInput = Strict({
  id: Id,
  length: Type.Union(lengths.map((length) => Type.Literal(length))),
  to: Type.Optional(Ms),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CANDLES_MAX })),
});
export type MarketCandlesInput = Static<typeof CandlesInput>;

const Candle = Type.Object({
  at: Ms,
  open: AnswerAmount,
  high: AnswerAmount,
  low: AnswerAmount,
  close: AnswerAmount,
  volume: Nullable(AnswerAmount),
  ticks: Int,
});
export type Candle = Static<typeof Candle>;
const Candles = Type.Object({ marketName: Type.String(), list: Type.Array(Candle) });
export type MarketCandles = Static<typeof Candles>;

export const marketSchemas = {
  list: { output: page(Market) },
  filter: { input: EmptyInput, output: Type.Array(MarketOption) },
  detail: { input: IdInput, output: Market },
  affected: { input: IdInput, output: Affected },
  candles: { input: CandlesInput, output: Candles },
  save: { input: Save, output: Market },
};
