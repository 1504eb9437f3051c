import type { HandlersOf } from '../resources.ts';
import { fundCheck, fundDoubt, fundReset } from './fund.service.ts';
import { listFundRecords } from './fund.store.ts';

export const fundRoutes: HandlersOf<'fund'> = {
  record: listFundRecords,
  check: fundCheck,
  doubt: fundDoubt,
  reset: fundReset,
};
