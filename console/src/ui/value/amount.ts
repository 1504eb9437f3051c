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

/** As `parseAmount`, for an amount that may be negative. */
export function parseSignedAmount(text: string): string | undefined {
  const [, sign = '', rest = ''] = /^\s*([-−－]?)(.*)$/.exec(text) ?? [];
  const digits = parseAmount(rest);
  return digits === undefined ? undefined : `${sign && '-'}${digits}`;
}

/** Canonical decimal string of the text, which may be negative or zero; undefined if it is incomplete. */
export function decimalOf(typed: string): string | undefined {
  const padded = typed.replace(/^(-?)\.(?=\d)/, '$10.');
  const digits = padded.endsWith('.') ? padded.slice(0, -1) : padded;
  return isDecimal(digits) ? formatPlain(digits) : undefined;
}

/** As `decimalOf`; undefined if it is zero. */
export function amountOf(typed: string): string | undefined {
  const amount = decimalOf(typed);
  return amount === '0' ? undefined : amount;
}
