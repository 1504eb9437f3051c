import {
  type Filter,
  INT_MAX,
  type ListSpec,
  MS_MAX,
  PAGE_MAX,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
} from '@hengtai/contract/list';

export type FilterValue = string | number;
export type FilterValues = Readonly<Record<string, FilterValue>>;

/** What a list shows, as its address says it. Everything that is left out has its default. */
export interface ListState {
  /** Only filters that limit something. */
  filters: FilterValues;
  page: number;
  size: number;
  /** `field` or `-field`; undefined is newest first. */
  sort: string | undefined;
  from: number | undefined;
  to: number | undefined;
}

const OWN = ['page', 'size', 'sort', 'from', 'to'];

function whole(text: string | null, least: number, most: number): number | undefined {
  if (text === null || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** The value of a filter as the call takes it; undefined where it limits nothing or cannot be one. */
export function filterValue(filter: Filter, raw: FilterValue | null | undefined): FilterValue | undefined {
  const text = String(raw ?? '').trim();
  if (text === '' || text === '-1') return undefined;
  if (filter.options && !Object.hasOwn(filter.options, text)) return undefined;
  if (filter.type === 'text') return text.slice(0, 256);
  return whole(text, 0, filter.type === 'int' ? INT_MAX : Number.MAX_SAFE_INTEGER);
}

export function readAddress(spec: ListSpec, search: URLSearchParams): ListState {
  const filters: Record<string, FilterValue> = {};
  for (const filter of spec.filters) {
    const value = filterValue(filter, search.get(filter.field));
    if (value !== undefined) filters[filter.field] = value;
  }
  return {
    filters,
    page: whole(search.get('page'), 1, PAGE_MAX) ?? 1,
    size: whole(search.get('size'), 1, PAGE_SIZE_MAX) ?? PAGE_SIZE,
    sort: sortOf(spec, search.get('sort')),
    from: whole(search.get('from'), 0, MS_MAX),
    to: whole(search.get('to'), 0, MS_MAX),
  };
}

function sortOf(spec: ListSpec, raw: string | null): string | undefined {
  const field = raw?.replace(/^-/, '');
  const known = ['id', 'createdAt', ...(spec.sortable ?? [])];
  return raw && field && known.includes(field) ? raw : undefined;
}

/** The address of a state, with defaults dropped. What is in `rest` and is not the list's own is kept. */
export function writeAddress(spec: ListSpec, state: ListState, rest: URLSearchParams): URLSearchParams {
  const own = new Set([...OWN, ...spec.filters.map((filter) => filter.field)]);
  const next = new URLSearchParams();
  for (const filter of spec.filters) {
    const value = filterValue(filter, state.filters[filter.field]);
    if (value !== undefined) next.set(filter.field, String(value));
  }
  if (state.from !== undefined) next.set('from', String(state.from));
  if (state.to !== undefined) next.set('to', String(state.to));
  if (state.sort !== undefined) next.set('sort', state.sort);
  if (state.page !== 1) next.set('page', String(state.page));
  if (state.size !== PAGE_SIZE) next.set('size', String(state.size));
  for (const [name, value] of rest) if (!own.has(name)) next.append(name, value);
  return next;
}

/** The part of a list that is a page of its own: always asked for, and neither chosen nor written into the address. */
export type ListPart = FilterValues;

/** What an operator can choose within a part of a list. */
export const specWithin = (spec: ListSpec, within: ListPart | undefined): ListSpec =>
  within ? { ...spec, filters: spec.filters.filter(({ field }) => !Object.hasOwn(within, field)) } : spec;

/** The state as the call is asked for it. */
export const stateWithin = (state: ListState, within: ListPart | undefined): ListState =>
  within ? { ...state, filters: { ...state.filters, ...within } } : state;

/** The input of the call. */
export function inputOf(state: ListState): Record<string, FilterValue> {
  const { filters, page, size, sort, from, to } = state;
  return {
    ...filters,
    page,
    size,
    ...(sort === undefined ? {} : { sort }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** Whether anything but page, size and order is chosen. */
export const isFiltered = (state: ListState): boolean =>
  Object.keys(state.filters).length > 0 || state.from !== undefined || state.to !== undefined;
