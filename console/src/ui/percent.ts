import { formatPlain } from './decimal.ts';

/** Converts a decimal ratio to percent by moving the point, without rounding: `0.001` becomes `0.1`. */
export function ratioToPercent(ratio: string): string {
  const [whole = '0', fraction = ''] = ratio.split('.');
  const digits = fraction.padEnd(2, '0');
  const rest = digits.slice(2);
  return formatPlain(`${whole}${digits.slice(0, 2)}${rest && `.${rest}`}`);
}
