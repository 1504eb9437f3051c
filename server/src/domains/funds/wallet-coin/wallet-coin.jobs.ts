import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { findLongestMatchMs } from '../wallet/bound.store.ts';
import { compareCoins } from './wallet-coin.store.ts';

/** Compares ledger and wallets of all coins. */
export async function compareWallets(app: App): Promise<boolean> {
  await underLease(app, 'wallet-coin', async (db) => {
    const now = app.clock.now();
    await compareCoins(db, { now, since: now - (await findLongestMatchMs(db)) });
  });
  return false;
}
