import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from './idle.ts';

let wasIdle = false;

/** True once the browser is idle after the first paint. */
export function useAfterFirstPaint(): boolean {
  const [isIdle, setIsIdle] = useState(wasIdle);
  useEffect(
    () =>
      whenIdle(() => {
        wasIdle = true;
        startTransition(() => setIsIdle(true));
      }),
    [],
  );
  return isIdle;
}
