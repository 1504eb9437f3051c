/** A head as it is in exports, logs and copies. */
interface KeptHead {
  number: number;
  previous: string;
  rows: number;
  hash: string;
  at: number;
  key: string;
  signature: string;
}

export function keyOf(text: string): string;
export function headsIn(lines: readonly string[]): KeptHead[];

/** How far the chain reaches; throws an error with `row`, the first row that is not proven. */
export function verify(
  lines: Iterable<string> | AsyncIterable<string>,
  keys: readonly string[],
  copies: readonly KeptHead[],
): Promise<{ rows: number; anchored: number; head: { number: number; rows: number }; copies: number }>;
