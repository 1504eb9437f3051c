import { FLOAT_DIGITS } from './cell.ts';
import { isEnd } from './field-end.ts';

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const POINT = 46;

/** What the bytes of a number say, found in one walk; told through one object, as there are millions of them. */
export interface QuickNumber {
  /** Where the number ends without the zeros behind the point that say nothing. */
  end: number;
  places: number;
  /** What stands behind the last of its digits. */
  to: number;
}

export const noNumber = (): QuickNumber => ({ end: 0, places: 0, to: 0 });

/**
 * Looks at a number as PostgreSQL writes it, up to what is no part of one.
 *
 * @param found takes the result
 * @returns false where it has more digits than a spreadsheet keeps, or is no plain number
 */
export function readNumber(bytes: Uint8Array, from: number, found: QuickNumber): boolean {
  const begin = bytes[from] === MINUS ? from + 1 : from;
  let point = -1;
  let first = -1;
  let last = -1;
  let at = begin;
  for (; ; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte > ZERO && byte <= NINE) {
      if (first < 0) first = at;
      last = at;
    } else if (byte === POINT && point < 0) point = at;
    else if (byte !== ZERO) break;
  }
  // Zero has no sign; a signed zero is left to the slow path.
  if (!isEnd(bytes[at]) || at === begin || (first < 0 && begin > from)) return false;
  const digits = first < 0 ? 0 : last - first + 1 - (first < point && point < last ? 1 : 0);
  if (digits > FLOAT_DIGITS) return false;
  found.to = at;
  found.end = point < 0 ? at : last > point ? last + 1 : point;
  found.places = point < 0 || found.end === point ? 0 : found.end - point - 1;
  return true;
}

/**
 * Reads a whole number below 2^53.
 *
 * @param read takes it, and where it ends
 * @returns false where there is none
 */
export function readWhole(bytes: Uint8Array, from: number, read: { value: number; to: number }): boolean {
  const begin = bytes[from] === MINUS ? from + 1 : from;
  let value = 0;
  let at = begin;
  for (; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  read.value = begin > from ? -value : value;
  read.to = at;
  return at > begin && isEnd(bytes[at]);
}
