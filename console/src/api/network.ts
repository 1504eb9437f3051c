/** Whether the last call reached the server. Shown as a banner, never as a message per call. */
export interface Network {
  isDown: boolean;
  /** Time of the last response, unix milliseconds. */
  lastAnswerAt: number;
}

let state: Network = { isDown: false, lastAnswerAt: Date.now() };
const listeners = new Set<() => void>();

export const readNetwork = (): Network => state;

export function subscribeNetwork(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function markReachable() {
  const wasDown = state.isDown;
  state = { isDown: false, lastAnswerAt: Date.now() };
  if (wasDown) for (const listener of listeners) listener();
}

export function markUnreachable() {
  if (state.isDown) return;
  state = { ...state, isDown: true };
  for (const listener of listeners) listener();
}
