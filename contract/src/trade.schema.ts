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
import { trade } from './trade.ts';

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
export type TradeRow = Static<typeof Row>;
export { Row as tradeRowSchema };

const Sum = coinSum({ filled: Signed, turnover: Signed, feeCoin: Signed, feeUsdt: Signed });
export type TradeSum = Static<typeof Sum>;

const ById = Strict({ id: Id });
export type TradeId = Static<typeof ById>;
const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type TradeDo = Static<typeof Do>;
const Bulk = Strict({ ids: Ids, reason: Type.Optional(Reason) });
export type TradeBulk = Static<typeof Bulk>;
const OfMarket = Strict({ marketId: Id });
export type TradeMarket = Static<typeof OfMarket>;
const CancelAll = Strict({ marketId: Id, reason: RequiredReason });
export type TradeCancelAll = Static<typeof CancelAll>;

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
export type TradePreview = Static<typeof Preview>;

const Cancelled = Type.Object({ marketId: Id, marketName: Type.String(), orders: Int });
export type TradeCancelled = Static<typeof Cancelled>;

export const TradeFill = Type.Object({
  id: Id,
  tradeNo: Type.String(),
  price: Signed,
  amount: Signed,
  turnover: Signed,
  fee: Signed,
  createdAt: Ms,
});
export type TradeFill = Static<typeof TradeFill>;

const Entry = Type.Object({
  id: Id,
  marketName: Type.String(),
  bucket: Type.String(),
  type: Int,
  amount: Signed,
  balance: Signed,
  createdAt: Ms,
});
export type TradeEntry = Static<typeof Entry>;
export { Entry as tradeEntrySchema };

/** One attempt to have something ended by the platform. */
const Command = Type.Object({ id: Id, state: Int, reason: Type.String(), createdAt: Ms, doneAt: Nullable(Ms) });
export { Command as tradeCommandSchema };

const Detail = Type.Object({
  row: Row,
  fills: Type.Array(TradeFill, { description: 'the last 200, the newest first' }),
  entries: Type.Array(Entry, { description: "the last 200 of the user's ledger lines, the newest first" }),
  commands: Type.Array(Command),
  second: Type.Boolean({ description: 'by the policies of now cancelling it will go to a second person' }),
});
export type TradeDetail = Static<typeof Detail>;

export const tradeEndpoints = {
  list: listEndpoint(trade.list, pageWithSums(Row, Sum)),
  detail: endpoint(trade.detail, ById, Detail),
  cancel: endpoint(trade.cancel, Do, Row),
  cancelMany: endpoint(trade.cancelMany, Bulk, BulkResult),
  preview: endpoint(trade.preview, OfMarket, Preview),
  cancelAll: endpoint(trade.cancelAll, CancelAll, Cancelled),
};
