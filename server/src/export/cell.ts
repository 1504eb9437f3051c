import type { ListColumn } from '@hengtai/contract/list';

/** What stands in a cell, before a format says how it is written. A number is a canonical decimal string. */
export type Cell =
  | { kind: 'none' }
  | { kind: 'text'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'time'; ms: number };

const NONE: Cell = { kind: 'none' };
const NUMBER = /^-?\d+(\.\d+)?$/;

const textCell = (text: string): Cell => (text === '' ? NONE : { kind: 'text', text });

/** What a field of a row can be, apart from what is written as JSON. */
type Value = string | number | null | undefined | readonly (string | number)[];

/** The cell of a column in a row, from what the contract says about the column. */
export function cellOf({ field, kind, labels, text }: ListColumn, row: unknown): Cell {
  // The contract's columns name fields of their own list's rows; a test holds them against the schemas.
  if (text) return textCell(text(row as never));
  const value = (row as Readonly<Record<string, Value>>)[field];
  if (value === null || value === undefined) return NONE;
  if (kind === 'json') return textCell(JSON.stringify(value));
  const label = (one: string | number): string => labels?.[one] ?? String(one);
  if (typeof value === 'object') return textCell(value.map(label).join('、'));
  if (kind === 'time' && typeof value === 'number') return { kind: 'time', ms: value };
  const written = String(value);
  if (NUMERIC.has(kind) && NUMBER.test(written)) return { kind: 'number', text: written };
  return textCell(kind === 'state' ? label(value) : written);
}

const NUMERIC: ReadonlySet<ListColumn['kind']> = new Set(['amount', 'id', 'count']);

/** Digits that a decimal string needs, without leading zeros and those behind the last that counts. */
export function significantDigits(decimal: string): number {
  return decimal.replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
}

/** Most digits that every 64-bit float keeps; a spreadsheet's numbers are such floats. */
export const FLOAT_DIGITS = 15;

/** Digits behind the point. */
export const placesOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;
