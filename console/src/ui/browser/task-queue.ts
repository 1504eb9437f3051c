const pending = new Set<() => void>();

/**
 * Runs heavy, non-urgent work in separate tasks one after another, so that input is handled in between. The returned
 * function cancels it.
 */
export function queueTask(act: () => void): () => void {
  const task = () => act();
  pending.add(task);
  if (pending.size === 1) setTimeout(runNext);
  return () => void pending.delete(task);
}

function runNext() {
  const [task] = pending;
  if (!task) return;
  pending.delete(task);
  if (pending.size > 0) setTimeout(runNext);
  task();
}
