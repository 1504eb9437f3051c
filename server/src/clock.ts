/** The one source of business time; a test can hold it still or move it. Never the database's now(). */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds between this clock and real time, for what the database dates itself; only a test's is not zero. */
  offset(): number;
}

export const systemClock: Clock = { now: () => Date.now(), offset: () => 0 };
