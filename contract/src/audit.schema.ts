import { type Static, Type } from '@sinclair/typebox';
import { audit } from './audit.ts';
import { Id, Int, Ms, Nothing, Nullable, endpoint, listEndpoint, page } from './schema.ts';

const Row = Type.Object({
  id: Id,
  operator: Nullable(Type.String()),
  sessionId: Nullable(Id),
  ip: Type.String(),
  userAgent: Type.String(),
  action: Type.String(),
  targetType: Nullable(Type.String()),
  targetId: Nullable(Id),
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: Type.String(),
  approvalId: Nullable(Id),
  result: Type.Integer(),
  requestId: Type.String(),
  sealed: Nullable(Int),
  createdAt: Ms,
});
export type AuditRow = Static<typeof Row>;
export { Row as auditRowSchema };

const Verdict = Type.Object({
  ok: Type.Boolean(),
  sealed: Int,
  pending: Int,
  heads: Int,
  firstBad: Nullable(Type.Object({ seq: Int, auditId: Nullable(Id), problem: Type.String() })),
});
export type AuditVerdict = Static<typeof Verdict>;

export const auditEndpoints = {
  list: listEndpoint(audit.list, page(Row)),
  verify: endpoint(audit.verify, Nothing, Verdict),
};
