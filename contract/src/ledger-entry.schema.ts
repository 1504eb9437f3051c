import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, Nullable, Reason, AnswerAmount, Strict, coinSum, pageWithSums } from './schema.ts';

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

const Sum = coinSum({ amount: AnswerAmount });
export type LedgerEntrySum = Static<typeof Sum>;

const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type LedgerEntryActionInput = Static<typeof Do>;

export const ledgerEntrySchemas = {
  record: { output: pageWithSums(Row, Sum) },
  check: { input: Do, output: Row },
  doubt: { input: Do, output: Row },
  reset: { input: Do, output: Row },
};
