import { type Static, Type } from '@sinclair/typebox';
import { EXPECT_USERS_MAX, future, heatRanges } from './future.ts';
import {
  BulkResult,
  Id,
  Ids,
  Int,
  Ms,
  Nullable,
  PositiveAmount,
  Reason,
  Signed,
  Strict,
  Switch,
  coinSum,
  endpoint,
  listEndpoint,
  pageWithSums,
} from './schema.ts';

const Maybe = (description: string) => Nullable(Type.String({ description }));

const Row = Type.Object({
  id: Id,
  no: Type.String({ description: "the platform's own number" }),
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  side: Int,
  type: Int,
  leverage: Int,
  price: Maybe('in USDT; null for a market order'),
  amount: Type.String({ description: 'in the coin' }),
  closeAmount: Type.String({ description: 'already closed' }),
  left: Type.String({ description: 'amount less what is closed; 0 once it is over' }),
  margin: Type.String({ description: 'USDT put in: at first and since; stays as it was at the end' }),
  held: Type.String({ description: 'margin that it holds now; 0 once it is over' }),
  openPrice: Maybe('null before it is open'),
  closePrice: Maybe('average of its closes; null before the first'),
  markPrice: Maybe('last tick of the market; null once it is over, and before the first tick'),
  notional: Maybe('left at the mark price; null unless open'),
  unrealized: Maybe('left · (mark − open), for a short one the other way; null unless open'),
  realized: Type.String({ description: 'before fees and funding' }),
  roe: Maybe('percent: while open unrealized by held, afterwards realized by margin'),
  marginRatio: Maybe('percent: (held + unrealized) by maintenance margin; liquidated at 100; null unless open'),
  liquidationPrice: Maybe("rounded to the market's price precision; null unless open, or where no price reaches it"),
  takeProfit: Maybe('null without one'),
  stopLoss: Maybe('null without one'),
  fee: Type.String({ description: 'of opening and closing' }),
  funding: Type.String({ description: 'signed: received less paid' }),
  insured: Type.String({ description: 'losses, fees and funding that the insurance account bore' }),
  closeType: Nullable(Type.Integer({ description: 'of its last close' })),
  closing: Maybe('what is ordered to be closed and not closed yet; null unless 平仓中'),
  state: Int,
  by: Nullable(Type.String({ description: 'who last ordered it to be cancelled or closed' })),
  reason: Type.String(),
  command: Nullable(Type.Integer({ description: 'state of the last command to cancel or close; null without one' })),
  createdAt: Ms,
  openedAt: Nullable(Ms),
  endedAt: Nullable(Ms),
  updatedAt: Ms,
});
export type FutureRow = Static<typeof Row>;
export { Row as futureRowSchema };

/** The sums of futures are of USDT; `demo` 1: of the demo ones, whose marketName says so too. */
const ofDemo = { demo: Switch };
const paid = { realized: Signed, fee: Signed, funding: Signed };
const Sum = coinSum({ ...ofDemo, notional: Signed, held: Signed, unrealized: Signed, ...paid });
export type FutureSum = Static<typeof Sum>;
const EndedSum = coinSum({ ...ofDemo, margin: Signed, ...paid, insured: Signed });
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
  closeAmount: Signed,
  openPrice: Signed,
  closePrice: Signed,
  realized: Type.String({ description: 'before fees' }),
  roe: Maybe('percent: realized by the margin that this part had'),
  released: Type.String({ description: 'margin that this part had' }),
  fee: Signed,
  insured: Type.String({ description: 'what the insurance account bore of loss and fee' }),
  closeType: Int,
  createdAt: Ms,
});
export type FutureCloseRow = Static<typeof CloseRow>;

const CloseSum = coinSum({ ...ofDemo, realized: Signed, fee: Signed, insured: Signed });
export type FutureCloseSum = Static<typeof CloseSum>;

const ById = Strict({ id: Id });
export type FutureId = Static<typeof ById>;
const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type FutureDo = Static<typeof Do>;
const Bulk = Strict({ ids: Ids, reason: Type.Optional(Reason) });
export type FutureCancelBulk = Static<typeof Bulk>;
export type FutureCloseBulk = Static<typeof Bulk>;
const Close = Strict({ id: Id, closeAmount: PositiveAmount, reason: Type.Optional(Reason) });
export type FutureClose = Static<typeof Close>;

const Funding = Type.Object({
  id: Id,
  no: Type.String(),
  amount: Type.String({ description: 'signed: below zero it was paid' }),
  fromMargin: Type.String({ description: 'what of it the margin bore' }),
  insured: Type.String({ description: 'what of it the insurance account bore' }),
  createdAt: Ms,
});
export type FutureFunding = Static<typeof Funding>;

const Entry = Type.Object({
  id: Id,
  marketName: Type.String(),
  bucket: Type.String(),
  type: Int,
  amount: Signed,
  balance: Signed,
  createdAt: Ms,
});
export type FutureEntry = Static<typeof Entry>;

const Command = Type.Object({
  id: Id,
  type: Type.String({ description: 'position.cancel or position.close' }),
  amount: Maybe('what is to be closed'),
  state: Int,
  reason: Type.String(),
  createdAt: Ms,
  doneAt: Nullable(Ms),
});
export type FutureCommand = Static<typeof Command>;

const Detail = Type.Object({
  row: Row,
  maintenanceRate: Type.String({ description: 'of the market, from which margin ratio and liquidation price follow' }),
  closes: Type.Array(CloseRow, { description: 'the last 200, the newest first' }),
  fundings: Type.Array(Funding, { description: 'the last 200, the newest first' }),
  entries: Type.Array(Entry, { description: "the last 200 of the user's ledger lines; none of a demo one" }),
  commands: Type.Array(Command, { description: 'the last 20' }),
  secondCancel: Type.Boolean({ description: 'by the policies of now cancelling it will go to a second person' }),
  secondClose: Type.Boolean({ description: 'by the policies of now closing all of it will go to a second person' }),
});
export type FutureDetail = Static<typeof Detail>;

const ExpectInput = Strict({
  userId: Type.Array(Id, { minItems: 1, maxItems: EXPECT_USERS_MAX, uniqueItems: true }),
});
export type FutureExpectInput = Static<typeof ExpectInput>;

const Expect = Type.Object({
  userId: Id,
  account: Type.String(),
  equity: Type.String({ description: 'USDT of the futures account, active and frozen, with what is unrealized' }),
  margin: Type.String({ description: 'that the open positions hold' }),
  available: Type.String({ description: 'active on the futures account' }),
  unrealized: Signed,
  marginRatio: Maybe('percent, of all open positions together: (margin + unrealized) by maintenance margin'),
  positions: Type.Array(
    Type.Object({
      id: Id,
      marketName: Type.String(),
      side: Int,
      leverage: Int,
      amount: Type.String({ description: 'what is open' }),
      openPrice: Signed,
      markPrice: Maybe('last tick'),
      margin: Type.String({ description: 'that it holds' }),
      unrealized: Maybe('null before the first tick'),
      marginRatio: Maybe('percent'),
      expectLiquidation: Maybe('price at which it is liquidated; null where no price reaches it'),
    }),
  ),
});
export type FutureExpect = Static<typeof Expect>;

const ExposureInput = Strict({ demo: Type.Optional(Switch) });
export type FutureExposureInput = Static<typeof ExposureInput>;

const SideTotal = Type.Object({
  positions: Int,
  users: Int,
  amount: Type.String({ description: 'in the coin' }),
  notional: Maybe('in USDT at the mark price'),
  held: Type.String({ description: 'margin, USDT' }),
  unrealized: Maybe('USDT'),
});
export type FutureSideTotal = Static<typeof SideTotal>;

const Exposure = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  markPrice: Maybe('last tick'),
  long: SideTotal,
  short: SideTotal,
  net: Type.String({ description: 'long less short, in the coin: what the users win when the price rises by one' }),
  netNotional: Maybe('in USDT'),
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
  amount: Signed,
  notional: Type.String({ description: 'USDT at their liquidation prices' }),
});
const Heat = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  demo: Switch,
  range: Type.Integer({ description: 'percent around the mark price' }),
  markPrice: Maybe('null before the first tick: then there are no bands'),
  bands: Type.Array(Type.Object({ from: Signed, to: Signed, long: HeatSide, short: HeatSide }), {
    description: 'by rising price, each from (inclusive) to (exclusive)',
  }),
  below: Type.Object({ long: HeatSide, short: HeatSide }),
  above: Type.Object({ long: HeatSide, short: HeatSide }),
  never: Type.Integer({ description: 'positions that no price liquidates' }),
});
export type FutureHeat = Static<typeof Heat>;

export const futureEndpoints = {
  list: listEndpoint(future.list, pageWithSums(Row, Sum)),
  openHistory: listEndpoint(future.openHistory, pageWithSums(Row, EndedSum)),
  closeHistory: listEndpoint(future.closeHistory, pageWithSums(CloseRow, CloseSum)),
  detail: endpoint(future.detail, ById, Detail),
  cancel: endpoint(future.cancel, Do, Row),
  cancelMany: endpoint(future.cancelMany, Bulk, BulkResult),
  close: endpoint(future.close, Close, Row),
  closeMany: endpoint(future.closeMany, Bulk, BulkResult),
  expectInfo: endpoint(future.expectInfo, ExpectInput, Type.Array(Expect)),
  exposure: endpoint(future.exposure, ExposureInput, Type.Array(Exposure)),
  heat: endpoint(future.heat, HeatInput, Heat),
};
