import type { Bucket, Platform, SystemAccount } from '@hengtai/contract/values/money';
import { type RawBuilder, sql } from 'kysely';

/** Rows per house account. Transfers of different users lock different rows, so that they rarely wait for each other. */
export const STRIPES = 16;

/** The name of one account of the ledger. */
export type AccountName =
  | { user: { id: number; agentId: number }; marketId: number; platform: Platform; bucket: Bucket }
  | { house: SystemAccount; stripe: number; marketId: number };

/** The unique key of an account, as the columns of its table. */
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

/** A unique text per account, for use as a map key. */
export const textOf = ({ owner, ownerId, marketId, platform, bucket }: AccountKey): string =>
  `${owner} ${ownerId} ${marketId} ${platform} ${bucket}`;

/** An account whose row is locked until the transaction ends; the balance is a decimal string. */
export type LockedAccount = AccountKey & { id: number; balance: string };

/** Arguments of `unnest` for the columns owner, owner_id, market_id, platform, bucket. */
export const unnestArguments = (keys: readonly AccountKey[]): RawBuilder<unknown> =>
  sql`${keys.map(({ owner }) => owner)}::text[], ${keys.map(({ ownerId }) => ownerId)}::bigint[],
    ${keys.map(({ marketId }) => marketId)}::bigint[], ${keys.map(({ platform }) => platform)}::int[],
    ${keys.map(({ bucket }) => bucket)}::text[]`;
