import type { CallSpec, OutputOf } from '@hengtai/contract/wire/endpoint';
import type { ListSpec } from '@hengtai/contract/wire/list';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { use, useCallback, useEffect, useMemo, useState } from 'react';
import { usePageRoute } from '../navigation/page-route.ts';
import { defaultPageSize } from '../ui/table/page-size.ts';
import { type ListView, REFRESH_SECONDS } from '../ui/table/list-view.ts';
import { usePreference } from '../ui/browser/preference.ts';
import { prefetch, readPrefetched } from '../api/prefetch.ts';
import { OutdatedPage, toDisplayError } from '../api/display-error.ts';
import { bufferRows } from './buffer-rows.ts';
import { usePush } from './push.ts';
import { useOpenId } from './open-id.ts';
import { useListAddress } from './use-list-address.ts';
import {
  type FilterValue,
  type BaseFilters,
  type ListState,
  toCallInput,
  isFiltered,
  readAddress,
  withoutBaseFilters,
  withBaseFilters,
} from './list-address.ts';
import { QueryTab, registerQuery } from '../api/tab-queries.ts';
import { shareRows } from './share-rows.ts';

type ListCall = CallSpec & { list: ListSpec };
type Keyed = { id: number };

export type RowOf<C> = OutputOf<C> extends { list: (infer Row)[] } ? Row : never;
export type SumOf<C> = OutputOf<C> extends { summary?: (infer Sum)[] } ? Sum : never;

/** Filter values of a list call, by field. */
export type FiltersOf<C extends ListCall> = {
  [F in C['list']['filters'][number] as F['field']]?: F['type'] extends 'text' ? string : number;
};

export interface FilterChoice<F> {
  filters: F | Readonly<Record<string, FilterValue>>;
  from?: number | undefined;
  to?: number | undefined;
  /** Omitted: the order stays. Undefined: newest first. */
  sort?: string | undefined;
}

export interface List<Row, Sum, F> extends ListView<Row, Sum> {
  /** The specification without base filters. */
  spec: ListSpec;
  call: ListCall;
  baseFilters: BaseFilters | undefined;
  state: ListState & { filters: F };
  /** Applies filters and goes to the first page. `more` sets or deletes other parameters of the address. */
  choose: (chosen: FilterChoice<F>, more?: Readonly<Record<string, string | undefined>>) => void;
  /** The record open in the drawer of the list. */
  openId: number | undefined;
  open: (record: Keyed) => void;
  close: () => void;
}

interface Answer<Row, Sum> {
  list: Row[];
  total: number;
  summary?: Sum[];
}

interface Options {
  /** Default seconds between silent refreshes; 0 is off. */
  seconds?: number;
  /** Filters and sort applied where the address sets none; must keep its identity. */
  defaults?: Readonly<Record<string, FilterValue>> | undefined;
  /** Computes the key of a row where its id is not unique in the list; must keep its identity. */
  rowKey?: ((row: never) => number) | undefined;
  /** Parameters of the address when it has none; the operator can remove them. Must keep its identity. */
  initial?: Readonly<Record<string, string>>;
  /** Filters added to every request; must keep its identity. */
  baseFilters?: BaseFilters;
  /** Height of what the page shows above the filters, in pixels; so many fewer rows fill the window. */
  above?: number;
}

const parseSeconds = (stored: unknown): number | undefined => REFRESH_SECONDS.find((seconds) => seconds === stored);

/** Preference for the refresh interval of lists without their own; undefined is the default of each page. */
export const useDefaultRefresh = () => usePreference<number | undefined>('refresh', undefined, parseSeconds);

/**
 * A list whose filters, order and page are stored in the query of the tab and whose rows are in the query cache. A
 * silent refresh never moves the rows on screen.
 */
export function useList<C extends ListCall>(
  call: C,
  { seconds: fallback = 0, defaults, initial, rowKey, baseFilters, above }: Options = {},
) {
  type Row = RowOf<C> & Keyed;
  type Sum = SumOf<C>;
  const { path: name } = call;
  const spec = useMemo(() => withoutBaseFilters(call.list, baseFilters), [call, baseFilters]);
  const { state, go, autoSize } = useListAddress(spec, initial, above);
  const requested = useMemo(
    () => withBaseFilters(withDefaults(state, defaults), baseFilters),
    [state, defaults, baseFilters],
  );
  const [defaultSeconds] = useDefaultRefresh();
  const [seconds, setSeconds] = usePreference(`list.${name}.seconds`, defaultSeconds ?? fallback, parseSeconds);
  const { query, key } = useListQuery<Row, Sum>(call, requested, seconds, rowKey);
  const { data: answer, isPlaceholderData: changing, refetch } = query;
  const data = useMemo(() => answer && (rowKey ? withRowKeys(answer, rowKey) : answer), [answer, rowKey]);
  const buffered = useBufferedRows(key, changing ? undefined : data, requested);
  const { show } = buffered;
  const { openId, open, close } = useOpenId();
  const rows: readonly Row[] = changing ? (data?.list ?? NO_ROWS) : buffered.rows;
  const rowSelection = useSelection(JSON.stringify([state.filters, state.from, state.to]), rows);

  // Stable, because columns that drill down depend on it and new columns re-render the table.
  const choose = useCallback<List<Row, Sum, FiltersOf<C>>['choose']>(
    ({ filters, from, to, ...order }, more) => {
      const sort = 'sort' in order ? order.sort : state.sort;
      go({ filters: filters as Record<string, FilterValue>, from, to, sort, page: 1 }, more);
    },
    [go, state.sort],
  );

  const list: List<Row, Sum, FiltersOf<C>> = {
    spec,
    call,
    baseFilters,
    name,
    state: state as ListState & { filters: FiltersOf<C> },
    rows,
    total: data?.total,
    summary: data?.summary,
    page: state.page,
    size: state.size,
    autoSize,
    sort: requested.sort,
    sortable: spec.sortable ?? NO_FIELDS,
    filtered: isFiltered(state),
    pending: query.isPending,
    changing,
    fetching: query.isFetching,
    error: query.error ? toDisplayError(query.error) : undefined,
    at: query.dataUpdatedAt,
    waiting: buffered.waiting,
    ...rowSelection,
    setPage: (page, size) => go({ page: size === state.size ? page : 1, size }),
    setSort: (sort) => go({ sort, page: 1 }),
    choose,
    openId,
    open: ({ id }) => open(id),
    close,
    reset: () => go({ filters: {}, from: undefined, to: undefined, page: 1 }),
    refresh: () => void refetch().then(show),
    showWaiting: show,
    seconds,
    setSeconds,
  };
  return list;
}

const NO_ROWS: readonly never[] = [];
const NO_FIELDS: readonly string[] = [];

/** Replaces the id of each row by its key. Cached per row, so that unchanged rows keep their identity. */
const rowsWithKey = new WeakMap<object, object>();
const withRowKeys = <Row extends Keyed, Sum>(
  answer: Answer<Row, Sum>,
  rowKey: (row: never) => number,
): Answer<Row, Sum> => ({
  ...answer,
  list: answer.list.map((row) => {
    const keyedRow = rowsWithKey.get(row) ?? { ...row, id: rowKey(row as never) };
    rowsWithKey.set(row, keyedRow);
    return keyedRow as Row;
  }),
});

/** Sends the list call while the page is still loading, if the address is this page; `useList` takes the response. */
export function prefetchList(call: ListCall, path: string, initial: Options['initial'] = {}): void {
  const { pathname, search } = window.location;
  const params = new URLSearchParams(search === '' ? initial : search);
  if (pathname === path) prefetch(call, toCallInput(readAddress(call.list, params, defaultPageSize())) as never);
}

/** Adds the defaults of the page where the address sets no value. */
function withDefaults(state: ListState, defaults: Options['defaults']): ListState {
  if (!defaults) return state;
  const { sort, ...filters } = defaults;
  return {
    ...state,
    filters: { ...filters, ...state.filters },
    sort: state.sort ?? (sort === undefined ? undefined : String(sort)),
  };
}

/** Runs the list call; while a new input is loading, the data of the previous one stays. */
function useListQuery<Row extends Keyed, Sum>(
  call: ListCall,
  state: ListState,
  seconds: number,
  rowKey: Options['rowKey'],
) {
  const { active } = usePageRoute();
  const input = useMemo(() => toCallInput(state), [state]);
  const queryKey = useMemo(() => [call.path, input], [call.path, input]);
  const tabKey = use(QueryTab);
  useEffect(() => registerQuery(tabKey, queryKey), [tabKey, queryKey]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const data = (await readPrefetched(call, input as never, { signal })).data as Answer<Row, Sum> | null;
      if (!data || !Array.isArray(data.list) || typeof data.total !== 'number') throw new OutdatedPage();
      return data;
    },
    structuralSharing: (before, latest) =>
      before === undefined
        ? latest
        : shareRows(
            before as Answer<Row, Sum>,
            latest as Answer<Row, Sum>,
            (row: Row) => rowKey?.(row as never) ?? row.id,
          ),
    placeholderData: keepPreviousData,
    refetchInterval: active && seconds > 0 ? seconds * 1000 : false,
    refetchIntervalInBackground: false,
  });
  // Only where new rows are buffered; on other pages they would move the rows.
  usePush(call.path, active && isNewestFirst(state), query.refetch);
  return { query, key: JSON.stringify(input) };
}

const isNewestFirst = ({ page, sort }: ListState): boolean =>
  page === 1 && [undefined, '-id', '-createdAt'].includes(sort);

interface Buffered<Row> {
  key: string;
  from: Answer<Row, unknown>;
  rows: readonly Row[];
  waiting: number;
  /** Total at the time when all rows were last displayed. */
  total: number;
}

/**
 * The rows to display: on the first page of a newest-first list, new rows are buffered until the operator asks for
 * them.
 */
function useBufferedRows<Row extends Keyed>(key: string, latest: Answer<Row, unknown> | undefined, state: ListState) {
  const [buffered, setBuffered] = useState<Buffered<Row>>();
  const newestFirst = isNewestFirst(state);
  let current = buffered?.key === key ? buffered : undefined;
  if (latest && current?.from !== latest) {
    const merged =
      current && newestFirst
        ? bufferRows(current.rows, latest.list, state.size, latest.total - current.total)
        : undefined;
    current = {
      key,
      from: latest,
      rows: merged?.rows ?? latest.list,
      waiting: merged?.waiting ?? 0,
      total: merged && merged.waiting > 0 && current ? current.total : latest.total,
    };
    setBuffered(current);
  }
  const show = useCallback(() => setBuffered(undefined), []);
  return { rows: current?.rows ?? NO_ROWS, waiting: current?.waiting ?? 0, show };
}

/** Selected rows. Survive refreshes and page changes with their latest values; cleared when the filters change. */
function useSelection<Row extends Keyed>(filtersKey: string, rows: readonly Row[]) {
  const [selection, setSelection] = useState<{ filtersKey: string; chosen: ReadonlyMap<number, Row> }>({
    filtersKey,
    chosen: new Map(),
  });
  const selected = useMemo(() => {
    const current = new Map(selection.filtersKey === filtersKey ? selection.chosen : []);
    for (const row of rows) if (current.has(row.id)) current.set(row.id, row);
    return current;
  }, [selection, filtersKey, rows]);

  const select = useCallback(
    (changed: readonly Row[], chosen: boolean) =>
      setSelection((old) => {
        const next = new Map(old.filtersKey === filtersKey ? old.chosen : []);
        for (const row of changed) {
          if (chosen) next.set(row.id, row);
          else next.delete(row.id);
        }
        return { filtersKey, chosen: next };
      }),
    [filtersKey],
  );
  const clearSelection = useCallback(() => setSelection({ filtersKey, chosen: new Map() }), [filtersKey]);
  return { selected, select, clearSelection };
}
