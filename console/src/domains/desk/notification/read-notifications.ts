import { notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { useEffect, useEffectEvent } from 'react';
import { currentNotifications, onNotifications, useNotifications, useLastNotification } from '../../../api/notify.ts';
import { readPreference, usePreference } from '../../../ui/browser/preference.ts';

/** All notifications up to an id are read, and some beyond it. */
interface ReadState {
  upTo: number;
  ids: readonly number[];
}

const KEY = 'notify.read';
const UNKNOWN: ReadState = { upTo: -1, ids: [] };
const IDS_MAX = 200;

function parseReadState(stored: unknown): ReadState | undefined {
  if (typeof stored !== 'object' || stored === null || !('upTo' in stored) || !('ids' in stored)) return undefined;
  const { upTo, ids } = stored;
  return typeof upTo === 'number' && Array.isArray(ids) && ids.every((id) => typeof id === 'number')
    ? { upTo, ids }
    : undefined;
}

const isUnreadSince = ({ upTo, ids }: ReadState, { id, type, own }: NotificationRow): boolean =>
  notificationSpecs[type].rings && !own && id > upTo && !ids.includes(id);

/**
 * Unread notifications and functions to mark them as read. Only ringing kinds count, and no actions of the operator
 * itself.
 */
export function useReadNotifications() {
  const notifications = useNotifications();
  const last = useLastNotification();
  const [read, setRead] = usePreference<ReadState>(KEY, UNKNOWN, parseReadState);
  // Nothing is unread for a new operator, or after the id sequence of the server restarted.
  const isUnknown = last !== null && (read.upTo < 0 || read.upTo > last);
  useEffect(() => {
    if (isUnknown) setRead({ upTo: last, ids: [] });
  }, [isUnknown, last, setRead]);
  const isUnread = (notification: NotificationRow): boolean => !isUnknown && isUnreadSince(read, notification);
  // Reading a conversation in any window also marks its notifications as read. Message and read event may arrive
  // together before rendering, so the current state is used.
  const markConversationsRead = useEffectEvent((arrived: readonly NotificationRow[]) => {
    const readConversations = arrived
      .filter(({ type, own }) => type === 'service.read' && own)
      .map(({ refId }) => refId);
    const current = readPreference(KEY, UNKNOWN, parseReadState);
    const ids = currentNotifications().filter(
      (notification) =>
        notification.refType === 'service' &&
        readConversations.includes(notification.refId) &&
        isUnreadSince(current, notification),
    );
    if (ids.length > 0 && !isUnknown)
      setRead({ ...current, ids: [...ids.map(({ id }) => id), ...current.ids].slice(0, IDS_MAX) });
  });
  useEffect(() => onNotifications((arrived) => markConversationsRead(arrived)), []);
  return {
    notifications,
    isUnread,
    unread: notifications.filter(isUnread).length,
    readAll: () => last !== null && setRead({ upTo: last, ids: [] }),
    readOne: (notification: NotificationRow) => {
      if (isUnread(notification)) setRead({ ...read, ids: [notification.id, ...read.ids].slice(0, IDS_MAX) });
    },
  };
}
