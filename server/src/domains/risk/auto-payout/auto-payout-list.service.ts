import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import type { Ctx } from '../../../app/context.ts';
import { withFullScope } from '../../../database/connect.ts';
import { fetchCoins } from './coin.store.ts';

/** Everybody who may stop a coin sees whether it runs. Budgets and sums tell about other trees. */
export async function listCoins({ db, now, scope }: Ctx): Promise<AutoCoin[]> {
  if (scope.kind === 'all') return fetchCoins(db, now);
  const coins = await withFullScope(db, () => fetchCoins(db, now));
  return coins.map((coin) => ({
    ...coin,
    stopped: coin.stopped && { ...coin.stopped, by: null, platforms: null },
    budget: null,
    spent: null,
    causes: null,
    openAlarms: null,
    toReview: null,
    lastDecision: null,
  }));
}
