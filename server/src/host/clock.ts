/** The only source of business time; never the database's now(). A test can stop or move it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds between this clock and real time, added to times that the database reads. Zero except in tests. */
  offset(): number;
}

export const systemClock: Clock = { now: () => Date.now(), offset: () => 0 };
