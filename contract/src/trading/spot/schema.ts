import { type Static, Type } from '@sinclair/typebox';
import {
  BulkResult,
  CoinAmounts,
  Id,
  Int,
  Ms,
  Nullable,
  AnswerAmount,
  MarketCancelInput,
  MarketCancelled,
  MarketInput,
  coinSum,
  pageWithSums,
  ActionInput,
  BulkInput,
  IdInput,
  marketCancelPreview,
  marketRecord,
  priceAge,
} from '../../wire/schema.ts';

const Row = Type.Object({
  ...marketRecord,
  coinName: Type.Optional(Type.String({ description: 'what is bought or sold: the base of a pair, or the market' })),
  quoteName: Type.Optional(Type.String({ description: 'what it is paid in: the quote of a pair, or USDT' })),
  side: Int,
  type: Int,
  price: Nullable(Type.String({ description: 'in the quote; null for a market order' })),
  amount: Nullable(Type.String({ description: 'in the coin; null for a market order that spends funds' })),
  funds: Nullable(Type.String({ description: 'what to spend of the quote, for a market buy order' })),
  filled: AnswerAmount,
  avgPrice: Nullable(Type.String({ description: 'turnover / filled, rounded to 18 decimals; null before a fill' })),
  turnover: Type.String({ description: 'in the quote' }),
  fee: Type.String({
    description: 'in the received asset: the coin of a purchase, the quote of a sale; negative if more was returned',
  }),
  feeMarket: Type.String(),
  otherFees: Type.Optional(Nullable(CoinAmounts)),
  frozen: Type.String({
    description: 'amount that the order still freezes: the quote of a purchase, the coin of a sale',
  }),
  state: Int,
  by: Nullable(Type.String({ description: 'operator who last ordered a cancel' })),
  reason: Type.String(),
  command: Nullable(Type.Integer({ description: 'state of the last command to cancel it; null without one' })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type SpotRow = Static<typeof Row>;
export { Row as spotRowSchema };

const Sum = coinSum({
  filled: AnswerAmount,
  turnover: AnswerAmount,
  feeCoin: AnswerAmount,
  feeUsdt: Type.String({ description: 'fees of sales, in the quote of the market' }),
  otherFees: Type.Optional(CoinAmounts),
});
export type SpotSum = Static<typeof Sum>;

const Preview = Type.Object({
  ...marketCancelPreview,
  coinName: Type.String(),
  quoteName: Type.String(),
  buying: Type.String({ description: 'amount of the quote frozen by buy orders' }),
  selling: Type.String({ description: 'coins frozen by sell orders' }),
  valuation: Nullable(Type.String({ description: 'value of both in USDT at the last price' })),
  ...priceAge,
});
export type SpotPreview = Static<typeof Preview>;

const Fill = Type.Object({
  id: Id,
  orderId: Id,
  tradeNo: Type.String(),
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  coinName: Type.String({ description: 'what was bought or sold' }),
  quoteName: Type.String({ description: 'what it was paid in' }),
  side: Int,
  price: Type.String({ description: 'in the quote' }),
  amount: Type.String({ description: 'in the coin' }),
  turnover: Type.String({ description: 'in the quote' }),
  fee: Type.String({ description: 'in `feeMarket`; negative if it was returned' }),
  feeMarket: Type.String({ description: 'coin of the fee' }),
  createdAt: Ms,
});
export type SpotFill = Static<typeof Fill>;

const FillSum = coinSum({ amount: AnswerAmount, turnover: AnswerAmount, fee: Type.Optional(CoinAmounts) });
export type SpotFillSum = Static<typeof FillSum>;

const Entry = Type.Object({
  id: Id,
  marketName: Type.String(),
  bucket: Type.String(),
  type: Int,
  amount: AnswerAmount,
  balance: AnswerAmount,
  createdAt: Ms,
});
export { Entry as spotEntrySchema };

/** One command to the platform to cancel or end a record. */
const Command = Type.Object({ id: Id, state: Int, reason: Type.String(), createdAt: Ms, doneAt: Nullable(Ms) });
export { Command as spotCommandSchema };

const Detail = Type.Object({
  row: Row,
  fills: Type.Array(Fill, { description: 'the last 200, newest first' }),
  entries: Type.Array(Entry, { description: "the user's last 200 ledger entries, newest first" }),
  commands: Type.Array(Command),
  second: Type.Boolean({ description: 'whether cancelling needs a second person under the current policy' }),
});
export type SpotDetail = Static<typeof Detail>;

export const spotSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  detail: { input: IdInput, output: Detail },
  fills: { output: pageWithSums(Fill, FillSum) },
  cancel: { input: ActionInput, output: Row },
  cancelMany: { input: BulkInput, output: BulkResult },
  preview: { input: MarketInput, output: Preview },
  cancelAll: { input: MarketCancelInput, output: MarketCancelled },
};
