import { FLOAT_DIGITS } from './cell.ts';

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const POINT = 46;

/** What the bytes of a number say, found in one walk; told through one object, as there are millions of them. */
export interface QuickNumber {
  /** Where the number ends without the zeros behind the point that say nothing. */
  end: number;
  places: number;
}

/**
 * Looks at a number as PostgreSQL writes it.
 *
 * @param found takes the result
 * @returns false where it has more digits than a spreadsheet keeps, or is no plain number
 */
export function readNumber(bytes: Uint8Array, from: number, to: number, found: QuickNumber): boolean {
  const begin = bytes[from] === MINUS ? from + 1 : from;
  let point = -1;
  let first = -1;
  let last = -1;
  for (let i = begin; i < to; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === POINT && point < 0) point = i;
    else if (byte < ZERO || byte > NINE) return false;
    else if (byte !== ZERO) {
      if (first < 0) first = i;
      last = i;
    }
  }
  // Zero has no sign; whoever writes one is left to those who know the rule.
  if (to === begin || (first < 0 && begin > from)) return false;
  const digits = first < 0 ? 0 : last - first + 1 - (first < point && point < last ? 1 : 0);
  if (digits > FLOAT_DIGITS) return false;
  found.end = point < 0 ? to : last > point ? last + 1 : point;
  found.places = point < 0 || found.end === point ? 0 : found.end - point - 1;
  return true;
}

/** A whole number below 2^53. */
export function readWhole(bytes: Uint8Array, from: number, to: number): number {
  const begin = bytes[from] === MINUS ? from + 1 : from;
  let value = 0;
  for (let i = begin; i < to; i += 1) value = value * 10 + (bytes[i] ?? ZERO) - ZERO;
  return begin > from ? -value : value;
}
