/**
 * The filters of a list, declared once: they drive the query schema, the SQL, the address, the filter bar and the tests.
 *
 * - `int`: a 32-bit integer; `id`: an id, which may be any safe integer; `text`
 * - `eq`: equal; `prefix`: equal, or beginning with what stands before a closing `*`
 * - `agent`: account of the direct agent; `subtree`: account of an agent anywhere above
 * - `has`: the row's array holds the value
 */
export interface Filter {
  field: string;
  label: string;
  kind: 'eq' | 'prefix' | 'agent' | 'subtree' | 'has';
  type: 'int' | 'id' | 'text';
  /** Labels of the values, where the value is one of a few; -1 and the empty string mean no filter. */
  options?: Readonly<Record<string | number, string>>;
  /** Shown only after the filter bar was unfolded. */
  more?: true;
}

/**
 * A column of a list, declared once: the page takes its title from here, and a file its title, form and order.
 *
 * - `id`, `count`: whole numbers; `amount`: a decimal string; `time`: unix milliseconds
 * - `text`; `hash`: addresses, hashes and numbers of the platform
 * - `state`: one of the labels; `states`: an array of them; `json`: anything
 */
export interface ListColumn {
  /** Field of the row. */
  field: string;
  title: string;
  kind: 'id' | 'count' | 'text' | 'hash' | 'amount' | 'time' | 'state' | 'states' | 'json';
  labels?: Readonly<Record<string | number, string>>;
  /** Says more than the field's own value, where a cell is made of several. Takes a row of the list. */
  text?: (row: never) => string;
}

export interface ListSpec {
  filters: readonly Filter[];
  /** What the list can show and export, in this order; a list without columns cannot be exported. */
  columns?: readonly ListColumn[];
  /** Fields by which a page may be ordered, besides id and createdAt. */
  sortable?: readonly string[];
  /** Fields summed exactly over the filtered set, for each coin. */
  sums?: readonly string[];
  /** Views that everybody has, their filters as in the address. */
  views?: readonly { name: string; query: string }[];
}

/** What every list takes besides its filters. Times are unix milliseconds on createdAt; `to` is inclusive. */
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

/** Largest value of a filter of type `int`, and of PostgreSQL's integer columns. */
export const INT_MAX = 2_147_483_647;
/** Latest time in unix milliseconds: two days before the last that a date can be, so that any zone can show it. */
export const MS_MAX = 8_640_000_000_000_000 - 2 * 86_400_000;
export const PAGE_SIZE = 10;
export const PAGE_SIZE_MAX = 200;
export const PAGE_MAX = 10_000_000;
/** Past this many rows a list is ordered by id or createdAt only. */
export const SORT_ROWS_MAX = 50_000;
export const BULK_MAX = 200;
export const PAGE_SIZES = [10, 20, 50, 100, 200] as const;
