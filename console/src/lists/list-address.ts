import {
  type Filter,
  INT_MAX,
  type ListSpec,
  MS_MAX,
  PAGE_MAX,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  filtersOf,
} from '@hengtai/contract/wire/list';
import { AMOUNT_PATTERN, SIGNED_OR_ZERO_AMOUNT_PATTERN, compareAmounts } from '@hengtai/contract/values/money';

export type FilterValue = string | number;
export type FilterValues = Readonly<Record<string, FilterValue>>;

/** State of a list as stored in the query of its tab; omitted parameters have defaults. */
export interface ListState {
  /** Only filters that restrict the list. */
  filters: FilterValues;
  page: number;
  size: number;
  /** `field` or `-field`; undefined means newest first. */
  sort: string | undefined;
  /** Unix milliseconds, inclusive; so is `to`. */
  from: number | undefined;
  to: number | undefined;
}

const AMOUNT = new RegExp(AMOUNT_PATTERN);
const SIGNED = new RegExp(SIGNED_OR_ZERO_AMOUNT_PATTERN);
const RESERVED = ['page', 'size', 'sort', 'from', 'to'];

function parseWhole(text: string | null, min: number, max: number): number | undefined {
  if (text === null || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** Validates a filter value; undefined if it is empty, -1 (all) or invalid. */
function filterValue(filter: Filter, raw: FilterValue | null | undefined): FilterValue | undefined {
  const text = String(raw ?? '').trim();
  if (filter.type === 'signed') return SIGNED.test(text) ? text : undefined;
  if (text === '' || text === '-1') return undefined;
  if (filter.type === 'amount') return AMOUNT.test(text) ? text : undefined;
  if (filter.type === 'ints') return isSomeOf(filter, text.split(',')) ? text : undefined;
  if (filter.options && !Object.hasOwn(filter.options, text)) return undefined;
  // The server says what is wrong with a date; without it, the list would show all rows.
  if (filter.type === 'text' || filter.type === 'date') return text.slice(0, 256);
  return parseWhole(text, 0, filter.type === 'int' ? INT_MAX : Number.MAX_SAFE_INTEGER);
}

function isSomeOf({ options = {} }: Filter, values: readonly string[]): boolean {
  return values.length <= Object.keys(options).length && values.every((value) => Object.hasOwn(options, value));
}

/** Parses the query of a tab; invalid values fall back to their defaults. `defaultSize` is the page size without `size`. */
export function readAddress(spec: ListSpec, search: URLSearchParams, defaultSize: number = PAGE_SIZE): ListState {
  const filters: Record<string, FilterValue> = {};
  for (const filter of filtersOf(spec)) {
    const value = filterValue(filter, search.get(filter.field));
    if (value !== undefined) filters[filter.field] = value;
  }
  const { amountFrom, amountTo } = filters;
  if (amountFrom !== undefined && amountTo !== undefined && compareAmounts(String(amountTo), String(amountFrom)) < 0) {
    delete filters['amountFrom'];
    delete filters['amountTo'];
  }
  return {
    filters,
    page: parseWhole(search.get('page'), 1, PAGE_MAX) ?? 1,
    size: parseWhole(search.get('size'), 1, PAGE_SIZE_MAX) ?? defaultSize,
    sort: parseSort(spec, search.get('sort')),
    from: parseWhole(search.get('from'), 0, MS_MAX),
    to: parseWhole(search.get('to'), 0, MS_MAX),
  };
}

function parseSort(spec: ListSpec, raw: string | null): string | undefined {
  const field = raw?.replace(/^-/, '');
  const sortableFields = ['id', 'createdAt', ...(spec.sortable ?? [])];
  return raw && field && sortableFields.includes(field) ? raw : undefined;
}

/** Writes the state; of the defaults only the page size, so that a link shows the same rows elsewhere. Parameters of `otherParams` that do not belong to the list are kept. */
export function writeAddress(spec: ListSpec, state: ListState, otherParams: URLSearchParams): URLSearchParams {
  const filters = filtersOf(spec);
  const listParams = new Set([...RESERVED, ...filters.map((filter) => filter.field)]);
  const next = new URLSearchParams();
  for (const filter of filters) {
    const value = filterValue(filter, state.filters[filter.field]);
    if (value !== undefined) next.set(filter.field, String(value));
  }
  if (state.from !== undefined) next.set('from', String(state.from));
  if (state.to !== undefined) next.set('to', String(state.to));
  if (state.sort !== undefined) next.set('sort', state.sort);
  if (state.page !== 1) next.set('page', String(state.page));
  next.set('size', String(state.size));
  for (const [name, value] of otherParams) if (!listParams.has(name)) next.append(name, value);
  return next;
}

/**
 * Filters that a page adds to every request of its list; the operator cannot change them and the address omits them.
 */
export type BaseFilters = FilterValues;

/** The list specification without the base filters, which are not offered in the filter bar. */
export const withoutBaseFilters = (spec: ListSpec, baseFilters: BaseFilters | undefined): ListSpec =>
  baseFilters ? { ...spec, filters: spec.filters.filter(({ field }) => !Object.hasOwn(baseFilters, field)) } : spec;

/** The state with the base filters added. */
export const withBaseFilters = (state: ListState, baseFilters: BaseFilters | undefined): ListState =>
  baseFilters ? { ...state, filters: { ...state.filters, ...baseFilters } } : state;

/** Converts the state to the input of the list call. */
export function toCallInput(state: ListState): Record<string, FilterValue> {
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

/** Whether a filter or date is set; page, size and order do not count. */
export const isFiltered = (state: ListState): boolean =>
  Object.keys(state.filters).length > 0 || state.from !== undefined || state.to !== undefined;
