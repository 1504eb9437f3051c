import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ListSpec, PAGE_SIZE } from '@hengtai/contract/list';
import { view } from '@hengtai/contract/view';
import type { ViewColumns, ViewCounts, ViewRow } from '@hengtai/contract/view.schema';
import { use, useCallback, useEffect, useMemo, useState } from 'react';
import { usePageRoute } from '../shell/page-route.ts';
import { send } from './client.ts';
import { useAction, useRead } from './hooks.ts';
import type { Chosen } from './list.ts';
import { type FilterValues, type ListPart, type ListState, writeAddress } from './list-address.ts';
import { QueryScope, registerQuery } from './query-scope.ts';
import { activeView, queryOfState, queryWithin, stateOfQuery, wholeQuery } from './view-state.ts';

/** A view as the row of chips shows it: one that the list itself declares, or one that somebody saved. */
export interface View {
  key: string;
  name: string;
  query: string;
  /** Undefined until it is counted, null where it cannot be. */
  count: number | null | undefined;
  /** Its filters are no longer those of the list. */
  broken: boolean;
  columns: ViewColumns | null;
  saved?: ViewRow;
}

/** What views need to know of the list that they are of. */
export interface Viewed {
  name: string;
  spec: ListSpec;
  state: ListState;
  within: ListPart | undefined;
  seconds: number;
  choose(chosen: Chosen<FilterValues>, more?: Readonly<Record<string, string | undefined>>): void;
}

const STALE = [view.list];
const NO_ROWS: readonly ViewRow[] = [];

/** The views of a list: which there are, how many rows each has, which one the address is now, and what changes them. */
export function useViews(list: Viewed) {
  const { spec, name, state, within } = list;
  const { search } = usePageRoute();
  const input = useMemo(() => ({ list: name }), [name]);
  const { data: rows = NO_ROWS, refetch } = useRead(view.list, input);
  const { counts, recount } = useCounts(list, rows.length + (spec.views?.length ?? 0) > 0);
  const [chosen, setChosen] = useState<string>();

  const views = useMemo(
    () => [
      ...(spec.views ?? []).flatMap(({ name: words, query: whole }, i): View[] => {
        const query = queryWithin(whole, within);
        return query === undefined ? [] : [viewOf(spec, `built-${i}`, { name: words, query }, counts?.built[i])];
      }),
      ...rows.flatMap((row): View[] => {
        const query = queryWithin(row.query, within);
        if (query === undefined) return [];
        const count = counts?.saved.find(({ id }) => id === row.id)?.count;
        const view = viewOf(spec, `saved-${row.id}`, { name: row.name, query }, count);
        return [{ ...view, columns: row.columns, saved: row }];
      }),
    ],
    [spec, within, rows, counts],
  );
  const active = activeView(spec, state, views, chosen);

  /** Shows a view, or without one the whole list; what the page keeps in its address besides is left behind. */
  const open = (one: View | undefined) => {
    const to = stateOfQuery(spec, one?.query ?? '');
    if (!to) return;
    setChosen(one?.key);
    const { filters, from, to: until, sort } = to;
    list.choose({ filters, from, to: until, sort }, restOf(list, search));
  };

  /** Also what others share meanwhile. */
  const refresh = () => {
    void refetch();
    recount();
  };

  const query = queryOfState(spec, state);
  return { views, active, open, choose: setChosen, recount, refresh, query, kept: wholeQuery(query, within) };
}

export type Views = ReturnType<typeof useViews>;

/** What is done with views; each action reads them again. */
export function useViewActions() {
  const save = useAction(view.save, { invalidate: STALE });
  const del = useAction(view.del, { invalidate: STALE });
  return { save, del };
}

function viewOf(
  spec: ListSpec,
  key: string,
  { name, query }: { name: string; query: string },
  count: number | null | undefined,
): View {
  const broken = stateOfQuery(spec, query) === undefined || count === null;
  return { key, name, query, count: broken ? null : count, broken, columns: null };
}

/** Parameters of the address that are not the list's own, each to be dropped. */
function restOf({ spec, state }: Viewed, search: URLSearchParams) {
  const own = writeAddress(spec, { ...state, page: 1, size: PAGE_SIZE }, new URLSearchParams());
  return Object.fromEntries([...search.keys()].filter((name) => !own.has(name)).map((name) => [name, undefined]));
}

/** Counted as often as the list is read: with its silent refresh, its button, and after everything that changes it. */
function useCounts({ name, seconds }: Viewed, enabled: boolean) {
  const { active } = usePageRoute();
  const scope = use(QueryScope);
  const client = useQueryClient();
  // Below the list's own key, so that whatever makes the list stale makes its counts stale.
  const queryKey = useMemo(() => [name, view.counts.path], [name]);
  useEffect(() => registerQuery(scope, queryKey), [scope, queryKey]);
  const { data: counts } = useQuery<ViewCounts>({
    queryKey,
    queryFn: async ({ signal }) => (await send(view.counts, { list: name }, { signal })).data,
    enabled,
    refetchInterval: active && seconds > 0 ? seconds * 1000 : false,
    refetchIntervalInBackground: false,
  });
  const recount = useCallback(() => void client.invalidateQueries({ queryKey }), [client, queryKey]);
  return { counts, recount };
}
