import { notify } from '@hengtai/contract/notify';
import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { useNotifications, useLastNotification, useNotifyMode } from '../../api/notify.ts';
import type { DisplayError } from '../../ui/display-error.ts';

const LATEST = { size: 50 };
const SHOWN = 100;

export interface Feed {
  /** The latest first; undefined until they are known. */
  facts: readonly NotificationRow[] | undefined;
  /** They arrive by themselves, as they happen. */
  live: boolean;
  error: DisplayError | undefined;
  onRetry: () => void;
}

/** What happened in the operator's tree: from the window's one line, and read once where that has not begun. */
export function useFeed(): Feed {
  const told = useNotifications();
  const known = useLastNotification() !== null;
  const live = useNotifyMode() === 'live';
  const { data, error, refetch } = useRead(notify.facts, LATEST, { enabled: !known });
  const notifications = known ? told.slice(0, SHOWN) : data?.list;
  return {
    facts: notifications,
    live,
    error: !notifications && error ? toDisplayError(error) : undefined,
    onRetry: () => void refetch(),
  };
}
