import type { ListColumn } from '@hengtai/contract/list';
import type { ReactNode } from 'react';

/** One column of a list. */
export interface Column<Row> {
  key: keyof Row & string;
  title: string;
  width: number;
  align?: 'right' | 'center';
  /** Left out until the operator asks for it. */
  hidden?: true;
  /** Frozen unless the operator says otherwise. */
  fixed?: 'left' | 'right';
  /** Always shown. */
  locked?: true;
  render: (row: Row) => ReactNode;
  /** The value of the column is all that is drawn, so it is drawn again only when that changed. */
  alone?: true;
}

type ColumnSpec<Row, K extends keyof Row> = Omit<Column<Row>, 'key' | 'render' | 'alone'> & {
  /** Without it the value itself is shown. One that takes the row as well may read all of it. */
  render?: (value: Row[K], row: Row) => ReactNode;
};

/**
 * As `colOf` for a list of the contract, which has the titles: a page says how wide its columns are and how they are drawn,
 * and what stands above them is what stands above them in an exported file.
 */
export const listColOf =
  <Row>() =>
  <C extends ListColumn>(known: readonly C[]) =>
  <K extends C['field'] & keyof Row & string>(key: K, spec: Omit<ColumnSpec<Row, K>, 'title'>): Column<Row> => {
    const title = known.find(({ field }) => field === key)?.title ?? key;
    return colOf<Row>()(key, { ...spec, title });
  };

/** A column maker for rows of one kind: `const col = colOf<WithdrawRow>()`, then `col('account', {...})`. */
export const colOf =
  <Row>() =>
  <K extends keyof Row & string>(key: K, spec: ColumnSpec<Row, K>): Column<Row> => {
    const { render, ...rest } = spec;
    if (!render) return { ...rest, key, alone: true, render: (row) => textOf(row[key]) };
    return { ...rest, key, ...(render.length < 2 && { alone: true }), render: (row) => render(row[key], row) };
  };

function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '--' : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '--';
}

/** What an operator changed about the columns of a list. Only changes are kept, so new columns appear by themselves. */
export interface ColumnChoice {
  order?: string[];
  /** true: hidden, false: shown. */
  hidden?: Record<string, boolean>;
  width?: Record<string, number>;
  fixed?: Record<string, 'left' | 'right' | 'none'>;
}

export const WIDTH_MIN = 56;
export const WIDTH_MAX = 900;

/** A column as the operator wants it. */
export interface Placed<Row> extends Omit<Column<Row>, 'hidden' | 'fixed'> {
  shown: boolean;
  side: 'left' | 'right' | undefined;
}

const RANK = { left: 0, none: 1, right: 2 } as const;

export function place<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): Placed<Row>[] {
  const placed = orderOf(columns, choice.order ?? []).map(({ hidden, fixed, ...column }): Placed<Row> => {
    const side = choice.fixed?.[column.key] ?? fixed ?? 'none';
    return {
      ...column,
      width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, choice.width?.[column.key] ?? column.width)),
      shown: column.locked === true || !(choice.hidden?.[column.key] ?? hidden === true),
      side: side === 'none' ? undefined : side,
    };
  });
  return placed.sort((a, b) => RANK[a.side ?? 'none'] - RANK[b.side ?? 'none']);
}

/** The kept order first; a column it does not know stands behind the one it stands behind by default. */
function orderOf<Row>(columns: readonly Column<Row>[], order: readonly string[]): Column<Row>[] {
  const byKey = new Map<string, Column<Row>>(columns.map((column) => [column.key, column]));
  const kept = order.filter((key) => byKey.has(key));
  columns.forEach(({ key }, i) => {
    if (kept.includes(key)) return;
    const before = columns[i - 1]?.key;
    kept.splice(before === undefined ? 0 : kept.indexOf(before) + 1, 0, key);
  });
  return kept.flatMap((key) => byKey.get(key) ?? []);
}

/** The choice with another width of a column; undefined is back to its own. */
export function withWidth(choice: ColumnChoice, key: string, width: number | undefined): ColumnChoice {
  const { [key]: _before, ...rest } = choice.width ?? {};
  return { ...choice, width: width === undefined ? rest : { ...rest, [key]: width } };
}

/** The order after moving a column to where another one stands. */
export function moved(order: readonly string[], key: string, to: number): string[] {
  const rest = order.filter((k) => k !== key);
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, key);
  return rest;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A stored choice, or undefined where it is none. */
export function checkChoice(stored: unknown): ColumnChoice | undefined {
  if (!isRecord(stored)) return undefined;
  const { order, hidden, width, fixed } = stored;
  if (order !== undefined && !(Array.isArray(order) && order.every((key) => typeof key === 'string'))) return undefined;
  if ([hidden, width, fixed].some((part) => part !== undefined && !isRecord(part))) return undefined;
  if (isRecord(width) && !Object.values(width).every((value) => typeof value === 'number' && value > 0))
    return undefined;
  return stored;
}
