import { type Static, type TInteger, type TOptional, Type } from '@sinclair/typebox';
import { NOTIFICATIONS_SIZE_MAX } from '../../wire/input-values.ts';
import {
  type CountKey,
  type NotificationNoun,
  type NotificationType,
  countKeys,
  countSpecs,
  notificationSpecs,
} from './notification.ts';
import { Id, Int, Ms, EmptyInput, Nullable, AnswerAmount, Strict } from '../../wire/schema.ts';

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const StreamQuery = Strict({
  last: Type.Optional(
    Type.Integer({ ...Seq, description: 'id of the last notification received; omitted: only new ones' }),
  ),
});
export type StreamInput = Static<typeof StreamQuery>;

const NotificationsQuery = Strict({
  after: Type.Optional(Type.Integer({ ...Seq, description: 'only notifications with a greater id' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: NOTIFICATIONS_SIZE_MAX })),
});
export type NotificationsInput = Static<typeof NotificationsQuery>;

const counts = Object.fromEntries(
  countKeys.map((key) => [key, Type.Optional(Type.Integer({ minimum: 0, description: countSpecs[key].label }))]),
) as Record<CountKey, TOptional<TInteger>>;
const CountsAnswer = Type.Object(counts);
export type Counts = Static<typeof CountsAnswer>;

const Row = Type.Object({
  id: Seq,
  at: Ms,
  type: Type.Unsafe<NotificationType>(Type.String({ enum: Object.keys(notificationSpecs) })),
  noun: Type.Unsafe<NotificationNoun>(Type.String({ description: 'list that the notification changes' })),
  refType: Type.String({ description: 'noun of the record that the notification concerns' }),
  refId: Id,
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  marketName: Nullable(Type.String()),
  amount: Nullable(AnswerAmount),
  state: Nullable(Int),
  detail: Type.String({
    description: "an approval's action, an alarm's kind, a command's type, a market type, or the list of an export",
  }),
  own: Type.Boolean({ description: 'whether the caller caused it' }),
});
export type NotificationRow = Static<typeof Row>;

const NotificationsPage = Type.Object({
  list: Type.Array(Row, { description: 'latest first' }),
  last: Type.Integer({ ...Seq, description: 'id up to which the answer is complete; a stream can resume from it' }),
});
export type NotificationsAnswer = Static<typeof NotificationsPage>;

export const notifySchemas = {
  stream: { input: StreamQuery, output: Type.Null() },
  counts: { input: EmptyInput, output: CountsAnswer },
  facts: { input: NotificationsQuery, output: NotificationsPage },
};
