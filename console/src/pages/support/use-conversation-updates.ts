import { useEffect, useEffectEvent } from 'react';
import { onNotifications } from '../../api/notify.ts';

/** Many messages at once are read for once. */
const APART_MS = 700;

/** Runs soon after something happened to a conversation, and when the page comes into sight again. */
export function useConversationUpdates(active: boolean, onUpdate: () => void) {
  const tell = useEffectEvent(onUpdate);
  useEffect(() => {
    if (!active) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = 0;
    const read = () => {
      timer = undefined;
      readAt = Date.now();
      tell();
    };
    const unheard = onNotifications((notifications) => {
      if (timer !== undefined || !notifications.some(({ noun }) => noun === 'service')) return;
      timer = setTimeout(read, Math.max(0, readAt + APART_MS - Date.now()));
    });
    return () => {
      unheard();
      clearTimeout(timer);
    };
  }, [active]);
}
