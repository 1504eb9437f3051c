import { ASSET, type AssetAction } from '@hengtai/contract/asset';
import { ENTRY, type Platform } from '@hengtai/contract/money';
import { type HoldOwner, type HoldRef, activeOf, freezeLegs, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

/** What the ledger needs to know of an adjustment. */
export interface AdjustmentMoney {
  userId: number;
  agentId: number;
  marketId: number;
  platform: Platform;
  /** Decimal string above zero, posted as it stands: nothing is rounded. */
  amount: string;
}

export const ownerOf = (money: AdjustmentMoney): HoldOwner => ({
  user: { id: money.userId, agentId: money.agentId },
  marketId: money.marketId,
  platform: money.platform,
});

/** What operators froze by hand is one hold for each account; what requests froze has holds of its own, out of its reach. */
export const manualHold = (userId: number): HoldRef => ({ refType: 'asset.frozen', refId: userId });

/**
 * The legs of an adjustment, for posting and for its preview alike. Added: adjustment → active. Subtracted: active →
 * adjustment. Frozen and released: between the user's own buckets.
 */
export function adjustmentLegs(action: AssetAction, money: AdjustmentMoney): Leg[] {
  const owner = ownerOf(money);
  const house = { house: 'adjustment', stripe: money.userId, marketId: money.marketId } as const;
  if (action === ASSET.frozenAdd) return freezeLegs(owner, money.amount);
  if (action === ASSET.frozenSub) return [unfreezeLeg(owner, money.amount)];
  const adds = action === ASSET.activeAdd;
  const type = adds ? ENTRY.manualAdd : ENTRY.manualSub;
  return [
    {
      debit: adds ? house : activeOf(owner),
      credit: adds ? activeOf(owner) : house,
      amount: money.amount,
      debitType: type,
      creditType: type,
    },
  ];
}
