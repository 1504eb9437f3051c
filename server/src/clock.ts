/** The one source of business time; a test can hold it still or move it. Never the database's now(). */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
