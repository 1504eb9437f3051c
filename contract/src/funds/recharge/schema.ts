import { type Static, Type } from '@sinclair/typebox';
import {
  Id,
  Int,
  Ms,
  Nullable,
  AnswerAmount,
  coinSum,
  pageWithSums,
  ActionInput,
  BulkInput,
  BulkResult,
  IdInput,
  marketRecord,
} from '../../wire/schema.ts';

const Row = Type.Object({
  ...marketRecord,
  network: Type.String(),
  address: Type.String(),
  memo: Type.String(),
  txHash: Type.String(),
  index: Nullable(Type.Integer({ description: 'number of the output or event in the transaction' })),
  sameTransaction: Type.Array(Id, {
    description: 'ids of other recharges that the transaction made to the account and memo, in the scope',
  }),
  amount: AnswerAmount,
  fee: AnswerAmount,
  confirmations: Int,
  source: Int,
  state: Int,
  remark: Type.String(),
  arrivedAt: Nullable(Ms),
  creditedAt: Nullable(Ms),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type RechargeRow = Static<typeof Row>;
export { Row as rechargeRowSchema };

const Sum = coinSum({ amount: AnswerAmount });
export type RechargeSum = Static<typeof Sum>;

const Url = Type.Object({
  url: Type.String({ description: 'block explorer or voucher; empty if there is neither' }),
});
export type RechargeUrl = Static<typeof Url>;

export const rechargeSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  url: { input: IdInput, output: Url },
  hold: { input: ActionInput, output: Row },
  release: { input: ActionInput, output: Row },
  releaseMany: { input: BulkInput, output: BulkResult },
};
