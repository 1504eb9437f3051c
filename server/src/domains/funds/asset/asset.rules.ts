import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction } from '@hengtai/contract/funds/asset/facts';
import { ENTRY, type Platform } from '@hengtai/contract/values/money';
import {
  type HoldOwner,
  type HoldRef,
  activeOf,
  freezeLegs,
  ownerOf as accountOwner,
  unfreezeLeg,
} from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/** The fields of an adjustment that its ledger legs need. */
export interface AdjustmentMoney {
  userId: number;
  agentId: number;
  marketId: number;
  platform: Platform;
  /** Decimal string above zero, posted without rounding. */
  amount: string;
}

export const ownerOf = (money: AdjustmentMoney): HoldOwner => accountOwner(money, money.marketId, money.platform);

/** The one hold per account for manual freezes. Requests have their own holds, which an adjustment cannot release. */
export const manualHold = (userId: number): HoldRef => ({ refType: 'asset.frozen', refId: userId });

/**
 * The legs of an adjustment, for posting and for its preview. An addition moves adjustment → active, a subtraction
 * active → adjustment; freezing and releasing move between the user's buckets.
 */
export function adjustmentLegs(action: AssetAction, money: AdjustmentMoney): Leg[] {
  const owner = ownerOf(money);
  const house = { house: 'adjustment', stripe: money.userId, marketId: money.marketId } as const;
  if (action === ASSET.frozenAdd) return freezeLegs(owner, money.amount);
  if (action === ASSET.frozenSub) return [unfreezeLeg(owner, money.amount)];
  const adds = action === ASSET.activeAdd;
  const type = adds ? ENTRY.manualAdd : ENTRY.manualSub;
  return [adds ? leg(house, activeOf(owner), money.amount, type) : leg(activeOf(owner), house, money.amount, type)];
}
