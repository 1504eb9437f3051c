import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/endpoint';
import { type Answer, type SendOptions, send } from './client.ts';

/** Older prefetched responses are discarded. */
const MAX_AGE_MS = 10_000;

interface Prefetched {
  answer: Promise<Answer<unknown>>;
  startedAt: number;
  /** Undefined until the answer has arrived. */
  arrived?: { data: unknown; at: number };
}

const prefetched = new Map<string, Prefetched>();

const keyOf = (call: CallSpec, input: unknown): string => call.path + JSON.stringify(input);

/** Sends a read before the component that shows it is loaded. The first `readPrefetched` of the same input gets it. */
export function prefetch<C extends CallSpec>(call: C, input: InputOf<C>): void {
  const entry: Prefetched = { answer: send(call, input), startedAt: Date.now() };
  entry.answer.then(
    ({ data }) => (entry.arrived = { data, at: Date.now() }),
    // The consumer handles the error.
    () => undefined,
  );
  prefetched.set(keyOf(call, input), entry);
}

/**
 * The first data of a query whose prefetched answer has arrived before the query: it is rendered without a skeleton, and the
 * call is not sent again.
 */
export function arrivedData<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
): { initialData?: () => OutputOf<C>; initialDataUpdatedAt?: number } {
  if (prefetched.size === 0) return {};
  const key = keyOf(call, input);
  const entry = prefetched.get(key);
  const arrived = entry && Date.now() - entry.startedAt < MAX_AGE_MS ? entry.arrived : undefined;
  if (!arrived) return {};
  return {
    initialData: () => {
      prefetched.delete(key);
      return arrived.data as OutputOf<C>;
    },
    initialDataUpdatedAt: arrived.at,
  };
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
