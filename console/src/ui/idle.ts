/** Nobody waits longer than this, however busy the browser is. */
const AT_LAST_MS = 2_000;

/** Calls when the browser has nothing more urgent to do; the returned function takes it back. */
export function whenIdle(call: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = requestIdleCallback(call, { timeout: AT_LAST_MS });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(call, 200);
  return () => clearTimeout(timer);
}
