/** The callback runs after this time even if the browser stays busy. */
const TIMEOUT_MS = 2_000;

/** Runs the callback when the browser is idle; the returned function cancels it. */
export function whenIdle(callback: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = requestIdleCallback(callback, { timeout: TIMEOUT_MS });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(callback, 200);
  return () => clearTimeout(timer);
}
