import type { ListColumn } from '@hengtai/contract/wire/list';
import type { ReactNode } from 'react';

/** One column of a list. */
export interface Column<Row> {
  key: keyof Row & string;
  title: string;
  width: number;
  align?: 'right' | 'center';
  /** Hidden by default. */
  hidden?: true;
  /** By default not in the table but in the drawer of the record, and in exported files. */
  drawer?: true;
  /** Column in whose cells this one is the second line. */
  under?: keyof Row & string;
  /** Column right after whose value this one is shown, as its unit. */
  unitOf?: keyof Row & string;
  /** Frozen by default. */
  fixed?: 'left' | 'right';
  /** Cannot be hidden. */
  locked?: true;
  render: (row: Row) => ReactNode;
  /** The cell depends only on the value of this column, so it re-renders only when that value changes. */
  byValue?: true;
}

type ColumnSpec<Row, K extends keyof Row> = Omit<Column<Row>, 'key' | 'render' | 'byValue'> & {
  /** Defaults to the value as text. A renderer that takes the row may depend on all of it. */
  render?: (value: Row[K], row: Row) => ReactNode;
};

/** Like `colOf`, with the column titles of the contract, so that screen and exported file have the same titles. */
export const listColOf =
  <Row>() =>
  <C extends ListColumn>(titles: readonly C[]) =>
  <K extends C['field'] & keyof Row & string>(key: K, spec: Omit<ColumnSpec<Row, K>, 'title'>): Column<Row> => {
    const title = titles.find(({ field }) => field === key)?.title ?? key;
    return colOf<Row>()(key, { ...spec, title });
  };

/** Returns a column factory for a row type: `const col = colOf<WithdrawRow>()`, then `col("account", {...})`. */
export const colOf =
  <Row>() =>
  <K extends keyof Row & string>(key: K, spec: ColumnSpec<Row, K>): Column<Row> => {
    const { render, ...rest } = spec;
    if (!render) return { ...rest, key, byValue: true, render: (row) => toText(row[key]) };
    return { ...rest, key, ...(render.length < 2 && { byValue: true }), render: (row) => render(row[key], row) };
  };

function toText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '--' : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '--';
}

/** The operator's changes to the columns of a list. Only changes are stored, so new columns appear automatically. */
export interface ColumnChoice {
  order?: string[];
  /** true: hidden and not exported, false: shown as a column of its own. */
  hidden?: Record<string, boolean>;
  width?: Record<string, number>;
  fixed?: Record<string, 'left' | 'right' | 'none'>;
}

/** Limits of a column width, in pixels. */
export const WIDTH_MIN = 56;
export const WIDTH_MAX = 900;

/** A column with the choice of the operator applied. */
export interface PlacedColumn<Row> extends Omit<Column<Row>, 'hidden' | 'drawer' | 'fixed'> {
  /** In the table, as a column or within the cells of `host`. */
  shown: boolean;
  exported: boolean;
  /** Column in whose cells this one is shown; undefined if it has its own. */
  host: string | undefined;
  /** Column in whose cells it would be shown if the operator had not chosen otherwise; undefined if there is none. */
  foldsInto: string | undefined;
  side: 'left' | 'right' | undefined;
}

const RANK = { left: 0, none: 1, right: 2 } as const;

/** Applies the choice to the columns of a list: order, visibility, width, frozen side. */
export function placeColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): PlacedColumn<Row>[] {
  const isHidden = ({ key, locked, hidden, drawer }: Column<Row>): boolean =>
    locked !== true && (choice.hidden?.[key] ?? (hidden === true || drawer === true));
  const shownKeys = new Set<string>(columns.filter((column) => !isHidden(column)).map(({ key }) => key));
  const placed = sortColumns(columns, choice.order ?? []).map((one): PlacedColumn<Row> => {
    const { hidden, drawer, fixed, ...column } = one;
    const side = choice.fixed?.[column.key] ?? fixed ?? 'none';
    const host = column.unitOf ?? column.under;
    const canFold = host !== undefined && shownKeys.has(host) && hidden !== true && drawer !== true;
    const isFolded = canFold && choice.hidden?.[column.key] === undefined;
    return {
      ...column,
      width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, choice.width?.[column.key] ?? column.width)),
      shown: shownKeys.has(column.key),
      exported:
        shownKeys.has(column.key) || (drawer === true && hidden !== true && choice.hidden?.[column.key] === undefined),
      host: isFolded ? host : undefined,
      foldsInto: canFold ? host : undefined,
      side: side === 'none' ? undefined : side,
    };
  });
  return withRoomForHeadings(placed, choice).sort((a, b) => RANK[a.side ?? 'none'] - RANK[b.side ?? 'none']);
}

/** Makes columns whose width the operator has not set at least as wide as their two headings. */
function withRoomForHeadings<Row>(placed: readonly PlacedColumn<Row>[], choice: ColumnChoice): PlacedColumn<Row>[] {
  return placed.map((column) => {
    const guests = placed.filter(({ host }) => host === column.key);
    if (guests.length === 0 || choice.width?.[column.key] !== undefined) return column;
    const [only, ...others] = guests;
    const second = only && others.length === 0 ? withoutUnit(only.title) : secondHeading(guests);
    const needed = Math.max(textWidth(withoutUnit(column.title), 13), textWidth(second, 12));
    return { ...column, width: Math.max(column.width, Math.ceil(needed) + CELL_PADDING) };
  });
}

/** Left and right padding of a cell, in pixels. */
const CELL_PADDING = 16;

/** The second line of a heading: the titles of the columns that are shown within the cells. */
export const secondHeading = (guests: readonly { title: string }[]): string =>
  guests.map(({ title }) => title).join(' · ');

/** A title without its unit in brackets, for which a heading may have no room. */
export const withoutUnit = (title: string): string => title.split(/(?=\()/)[0] ?? title;

/** The greatest width of a text in a font size, in pixels: a Chinese character is one em wide, a space or bracket a third. */
const textWidth = (text: string, size: number): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (/[ ()]/.test(letter) ? 0.35 : letter < '\u0080' ? 0.65 : 1) * size,
    0,
  );

/** Applies the stored order; a column missing in it follows its default predecessor. */
function sortColumns<Row>(columns: readonly Column<Row>[], order: readonly string[]): Column<Row>[] {
  const byKey = new Map<string, Column<Row>>(columns.map((column) => [column.key, column]));
  const keys = order.filter((key) => byKey.has(key));
  columns.forEach(({ key }, i) => {
    if (keys.includes(key)) return;
    const before = columns[i - 1]?.key;
    keys.splice(before === undefined ? 0 : keys.indexOf(before) + 1, 0, key);
  });
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Shows a column, within the cells of its host if it has one, or hides it. */
export function withShown(
  choice: ColumnChoice,
  column: Pick<PlacedColumn<never>, 'key' | 'foldsInto'>,
  isShown: boolean,
): ColumnChoice {
  if (isShown && column.foldsInto !== undefined) return withoutOwnCells(choice, column.key);
  return { ...choice, hidden: { ...choice.hidden, [column.key]: !isShown } };
}

/** Gives a folded column cells of its own, or folds it back. */
export const withOwnCells = (choice: ColumnChoice, key: string, isOwn: boolean): ColumnChoice =>
  isOwn ? { ...choice, hidden: { ...choice.hidden, [key]: false } } : withoutOwnCells(choice, key);

function withoutOwnCells(choice: ColumnChoice, key: string): ColumnChoice {
  const { [key]: _own, ...hidden } = choice.hidden ?? {};
  return { ...choice, hidden };
}

/** Sets the width of a column; undefined restores the default. */
export function withWidth(choice: ColumnChoice, key: string, width: number | undefined): ColumnChoice {
  const { [key]: _oldWidth, ...rest } = choice.width ?? {};
  return { ...choice, width: width === undefined ? rest : { ...rest, [key]: width } };
}

/** Moves a key to another index. */
export function moveKey(order: readonly string[], key: string, to: number): string[] {
  const rest = order.filter((k) => k !== key);
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, key);
  return rest;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Validates a stored choice; undefined if it is malformed. */
export function parseChoice(stored: unknown): ColumnChoice | undefined {
  if (!isRecord(stored)) return undefined;
  const { order, hidden, width, fixed } = stored;
  if (order !== undefined && !(Array.isArray(order) && order.every((key) => typeof key === 'string'))) return undefined;
  if ([hidden, width, fixed].some((part) => part !== undefined && !isRecord(part))) return undefined;
  if (isRecord(width) && !Object.values(width).every((value) => typeof value === 'number' && value > 0))
    return undefined;
  return stored;
}
