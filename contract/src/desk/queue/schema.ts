import { type Static, Type } from '@sinclair/typebox';
import { QUEUE_COMMENT_MAX, QUEUE_MENTIONS_MAX, QUEUE_SKIP_MAX } from '../../wire/input-values.ts';
import {
  FilledText,
  Id,
  IdOrZero,
  Ids,
  Ms,
  EmptyInput,
  Nullable,
  Reason,
  RequiredReason,
  Strict,
  Switch,
} from '../../wire/schema.ts';
import { type ReviewQueueKey, type ReviewType, reviewQueueKeys, reviewTypes } from './work-queue.ts';

const OneOf = <T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))));
const Queue = OneOf<ReviewQueueKey>(reviewQueueKeys);
const Kind = OneOf<ReviewType>(reviewTypes);
const Tab = Type.String({
  pattern: '^[0-9A-Za-z-]{16,64}$',
  description: 'random text that the tab made; a tab holds one record at a time',
});
const record = { targetType: Kind, targetId: Id };
const OperatorName = Nullable(Type.String({ description: "null if the operator is outside the caller's tree" }));

const Next = Strict({
  queue: Queue,
  tab: Tab,
  skip: Type.Optional(
    Type.Array(Id, {
      maxItems: QUEUE_SKIP_MAX,
      uniqueItems: true,
      description: 'set aside by the tab: they come last',
    }),
  ),
});
export type QueueNext = Static<typeof Next>;
const Given = Type.Object({
  id: Nullable(Id),
  following: Nullable(Type.Integer({ description: 'what would be given next; nobody has claimed it' })),
  waiting: Type.Integer({ minimum: 0, description: 'records in the queue, claimed and parked ones included' }),
});
export type QueueGiven = Static<typeof Given>;

const Claim = Strict({ ...record, tab: Tab });
export type QueueClaim = Static<typeof Claim>;
const Holder = Type.Object({
  operator: OperatorName,
  mine: Type.Boolean({ description: 'whether the caller holds it, in any tab' }),
  here: Type.Boolean({ description: 'whether the tab of the call holds it' }),
  since: Ms,
});
const Claimed = Type.Object({
  waiting: Type.Boolean({ description: 'whether the record is in a queue; others cannot be claimed' }),
  holder: Nullable(Holder),
  viewers: Type.Array(OperatorName, {
    description: 'other operators who have the waiting record open, without its holder',
  }),
});
export type QueueClaimed = Static<typeof Claimed>;

const Release = Strict({ tab: Tab });
export type QueueRelease = Static<typeof Release>;

const Marks = Strict({ targetType: Kind, ids: Ids });
export type QueueMarks = Static<typeof Marks>;
const state = {
  parkedUntil: Nullable(Ms),
  assigneeId: Nullable(Id),
  assignee: OperatorName,
  escalated: Type.Boolean(),
};
const Mark = Type.Object({
  targetId: Id,
  holder: Nullable(Type.Object({ operator: OperatorName, mine: Type.Boolean() })),
  ...state,
});
export type QueueMark = Static<typeof Mark>;

const Event = Type.Object({
  id: Id,
  kind: Type.String({ description: 'park, handOver, escalate or comment' }),
  by: OperatorName,
  text: Type.String(),
  until: Nullable(Ms),
  to: Type.Array(OperatorName, { description: 'who got it, or who was mentioned' }),
  createdAt: Ms,
});
export type QueueEvent = Static<typeof Event>;
const Record = Strict(record);
export type QueueRecord = Static<typeof Record>;
const History = Type.Object({ ...state, events: Type.Array(Event, { description: 'latest first' }) });
export type QueueHistory = Static<typeof History>;

const Colleague = Type.Object({
  id: Id,
  account: Type.String(),
  absent: Type.Boolean(),
  backAt: Nullable(Ms),
  load: Type.Integer({ minimum: 0, description: 'records that it holds or that were handed to it, of this kind' }),
});
export type QueueColleague = Static<typeof Colleague>;

const Park = Strict({
  ...record,
  until: Type.Integer({ ...Ms, description: 'unix milliseconds; 0 returns the record to its queue' }),
  reason: Type.Optional(Reason),
});
export type QueuePark = Static<typeof Park>;
const HandOver = Strict({
  ...record,
  operatorId: Type.Integer({ ...IdOrZero, description: '0: to everybody, which also ends an escalation' }),
  reason: Type.Optional(Reason),
});
export type QueueHandOver = Static<typeof HandOver>;
const Escalate = Strict({ ...record, reason: RequiredReason });
export type QueueEscalate = Static<typeof Escalate>;
const Comment = Strict({
  ...record,
  text: FilledText(QUEUE_COMMENT_MAX),
  mentions: Type.Optional(Type.Array(Id, { maxItems: QUEUE_MENTIONS_MAX, uniqueItems: true })),
});
export type QueueComment = Static<typeof Comment>;

const Absent = Strict({
  absent: Switch,
  backAt: Type.Optional(Nullable(Ms)),
  reason: Type.Optional(Reason),
});
export type QueueAbsent = Static<typeof Absent>;
const Presence = Type.Object({ absent: Type.Boolean(), backAt: Nullable(Ms) });
export type QueuePresence = Static<typeof Presence>;

export const queueSchemas = {
  next: { input: Next, output: Given },
  claim: { input: Claim, output: Claimed },
  release: { input: Release, output: Type.Null() },
  marks: { input: Marks, output: Type.Array(Mark) },
  history: { input: Record, output: History },
  colleagues: { input: Record, output: Type.Array(Colleague) },
  park: { input: Park, output: History },
  handOver: { input: HandOver, output: History },
  escalate: { input: Escalate, output: History },
  comment: { input: Comment, output: History },
  absent: { input: Absent, output: Presence },
  presence: { input: EmptyInput, output: Presence },
};
