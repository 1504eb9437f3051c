import { createHash } from 'node:crypto';

/** An address of TRON in hexadecimal that nobody has the key of, the same for the same word. */
export const addressOf = (word: string): string =>
  `41${createHash('sha256').update(`HengTai conformance ${word}`).digest('hex').slice(0, 40)}`;
