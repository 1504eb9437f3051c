import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  now: () => number;
  /** Resolves after `ms`, or early and without an error when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
};
