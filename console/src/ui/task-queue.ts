const waiting = new Set<() => void>();

/**
 * What is heavy and need not be done at once is done one after the other, each in a task of its own, so that clicks and keys
 * are heard in between. What is given back takes it back.
 */
export function queueTask(act: () => void): () => void {
  const turn = () => act();
  waiting.add(turn);
  if (waiting.size === 1) setTimeout(next);
  return () => void waiting.delete(turn);
}

function next() {
  const [turn] = waiting;
  if (!turn) return;
  waiting.delete(turn);
  if (waiting.size > 0) setTimeout(next);
  turn();
}
