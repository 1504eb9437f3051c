/**
 * Whether the server can be reached, as the last calls found it. Trouble is shown by a calm banner, never by a pop-up
 * for each call.
 */
export interface Network {
  trouble: boolean;
  /** When an answer last came, unix milliseconds. */
  lastAnswerAt: number;
}

let state: Network = { trouble: false, lastAnswerAt: Date.now() };
const listeners = new Set<() => void>();

export const readNetwork = (): Network => state;

export function subscribeNetwork(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sawAnswer() {
  const was = state.trouble;
  state = { trouble: false, lastAnswerAt: Date.now() };
  if (was) for (const listener of listeners) listener();
}

export function sawTrouble() {
  if (state.trouble) return;
  state = { ...state, trouble: true };
  for (const listener of listeners) listener();
}
