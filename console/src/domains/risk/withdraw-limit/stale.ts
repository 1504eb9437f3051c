import { user } from '@hengtai/contract/people/user/calls';
import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';

/** Queries to invalidate after an action. */
export const STALE = [
  withdrawLimit.list,
  withdrawLimit.versions,
  withdrawLimit.user,
  withdrawLimit.groupList,
  user.list,
  user.detail,
];
