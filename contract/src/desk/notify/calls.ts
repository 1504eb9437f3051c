import { call, read } from '../../wire/endpoint.ts';
import type { Counts, NotificationRow, NotificationsAnswer, NotificationsInput, StreamInput } from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** Notifications are deleted after this many days. */
export const NOTIFICATION_DAYS = 7;
/** Older events create no notification, so that an import of history does not alert operators. */
export const NOTIFICATION_HOURS = 24;
/** A resumed stream gets the notifications it missed, or `reset` if they are older or more than these limits. */
export const RESUME_MINUTES = 10;
export const RESUME_NOTIFICATIONS = 1_000;
/** Interval of heartbeat comments, which let both ends detect a dead connection. */
export const HEARTBEAT_SECONDS = 15;
/** Limits of open streams of one operator and in one process; more are answered with 429. */
export const STREAMS_PER_OPERATOR = 8;
export const STREAMS_PER_PROCESS = 5_000;
export const NOTIFICATIONS_SIZE = 50;

/** Why a session ended: the `reason` of the event `session`. */
export type SessionEnd = 'logout' | 'password' | 'ability' | 'kick' | 'disabled' | 'expired' | 'ended';

/**
 * The events of the stream, by name, with JSON data. Only `fact` has an event id: that of the notification.
 *
 * - counts: at the start and after every change
 * - fact: a notification; ids in one stream only increase
 * - reset: too many were missed; the client reloads notifications and lists, and the stream continues from `last`
 * - session: the session ended, and the stream ends
 */
export interface StreamEvents {
  counts: Counts;
  fact: NotificationRow;
  reset: { last: number };
  session: { reason: SessionEnd };
}

export const notify = {
  stream: call<StreamInput, null>()({
    method: 'GET',
    path: 'notify/stream',
    summary: '实时通知（text/event-stream）',
    kind: 'stream',
  }),
  counts: read<EmptyInput, Counts>()('notify/counts', '待办数量'),
  facts: read<NotificationsInput, NotificationsAnswer>()('notify/facts', '最新动态'),
};
