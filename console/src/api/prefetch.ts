import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { type Answer, type SendOptions, send } from './client.ts';

/** Older prefetched responses are discarded. */
const MAX_AGE_MS = 10_000;

const prefetched = new Map<string, { answer: Promise<Answer<unknown>>; startedAt: number }>();

const keyOf = (call: CallSpec, input: unknown): string => call.path + JSON.stringify(input);

/** Sends a read before the component that shows it is loaded. The first `readPrefetched` of the same input gets it. */
export function prefetch<C extends CallSpec>(call: C, input: InputOf<C>): void {
  const answer = send(call, input);
  // The consumer handles the error.
  answer.catch(() => undefined);
  prefetched.set(keyOf(call, input), { answer, startedAt: Date.now() });
}

/** Returns the prefetched response of this input once; otherwise sends the call. */
export function readPrefetched<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  options: SendOptions,
): Promise<Answer<OutputOf<C>>> {
  const key = keyOf(call, input);
  const entry = prefetched.get(key);
  prefetched.delete(key);
  if (entry && Date.now() - entry.startedAt < MAX_AGE_MS) return entry.answer as Promise<Answer<OutputOf<C>>>;
  return send(call, input, options);
}
