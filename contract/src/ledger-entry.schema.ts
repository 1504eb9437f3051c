import { type Static, Type } from '@sinclair/typebox';
import { ledgerEntry } from './ledger-entry.ts';
import {
  Id,
  Int,
  Ms,
  Nullable,
  Reason,
  AnswerAmount,
  Strict,
  coinSum,
  endpoint,
  listEndpoint,
  pageWithSums,
} from './schema.ts';

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

export const ledgerEntryEndpoints = {
  record: listEndpoint(ledgerEntry.record, pageWithSums(Row, Sum)),
  check: endpoint(ledgerEntry.check, Do, Row),
  doubt: endpoint(ledgerEntry.doubt, Do, Row),
  reset: endpoint(ledgerEntry.reset, Do, Row),
};
