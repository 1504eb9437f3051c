import type { Module } from '../module.ts';
import { decideCandidates, stopCoins } from './auto-payout.jobs.ts';
import { autoReview, autoSave, autoStart, autoStop, listCoins, readCoin } from './auto-payout.service.ts';

export const autoPayoutModule = {
  routes: {
    list: listCoins,
    detail: readCoin,
    save: autoSave,
    start: autoStart,
    stop: autoStop,
    review: autoReview,
  },
  jobs: [
    // A decision within 300 ms of its event is promised, so the pause is a third of that.
    { name: 'auto-payout', everyMs: 100, run: decideCandidates },
    { name: 'auto-payout-stops', everyMs: 2_000, run: stopCoins },
  ],
} satisfies Module<'autoPayout'>;
