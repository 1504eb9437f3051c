import { type Static, Type } from '@sinclair/typebox';
import {
  BulkResult,
  Id,
  Int,
  Ms,
  Nullable,
  AnswerAmount,
  coinSum,
  pageWithSums,
  ActionInput,
  BulkInput,
  IdInput,
  userRecord,
} from '../../wire/schema.ts';
import { spotCommandSchema, spotEntrySchema } from '../spot/schema.ts';

const Row = Type.Object({
  ...userRecord,
  signalId: Id,
  signalTitle: Type.String(),
  marketId: Type.Integer({ description: 'market of the signal' }),
  marketName: Type.String(),
  side: Int,
  amount: Type.String({ description: 'stake in USDT' }),
  profit: Nullable(Type.String({ description: 'in USDT, negative for a loss, at most the stake; null until the end' })),
  auto: Type.Integer({ description: '1: followed automatically by the platform' }),
  state: Int,
  by: Nullable(Type.String({ description: 'operator who last ordered to end it' })),
  reason: Type.String(),
  command: Nullable(Type.Integer({ description: 'state of the last command to end it; null without one' })),
  closedAt: Nullable(Ms),
  createdAt: Ms,
  updatedAt: Ms,
});
export type FollowRow = Static<typeof Row>;
export { Row as followRowSchema };

const Sum = coinSum({ amount: AnswerAmount, profit: AnswerAmount });
export type FollowSum = Static<typeof Sum>;

const Detail = Type.Object({
  row: Row,
  signal: Type.Object({
    id: Id,
    title: Type.String(),
    state: Int,
    leverage: Int,
    price: AnswerAmount,
    takeProfit: Nullable(AnswerAmount),
    stopLoss: Nullable(AnswerAmount),
    endAt: Ms,
  }),
  entries: Type.Array(spotEntrySchema, { description: "the user's ledger entries of the following, newest first" }),
  commands: Type.Array(spotCommandSchema),
  second: Type.Boolean({ description: 'whether ending it needs a second person under the current policy' }),
});
export type FollowDetail = Static<typeof Detail>;

export const followSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  detail: { input: IdInput, output: Detail },
  close: { input: ActionInput, output: Row },
  closeMany: { input: BulkInput, output: BulkResult },
};
