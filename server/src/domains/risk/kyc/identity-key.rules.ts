import { isRealDate } from '@hengtai/contract/values/real-date';

const NOT_COMPARED = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
const EXCEPT_TIMES = /[^\p{L}\p{N}\u00d7]|\p{Default_Ignorable_Code_Point}/gu;
/** What is typed for a final X: multiplication sign, Cyrillic Ha, Greek Chi. */
const LIKE_FINAL_X = /[\u00d7\u0425\u03a7]$/u;
const MIDDLE_DOTS = /[\u00b7\u0387\u1427\u16eb\u2022\u2027\u2219\u22c5\u2e31\u2e33\u30fb\ua78f\u{10101}]/gu;

/**
 * The key of a document number: all spellings of one number have it, whatever the locale of the database. Empty for a
 * number without letters and digits; an empty key equals nothing.
 */
export function identityKey(number: string): string {
  const folded = foldNumber(number);
  return /^\d{15}$/.test(folded) ? expandResident(folded) : folded;
}

/** A document number in capitals and ASCII digits, without what is only punctuation. */
export function foldNumber(number: string): string {
  const text = foldDigits(number.normalize('NFKC')).toUpperCase().replace(EXCEPT_TIMES, '');
  return text.replace(LIKE_FINAL_X, 'X').replace(NOT_COMPARED, '');
}

/** The key of a name: one for all its widths, cases, blanks and middle dots. Empty for a name of format characters. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(MIDDLE_DOTS, '\u00b7')
    .replace(/\s*\u00b7\s*/g, '\u00b7')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Unicode has the decimal digits of each script in order, in unbroken groups of ten. */
const foldDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, digitOf);

function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** The 18 digits of a resident number of 15; unchanged if its birth date does not exist. */
function expandResident(digits: string): string {
  // These sequences were kept for people of a hundred years and more.
  const century = /99[6-9]$/.test(digits) ? '18' : '19';
  const body = `${digits.slice(0, 6)}${century}${digits.slice(6)}`;
  const birth = `${body.slice(6, 10)}-${body.slice(10, 12)}-${body.slice(12, 14)}`;
  return isRealDate(birth) ? `${body}${checkCharacter(body)}` : digits;
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** The check character of the first 17 digits of a number, by GB 11643 (ISO 7064, MOD 11-2). */
export function checkCharacter(body: string): string {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(body[at]), 0);
  return '10X98765432'.charAt(sum % 11);
}
