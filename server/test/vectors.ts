import { readFileSync } from 'node:fs';
import type { Family } from '@hengtai/contract/values/destination';

/** An account with all its texts, as testing/destination-vectors describes it. */
export interface Vector {
  family: Family;
  owner: number;
  kind?: string;
  texts: string[];
  /** Texts that carry a memo, with it. */
  memos?: [text: string, memo: string][];
  /** As on a test network. */
  test?: string[];
  /** As on other networks of the family. */
  foreign?: string[];
}

export const vectors: readonly Vector[] = readFileSync(
  new URL('../../testing/destination-vectors/vectors.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);
