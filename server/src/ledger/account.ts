import type { Bucket, Platform, SystemAccount } from '@hengtai/contract/money';

/** House accounts are spread over this many rows by user, so that unrelated transfers do not wait for one another. */
export const STRIPES = 16;

/** Names one account of the ledger. */
export type AccountName =
  | { user: { id: number; agentId: number }; marketId: number; platform: Platform; bucket: Bucket }
  | { house: SystemAccount; stripe: number; marketId: number };

/** The whole key of an account as the table has it. */
export interface AccountKey {
  owner: 'user' | SystemAccount;
  ownerId: number;
  userId: number | null;
  agentId: number | null;
  marketId: number;
  platform: number;
  bucket: Bucket;
}

export function keyOf(name: AccountName): AccountKey {
  if ('house' in name) {
    return {
      owner: name.house,
      ownerId: name.stripe % STRIPES,
      userId: null,
      agentId: null,
      marketId: name.marketId,
      platform: 0,
      bucket: 'active',
    };
  }
  return {
    owner: 'user',
    ownerId: name.user.id,
    userId: name.user.id,
    agentId: name.user.agentId,
    marketId: name.marketId,
    platform: name.platform,
    bucket: name.bucket,
  };
}

export const sameKey = (a: AccountKey, b: AccountKey): boolean =>
  a.owner === b.owner &&
  a.ownerId === b.ownerId &&
  a.marketId === b.marketId &&
  a.platform === b.platform &&
  a.bucket === b.bucket;
