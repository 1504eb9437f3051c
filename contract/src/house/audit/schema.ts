import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, Nullable, Strict, page } from '../../wire/schema.ts';

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

/** Without `after`, verifies the whole chain. With it, verifies one step from there; `hash` comes from the previous step. */
const Verify = Strict({
  after: Type.Optional(Int),
  hash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});
export type AuditVerify = Static<typeof Verify>;

const SignedHead = Type.Object({ number: Int, seq: Int, hash: Type.String(), at: Ms });

const Verdict = Type.Object({
  ok: Type.Boolean({ description: 'whether all rows verified so far are intact' }),
  anchored: Type.Boolean({
    description: 'false if sealed rows have no signed head, or no head has a copy outside the database',
  }),
  sealed: Int,
  pending: Int,
  heads: Int,
  copies: Type.Integer({ description: 'copies of heads outside the database' }),
  total: Type.Integer({ description: 'number of seals' }),
  next: Nullable(Type.Object({ after: Int, hash: Type.String() }, { description: 'input of the next step' })),
  lastHeads: Type.Array(SignedHead, { description: 'the latest signed heads' }),
  firstBad: Nullable(Type.Object({ seq: Int, auditId: Nullable(Id), problem: Type.String() })),
});
export type AuditVerdict = Static<typeof Verdict>;

export const auditSchemas = {
  list: { output: page(Row) },
  verify: { input: Verify, output: Verdict },
};
