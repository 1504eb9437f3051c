import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListSpec } from '@hengtai/contract/wire/list';
import { view } from '@hengtai/contract/desk/view/calls';
import type { ViewColumns, ViewCounts, ViewRow } from '@hengtai/contract/desk/view/schema';
import { use, useCallback, useEffect, useMemo, useState } from 'react';
import { usePageRoute } from '../navigation/page-route.ts';
import { send } from '../api/client.ts';
import { useAction, useRead } from '../api/hooks.ts';
import type { FilterChoice } from './list.ts';
import { type FilterValues, type BaseFilters, type ListState, writeAddress } from './list-address.ts';
import { QueryTab, registerQuery } from '../api/tab-queries.ts';
import { activeView, queryOfState, stripBaseFilters, stateOfQuery, addBaseFilters } from './view-state.ts';

/** A view of the chip row: declared by the list, or saved by an operator. */
export interface View {
  key: string;
  name: string;
  query: string;
  /** Number of rows; undefined until counted, null if it cannot be counted. */
  count: number | null | undefined;
  /** Its filters are unknown to the list. */
  broken: boolean;
  columns: ViewColumns | null;
  saved?: ViewRow;
}

/** The properties of a list that views depend on. */
export interface ViewedList {
  name: string;
  spec: ListSpec;
  state: ListState;
  baseFilters: BaseFilters | undefined;
  seconds: number;
  choose(choice: FilterChoice<FilterValues>, more?: Readonly<Record<string, string | undefined>>): void;
}

const NO_ROWS: readonly ViewRow[] = [];

/** The views of a list with their row counts, the active one, and functions to change them. */
export function useViews(list: ViewedList) {
  const { spec, name, state, baseFilters } = list;
  const { search } = usePageRoute();
  const input = useMemo(() => ({ list: name }), [name]);
  const { data: rows = NO_ROWS, refetch } = useRead(view.list, input);
  const { counts, recount } = useCounts(list, rows.length + (spec.views?.length ?? 0) > 0);
  const [lastOpened, setLastOpened] = useState<string>();

  const views = useMemo(
    () => [
      ...(spec.views ?? []).flatMap(({ name: label, query: fullQuery }, i): View[] => {
        const query = stripBaseFilters(fullQuery, baseFilters);
        return query === undefined ? [] : [makeView(spec, `built-${i}`, { name: label, query }, counts?.built[i])];
      }),
      ...rows.flatMap((row): View[] => {
        const query = stripBaseFilters(row.query, baseFilters);
        if (query === undefined) return [];
        const count = counts?.saved.find(({ id }) => id === row.id)?.count;
        const view = makeView(spec, `saved-${row.id}`, { name: row.name, query }, count);
        return [{ ...view, columns: row.columns, saved: row }];
      }),
    ],
    [spec, baseFilters, rows, counts],
  );
  const active = activeView(spec, state, views, lastOpened);

  /** Opens a view, or the whole list without one. Other parameters of the page are removed from the address. */
  const open = (selected: View | undefined) => {
    const viewState = stateOfQuery(spec, selected?.query ?? '');
    if (!viewState) return;
    setLastOpened(selected?.key);
    const { filters, from, to, sort } = viewState;
    list.choose({ filters, from, to, sort }, foreignParams(list, search));
  };

  /** Also finds views that others shared meanwhile. */
  const refresh = () => {
    void refetch();
    recount();
  };

  const query = queryOfState(spec, state);
  return {
    views,
    active,
    open,
    choose: setLastOpened,
    recount,
    refresh,
    query,
    storedQuery: addBaseFilters(query, baseFilters),
  };
}

export type Views = ReturnType<typeof useViews>;

/** Mutations of views; each refetches them. */
export function useViewActions() {
  const save = useAction(view.save);
  const del = useAction(view.del);
  return { save, del };
}

function makeView(
  spec: ListSpec,
  key: string,
  { name, query }: { name: string; query: string },
  count: number | null | undefined,
): View {
  const broken = stateOfQuery(spec, query) === undefined || count === null;
  return { key, name, query, count: broken ? null : count, broken, columns: null };
}

/** Parameters that do not belong to the list, each set to undefined to delete it. */
function foreignParams({ spec, state }: ViewedList, search: URLSearchParams) {
  const listParams = writeAddress(spec, { ...state, page: 1 }, new URLSearchParams());
  return Object.fromEntries(
    [...search.keys()].filter((name) => !listParams.has(name)).map((name) => [name, undefined]),
  );
}

/** Row counts of the views, refetched whenever the list is. */
function useCounts({ name, seconds }: ViewedList, enabled: boolean) {
  const { active } = usePageRoute();
  const tabKey = use(QueryTab);
  const client = useQueryClient();
  // Starts with the key of the list, so that invalidating the list invalidates its counts.
  const queryKey = useMemo(() => [name, view.counts.path], [name]);
  useEffect(() => registerQuery(tabKey, queryKey), [tabKey, queryKey]);
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
