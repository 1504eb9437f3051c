import { call } from './endpoint.ts';
import type { SearchInput, SearchRow } from './search.schema.ts';

/** What can be found by its number; users also by their account. */
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
/** Accounts that begin with what was typed. */
export const SEARCH_USERS_MAX = 8;

export const search = {
  /** Whatever the operator may see anyway, in one call: accounts that begin so, and records with this number. */
  find: call<SearchInput, SearchRow[]>()({
    method: 'GET',
    path: 'search',
    summary: '全局查找',
    kind: 'read',
  }),
};
