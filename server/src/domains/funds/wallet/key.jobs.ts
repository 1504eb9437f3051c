import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { type KeyedTable, renewFamilies, renewOldRules } from './key.store.ts';

/** Rows of one transaction. */
const STEP = 200;
const tables: readonly KeyedTable[] = ['wallet', 'chain_move'];

/** Makes the keys of wallets and moves again that older rules made, or other families of networks. */
export async function renewWalletKeys(app: App): Promise<boolean> {
  const hasMore = await underLease(app, 'wallet-keys', async (db) => {
    for (const table of tables) {
      if ((await renewOldRules(db, table, STEP)) === STEP) return true;
      if (await renewFamilies(db, table, STEP)) return true;
    }
    return false;
  });
  return hasMore ?? false;
}
