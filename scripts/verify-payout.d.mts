/** A roster whose text was parsed; opaque to callers. */
export interface ReadRoster {
  version: number;
  digest: string;
}

export class InvalidPayout extends Error {}

/** Parses the text of a roster. Throws an `InvalidPayout` with the reason. */
export function readRoster(text: string): ReadRoster;

/** Verifies the data of a payout and returns who signed it. Throws an `InvalidPayout` with the reason. */
export function verify(
  data: unknown,
  roster: ReadRoster,
  options?: { platform?: number; now?: number; maxAge?: number },
): { persons: { person: string; at: number }[] };
