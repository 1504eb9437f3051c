import { useEffect, useEffectEvent } from 'react';
import { onNotifications } from '../../../api/notify.ts';

/** Minimum time between two updates, so that a burst of notifications causes one. */
const THROTTLE_MS = 700;

/** Calls `onUpdate` after a notification about a conversation, throttled. Inactive pages do not listen. */
export function useConversationUpdates(active: boolean, onUpdate: () => void) {
  const update = useEffectEvent(onUpdate);
  useEffect(() => {
    if (!active) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastRunAt = 0;
    const run = () => {
      timer = undefined;
      lastRunAt = Date.now();
      update();
    };
    const unsubscribe = onNotifications((notifications) => {
      if (timer !== undefined || !notifications.some(({ noun }) => noun === 'service')) return;
      timer = setTimeout(run, Math.max(0, lastRunAt + THROTTLE_MS - Date.now()));
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [active]);
}
