import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * One function for as long as the piece lives, that does what the latest one does. What it is handed to need not be drawn
 * again because a page was. Only for what happens later (a click, a key): not to be called while drawing.
 */
export function useStable<A extends readonly unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
