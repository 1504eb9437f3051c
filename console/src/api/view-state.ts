import type { ListSpec } from '@hengtai/contract/list';
import { PAGE_SIZE } from '@hengtai/contract/list';
import type { ViewColumns } from '@hengtai/contract/view.schema';
import type { ColumnChoice } from '../ui/columns.ts';
import { type ListPart, type ListState, readAddress, writeAddress } from './list-address.ts';

const NOTHING = new URLSearchParams();

/** What a view keeps of a list's state: filters, dates and order; page and size are of the moment. */
export function queryOfState(spec: ListSpec, state: ListState): string {
  return writeAddress(spec, { ...state, page: 1, size: PAGE_SIZE }, NOTHING).toString();
}

/** The state that a view leads to; undefined where this list no longer takes all that the view says. */
export function stateOfQuery(spec: ListSpec, query: string): ListState | undefined {
  const given = new URLSearchParams(query);
  given.delete('page');
  given.delete('size');
  const state = readAddress(spec, given);
  const taken = new URLSearchParams(queryOfState(spec, state));
  const same = [...given].length === [...taken].length && [...given].every(([name, text]) => taken.get(name) === text);
  return same ? state : undefined;
}

/** A view as a part of the list knows it: without what the part says itself; undefined where it is of another part. */
export function queryWithin(query: string, within: ListPart | undefined): string | undefined {
  if (!within) return query;
  const rest = new URLSearchParams(query);
  for (const [field, value] of Object.entries(within)) {
    if (rest.get(field) !== String(value)) return undefined;
    rest.delete(field);
  }
  return rest.toString();
}

/** The same view as it is kept, for the list as a whole. */
export function wholeQuery(query: string, within: ListPart | undefined): string {
  if (!within) return query;
  const whole = new URLSearchParams(query);
  for (const [field, value] of Object.entries(within)) whole.set(field, String(value));
  return whole.toString();
}

/** The view whose filters and order the list has now; of several that are alike, the one chosen last. */
export function activeView<V extends { key: string; query: string }>(
  spec: ListSpec,
  state: ListState,
  views: readonly V[],
  chosen: string | undefined,
): V | undefined {
  const now = queryOfState(spec, state);
  const alike = views.filter(({ query }) => {
    const to = stateOfQuery(spec, query);
    return to !== undefined && queryOfState(spec, to) === now;
  });
  return alike.find(({ key }) => key === chosen) ?? alike[0];
}

/** The columns as they are kept in a view; a choice of nothing is one too. */
export function columnsOf({ order, hidden, width, fixed }: ColumnChoice): ViewColumns {
  return { hidden: hidden ?? {}, ...(order && { order }), ...(width && { width }), ...(fixed && { fixed }) };
}
