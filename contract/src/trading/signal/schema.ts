import { type Static, Type } from '@sinclair/typebox';
import {
  Id,
  Int,
  Ms,
  Name,
  Nullable,
  PositiveAmount,
  Reason,
  AnswerAmount,
  Strict,
  page,
  IdInput,
} from '../../wire/schema.ts';
import { SIGNAL_TITLE_MAX } from '../../wire/input-values.ts';

const Side = Type.Union([Type.Literal(1), Type.Literal(2)]);
const Leverage = Type.Integer({ minimum: 1, maximum: 1_000 });

const Row = Type.Object({
  id: Id,
  no: Type.String({ description: 'number of the signal at the platform' }),
  title: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  side: Int,
  leverage: Int,
  price: Type.String({ description: 'entry price in USDT' }),
  takeProfit: Nullable(AnswerAmount),
  stopLoss: Nullable(AnswerAmount),
  ratio: Type.String({ description: 'percent of the futures account that an automatic following uses' }),
  minAmount: Type.String({ description: 'minimum stake in USDT' }),
  maxAmount: Type.String({ description: 'maximum stake in USDT' }),
  startAt: Ms,
  endAt: Ms,
  openCount: Type.Integer({ description: "open followings; like the other totals, of the caller's tree" }),
  openAmount: AnswerAmount,
  followCount: Int,
  followAmount: AnswerAmount,
  profit: Type.String({ description: 'profit of ended followings in USDT' }),
  state: Int,
  by: Nullable(
    Type.String({
      description: "operator who changed it last; null if outside the caller's tree, or if the signal expired",
    }),
  ),
  version: Int,
  pricePrecision: Int,
  createdAt: Ms,
  updatedAt: Ms,
});
export type SignalRow = Static<typeof Row>;

const fields = {
  title: Name(SIGNAL_TITLE_MAX),
  marketId: Id,
  side: Side,
  leverage: Leverage,
  price: PositiveAmount,
  takeProfit: Nullable(PositiveAmount),
  stopLoss: Nullable(PositiveAmount),
  ratio: PositiveAmount,
  minAmount: PositiveAmount,
  maxAmount: PositiveAmount,
  startAt: Ms,
  endAt: Ms,
};

const Add = Strict({
  ...fields,
  takeProfit: Type.Optional(fields.takeProfit),
  stopLoss: Type.Optional(fields.stopLoss),
  state: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)], { description: '1: publish at once' })),
  reason: Type.Optional(Reason),
});
export type SignalAdd = Static<typeof Add>;

const Change = Strict({
  id: Id,
  version: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'version that was read; 409 if the signal changed since',
    }),
  ),
  ...Type.Partial(Type.Object(fields)).properties,
  state: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)])),
  reason: Type.Optional(Reason),
});
export type SignalChange = Static<typeof Change>;

export const signalSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Row },
  add: { input: Add, output: Row },
  change: { input: Change, output: Row },
};
