import { type Static, Type } from '@sinclair/typebox';
import { fund } from './fund.ts';
import {
  Id,
  Int,
  Ms,
  Nullable,
  Reason,
  Signed,
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
  amount: Signed,
  balance: Type.String({ description: 'of this account type and bucket, after the entry' }),
  refType: Type.String(),
  refId: Int,
  remark: Type.String(),
  state: Int,
  operator: Nullable(Type.String()),
  createdAt: Ms,
  updatedAt: Ms,
});
export type FundRow = Static<typeof Row>;
export { Row as fundRowSchema };

const Sum = coinSum({ amount: Signed });
export type FundSum = Static<typeof Sum>;

const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type FundDo = Static<typeof Do>;

export const fundEndpoints = {
  record: listEndpoint(fund.record, pageWithSums(Row, Sum)),
  check: endpoint(fund.check, Do, Row),
  doubt: endpoint(fund.doubt, Do, Row),
  reset: endpoint(fund.reset, Do, Row),
};
