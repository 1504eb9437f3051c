import { type Static, Type } from '@sinclair/typebox';
import {
  BulkResult,
  Customer,
  Id,
  Int,
  Ms,
  Nullable,
  AnswerAmount,
  QueueTarget,
  coinSum,
  customerTimeline,
  pageWithSums,
  ActionInput,
  BulkInput,
  IdInput,
  marketRecord,
  recordApproval,
} from '../../wire/schema.ts';
import { LedgerLine } from '../../funds/withdraw/schema.ts';

const Row = Type.Object({
  ...marketRecord,
  marketName: Type.String({ description: 'the token' }),
  price: Type.String({ description: 'of one token, in USDT' }),
  amount: Type.String({ description: 'tokens' }),
  pay: Type.String({ description: 'price times amount in USDT, not rounded' }),
  state: Int,
  reason: Type.String(),
  by: Nullable(Type.String()),
  reviewedAt: Nullable(Ms),
  secondBy: Nullable(Type.String()),
  createdAt: Ms,
  updatedAt: Ms,
});
export type IeoRow = Static<typeof Row>;
export { Row as ieoRowSchema };

/** Sums per token: tokens, and their payment in USDT. */
const Sum = coinSum({ amount: AnswerAmount, pay: AnswerAmount });
export type IeoSum = Static<typeof Sum>;

const Detail = Type.Object({
  row: Row,
  user: Customer,
  target: QueueTarget,
  switches: Type.Object(
    { ieoBuy: Int, ieoSell: Int },
    { description: 'current values; an earlier request stays valid' },
  ),
  market: Type.Object(
    { ieo: Int, state: Int, price: Nullable(AnswerAmount) },
    { description: 'current state of the token; its price is the last tick' },
  ),
  balances: Type.Array(
    Type.Object({ marketId: Id, marketName: Type.String(), active: AnswerAmount, frozen: AnswerAmount }),
    {
      description: "the user's funding account in USDT and in the token",
    },
  ),
  totals: Type.Array(Type.Object({ state: Int, count: Int, amount: AnswerAmount, pay: AnswerAmount }), {
    description: "all of the user's subscriptions to this token, by state",
  }),
  others: Type.Array(Row, { description: 'at most ten other subscriptions of the user, latest first' }),
  ...customerTimeline,
  preview: Type.Object({ pass: Type.Array(LedgerLine), reject: Type.Array(LedgerLine) }),
  approval: Type.Object({
    needed: Type.Boolean({ description: 'whether passing it needs a second person under the current policy' }),
    ...recordApproval,
  }),
});
export type IeoDetail = Static<typeof Detail>;

export const ieoSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  detail: { input: IdInput, output: Detail },
  pass: { input: ActionInput, output: Row },
  reject: { input: ActionInput, output: Row },
  passMany: { input: BulkInput, output: BulkResult },
  rejectMany: { input: BulkInput, output: BulkResult },
};
