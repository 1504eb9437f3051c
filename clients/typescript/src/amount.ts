/** Decimals of every amount of the gateway. */
const DECIMALS = 18;
const AMOUNT = /^([0-9]+)(?:\.([0-9]+))?$/;

/** An amount to report, with at most 18 decimals, and what is left of the true one. Both are canonical. */
export interface SplitAmount {
  amount: string;
  rest: string;
}

/**
 * Splits an amount of a coin with more than 18 decimals: `amount` is rounded down. Keep `rest` with the user's coin, and hand
 * it over as `kept` with the next amount. Nothing is lost, and nothing is credited that did not arrive.
 *
 * @throws RangeError for a text that is no decimal number of at least 0
 */
export function splitAmount(received: string, kept = '0'): SplitAmount {
  const parts = [parse(received), parse(kept)];
  const scale = Math.max(DECIMALS, ...parts.map(({ fraction }) => fraction.length));
  const sum = parts.reduce((total, { whole, fraction }) => total + BigInt(whole + fraction.padEnd(scale, '0')), 0n);
  const unit = 10n ** BigInt(scale - DECIMALS);
  return { amount: format(sum / unit, DECIMALS), rest: format(sum % unit, scale) };
}

function parse(text: string): { whole: string; fraction: string } {
  const [, whole, fraction = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`No decimal number of at least 0: ${JSON.stringify(text)}`);
  return { whole, fraction };
}

/** A number of units of 10^-scale as a canonical decimal text. */
function format(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const whole = digits.slice(0, -scale);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
