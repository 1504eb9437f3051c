import { type Static, type TInteger, type TOptional, Type } from '@sinclair/typebox';
import {
  type CountKey,
  NOTIFICATIONS_SIZE_MAX,
  type NotificationNoun,
  type NotificationType,
  countKeys,
  countSpecs,
  notificationSpecs,
  notify,
} from './notify.ts';
import { Id, Int, Ms, Nothing, Nullable, Signed, Strict, endpoint } from './schema.ts';

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const StreamQuery = Strict({
  last: Type.Optional(Type.Integer({ ...Seq, description: 'id of the last fact that was seen; absent: from now on' })),
});
export type StreamInput = Static<typeof StreamQuery>;

const NotificationsQuery = Strict({
  after: Type.Optional(Type.Integer({ ...Seq, description: 'only facts with a greater id' })),
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
  noun: Type.Unsafe<NotificationNoun>(Type.String({ description: 'the list that it changes' })),
  refType: Type.String({ description: 'noun of the record that it is about' }),
  refId: Id,
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  marketName: Nullable(Type.String()),
  amount: Nullable(Signed),
  state: Nullable(Int),
  detail: Type.String({ description: 'an approval’s action, an alarm’s kind, the list of an export' }),
  own: Type.Boolean({ description: 'the caller did it itself' }),
});
export type NotificationRow = Static<typeof Row>;

const NotificationsPage = Type.Object({
  list: Type.Array(Row, { description: 'the latest first' }),
  last: Type.Integer({ ...Seq, description: 'the id up to which the answer is complete; streams go on from it' }),
});
export type NotificationsAnswer = Static<typeof NotificationsPage>;

export const notifyEndpoints = {
  stream: endpoint(notify.stream, StreamQuery, Type.Null()),
  counts: endpoint(notify.counts, Nothing, CountsAnswer),
  facts: endpoint(notify.facts, NotificationsQuery, NotificationsPage),
};
