import { type Static, Type } from '@sinclair/typebox';
import { EXPECT_USERS_MAX, heatRanges } from '../../wire/input-values.ts';
import {
  BulkResult,
  Id,
  Int,
  Ms,
  Nullable,
  PositiveAmount,
  Reason,
  AnswerAmount,
  Strict,
  Switch,
  coinSum,
  pageWithSums,
  ActionInput,
  BulkInput,
  IdInput,
  MarketCancelInput,
  MarketCancelled,
  MarketInput,
  marketCancelPreview,
  marketRecord,
} from '../../wire/schema.ts';
import { spotEntrySchema } from '../spot/schema.ts';

const NullableText = (description: string) => Nullable(Type.String({ description }));

const Row = Type.Object({
  ...marketRecord,
  demo: Switch,
  side: Int,
  type: Int,
  leverage: Int,
  price: NullableText('in USDT; null for a market order'),
  amount: Type.String({ description: 'in the coin: of the order, or what was opened so far' }),
  closeAmount: Type.String({ description: 'already closed' }),
  left: Type.String({ description: 'amount less closeAmount; 0 after the end' }),
  unopened: Type.Optional(Type.String({ description: 'part of the order that waits while another part is open' })),
  pendingMargin: Type.Optional(Type.String({ description: 'margin of that part, in USDT' })),
  margin: Type.String({ description: 'USDT put in by the user, in total; unchanged after the end' }),
  held: Type.String({ description: 'margin held now; 0 after the end' }),
  openPrice: NullableText('average of the openings; null before the first'),
  closePrice: NullableText('average price of the closes; null before the first'),
  markPrice: NullableText('last tick of the market; null after the end, and before the first tick'),
  notional: NullableText('left times mark price; null unless open'),
  unrealized: NullableText('left · (mark − open), negated for a short position; null unless open'),
  realized: Type.String({ description: 'before fees and funding' }),
  roe: NullableText('percent: unrealized / held while open, realized / margin afterwards'),
  marginRatio: NullableText('percent: (held + unrealized) / maintenance margin; liquidated at 100; null unless open'),
  liquidationPrice: NullableText(
    "rounded to the market's price precision; null unless open, or if no price reaches it",
  ),
  takeProfit: NullableText('null without one'),
  stopLoss: NullableText('null without one'),
  fee: Type.String({ description: 'of opening and closing' }),
  funding: Type.String({ description: 'received less paid' }),
  insured: Type.String({ description: 'losses, fees and funding covered by the insurance account' }),
  closeType: Nullable(Type.Integer({ description: 'of its last close' })),
  closing: NullableText('amount of a pending close; null unless 平仓中'),
  state: Int,
  by: Nullable(Type.String({ description: 'operator who last ordered a cancel or close' })),
  reason: Type.String(),
  command: Nullable(Type.Integer({ description: 'state of the last command to cancel or close; null without one' })),
  createdAt: Ms,
  openedAt: Nullable(Ms),
  endedAt: Nullable(Ms),
  updatedAt: Ms,
});
export type FutureRow = Static<typeof Row>;
export { Row as futureRowSchema };

/** Sums of futures are in USDT. `demo` is 1 for the sums of demo positions, which marketName shows as well. */
const demoField = { demo: Switch };
const resultSums = { realized: AnswerAmount, fee: AnswerAmount, funding: AnswerAmount };
const Sum = coinSum({
  ...demoField,
  notional: AnswerAmount,
  held: AnswerAmount,
  unrealized: AnswerAmount,
  ...resultSums,
});
export type FutureSum = Static<typeof Sum>;
const EndedSum = coinSum({ ...demoField, margin: AnswerAmount, ...resultSums, insured: AnswerAmount });
export type FutureEndedSum = Static<typeof EndedSum>;

const CloseRow = Type.Object({
  id: Id,
  orderId: Id,
  closeNo: Type.String(),
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  side: Int,
  leverage: Int,
  closeAmount: AnswerAmount,
  openPrice: AnswerAmount,
  closePrice: AnswerAmount,
  realized: Type.String({ description: 'before fees' }),
  roe: NullableText('percent: realized / released'),
  released: Type.String({ description: 'margin of the closed part' }),
  fee: AnswerAmount,
  insured: Type.String({ description: 'loss and fee covered by the insurance account' }),
  closeType: Int,
  createdAt: Ms,
});
export type FutureCloseRow = Static<typeof CloseRow>;

const CloseSum = coinSum({ ...demoField, realized: AnswerAmount, fee: AnswerAmount, insured: AnswerAmount });
export type FutureCloseSum = Static<typeof CloseSum>;

export type FutureCloseBulk = Static<typeof BulkInput>;
const Close = Strict({ id: Id, closeAmount: PositiveAmount, reason: Type.Optional(Reason) });
export type FutureClose = Static<typeof Close>;

const Funding = Type.Object({
  id: Id,
  no: Type.String(),
  amount: Type.String({ description: 'signed; negative if the user paid' }),
  fromMargin: Type.String({ description: 'part paid from the margin' }),
  insured: Type.String({ description: 'part covered by the insurance account' }),
  createdAt: Ms,
});
export type FutureFunding = Static<typeof Funding>;

const Opening = Type.Object({
  id: Id,
  tradeNo: Nullable(Type.String()),
  amount: AnswerAmount,
  price: AnswerAmount,
  margin: AnswerAmount,
  fee: AnswerAmount,
  createdAt: Ms,
});
export type FutureOpening = Static<typeof Opening>;

const Command = Type.Object({
  id: Id,
  type: Type.String({ description: 'position.cancel or position.close' }),
  amount: NullableText('amount to close'),
  state: Int,
  reason: Type.String(),
  createdAt: Ms,
  doneAt: Nullable(Ms),
});
const Detail = Type.Object({
  row: Row,
  maintenanceRate: Type.String({ description: "the market's rate, which decides margin ratio and liquidation price" }),
  openings: Type.Optional(
    Type.Array(Opening, { description: 'the last 200 of a position with several, newest first' }),
  ),
  closes: Type.Array(CloseRow, { description: 'the last 200, newest first' }),
  fundings: Type.Array(Funding, { description: 'the last 200, newest first' }),
  entries: Type.Array(spotEntrySchema, { description: "the user's last 200 ledger entries; none for a demo position" }),
  commands: Type.Array(Command, { description: 'the last 20' }),
  secondCancel: Type.Boolean({ description: 'whether cancelling needs a second person under the current policy' }),
  secondClose: Type.Boolean({
    description: 'whether closing all of it needs a second person under the current policy',
  }),
});
export type FutureDetail = Static<typeof Detail>;

const ExpectInput = Strict({
  userId: Type.Array(Id, { minItems: 1, maxItems: EXPECT_USERS_MAX, uniqueItems: true }),
});
export type FutureUsersInput = Static<typeof ExpectInput>;

const Expect = Type.Object({
  userId: Id,
  account: Type.String(),
  equity: Type.String({ description: 'USDT of the futures account, active and frozen, plus unrealized profit' }),
  margin: Type.String({ description: 'margin held by open positions' }),
  available: Type.String({ description: 'active balance of the futures account' }),
  unrealized: AnswerAmount,
  marginRatio: NullableText('percent for all open positions together: (margin + unrealized) / maintenance margin'),
  positions: Type.Array(
    Type.Object({
      id: Id,
      marketName: Type.String(),
      side: Int,
      leverage: Int,
      amount: Type.String({ description: 'open amount' }),
      openPrice: AnswerAmount,
      markPrice: NullableText('last tick'),
      margin: Type.String({ description: 'margin held' }),
      unrealized: NullableText('null before the first tick'),
      marginRatio: NullableText('percent'),
      expectLiquidation: NullableText('liquidation price; null if no price reaches it'),
    }),
  ),
});
export type FutureAccountRisk = Static<typeof Expect>;

const ExposureInput = Strict({ demo: Type.Optional(Switch) });
export type FutureExposureInput = Static<typeof ExposureInput>;

const SideTotal = Type.Object({
  positions: Int,
  users: Int,
  amount: Type.String({ description: 'in the coin' }),
  notional: NullableText('in USDT at the mark price'),
  held: Type.String({ description: 'margin, USDT' }),
  unrealized: NullableText('USDT'),
});
export type FutureSideTotal = Static<typeof SideTotal>;

const Exposure = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  markPrice: NullableText('last tick'),
  long: SideTotal,
  short: SideTotal,
  net: Type.String({ description: 'long less short, in the coin: what users win if the price rises by 1 USDT' }),
  netNotional: NullableText('in USDT'),
});
export type FutureExposure = Static<typeof Exposure>;

const HeatInput = Strict({
  marketId: Id,
  demo: Type.Optional(Switch),
  range: Type.Optional(Type.Union(Object.keys(heatRanges).map((range) => Type.Literal(Number(range))))),
});
export type FutureHeatInput = Static<typeof HeatInput>;

const HeatSide = Type.Object({
  positions: Int,
  amount: AnswerAmount,
  notional: Type.String({ description: 'USDT at their liquidation prices' }),
});
const Heat = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  range: Type.Integer({ description: 'percent around the mark price' }),
  markPrice: NullableText('null before the first tick; there are no bands then'),
  bands: Type.Array(Type.Object({ from: AnswerAmount, to: AnswerAmount, long: HeatSide, short: HeatSide }), {
    description: 'by ascending price, each from (inclusive) to (exclusive)',
  }),
  below: Type.Object({ long: HeatSide, short: HeatSide }),
  above: Type.Object({ long: HeatSide, short: HeatSide }),
  never: Type.Integer({ description: 'positions that no price liquidates' }),
});
export type FutureHeat = Static<typeof Heat>;

const CancelPreview = Type.Object({
  ...marketCancelPreview,
  demoOrders: Type.Integer({ description: 'demo ones among the orders' }),
  held: Type.String({ description: 'margin of the real orders, USDT' }),
});
export type FutureCancelPreview = Static<typeof CancelPreview>;

export const futureSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  openHistory: { output: pageWithSums(Row, EndedSum) },
  closeHistory: { output: pageWithSums(CloseRow, CloseSum) },
  detail: { input: IdInput, output: Detail },
  cancel: { input: ActionInput, output: Row },
  cancelMany: { input: BulkInput, output: BulkResult },
  close: { input: Close, output: Row },
  closeMany: { input: BulkInput, output: BulkResult },
  expectInfo: { input: ExpectInput, output: Type.Array(Expect) },
  exposure: { input: ExposureInput, output: Type.Array(Exposure) },
  heat: { input: HeatInput, output: Heat },
  cancelPreview: { input: MarketInput, output: CancelPreview },
  cancelAll: { input: MarketCancelInput, output: MarketCancelled },
};
