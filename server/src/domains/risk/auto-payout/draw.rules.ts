import { createHash } from 'node:crypto';

/** Hexadecimal digits of the digest that decide. */
const DIGITS = 12;

/**
 * Draws a number from 0 to 99 that a stranger can compute again: the first 12 hexadecimal digits of the SHA-256 of
 * `<hash of a head of the audit chain> <number of the withdrawal>`, as a fraction of 2^48, times 100.
 */
export function drawOf(headHash: string, no: string): number {
  const digest = createHash('sha256').update(`${headHash} ${no}`).digest('hex');
  return Math.floor((Number.parseInt(digest.slice(0, DIGITS), 16) / 16 ** DIGITS) * 100);
}
