/** A roster whose text was parsed; opaque to callers. */
export interface ReadRoster {
  version: number;
  digest: string;
}

export class InvalidPayout extends Error {}

/** Parses the text of a roster; `isOld`: wallets held it before consents carried its digest. Throws an `InvalidPayout` with the reason. */
export function readRoster(text: string, options?: { isOld?: boolean }): ReadRoster;

/** Verifies the data of a payout and returns who signed it. Throws an `InvalidPayout` with the reason. */
export function verify(
  data: unknown,
  roster: ReadRoster,
  options?: { platform?: number; now?: number; maxAge?: number },
): { persons: { person: string; at: number }[] };
