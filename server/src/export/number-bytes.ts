import { FLOAT_DIGITS } from './cell.ts';
import { isEnd } from './copy-format.ts';

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const POINT = 46;

/** Result of `readNumber`. The caller reuses one object, because an export reads millions of numbers. */
export interface NumberBytes {
  /** End offset without trailing zeros of the decimal places. */
  end: number;
  /** Number of decimal places up to `end`. */
  places: number;
  /** End offset of the field. */
  to: number;
}

export const newNumberBytes = (): NumberBytes => ({ end: 0, places: 0, to: 0 });

/**
 * Scans a number as PostgreSQL prints it, in one pass.
 *
 * @param found receives the result
 * @returns false if the field is no plain number or has more digits than a spreadsheet preserves
 */
export function readNumber(bytes: Uint8Array, from: number, found: NumberBytes): boolean {
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
  // A signed zero is left to the slow path, which removes the sign.
  if (!isEnd(bytes[at]) || at === begin || (first < 0 && begin > from)) return false;
  const digits = first < 0 ? 0 : last - first + 1 - (first < point && point < last ? 1 : 0);
  if (digits > FLOAT_DIGITS) return false;
  found.to = at;
  found.end = point < 0 ? at : last > point ? last + 1 : point;
  found.places = point < 0 || found.end === point ? 0 : found.end - point - 1;
  return true;
}

/**
 * Reads an integer below 2^53.
 *
 * @param read receives the value and its end offset
 * @returns false if the field is no integer
 */
export function readInteger(bytes: Uint8Array, from: number, read: { value: number; to: number }): boolean {
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
