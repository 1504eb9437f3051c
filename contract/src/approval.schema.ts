import { type Static, Type } from '@sinclair/typebox';
import { approval } from './approval.ts';
import {
  Id,
  Int,
  Ms,
  Nullable,
  Reason,
  RequiredReason,
  Signed,
  Strict,
  endpoint,
  listEndpoint,
  page,
} from './schema.ts';

const Row = Type.Object({
  id: Id,
  type: Type.String({ description: 'name of the action' }),
  title: Type.String(),
  targetType: Type.String(),
  targetId: Id,
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  input: Type.Unknown({ description: 'what will be executed' }),
  hash: Type.String({ description: 'SHA-256 over action, target and input; checked again at execution' }),
  amount: Nullable(Signed),
  maker: Type.String(),
  checker: Nullable(Type.String()),
  state: Int,
  reason: Type.String({ description: "the maker's reason" }),
  answer: Type.String({ description: "the checker's reason, or why the execution failed" }),
  createdAt: Ms,
  updatedAt: Ms,
  expiresAt: Ms,
  decidedAt: Nullable(Ms),
});
export type ApprovalRow = Static<typeof Row>;

const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type ApprovalDo = Static<typeof Do>;
const Reject = Strict({ id: Id, reason: RequiredReason });
export type ApprovalReject = Static<typeof Reject>;

export const approvalEndpoints = {
  list: listEndpoint(approval.list, page(Row)),
  pass: endpoint(approval.pass, Do, Row),
  reject: endpoint(approval.reject, Reject, Row),
};
