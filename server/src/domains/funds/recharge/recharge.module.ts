import type { Module } from '../../module.ts';
import { prefetchRecharges, rechargeEvents } from './recharge.events.ts';
import { rechargeHold, rechargeRelease, rechargeUrl } from './recharge.service.ts';
import { shortfallPayout } from './recharge-shortfall.steps.ts';
import { openRecharges, listRecharges, lastRecharges } from './recharge.store.ts';
import { rechargeWaiting } from './recharge-waiting.store.ts';

export const rechargeModule = {
  routes: {
    list: listRecharges,
    url: rechargeUrl,
    hold: rechargeHold,
    release: rechargeRelease,
    releaseMany: { each: rechargeRelease },
  },
  events: rechargeEvents,
  prefetch: prefetchRecharges,
  openItems: openRecharges,
  userTables: [{ table: 'recharge' }],
  search: { type: 'recharge', table: 'recharge', addressColumn: 'x.address' },
  waiting: rechargeWaiting,
  payout: shortfallPayout,
  lastOfUser: { recharges: lastRecharges },
} satisfies Module<'recharge'>;
