import type { Module } from '../../module.ts';
import { keyIdOf } from '../../../gateway/platform-scope.ts';
import type { PayoutStep } from '../../funds/withdraw/payout-step.store.ts';
import { readAutoDecision } from './auto-payout.steps.ts';
import { decideCandidates, stopCoins } from './auto-payout.jobs.ts';
import { listCoins } from './auto-payout-list.service.ts';
import { autoReview, autoSave, autoStart, autoStop, readCoin } from './auto-payout.service.ts';
import { autoPayoutWaiting } from './auto-payout-waiting.store.ts';
import { autoCandidates } from './candidate.store.ts';
import { stopCauseInsert } from './stop-cause.store.ts';
import { autoStartWhatIf, autoWhatIf } from './what-if.service.ts';

export const autoPayoutModule = {
  routes: {
    list: listCoins,
    detail: readCoin,
    whatIf: autoWhatIf,
    startWhatIf: autoStartWhatIf,
    save: autoSave,
    start: autoStart,
    stop: autoStop,
    review: autoReview,
  },
  payout: {
    onRequest:
      async ({ batch, now }) =>
      (id) =>
        batch.insert(autoCandidates, { id, keyId: keyIdOf(batch.scope), now }),
    onMove: stopCauseInsert,
    details: { auto: (ctx, { id }) => readAutoDecision(ctx, id) },
  } satisfies PayoutStep,
  jobs: [
    // A decision within 300 ms of its event is promised, so the pause is a third of that.
    { name: 'auto-payout', everyMs: 100, run: decideCandidates },
    { name: 'auto-payout-stops', everyMs: 2_000, run: stopCoins },
  ],
  waiting: autoPayoutWaiting,
} satisfies Module<'autoPayout'>;
