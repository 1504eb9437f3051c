import type { DisplayError } from './display-error.ts';

export type SortOrder = 'ascend' | 'descend' | undefined;

/** One coin's exact sums over the filtered rows. */
export interface CoinSum {
  marketId: number;
  marketName: string;
  count: number;
}

/** What a table needs to know about a list, wherever it comes from. */
export interface ListView<Row, Sum = never> {
  /** Names the list, for what is kept about it. */
  name: string;
  rows: readonly Row[];
  /** Undefined until the first answer. */
  total: number | undefined;
  summary: readonly Sum[] | undefined;
  page: number;
  size: number;
  sort: string | undefined;
  sortable: readonly string[];
  filtered: boolean;
  /** No answer yet for anything. */
  pending: boolean;
  /** The rows shown are those of the page before. */
  changing: boolean;
  fetching: boolean;
  error: DisplayError | undefined;
  /** When the rows were read. */
  at: number;
  waiting: number;
  selected: ReadonlyMap<number, Row>;
  select: (rows: readonly Row[], chosen: boolean) => void;
  clearSelection: () => void;
  setPage: (page: number, size: number) => void;
  setSort: (sort: string | undefined) => void;
  reset: () => void;
  /** Reads again and shows everything. */
  refresh: () => void;
  /** Shows the rows that wait. */
  showWaiting: () => void;
  seconds: number;
  setSeconds: (seconds: number) => void;
}

export const REFRESH_SECONDS = [0, 5, 15, 30, 60] as const;
