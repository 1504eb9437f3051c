import { call } from './endpoint.ts';
import type { SearchInput, SearchRow } from './search.schema.ts';

/** Records that can be found by number; users also by account. */
export const searchTypes = {
  user: '用户',
  recharge: '充值',
  withdraw: '提现',
  internalTransfer: '内部转账',
  trade: '现货委托',
  future: '合约订单',
  second: '秒合约',
  ieo: '认购',
  follow: '跟单',
} as const;
export type SearchType = keyof typeof searchTypes;

export const SEARCH_TEXT_MAX = 256;
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
