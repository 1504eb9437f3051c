import type { HandlersOf } from '../../resources.ts';
import { rechargeHold, rechargeRelease, rechargeUrl } from './recharge.service.ts';
import { listRecharges } from './recharge.store.ts';

export const rechargeRoutes: HandlersOf<'recharge'> = {
  list: listRecharges,
  url: rechargeUrl,
  hold: rechargeHold,
  release: rechargeRelease,
};
