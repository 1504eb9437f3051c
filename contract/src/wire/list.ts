/**
 * A filter of a list. The query schema, the SQL, the address, the filter bar and the tests derive from it.
 *
 * - `int`: a 32-bit integer; `id`: any safe integer; `text`; `date`: a date YYYY-MM-DD of the calendar
 * - `ints`: integers separated by commas; `amount`: a decimal string; `signed`: a decimal string that may be negative
 * - `eq`: equal; `prefix`: equal, or with a trailing `*` a prefix
 * - `part`: a user's account: any part of it, the exact account first; `abc*` a prefix; `=abc` the exact account only
 * - `ends`: an address or hash: all of it, or at least six of its first or last characters
 * - `contains`: any part of a name or title; `abc*` a prefix; `=abc` all of it
 * - `agent`: account of the direct agent; `subtree`: account of the agent or of any ancestor. If no agent of the scope has
 *   this account: all whose account contains it; `abc*` a prefix
 * - `has`: the row's array contains the value
 * - `any`: equal to one of several values; `min`, `max`: at least, at most. Only `filtersOf` derives these.
 */
export interface Filter {
  field: string;
  label: string;
  kind: 'eq' | 'prefix' | 'contains' | 'part' | 'ends' | 'agent' | 'subtree' | 'has' | 'any' | 'min' | 'max';
  type: 'int' | 'id' | 'text' | 'date' | 'ints' | 'amount' | 'signed';
  /** Labels of the allowed values, if they are enumerated. -1 and the empty string mean no filter. */
  options?: Readonly<Record<string | number, string>>;
  /** What the filter means, shown on hover if the label cannot say it. */
  hint?: string;
  /** Also takes several values: `types=1,2` beside `type=1`. A filter `state` always does. */
  several?: true;
  /** Shown only in the expanded filter bar. */
  more?: true;
}

/**
 * A column of a list: the title on the page, and title, format and order in an export.
 *
 * - `id`, `count`: whole numbers; `amount`: a decimal string; `time`: unix milliseconds
 * - `text`; `hash`: addresses, hashes and the platform's own numbers
 * - `user`: account of a user; `agent`: account of an agent within the scope of the reader; `operator`: account of an agent
 *   or the admin, who may be outside of it
 * - `state`: one of the labels; `states`: an array of them
 */
export interface ListColumn {
  /** Field of the row. */
  field: string;
  title: string;
  kind: 'id' | 'count' | 'text' | 'user' | 'agent' | 'operator' | 'hash' | 'amount' | 'time' | 'state' | 'states';
  labels?: Readonly<Record<string | number, string>>;
  /** An amount that may be negative. */
  signed?: true;
  /** Formats a cell that combines several fields. Takes a row of the list; `timeText` writes unix milliseconds. */
  text?: (row: never, timeText: (ms: number) => string) => string;
}

export interface ListSpec {
  filters: readonly Filter[];
  /** Columns in order. A list without columns cannot be exported. */
  columns?: readonly ListColumn[];
  /** Fields that a page can be ordered by, besides id and createdAt. */
  sortable?: readonly string[];
  /** Fields summed exactly over the filtered rows, per coin. */
  sums?: readonly string[];
  /** Fields of the sums that have amounts in several coins. Each has a column, in which an export writes them as a text. */
  coinSums?: readonly string[];
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
type SeveralInput<L extends ListSpec> = {
  [F in L['filters'][number] as F extends { field: 'state' } | { several: true } ? `${F['field']}s` : never]?: string;
};
type FieldOf<Columns> = Columns extends readonly { field: infer F }[] ? F : never;
type AmountInput<L extends ListSpec> =
  'amount' extends FieldOf<L['columns']> ? { amountFrom?: string; amountTo?: string } : unknown;

export type ListInput<L extends ListSpec> = PageInput & FilterValues<L> & SeveralInput<L> & AmountInput<L>;

/**
 * All filters of a list: the declared ones; `states` (several values, such as `1,2,8`) for every list with a filter `state`,
 * and likewise for filters that take several values; and `amountFrom` and `amountTo`, both inclusive, for every list with a
 * column `amount`.
 */
export function filtersOf({ filters, columns }: Pick<ListSpec, 'filters' | 'columns'>): readonly Filter[] {
  const derived = filters.flatMap((filter): Filter[] =>
    filter.field === 'state' || filter.several
      ? [{ ...filter, field: `${filter.field}s`, kind: 'any', type: 'ints' }]
      : [],
  );
  const amount = columns?.find(({ field }) => field === 'amount');
  if (amount) {
    const bound: Pick<Filter, 'type' | 'more'> = {
      type: amount.signed ? 'signed' : 'amount',
      ...(filters.some(({ more }) => more) ? { more: true } : {}),
    };
    derived.push({ field: 'amountFrom', label: `最小${amount.title}`, kind: 'min', ...bound });
    derived.push({ field: 'amountTo', label: `最大${amount.title}`, kind: 'max', ...bound });
  }
  return [...filters, ...derived];
}

/** The declared filter of a derived one with several values: `state` of `states`. */
export const singleField = ({ field, kind }: Pick<Filter, 'field' | 'kind'>): string =>
  kind === 'any' ? field.slice(0, -1) : field;

/** The value of a filter in words. */
export const filterText = ({ kind, options }: Pick<Filter, 'kind' | 'options'>, value: string | number): string =>
  (kind === 'any' ? String(value).split(',') : [value]).map((one) => options?.[one] ?? String(one)).join('、');

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
