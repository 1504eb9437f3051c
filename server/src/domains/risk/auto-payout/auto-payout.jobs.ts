import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { inTransaction, sqlState, withRetries } from '../../../database/connect.ts';
import { hasCandidates, takeCandidate, takeThisCandidate } from './candidate.store.ts';
import { fetchRunning, lockCoin } from './coin.store.ts';
import { announceStops, decideWithdraw, leaveAfterError } from './decide.steps.ts';
import { recordAlarmCauses } from './stop-cause.store.ts';

/** SQLSTATE of a lock that was not free in time: the job tries again later. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Decides about all candidates, one transaction each. Every process does; each candidate is decided once. */
export async function decideCandidates(app: App, stopping?: AbortSignal): Promise<boolean> {
  let hasMore = await hasCandidates(app.system, app.clock.now());
  while (hasMore) {
    if (stopping?.aborted) return false;
    hasMore = await decideNext(app);
  }
  return false;
}

/** Returns whether there was a candidate. One that cannot be decided is left to people, so that it holds up no other. */
async function decideNext(app: App): Promise<boolean> {
  const taken: { id: number | undefined } = { id: undefined };
  try {
    await withRetries(() =>
      inTransaction(app.system, async (db) => {
        const now = app.clock.now();
        taken.id = await takeCandidate(db, now);
        if (taken.id !== undefined) await decideWithdraw(db, taken.id, now);
      }),
    );
    return taken.id !== undefined;
  } catch (error) {
    const { id } = taken;
    if (id === undefined || sqlState(error) === LOCK_NOT_AVAILABLE) throw error;
    app.log.error({ err: error, withdrawId: id }, 'automatic decision failed: the withdrawal is left to people');
    await inTransaction(app.system, async (db) => {
      if (await takeThisCandidate(db, id)) await leaveAfterError(db, id, app.clock.now());
    });
    return true;
  }
}

/** Announces stops of coins for which something happened that must stop them, also if no withdrawal comes. */
export async function stopCoins(app: App): Promise<boolean> {
  await underLease(app, 'auto-payout-stops', async (db) => {
    await recordAlarmCauses(db, undefined, app.clock.now());
    for (const marketId of await fetchRunning(db)) {
      const coin = await lockCoin(db, marketId);
      if (coin) await announceStops(db, coin, app.clock.now());
    }
  });
  return false;
}
