import { user } from '@hengtai/contract/user';
import { withdrawLimit } from '@hengtai/contract/withdraw-limit';

/** Queries to invalidate after an action. */
export const STALE = [
  withdrawLimit.list,
  withdrawLimit.versions,
  withdrawLimit.user,
  withdrawLimit.groupList,
  user.list,
  user.detail,
];
