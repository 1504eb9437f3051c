import type { RawBuilder } from 'kysely';
import type { Counters } from './counters.ts';

/** The condition that a column of ids is within the blocks that contain the page. */
export type Within = (id: RawBuilder<unknown>) => RawBuilder<unknown>;

/** The blocks that contain a page, how many rows of the list they have, and how many of these come before the page. */
export interface PageBlocks {
  within: Within;
  rows: number;
  offset: number;
}

/** The tables and columns of a list. Column names are qualified constants of the code, never input. */
export interface ListSource {
  /** The selected columns, named as the row's fields. */
  fields: RawBuilder<unknown>;
  /** Tables of the list. A `left join` neither drops rows nor has to be executed for a count. */
  from: RawBuilder<unknown>;
  id: string;
  createdAt: string;
  /**
   * The column of each declared filter, or its condition. For `agent` and `subtree` it is the column of the agent's id. A
   * condition with a subquery has to limit its ids too: PostgreSQL does not derive their range from that of the rows.
   */
  filters: Readonly<
    Record<string, string | RawBuilder<unknown> | ((value: string | number, within: Within) => RawBuilder<boolean>)>
  >;
  /** Kind of the records in `find_by_ends`, for filters by the ends of an address or hash. */
  ends?: string;
  /** The column of the account key: the filter `address` also finds the account by any of its texts. */
  account?: string;
  /** The column of a range of `amount`, if `amount` is neither sortable nor summed. */
  amount?: RawBuilder<unknown> | string;
  /** The columns of the further sortable fields. */
  sort?: Readonly<Record<string, string>>;
  /** Condition of every query, above all the operator's scope. */
  where?: RawBuilder<boolean>;
  /** The rows are filtered by something that is not counted, within `where`. */
  isUncounted?: true;
  /** Condition of rows that come before all others in the default order. */
  first?: RawBuilder<unknown>;
  /** The counters of the rows; `from` has only the joins that filters need, `user` is the column of the user's id. */
  counted?: Counters & { from: RawBuilder<unknown>; user: string };
  /** Exact sums per coin over the filtered rows. With a `demo` column, demo rows get lines of their own. */
  sums?: {
    marketId: string;
    demo?: string;
    fields: Readonly<Record<string, string>>;
    /** Further aggregates that are not counted: absent where reading the rows would take too long. */
    uncounted?: Readonly<Record<string, RawBuilder<unknown>>>;
    perCoin?: CoinSums;
  };
}

/** A field of the sums with amounts in several coins, from rows joined to those of the list. */
export interface CoinSums {
  field: string;
  join: RawBuilder<unknown>;
  marketId: string;
  amount: string;
}

/** The rows of a page: `size` rows after the first `offset`. */
export interface PageRange {
  size: number;
  offset: number;
}
