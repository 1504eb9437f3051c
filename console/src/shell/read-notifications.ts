import { notificationSpecs } from '@hengtai/contract/notify';
import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { useEffect, useEffectEvent } from 'react';
import { currentNotifications, onNotifications, useNotifications, useLastNotification } from '../api/notify.ts';
import { readPreference, usePreference } from '../ui/preference.ts';

/** Everything up to an id has been read, and these few beyond it. */
interface Read {
  upTo: number;
  ids: readonly number[];
}

const KEY = 'notify.read';
const NEVER: Read = { upTo: -1, ids: [] };
const IDS_MAX = 200;

function isRead(stored: unknown): Read | undefined {
  if (typeof stored !== 'object' || stored === null || !('upTo' in stored) || !('ids' in stored)) return undefined;
  const { upTo, ids } = stored;
  return typeof upTo === 'number' && Array.isArray(ids) && ids.every((id) => typeof id === 'number')
    ? { upTo, ids }
    : undefined;
}

const isBeyond = ({ upTo, ids }: Read, { id, type, own }: NotificationRow): boolean =>
  notificationSpecs[type].rings && !own && id > upTo && !ids.includes(id);

/** Which notifications ask for the operator and have not been looked at; what one did oneself is no news. */
export function useReadNotifications() {
  const notifications = useNotifications();
  const last = useLastNotification();
  const [read, setRead] = usePreference<Read>(KEY, NEVER, isRead);
  // A new operator starts with nothing unread, and so does everybody when the server's numbering restarts.
  const unknown = last !== null && (read.upTo < 0 || read.upTo > last);
  useEffect(() => {
    if (unknown) setRead({ upTo: last, ids: [] });
  }, [unknown, last, setRead]);
  const isUnread = (notification: NotificationRow): boolean => !unknown && isBeyond(read, notification);
  // Reading a conversation in any window also marks its notifications as read. Both may be told at once,
  // before anything was drawn.
  const readOf = useEffectEvent((told: readonly NotificationRow[]) => {
    const seen = told.filter(({ type, own }) => type === 'service.read' && own).map(({ refId }) => refId);
    const now = readPreference(KEY, NEVER, isRead);
    const ids = currentNotifications().filter(
      (notification) =>
        notification.refType === 'service' && seen.includes(notification.refId) && isBeyond(now, notification),
    );
    if (ids.length > 0 && !unknown)
      setRead({ ...now, ids: [...ids.map(({ id }) => id), ...now.ids].slice(0, IDS_MAX) });
  });
  useEffect(() => onNotifications((told) => readOf(told)), []);
  return {
    facts: notifications,
    isUnread,
    unread: notifications.filter(isUnread).length,
    readAll: () => last !== null && setRead({ upTo: last, ids: [] }),
    readOne: (notification: NotificationRow) => {
      if (isUnread(notification)) setRead({ ...read, ids: [notification.id, ...read.ids].slice(0, IDS_MAX) });
    },
  };
}
