import { useEffect } from 'react';
import { onNotifications } from '../api/notify.ts';

/** Minimum time between two refetches; the jitter spreads the consoles over time. */
const MIN_INTERVAL_MS = 3000;
const JITTER_MS = 1000;

/** Refetches a list when a notification concerns its noun, throttled to one refetch every few seconds. */
export function usePush(path: string, enabled: boolean, refetch: () => unknown) {
  useEffect(() => {
    if (!enabled) return undefined;
    const noun = path.split('/')[0];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refetchedAt = 0;
    const unsubscribe = onNotifications((notifications) => {
      if (timer !== undefined || !notifications.some((notification) => notification.noun === noun)) return;
      const wait = Math.max(0, refetchedAt + MIN_INTERVAL_MS - Date.now()) + Math.random() * JITTER_MS;
      timer = setTimeout(() => {
        timer = undefined;
        refetchedAt = Date.now();
        refetch();
      }, wait);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [path, enabled, refetch]);
}
