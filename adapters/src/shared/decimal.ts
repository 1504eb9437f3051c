const DIGITS = 18;
const ONE = 10n ** BigInt(DIGITS);

/**
 * Parses a decimal into multiples of 10^-18, exactly. Numbers are read as JavaScript prints them.
 *
 * @throws if it is negative, no decimal, or has more than 18 decimals
 */
export function toUnits(value: string | number): bigint {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value));
  if (!match) throw new Error(`${String(value)} is not a decimal of zero or more`);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const shift = DIGITS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  if (digits % divisor !== 0n) throw new Error(`${String(value)} has more than ${DIGITS} decimals`);
  return digits / divisor;
}

/** The shortest decimal text, as the gateway accepts it. */
export function fromUnits(units: bigint): string {
  const fraction = (units % ONE).toString().padStart(DIGITS, '0').replace(/0+$/, '');
  return `${units / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

export const decimalText = (value: string | number): string => fromUnits(toUnits(value));

/** The product of two amounts, rounded up so that a freeze of it suffices. */
export const multiplyUp = (a: bigint, b: bigint): bigint => (a * b + ONE - 1n) / ONE;

/** The product of two amounts, rounded down as the back office books a fill. */
export const multiplyDown = (a: bigint, b: bigint): bigint => (a * b) / ONE;
