import type { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { effectiveTerms, identityLevelOf } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { Static } from '@sinclair/typebox';
import type { App } from '../../../app/context.ts';
import { type PlatformScope, hasMarket } from '../../../gateway/platform-scope.ts';
import { runInScope } from '../../../database/connect.ts';
import { findApplying } from './judge.steps.ts';
import { fetchLimitCoins, fetchLimits } from './limit.store.ts';
import { findPlatformUserId, findStanding } from './usage.store.ts';

type PlatformLimits = Static<typeof platformReads.withdrawalLimits>;

/** What a user of the platform may withdraw of each coin now; undefined for an unknown account. */
export function readPlatformLimits(
  app: App,
  scope: PlatformScope,
  account: string,
): Promise<PlatformLimits | undefined> {
  return runInScope(
    app.system,
    { kind: 'all' },
    0,
    async (db) => {
      const userId = await findPlatformUserId(db, scope.id, account);
      if (userId === undefined) return undefined;
      const limits = await fetchLimits(db, null);
      const coins: PlatformLimits = [];
      for (const coin of await fetchLimitCoins(db)) {
        if (!hasMarket(scope, coin.marketName)) continue;
        const standing = await findStanding(db, userId, coin.marketId, app.clock.now());
        const { level, group } = findApplying(limits, coin.marketId, standing);
        const { singleMin: min, singleMax: max, ...terms } = effectiveTerms(coin, level, group);
        const { usedAmount, usedCount } = standing;
        coins.push({
          market: coin.marketName,
          level: identityLevelOf(standing.auth),
          min,
          max,
          ...terms,
          usedAmount,
          usedCount,
        });
      }
      return coins;
    },
    'read',
  );
}
