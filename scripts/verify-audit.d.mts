/** A signed head in an export, a log or a copy. */
interface SignedHead {
  number: number;
  previous: string;
  rows: number;
  hash: string;
  at: number;
  key: string;
  signature: string;
}

export function keyOf(text: string): string;
export function headsIn(lines: readonly string[]): SignedHead[];

/** Verifies a chain and returns its length. Throws an error with `row`, the first row that is not proven. */
export function verify(
  lines: Iterable<string> | AsyncIterable<string>,
  keys: readonly string[],
  copies: readonly SignedHead[],
): Promise<{ rows: number; anchored: number; head: { number: number; rows: number }; copies: number }>;
