import { call } from './endpoint.ts';
import type { SearchInput, SearchRow } from './search.schema.ts';

/** Maximum users found by account prefix. */
export const SEARCH_USERS_MAX = 8;

export const search = {
  /** Users with this account prefix and records with this number, within the operator's scope. */
  find: call<SearchInput, SearchRow[]>()({
    method: 'GET',
    path: 'search',
    summary: '全局查找',
    kind: 'read',
  }),
};
