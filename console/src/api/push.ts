import { useEffect } from 'react';
import { onNotifications } from './notify.ts';

/** Not sooner after the last time than this, and a little later still, so that not all consoles ask at once. */
const APART_MS = 3000;
const JITTER_MS = 1000;

/** Reads a list again, silently, when something happened to its noun: at most every few seconds. */
export function usePush(path: string, enabled: boolean, refetch: () => unknown) {
  useEffect(() => {
    if (!enabled) return undefined;
    const noun = path.split('/')[0];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = 0;
    const unheard = onNotifications((notifications) => {
      if (timer !== undefined || !notifications.some((notification) => notification.noun === noun)) return;
      const wait = Math.max(0, readAt + APART_MS - Date.now()) + Math.random() * JITTER_MS;
      timer = setTimeout(() => {
        timer = undefined;
        readAt = Date.now();
        refetch();
      }, wait);
    });
    return () => {
      unheard();
      clearTimeout(timer);
    };
  }, [path, enabled, refetch]);
}
