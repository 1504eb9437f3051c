import type { DisplayError } from '../value/display-error.ts';

/** Sums of one coin over the filtered rows. */
export interface CoinSum {
  marketId: number;
  marketName: string;
  count: number;
}

/** What a table needs from a list, independent of its source. */
export interface ListView<Row, Sum = never> {
  /** Key of the list in preferences. */
  name: string;
  rows: readonly Row[];
  /** Undefined until the first response. */
  total: number | undefined;
  summary: readonly Sum[] | undefined;
  page: number;
  size: number;
  /** The page size whose rows fill the window. */
  autoSize: number;
  sort: string | undefined;
  sortable: readonly string[];
  filtered: boolean;
  /** No data loaded yet. */
  pending: boolean;
  /** The rows are those of the previous input while the next is loading. */
  changing: boolean;
  fetching: boolean;
  error: DisplayError | undefined;
  /** Load time of the rows, unix milliseconds. */
  at: number;
  /** Number of buffered rows. */
  waiting: number;
  selected: ReadonlyMap<number, Row>;
  select: (rows: readonly Row[], chosen: boolean) => void;
  clearSelection: () => void;
  setPage: (page: number, size: number) => void;
  setSort: (sort: string | undefined) => void;
  reset: () => void;
  /** Refetches and displays all rows, including buffered ones. */
  refresh: () => void;
  /** Displays the buffered rows. */
  showWaiting: () => void;
  /** Seconds between silent refreshes; 0 is off. */
  seconds: number;
  setSeconds: (seconds: number) => void;
}

export const REFRESH_SECONDS = [0, 5, 15, 30, 60] as const;
