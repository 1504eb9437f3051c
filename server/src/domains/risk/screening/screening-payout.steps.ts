import type { ScreenObstacle } from '@hengtai/contract/risk/screening/facts';
import { fetchRelated } from '../address-list/address-list.store.ts';
import { type PayoutStep, PayoutRefused } from '../../funds/withdraw/payout-step.store.ts';
import { addressScreenings } from './screening-order.steps.ts';
import { readScreening, relatedListed, refuseUnscreened, screenedWithdraw } from './screening.steps.ts';

/** The system waits for these to pass by themselves. */
const awaited: readonly ScreenObstacle[] = ['missing', 'pending', 'silent'];

export const screeningPayout = {
  onRequest:
    async ({ batch, now }) =>
    (id) =>
      batch.insert(addressScreenings, { id, now }),
  findRelated: async (db, payees, now) => (await fetchRelated(db, payees, now)).map((entries) => entries.length > 0),
  findObstacle: async (db, target, now) => {
    const { obstacle } = await readScreening(db, screenedWithdraw(target), now);
    if (obstacle === null) return null;
    return new PayoutRefused(refuseUnscreened(obstacle), awaited.includes(obstacle) ? 'screenWait' : 'screenHit');
  },
  details: {
    screening: (ctx, target) => readScreening(ctx.db, screenedWithdraw(target), ctx.now),
    related: (ctx, target) => relatedListed(ctx.db, target, ctx.now),
  },
} satisfies PayoutStep;
