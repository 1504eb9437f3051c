import { isDecimal, plain } from './decimal.ts';

const TYPED = /^\d{0,18}(\.\d{0,18})?$/;

/**
 * What was typed or pasted as an amount, without separators; undefined where it can become none, so that the field keeps
 * what it had. At most 18 digits on either side of the point, as everywhere.
 */
export function typedAmount(text: string): string | undefined {
  const bare = text
    .replaceAll(/[\s,，']/g, '')
    .replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replaceAll(/[。．]/g, '.');
  return TYPED.test(bare) ? bare : undefined;
}

/** The amount that the typed text stands for, canonical; undefined while it is none or nothing. */
export function amountOf(typed: string): string | undefined {
  const whole = typed.startsWith('.') ? `0${typed}` : typed;
  const bare = whole.endsWith('.') ? whole.slice(0, -1) : whole;
  if (!isDecimal(bare)) return undefined;
  const amount = plain(bare);
  return amount === '0' ? undefined : amount;
}
