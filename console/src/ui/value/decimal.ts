/**
 * Exact arithmetic on decimal strings, without floats, for display only. Decisions about money are made by the server.
 */
const DECIMAL = /^-?\d+(\.\d+)?$/;

interface Parts {
  negative: boolean;
  whole: string;
  fraction: string;
}

export const isDecimal = (value: string): boolean => DECIMAL.test(value);

function partsOf(value: string): Parts {
  const negative = value.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? value.slice(1) : value).split('.');
  return { negative, whole: whole.replace(/^0+(?=\d)/, ''), fraction: fraction.replace(/0+$/, '') };
}

const group = (whole: string): string => whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

function join({ negative, whole, fraction }: Parts, hasSeparators: boolean): string {
  const zero = /^0*$/.test(whole) && fraction === '';
  const digits = hasSeparators ? group(whole) : whole;
  return `${negative && !zero ? '-' : ''}${digits}${fraction && `.${fraction}`}`;
}

/** Canonical form: no leading zeros, no trailing zeros, no negative zero. */
export const formatPlain = (value: string): string => join(partsOf(value), false);

/** Formats all digits with thousands separators. */
export const formatGrouped = (value: string): string => join(partsOf(value), true);

/**
 * Like `formatGrouped` with at most `digits` decimal places. Truncates and never rounds up, so that no amount looks larger
 * than it is.
 */
export function shorten(value: string, digits: number): string {
  const parts = partsOf(value);
  if (parts.fraction.length <= digits) return join(parts, true);
  const fraction = parts.fraction.slice(0, digits).replace(/0+$/, '');
  if (/^0*$/.test(parts.whole) && fraction === '') {
    const smallest = digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
    return parts.negative ? `>-${smallest}` : `<${smallest}`;
  }
  return join({ ...parts, fraction }, true);
}

/** The exact sum. */
export function sum(values: readonly string[]): string {
  const all = values.map(partsOf);
  const scale = all.reduce((most, { fraction }) => Math.max(most, fraction.length), 0);
  let total = 0n;
  for (const { negative, whole, fraction } of all) {
    const units = BigInt(whole + fraction.padEnd(scale, '0'));
    total += negative ? -units : units;
  }
  return decimalOf(total, scale);
}

/** Share of `used` in `limit` in thousandths, at most 1000. Only for drawing a bar. */
export function thousandths(used: string, limit: string): number {
  const [a, b] = [partsOf(used), partsOf(limit)];
  const scale = Math.max(a.fraction.length, b.fraction.length);
  const units = (parts: Parts) => BigInt(parts.whole + parts.fraction.padEnd(scale, '0'));
  if (a.negative || b.negative || units(b) === 0n) return 0;
  const share = (units(a) * 1000n) / units(b);
  return share > 1000n ? 1000 : Number(share);
}

const unitsOf = ({ negative, whole, fraction }: Parts): bigint => {
  const units = BigInt(whole + fraction);
  return negative ? -units : units;
};

/** Converts an integer in units of 10^-scale to a decimal string. */
function decimalOf(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return formatPlain(`${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale ? `.${digits.slice(point)}` : ''}`);
}

/** The exact product. */
export function multiply(a: string, b: string): string {
  const [x, y] = [partsOf(a), partsOf(b)];
  return decimalOf(unitsOf(x) * unitsOf(y), x.fraction.length + y.fraction.length);
}

export const negate = (value: string): string => formatPlain(value.startsWith('-') ? value.slice(1) : `-${value}`);

/** Percentage of an amount, truncated to `digits` decimal places; 100 percent returns the amount itself. */
export function percentOf(value: string, percent: number, digits: number): string {
  if (percent === 100) return formatPlain(value);
  const parts = partsOf(value);
  const scale = Math.max(parts.fraction.length, digits);
  const units = unitsOf(parts) * 10n ** BigInt(scale - parts.fraction.length) * BigInt(percent);
  return decimalOf(units / 100n / 10n ** BigInt(scale - digits), digits);
}

/** Negative if a < b, positive if a > b, 0 if equal. */
export const compare = (a: string, b: string): number => {
  const difference = sum([a, negate(b)]);
  return difference === '0' ? 0 : difference.startsWith('-') ? -1 : 1;
};
