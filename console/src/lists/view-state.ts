import type { ListSpec } from '@hengtai/contract/wire/list';
import type { ViewColumns } from '@hengtai/contract/desk/view/schema';
import type { ColumnChoice } from '../ui/table/columns.ts';
import { type BaseFilters, type ListState, readAddress, writeAddress } from './list-address.ts';

const NO_PARAMS = new URLSearchParams();

/** Query string of a view: filters, dates and order, without page and size. */
export function queryOfState(spec: ListSpec, state: ListState): string {
  const params = writeAddress(spec, { ...state, page: 1 }, NO_PARAMS);
  params.delete('size');
  return params.toString();
}

/** State of a stored view; undefined if the list does not know all of its parameters. */
export function stateOfQuery(spec: ListSpec, query: string): ListState | undefined {
  const params = new URLSearchParams(query);
  params.delete('page');
  params.delete('size');
  const state = readAddress(spec, params);
  const understood = new URLSearchParams(queryOfState(spec, state));
  const isComplete =
    [...params].length === [...understood].length && [...params].every(([name, text]) => understood.get(name) === text);
  return isComplete ? state : undefined;
}

/** Removes the base filters of the page from a stored query; undefined if the view has other values for them. */
export function stripBaseFilters(query: string, baseFilters: BaseFilters | undefined): string | undefined {
  if (!baseFilters) return query;
  const params = new URLSearchParams(query);
  for (const [field, value] of Object.entries(baseFilters)) {
    if (params.get(field) !== String(value)) return undefined;
    params.delete(field);
  }
  return params.toString();
}

/** Adds the base filters to a query, as it is stored for the whole list. */
export function addBaseFilters(query: string, baseFilters: BaseFilters | undefined): string {
  if (!baseFilters) return query;
  const params = new URLSearchParams(query);
  for (const [field, value] of Object.entries(baseFilters)) params.set(field, String(value));
  return params.toString();
}

/** The view with the current filters and order; among equal views the one opened last. */
export function activeView<V extends { key: string; query: string }>(
  spec: ListSpec,
  state: ListState,
  views: readonly V[],
  lastOpened: string | undefined,
): V | undefined {
  const currentQuery = queryOfState(spec, state);
  const matches = views.filter(({ query }) => {
    const viewState = stateOfQuery(spec, query);
    return viewState !== undefined && queryOfState(spec, viewState) === currentQuery;
  });
  return matches.find(({ key }) => key === lastOpened) ?? matches[0];
}

/** Converts a column choice to the stored form. An empty choice is stored too: it means the default columns. */
export function columnsOf({ order, hidden, width, fixed }: ColumnChoice): ViewColumns {
  return { hidden: hidden ?? {}, ...(order && { order }), ...(width && { width }), ...(fixed && { fixed }) };
}
