import { read } from '../../wire/endpoint.ts';
import type { SearchInput, SearchRow } from './schema.ts';

/** Maximum users found, and maximum records of each kind. */
export const SEARCH_USERS_MAX = 8;
export const SEARCH_RECORDS_MAX = 5;

export const search = {
  /**
   * Within the operator's scope: users by id or any part of account and remark; records by id or number; recharges and
   * withdrawals by address or hash, users by the IP of a login. Of these the first or last characters suffice, at least six.
   * Addresses also by any text of the account, by a shortened form such as `0x24f0…00f4`, and by their last four characters.
   */
  find: read<SearchInput, SearchRow[]>()('search', '全局查找'),
};
