import type { ListColumn } from '@hengtai/contract/wire/list';
import { coinAmountsText } from '@hengtai/contract/values/money';
import type { CoinAmounts } from '@hengtai/contract/wire/schema';
import type { WallClock } from './wall-clock.ts';

/** Content of a cell, independent of the file format. A number is a canonical decimal string. */
export type Cell =
  | { kind: 'none' }
  | { kind: 'text'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'time'; ms: number };

const NONE: Cell = { kind: 'none' };
const NUMBER = /^-?\d+(\.\d+)?$/;

const textCell = (text: string): Cell => (text === '' ? NONE : { kind: 'text', text });

type Value = string | number | null | undefined | readonly (string | number)[] | CoinAmounts;

/** Builds the cell of a column in a row, as the contract describes the column. */
export function cellOf({ field, kind, labels, text }: ListColumn, row: unknown, clock: WallClock): Cell {
  // The columns name fields of their list's rows; a test of the contract compares them with the schemas.
  if (text) return textCell(text(row as never, clock.text));
  const value = (row as Readonly<Record<string, Value>>)[field];
  if (value === null || value === undefined) return NONE;
  if (isCoinAmounts(value)) return textCell(coinAmountsText(value));
  if (typeof value === 'object') return textCell(value.map((one) => labels?.[one] ?? one).join('、'));
  if (kind === 'time' && typeof value === 'number') return { kind: 'time', ms: value };
  const written = String(value);
  if (NUMERIC.has(kind) && NUMBER.test(written)) return { kind: 'number', text: written };
  return textCell(kind === 'state' ? (labels?.[value] ?? written) : written);
}

/** Sums of a column in several coins. */
const isCoinAmounts = (value: Exclude<Value, undefined>): value is CoinAmounts =>
  typeof value === 'object' && typeof value?.[0] === 'object';

const NUMERIC: ReadonlySet<ListColumn['kind']> = new Set(['amount', 'id', 'count']);

/** Number of significant digits of a decimal string, without leading and trailing zeros. */
export function significantDigits(decimal: string): number {
  return decimal.replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
}

/** Decimal digits that a 64-bit float always preserves; spreadsheets store numbers as such floats. */
export const FLOAT_DIGITS = 15;

/** Number of decimal places. */
export function placesOf(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}
