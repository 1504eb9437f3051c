import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from './idle.ts';

let settled = false;

/**
 * Whether it is time for what nobody misses on the first picture: false until the browser has come to rest once after
 * the window was opened, true from then on.
 */
export function useAfterFirstPaint(): boolean {
  const [idle, setIdle] = useState(settled);
  useEffect(
    () =>
      whenIdle(() => {
        settled = true;
        startTransition(() => setIdle(true));
      }),
    [],
  );
  return idle;
}
