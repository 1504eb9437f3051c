import { type Static, Type } from '@sinclair/typebox';
import { BULK_MAX } from '../../wire/list.ts';
import {
  ActionInput,
  Customer,
  Id,
  Ids,
  Int,
  Ms,
  EmptyInput,
  Nullable,
  Reason,
  AnswerAmount,
  QueueTarget,
  Strict,
  Text,
  page,
  IdInput,
  ReasonInput,
} from '../../wire/schema.ts';
import { AutoWhatIf } from '../../risk/auto-payout/schema.ts';
import { BacktestPeriod, BacktestResult } from '../../risk/rule/schema.ts';
import { LedgerLine, moneyTimeline } from '../../funds/withdraw/schema.ts';

const Row = Type.Object({
  id: Id,
  type: Type.String({ description: 'name of the action' }),
  title: Type.String(),
  targetType: Type.String(),
  targetId: Id,
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  input: Type.Unknown({ description: 'input of the action when it is executed' }),
  hash: Type.String({ description: 'SHA-256 of action, target, input, maker and result; checked again at execution' }),
  amount: Nullable(AnswerAmount),
  maker: Type.String(),
  checker: Nullable(Type.String()),
  state: Int,
  reason: Type.String({ description: "the maker's reason" }),
  answer: Type.String({ description: "the checker's reason, or why the execution failed or the request ended" }),
  createdAt: Ms,
  updatedAt: Ms,
  expiresAt: Type.Integer({ ...Ms, description: 'until when it can be decided; of one that has ended, when it ended' }),
  decidedAt: Nullable(Ms),
  required: Type.Integer({ description: 'number of checkers needed' }),
  given: Type.Integer({ description: 'number of checkers who have approved' }),
  permitUntil: Nullable(Ms),
  link: Type.Optional(
    Type.Object(
      { path: Type.String(), expiresAt: Ms },
      {
        description:
          'one-time link that the checker gives to the owner; only in the answer to the call that approved the reset',
      },
    ),
  ),
});
export type ApprovalRow = Static<typeof Row>;

const Item = Type.Object({
  label: Type.String(),
  text: Type.String(),
  kind: Type.Union([Type.Literal('text'), Type.Literal('amount'), Type.Literal('code'), Type.Literal('time')], {
    description: 'amount: a canonical decimal string; code: an address or hash; time: unix milliseconds',
  }),
  unit: Type.Optional(Type.String()),
});
export type ApprovalItem = Static<typeof Item>;

const ChangedField = Type.Object({
  label: Type.String(),
  before: Nullable(Type.String({ description: 'null if the record or the field did not exist' })),
  after: Nullable(Type.String({ description: 'null if the record or the field is removed' })),
  kind: Type.Union([Type.Literal('text'), Type.Literal('code'), Type.Literal('time')], {
    description: 'as of items',
  }),
  changed: Type.Boolean(),
});
export type ApprovalChangedField = Static<typeof ChangedField>;
const Change = Type.Object({
  title: Type.String({ description: 'name of the record' }),
  kind: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed')]),
  fields: Type.Array(ChangedField, { description: 'all of its fields: those that change first' }),
});
export type ApprovalChange = Static<typeof Change>;

const Detail = Type.Object({
  row: Row,
  target: QueueTarget,
  votes: Type.Array(Type.Object({ checker: Nullable(Type.String()), at: Ms }), {
    description: "who has approved so far, in order, if more than one must; null outside the caller's tree",
  }),
  /** The user of the target, and what it did last. Null without a user, and for one outside the caller's tree. */
  user: Nullable(Customer),
  timeline: Nullable(Type.Object(moneyTimeline)),
  result: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'of a save: the lines of records that change, as they will be; the request is void if they would be others',
    }),
  ),
  intact: Type.Boolean({ description: 'whether the stored request still has the hash taken at submission' }),
  asked: Type.Array(Item, { description: 'the stored input as labelled fields' }),
  now: Type.Array(Item, { description: 'current state of the target; empty after the decision' }),
  changes: Type.Optional(
    Type.Array(Change, {
      description:
        'of a save: the records that change, before and after; after the decision, and where a record has changed since, only what was signed',
    }),
  ),
  moved: Type.Optional(
    Type.Array(Change, {
      description: 'what others changed since the request: `before` as signed, `after` as it would be now',
    }),
  ),
  movedBy: Type.Optional(
    Type.Object(
      { by: Nullable(Type.String()), at: Ms },
      { description: 'who changed the record last since the request' },
    ),
  ),
  terms: Type.Optional(Type.Array(Item, { description: 'what stands behind names, such as the terms of a group' })),
  consequence: Type.Optional(Type.String({ description: 'what follows, where the fields do not say it' })),
  /** Of a budget of automatic payouts and of their start, until the decision. */
  whatIf: Type.Optional(AutoWhatIf),
  backtest: Type.Optional(
    Type.Boolean({ description: 'of a rule, until the decision: whether the caller can run its backtest' }),
  ),
  payee: Type.Optional(Type.String({ description: 'address whose recent withdrawals matter; until the decision' })),
  lines: Type.Array(LedgerLine, { description: 'ledger lines that the action would post with the current balances' }),
  linesWhen: Type.String(),
  problem: Nullable(Type.String({ description: 'why the action could not be executed now' })),
  why: Nullable(Type.String({ description: 'why the caller cannot decide the request' })),
  checkers: Type.Object({
    count: Int,
    names: Type.Array(Type.String(), { description: "accounts of at most five of them inside the caller's tree" }),
  }),
});
export type ApprovalDetail = Static<typeof Detail>;

const BacktestInput = Strict({ id: Id, ...BacktestPeriod });
export type ApprovalBacktestInput = Static<typeof BacktestInput>;

const OpenInput = Strict({ targetType: Text(32, 1), ids: Ids });
export type ApprovalOpenInput = Static<typeof OpenInput>;
const Open = Type.Object({
  targetId: Id,
  id: Id,
  type: Type.String(),
  title: Type.String(),
  expiresAt: Ms,
  readable: Type.Boolean({ description: 'whether the caller may open the approval' }),
  /** The account and amount of an adjustment of assets that the caller may read. */
  asset: Nullable(Type.Object({ marketId: Id, marketName: Type.String(), platform: Int, amount: AnswerAmount })),
});
export type ApprovalOpen = Static<typeof Open>;

const Ask = Strict({ userId: Type.Optional(Id), agentId: Type.Optional(Id) });
export type ApprovalCheckersInput = Static<typeof Ask>;
const Checkers = Type.Object({
  others: Int,
  mine: Type.Boolean({ description: 'whether the caller could be a checker' }),
  whole: Int,
});
export type ApprovalCheckers = Static<typeof Checkers>;

const PolicyKey = Type.String({ pattern: '^[A-Za-z.]{1,40}$' });
const Exceptions = Type.Array(PolicyKey, {
  uniqueItems: true,
  maxItems: 40,
  description: 'policies that stay off while four-eyes are locked; the checker sends the same list to confirm it',
});
const Lock = Strict({ exceptions: Type.Optional(Exceptions), reason: Type.Optional(Reason) });
export type ApprovalLock = Static<typeof Lock>;

const Holder = Type.Object({
  id: Id,
  account: Type.String(),
  abilities: Type.Array(Type.Integer(), { description: 'guarded abilities that the operator holds' }),
  codes: Type.Boolean({ description: 'whether the operator has one-time codes' }),
  approver: Type.Boolean({ description: 'whether its approvals count now' }),
  approverFrom: Nullable(Ms),
});
const PolicyState = Type.Object({
  key: Type.String({ description: 'name of the policy' }),
  name: Type.String(),
  state: Int,
  num: AnswerAmount,
});
const FourEyes = Type.Object({
  locked: Type.Boolean(),
  lockedAt: Nullable(Ms),
  lockedBy: Nullable(Type.String()),
  confirmedBy: Nullable(Type.String()),
  unlockedAt: Nullable(Ms),
  appointedAt: Nullable(Ms),
  holders: Type.Array(Holder),
  policies: Type.Array(PolicyState),
  asked: Nullable(Id),
  problem: Nullable(Type.String({ description: 'why four-eyes cannot be locked now' })),
});
export type FourEyesState = Static<typeof FourEyes>;

const Record = Type.Object({
  by: Nullable(Type.String({ description: "account; null if outside the caller's tree" })),
  how: Type.Union([Type.Literal('made'), Type.Literal('granted'), Type.Literal('reset')]),
  at: Ms,
});
export type ControlKind = Static<typeof Record>['how'];
const OtherOperatorRow = Type.Object({
  id: Id,
  account: Type.String(),
  state: Int,
  records: Type.Array(Record, { description: 'who made, granted or reset the operator alone' }),
});
export type OtherOperator = Static<typeof OtherOperatorRow>;
const OtherOperatorsInput = Strict({
  search: Type.Optional(Text(64, 0)),
  recorded: Type.Optional(
    Type.Literal(1, { description: '1: operators with something on record, holders included, instead of the others' }),
  ),
});
export type OtherOperatorsInput = Static<typeof OtherOperatorsInput>;
const OtherOperators = Type.Object({
  total: Int,
  list: Type.Array(OtherOperatorRow, { description: 'the first 50' }),
});
export type OtherOperators = Static<typeof OtherOperators>;

/** A tick for all that a lock may show at once. */

const Do = Strict({
  id: Id,
  hash: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'hash of the request that the checker saw; 409 if it changed since',
    }),
  ),
  reason: Type.Optional(Reason),
  exceptions: Type.Optional(Exceptions),
  known: Type.Optional(
    Type.Array(Id, {
      uniqueItems: true,
      maxItems: BULK_MAX,
      description:
        'of the lock: the operators whom the checker knows. What is on record of who made, granted or reset them is deleted. Omitted: every holder. Maker and checker always are',
    }),
  ),
});
export type ApprovalPassInput = Static<typeof Do>;

export const approvalSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
  backtest: { input: BacktestInput, output: BacktestResult },
  open: { input: OpenInput, output: Type.Array(Open) },
  checkers: { input: Ask, output: Checkers },
  fourEyes: { input: EmptyInput, output: FourEyes },
  operators: { input: OtherOperatorsInput, output: OtherOperators },
  lock: { input: Lock, output: Row },
  known: { input: ActionInput, output: Row },
  pass: { input: Do, output: Row },
  reject: { input: ReasonInput, output: Row },
  cancel: { input: ActionInput, output: Row },
  resubmit: { input: ActionInput, output: Row },
};
