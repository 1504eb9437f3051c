import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, Nullable, AnswerAmount, coinSum, pageWithSums, ActionInput } from '../../wire/schema.ts';

const Row = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  platform: Int,
  bucket: Type.String(),
  type: Int,
  amount: AnswerAmount,
  balance: Type.String({ description: 'balance of this account type and bucket after the entry' }),
  refType: Type.String(),
  refId: Int,
  remark: Type.String(),
  state: Int,
  operator: Nullable(Type.String()),
  createdAt: Ms,
  updatedAt: Ms,
});
export type LedgerEntryRow = Static<typeof Row>;
export { Row as ledgerEntryRowSchema };

const Sum = coinSum({
  amount: AnswerAmount,
  in: Type.Optional({ ...AnswerAmount, description: 'sum of the amounts above zero; absent for too many entries' }),
  out: Type.Optional({ ...AnswerAmount, description: 'sum of the amounts below zero, without its sign; as in' }),
});
export type LedgerEntrySum = Static<typeof Sum>;

export const ledgerEntrySchemas = {
  record: { output: pageWithSums(Row, Sum) },
  check: { input: ActionInput, output: Row },
  doubt: { input: ActionInput, output: Row },
  reset: { input: ActionInput, output: Row },
};
