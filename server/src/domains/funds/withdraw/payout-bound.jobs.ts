import { PAYOUT_SILENT, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { findListed } from '../../../destination/keys.ts';
import { beatIntakeClock, fetchSilent, findPayingMinutes, lockSilent, startBounds } from './payout-bound.store.ts';
import { moveWithdraw } from './withdraw.store.ts';

const MINUTE_MS = 60_000;

/**
 * Makes the outcome of payouts unknown of which the wallet has said nothing for too long. Only time in which a server could
 * take events counts.
 */
export async function watchPaying(app: App): Promise<boolean> {
  await underLease(app, 'payout-bound', async (db) => {
    const now = app.clock.now();
    const countedMs = await beatIntakeClock(db, now);
    await startBounds(db, countedMs);
    const usual = await findPayingMinutes(db);
    for (const payout of await fetchSilent(db, countedMs - MINUTE_MS)) {
      const minutes = findListed(payout.networks, payout.network)?.payingMinutes ?? usual;
      const isOver = minutes > 0 && countedMs - payout.payingFrom >= minutes * MINUTE_MS;
      if (!isOver || !(await lockSilent(db, payout))) continue;
      const move = { from: [WITHDRAW.paying], to: WITHDRAW.unknown, reason: PAYOUT_SILENT, isSilent: true, now };
      await moveWithdraw(db, payout.id, move);
    }
  });
  return false;
}
