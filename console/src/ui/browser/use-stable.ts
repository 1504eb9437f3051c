import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function with stable identity that always calls the latest callback, so that memoized children do not re-render.
 * Only for event handlers; must not be called during rendering.
 */
export function useStable<A extends readonly unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
