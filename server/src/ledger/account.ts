import type { Bucket, Platform, SystemAccount } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';

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

/** One text for each account there can be. */
export const textOf = ({ owner, ownerId, marketId, platform, bucket }: AccountKey): string =>
  `${owner} ${ownerId} ${marketId} ${platform} ${bucket}`;

/** An account as it stands, held until the transaction ends. */
export type LockedAccount = AccountKey & { id: number; balance: string };

/** What is given to `unnest`: owner, owner_id, market_id, platform, bucket. */
export const keysOfMany = (keys: readonly AccountKey[]): RawBuilder<unknown> =>
  sql`${keys.map(({ owner }) => owner)}::text[], ${keys.map(({ ownerId }) => ownerId)}::bigint[],
    ${keys.map(({ marketId }) => marketId)}::bigint[], ${keys.map(({ platform }) => platform)}::int[],
    ${keys.map(({ bucket }) => bucket)}::text[]`;
