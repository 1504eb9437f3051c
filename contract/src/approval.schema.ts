import { type Static, Type } from '@sinclair/typebox';
import { approval } from './approval.ts';
import {
  Id,
  Ids,
  Int,
  Ms,
  Nullable,
  Reason,
  RequiredReason,
  Signed,
  Strict,
  Text,
  endpoint,
  listEndpoint,
  page,
} from './schema.ts';
import { LedgerLine } from './withdraw.schema.ts';

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
  hash: Type.String({ description: 'SHA-256 over action, target, input and maker; checked again at execution' }),
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

const Fact = Type.Object({
  label: Type.String(),
  text: Type.String(),
  kind: Type.Union([Type.Literal('text'), Type.Literal('amount'), Type.Literal('code')], {
    description: 'amount: a canonical decimal string; code: an address or hash',
  }),
  unit: Type.Optional(Type.String()),
});
export type ApprovalFact = Static<typeof Fact>;

const Detail = Type.Object({
  row: Row,
  intact: Type.Boolean({ description: 'what is stored still has the hash that was taken when it was submitted' }),
  asked: Type.Array(Fact, { description: 'the stored input, field by field, in words' }),
  now: Type.Array(Fact, { description: 'how what it is about stands now; empty once it was decided' }),
  lines: Type.Array(LedgerLine, { description: 'the ledger rows that it would post, by the balances of now' }),
  linesWhen: Type.String(),
  problem: Nullable(Type.String({ description: 'why it could not be executed as things stand' })),
  why: Nullable(Type.String({ description: 'why the caller cannot decide it' })),
  checkers: Type.Object({
    count: Int,
    names: Type.Array(Type.String(), { description: 'those of them in the own tree, at most five' }),
  }),
});
export type ApprovalDetail = Static<typeof Detail>;

const ById = Strict({ id: Id });
export type ApprovalId = Static<typeof ById>;

const OpenInput = Strict({ targetType: Text(32, 1), ids: Ids });
export type ApprovalOpenInput = Static<typeof OpenInput>;
const Open = Type.Object({
  targetId: Id,
  id: Id,
  type: Type.String(),
  title: Type.String(),
  expiresAt: Ms,
  readable: Type.Boolean({ description: 'whether the caller may look at the approval itself' }),
});
export type ApprovalOpen = Static<typeof Open>;

const Ask = Strict({ userId: Type.Optional(Id), agentId: Type.Optional(Id) });
export type ApprovalAsk = Static<typeof Ask>;
const Checkers = Type.Object({
  others: Int,
  mine: Type.Boolean({ description: 'the caller could be one' }),
  whole: Int,
});
export type ApprovalCheckers = Static<typeof Checkers>;

const Do = Strict({
  id: Id,
  hash: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{64}$', description: 'what was shown; 409 when it is another now' }),
  ),
  reason: Type.Optional(Reason),
});
export type ApprovalDo = Static<typeof Do>;
const Reject = Strict({ id: Id, reason: RequiredReason });
export type ApprovalReject = Static<typeof Reject>;

export const approvalEndpoints = {
  list: listEndpoint(approval.list, page(Row)),
  detail: endpoint(approval.detail, ById, Detail),
  open: endpoint(approval.open, OpenInput, Type.Array(Open)),
  checkers: endpoint(approval.checkers, Ask, Checkers),
  pass: endpoint(approval.pass, Do, Row),
  reject: endpoint(approval.reject, Reject, Row),
};
