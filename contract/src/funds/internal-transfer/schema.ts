import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, Nullable, AnswerAmount, coinSum, pageWithSums } from '../../wire/schema.ts';

const Row = Type.Object({
  id: Id,
  no: Type.String({ description: "the platform's own number" }),
  userId: Nullable(Id),
  account: Type.String({ description: '-- if the sender belongs to another tree' }),
  agent: Type.String(),
  toUserId: Nullable(Id),
  toAccount: Type.String({ description: '-- if the receiver belongs to another tree' }),
  marketId: Id,
  marketName: Type.String(),
  platform: Int,
  toPlatform: Int,
  amount: AnswerAmount,
  state: Int,
  createdAt: Ms,
  updatedAt: Ms,
});
export type TransferRow = Static<typeof Row>;
export { Row as transferRowSchema };

const Sum = coinSum({ amount: AnswerAmount });
export type TransferSum = Static<typeof Sum>;

export const internalTransferSchemas = { list: { output: pageWithSums(Row, Sum) } };
