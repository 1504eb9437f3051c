import { notify } from '@hengtai/contract/desk/notify/calls';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { useNotifications, useLastNotification, useNotifyMode } from '../../../api/notify.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';

const LATEST = { size: 50 };
const FEED_SIZE = 100;

export interface Feed {
  /** Latest first; undefined until loaded. */
  notifications: readonly NotificationRow[] | undefined;
  /** True if notifications are pushed, false if they are polled. */
  live: boolean;
  error: DisplayError | undefined;
  onRetry: () => void;
}

/** Notifications of the operator's scope from the shared stream. Before its first event they are loaded once. */
export function useFeed(): Feed {
  const streamed = useNotifications();
  const hasStream = useLastNotification() !== null;
  const live = useNotifyMode() === 'live';
  const { data, error, refetch } = useRead(notify.facts, LATEST, { enabled: !hasStream });
  const notifications = hasStream ? streamed.slice(0, FEED_SIZE) : data?.list;
  return {
    notifications,
    live,
    error: !notifications && error ? toDisplayError(error) : undefined,
    onRetry: () => void refetch(),
  };
}
