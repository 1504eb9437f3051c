import type { CallSpec, OutputOf } from '@hengtai/contract/endpoint';
import type { ListSpec } from '@hengtai/contract/list';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { use, useCallback, useEffect, useMemo, useState } from 'react';
import { usePageRoute } from '../shell/page-route.ts';
import { type ListView, REFRESH_SECONDS } from '../ui/list-view.ts';
import { usePreference } from '../ui/preference.ts';
import { prefetch, readPrefetched } from './prefetch.ts';
import { OutdatedPage, toDisplayError } from './display-error.ts';
import { bufferRows } from './buffer-rows.ts';
import { usePush } from './push.ts';
import {
  type FilterValue,
  type ListPart,
  type ListState,
  inputOf,
  isFiltered,
  readAddress,
  specWithin,
  stateWithin,
  writeAddress,
} from './list-address.ts';
import { QueryScope, registerQuery } from './query-scope.ts';
import { shareRows } from './share-rows.ts';

type ListCall = CallSpec & { list: ListSpec };
type Keyed = { id: number };

export type RowOf<C> = OutputOf<C> extends { list: (infer Row)[] } ? Row : never;
export type SumOf<C> = OutputOf<C> extends { summary?: (infer Sum)[] } ? Sum : never;

/** The filters of a list call, by field. */
export type FiltersOf<C extends ListCall> = {
  [F in C['list']['filters'][number] as F['field']]?: F['type'] extends 'text' ? string : number;
};

export interface Chosen<F> {
  filters: F | Readonly<Record<string, FilterValue>>;
  from?: number | undefined;
  to?: number | undefined;
  /** Left out, the order stays; undefined is the newest first. */
  sort?: string | undefined;
}

export interface List<Row, Sum, F> extends ListView<Row, Sum> {
  /** What can be chosen here. */
  spec: ListSpec;
  call: ListCall;
  within: ListPart | undefined;
  state: ListState & { filters: F };
  /** Chooses what is listed, from the first page on. Other parameters of the address can be set along. */
  choose: (chosen: Chosen<F>, more?: Readonly<Record<string, string | undefined>>) => void;
}

interface Answer<Row, Sum> {
  list: Row[];
  total: number;
  summary?: Sum[];
}

interface Options {
  /** Seconds between silent refreshes until the operator chooses others; 0 is off. */
  seconds?: number;
  /** Asked for as well, where the address says nothing of the kind; must stay the same object. */
  fixed?: Readonly<Record<string, FilterValue>> | undefined;
  /** A number that names each row of the page, where its id alone does not; must stay the same function. */
  keyed?: ((row: never) => number) | undefined;
  /** The page is this part of the list only; must stay the same object. */
  within?: ListPart;
}

const isSeconds = (stored: unknown): number | undefined => REFRESH_SECONDS.find((seconds) => seconds === stored);

/** How often lists are read again where nothing was chosen for one; undefined is what each page thinks right. */
export const useUsualSeconds = () => usePreference<number | undefined>('refresh', undefined, isSeconds);

/**
 * A list whose state is its address: what is filtered, ordered and turned to lives in the query of the tab, the rows in
 * the query cache. A silent refresh never moves the rows that are on screen.
 */
export function useList<C extends ListCall>(call: C, { seconds: fallback = 0, fixed, keyed, within }: Options = {}) {
  type Row = RowOf<C> & Keyed;
  type Sum = SumOf<C>;
  const { path: name } = call;
  const spec = useMemo(() => specWithin(call.list, within), [call, within]);
  const { state, go } = useAddress(spec);
  const asked = useMemo(() => stateWithin(withFixed(state, fixed), within), [state, fixed, within]);
  const [usual] = useUsualSeconds();
  const [seconds, setSeconds] = usePreference(`list.${name}.seconds`, usual ?? fallback, isSeconds);
  const { query, key } = useAnswer<Row, Sum>(call, asked, seconds, keyed);
  const { data: answer, isPlaceholderData: changing, refetch } = query;
  const data = useMemo(() => answer && (keyed ? rekeyed(answer, keyed) : answer), [answer, keyed]);
  const buffered = useBufferedRows(key, changing ? undefined : data, asked);
  const { show } = buffered;
  const rows: readonly Row[] = changing ? (data?.list ?? NO_ROWS) : buffered.rows;
  const selection = useSelection(JSON.stringify([state.filters, state.from, state.to]), rows);

  // Columns that drill down are made with it, and a table is drawn again with other columns.
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
    within,
    name,
    state: state as ListState & { filters: FiltersOf<C> },
    rows,
    total: data?.total,
    summary: data?.summary,
    page: state.page,
    size: state.size,
    sort: asked.sort,
    sortable: spec.sortable ?? NO_FIELDS,
    filtered: isFiltered(state),
    pending: query.isPending,
    changing,
    fetching: query.isFetching,
    error: query.error ? toDisplayError(query.error) : undefined,
    at: query.dataUpdatedAt,
    waiting: buffered.waiting,
    ...selection,
    setPage: (page, size) => go({ page: size === state.size ? page : 1, size }),
    setSort: (sort) => go({ sort, page: 1 }),
    choose,
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

/** Each row under the number that names it; made once for each row, so that what did not change stays the same. */
const renamed = new WeakMap<object, object>();
const rekeyed = <Row extends Keyed, Sum>(
  answer: Answer<Row, Sum>,
  keyed: (row: never) => number,
): Answer<Row, Sum> => ({
  ...answer,
  list: answer.list.map((row) => {
    const known = renamed.get(row) ?? { ...row, id: keyed(row as never) };
    renamed.set(row, known);
    return known as Row;
  }),
});

/**
 * Asks for a list as soon as the program of its page is there, where that is the page of the address; `useList` takes the
 * answer.
 */
export function prefetchList(call: ListCall, path: string): void {
  const { pathname, search } = window.location;
  if (pathname === path) prefetch(call, inputOf(readAddress(call.list, new URLSearchParams(search))) as never);
}

/** The state as it is asked for: with what the page adds to the address. */
function withFixed(state: ListState, fixed: Options['fixed']): ListState {
  if (!fixed) return state;
  const { sort, ...filters } = fixed;
  return {
    ...state,
    filters: { ...filters, ...state.filters },
    sort: state.sort ?? (sort === undefined ? undefined : String(sort)),
  };
}

/** What the address of the tab says about a list, and how it is changed. */
function useAddress(spec: ListSpec) {
  const { search, setSearch } = usePageRoute();
  const text = search.toString();
  const state = useMemo(() => readAddress(spec, new URLSearchParams(text)), [spec, text]);
  const go = useCallback(
    (next: Partial<ListState>, more: Readonly<Record<string, string | undefined>> = {}) => {
      const rest = new URLSearchParams(text);
      for (const [key, value] of Object.entries(more)) {
        if (value === undefined) rest.delete(key);
        else rest.set(key, value);
      }
      setSearch(writeAddress(spec, { ...state, ...next }, rest));
    },
    [setSearch, text, spec, state],
  );
  return { state, go };
}

/** The answer to what is asked for now, and until it comes the one before. */
function useAnswer<Row extends Keyed, Sum>(call: ListCall, state: ListState, seconds: number, keyed: Options['keyed']) {
  const { active } = usePageRoute();
  const input = useMemo(() => inputOf(state), [state]);
  const queryKey = useMemo(() => [call.path, input], [call.path, input]);
  const scope = use(QueryScope);
  useEffect(() => registerQuery(scope, queryKey), [scope, queryKey]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const data = (await readPrefetched(call, input as never, { signal })).data as Answer<Row, Sum> | null;
      if (!data || !Array.isArray(data.list) || typeof data.total !== 'number') throw new OutdatedPage();
      return data;
    },
    structuralSharing: (before, fresh) =>
      before === undefined
        ? fresh
        : shareRows(
            before as Answer<Row, Sum>,
            fresh as Answer<Row, Sum>,
            (row: Row) => keyed?.(row as never) ?? row.id,
          ),
    placeholderData: keepPreviousData,
    refetchInterval: active && seconds > 0 ? seconds * 1000 : false,
    refetchIntervalInBackground: false,
  });
  // Only where new rows are held back: on other pages they would push the rows about.
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
  /** Total when the rows on screen were last all of the truth. */
  total: number;
}

/** The rows as they may be shown: what came in above the first page of a newest-first list waits to be asked for. */
function useBufferedRows<Row extends Keyed>(key: string, latest: Answer<Row, unknown> | undefined, state: ListState) {
  const [buffered, setBuffered] = useState<Buffered<Row>>();
  const newestFirst = isNewestFirst(state);
  let current = buffered?.key === key ? buffered : undefined;
  if (latest && current?.from !== latest) {
    const held =
      current && newestFirst
        ? bufferRows(current.rows, latest.list, state.size, latest.total - current.total)
        : undefined;
    current = {
      key,
      from: latest,
      rows: held?.rows ?? latest.list,
      waiting: held?.waiting ?? 0,
      total: held && held.waiting > 0 && current ? current.total : latest.total,
    };
    setBuffered(current);
  }
  const show = useCallback(() => setBuffered(undefined), []);
  return { rows: current?.rows ?? NO_ROWS, waiting: current?.waiting ?? 0, show };
}

/** Rows chosen by the operator: kept over refreshes and pages with their latest values, dropped with the filters. */
function useSelection<Row extends Keyed>(scope: string, rows: readonly Row[]) {
  const [kept, setKept] = useState<{ scope: string; chosen: ReadonlyMap<number, Row> }>({ scope, chosen: new Map() });
  const selected = useMemo(() => {
    const current = new Map(kept.scope === scope ? kept.chosen : []);
    for (const row of rows) if (current.has(row.id)) current.set(row.id, row);
    return current;
  }, [kept, scope, rows]);

  const select = useCallback(
    (some: readonly Row[], chosen: boolean) =>
      setKept((old) => {
        const next = new Map(old.scope === scope ? old.chosen : []);
        for (const row of some) {
          if (chosen) next.set(row.id, row);
          else next.delete(row.id);
        }
        return { scope, chosen: next };
      }),
    [scope],
  );
  const clearSelection = useCallback(() => setKept({ scope, chosen: new Map() }), [scope]);
  return { selected, select, clearSelection };
}
