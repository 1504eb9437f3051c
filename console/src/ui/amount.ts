import { isDecimal, formatPlain } from './decimal.ts';

const AMOUNT = /^\d{0,18}(\.\d{0,18})?$/;

/**
 * Normalizes typed or pasted text: removes separators and converts full-width characters. Undefined if the text cannot
 * become an amount with at most 18 digits before and after the point.
 */
export function parseAmount(text: string): string | undefined {
  const digits = text
    .replaceAll(/[\s,，']/g, '')
    .replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replaceAll(/[。．]/g, '.');
  return AMOUNT.test(digits) ? digits : undefined;
}

/** Canonical decimal string of the text; undefined if it is incomplete or zero. */
export function amountOf(typed: string): string | undefined {
  const padded = typed.startsWith('.') ? `0${typed}` : typed;
  const digits = padded.endsWith('.') ? padded.slice(0, -1) : padded;
  if (!isDecimal(digits)) return undefined;
  const amount = formatPlain(digits);
  return amount === '0' ? undefined : amount;
}
