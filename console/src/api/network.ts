/** Whether the last call reached the server. Shown as a banner, never as a message per call. */
export interface Network {
  isUnreachable: boolean;
  /** Time of the last response, unix milliseconds. */
  lastResponseAt: number;
}

let state: Network = { isUnreachable: false, lastResponseAt: Date.now() };
const listeners = new Set<() => void>();

export const readNetwork = (): Network => state;

export function subscribeNetwork(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function markReachable() {
  const wasUnreachable = state.isUnreachable;
  state = { isUnreachable: false, lastResponseAt: Date.now() };
  if (wasUnreachable) for (const listener of listeners) listener();
}

export function markUnreachable() {
  if (state.isUnreachable) return;
  state = { ...state, isUnreachable: true };
  for (const listener of listeners) listener();
}
