/**
 * A filter of a list. The query schema, the SQL, the address, the filter bar and the tests derive from it.
 *
 * - `int`: a 32-bit integer; `id`: any safe integer; `text`
 * - `eq`: equal; `prefix`: equal, or with a trailing `*` a prefix
 * - `agent`: account of the direct agent; `subtree`: account of the agent or of any ancestor
 * - `has`: the row's array contains the value
 */
export interface Filter {
  field: string;
  label: string;
  kind: 'eq' | 'prefix' | 'agent' | 'subtree' | 'has';
  type: 'int' | 'id' | 'text';
  /** Labels of the allowed values, if they are enumerated. -1 and the empty string mean no filter. */
  options?: Readonly<Record<string | number, string>>;
  /** Shown only in the expanded filter bar. */
  more?: true;
}

/**
 * A column of a list: the title on the page, and title, format and order in an export.
 *
 * - `id`, `count`: whole numbers; `amount`: a decimal string; `time`: unix milliseconds
 * - `text`; `hash`: addresses, hashes and the platform's own numbers
 * - `state`: one of the labels; `states`: an array of them; `json`: anything
 */
export interface ListColumn {
  /** Field of the row. */
  field: string;
  title: string;
  kind: 'id' | 'count' | 'text' | 'hash' | 'amount' | 'time' | 'state' | 'states' | 'json';
  labels?: Readonly<Record<string | number, string>>;
  /** Formats a cell that combines several fields. Takes a row of the list. */
  text?: (row: never) => string;
}

export interface ListSpec {
  filters: readonly Filter[];
  /** Columns in order. A list without columns cannot be exported. */
  columns?: readonly ListColumn[];
  /** Fields that a page can be ordered by, besides id and createdAt. */
  sortable?: readonly string[];
  /** Fields summed exactly over the filtered rows, per coin. */
  sums?: readonly string[];
  /** Built-in views of all operators, with their filters as in the address. */
  views?: readonly { name: string; query: string }[];
}

/** Input of every list besides its filters. `from` and `to` limit createdAt in unix milliseconds; both are inclusive. */
export interface PageInput {
  page?: number;
  size?: number;
  sort?: string;
  from?: number;
  to?: number;
}

type FilterValues<L extends ListSpec> = { [F in L['filters'][number] as F['field']]?: string | number };

export type ListInput<L extends ListSpec> = PageInput & FilterValues<L>;

export interface Page<Row, Sum = never> {
  list: Row[];
  total: number;
  summary?: Sum[];
}

/** Maximum of a filter of type `int` and of PostgreSQL's integer columns. */
export const INT_MAX = 2_147_483_647;
/** Maximum unix milliseconds: two days before the end of the `Date` range, so that every time zone can show it. */
export const MS_MAX = 8_640_000_000_000_000 - 2 * 86_400_000;
export const PAGE_SIZE = 10;
export const PAGE_SIZE_MAX = 200;
export const PAGE_MAX = 10_000_000;
/** A list of more rows can be ordered by id or createdAt only. */
export const SORT_ROWS_MAX = 50_000;
export const BULK_MAX = 200;
export const PAGE_SIZES = [10, 20, 50, 100, 200] as const;
