import { type Static, Type } from '@sinclair/typebox';
import {
  BulkResult,
  Id,
  Ids,
  Int,
  Ms,
  Nullable,
  Reason,
  RequiredReason,
  Signed,
  Strict,
  coinSum,
  endpoint,
  listEndpoint,
  pageWithSums,
} from './schema.ts';
import { spot } from './spot.ts';

const Row = Type.Object({
  id: Id,
  no: Type.String({ description: "the platform's own number" }),
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  side: Int,
  type: Int,
  price: Nullable(Type.String({ description: 'in USDT; null for a market order' })),
  amount: Nullable(Type.String({ description: 'in the coin; null for a market order that buys for funds' })),
  funds: Nullable(Type.String({ description: 'USDT to be spent by a market order that buys' })),
  filled: Signed,
  avgPrice: Nullable(Type.String({ description: 'turnover by filled, rounded to 18 decimals; null before a fill' })),
  turnover: Type.String({ description: 'in USDT' }),
  fee: Type.String({ description: 'in what is received: the coin of a purchase, USDT of a sale' }),
  feeMarket: Type.String(),
  frozen: Type.String({ description: 'what the order still holds: USDT of a purchase, the coin of a sale' }),
  state: Int,
  by: Nullable(Type.String({ description: 'who last ordered its cancelling' })),
  reason: Type.String(),
  command: Nullable(Type.Integer({ description: 'state of the last command to cancel it; null without one' })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type SpotRow = Static<typeof Row>;
export { Row as spotRowSchema };

const Sum = coinSum({ filled: Signed, turnover: Signed, feeCoin: Signed, feeUsdt: Signed });
export type SpotSum = Static<typeof Sum>;

const ById = Strict({ id: Id });
export type SpotId = Static<typeof ById>;
const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type SpotDo = Static<typeof Do>;
const Bulk = Strict({ ids: Ids, reason: Type.Optional(Reason) });
export type SpotBulk = Static<typeof Bulk>;
const OfMarket = Strict({ marketId: Id });
export type SpotMarket = Static<typeof OfMarket>;
const CancelAll = Strict({ marketId: Id, reason: RequiredReason });
export type SpotCancelAll = Static<typeof CancelAll>;

const Preview = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  orders: Type.Integer({ description: 'open ones that no cancel is under way for' }),
  users: Int,
  cancelling: Int,
  buying: Type.String({ description: 'USDT that they hold' }),
  selling: Type.String({ description: 'coins that they hold' }),
  valuation: Nullable(Type.String({ description: 'of both, in USDT at the last price' })),
  second: Type.Boolean({ description: 'by the policies of now it will go to a second person' }),
});
export type SpotPreview = Static<typeof Preview>;

const Cancelled = Type.Object({ marketId: Id, marketName: Type.String(), orders: Int });
export type SpotCancelled = Static<typeof Cancelled>;

export const SpotFill = Type.Object({
  id: Id,
  tradeNo: Type.String(),
  price: Signed,
  amount: Signed,
  turnover: Signed,
  fee: Signed,
  createdAt: Ms,
});
export type SpotFill = Static<typeof SpotFill>;

const Entry = Type.Object({
  id: Id,
  marketName: Type.String(),
  bucket: Type.String(),
  type: Int,
  amount: Signed,
  balance: Signed,
  createdAt: Ms,
});
export type SpotEntry = Static<typeof Entry>;
export { Entry as spotEntrySchema };

/** One attempt to have something ended by the platform. */
const Command = Type.Object({ id: Id, state: Int, reason: Type.String(), createdAt: Ms, doneAt: Nullable(Ms) });
export { Command as spotCommandSchema };

const Detail = Type.Object({
  row: Row,
  fills: Type.Array(SpotFill, { description: 'the last 200, the newest first' }),
  entries: Type.Array(Entry, { description: "the last 200 of the user's ledger lines, the newest first" }),
  commands: Type.Array(Command),
  second: Type.Boolean({ description: 'by the policies of now cancelling it will go to a second person' }),
});
export type SpotDetail = Static<typeof Detail>;

export const spotEndpoints = {
  list: listEndpoint(spot.list, pageWithSums(Row, Sum)),
  detail: endpoint(spot.detail, ById, Detail),
  cancel: endpoint(spot.cancel, Do, Row),
  cancelMany: endpoint(spot.cancelMany, Bulk, BulkResult),
  preview: endpoint(spot.preview, OfMarket, Preview),
  cancelAll: endpoint(spot.cancelAll, CancelAll, Cancelled),
};
