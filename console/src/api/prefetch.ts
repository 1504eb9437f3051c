import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/endpoint';
import { type Answer, type SendOptions, send } from './client.ts';

/** What was asked for longer ago is asked for again. */
const FRESH_MS = 10_000;

const begun = new Map<string, { answer: Promise<Answer<unknown>>; at: number }>();

const keyOf = (call: CallSpec, input: unknown): string => call.path + JSON.stringify(input);

/** Sends a read before the component that shows it is loaded. The first `readPrefetched` of the same input gets it. */
export function prefetch<C extends CallSpec>(call: C, input: InputOf<C>): void {
  const answer = send(call, input);
  // The consumer handles the error.
  answer.catch(() => undefined);
  begun.set(keyOf(call, input), { answer, at: Date.now() });
}

/** The answer that is on its way already, once; else it is asked for now. */
export function readPrefetched<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  options: SendOptions,
): Promise<Answer<OutputOf<C>>> {
  const key = keyOf(call, input);
  const found = begun.get(key);
  begun.delete(key);
  if (found && Date.now() - found.at < FRESH_MS) return found.answer as Promise<Answer<OutputOf<C>>>;
  return send(call, input, options);
}
