import type { GatewayKeyRow, GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { widensNetworks } from '../../../gateway/networks.ts';

export type KeyTerms = Pick<GatewayKeyRow, 'name' | 'rights' | 'addresses' | 'expiresAt' | 'nonce'>;

/** Whether a save gives a key more than it had, or another name: people approve by the name. A new key has nothing before. */
export function loosensKey(before: KeyTerms | null, after: KeyTerms): boolean {
  if (!before || after.name !== before.name) return true;
  return (
    after.rights.some((right) => !before.rights.includes(right)) ||
    (before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt)) ||
    after.nonce < before.nonce ||
    widensNetworks(before.addresses, after.addresses)
  );
}

export type PlatformTerms = Pick<GatewayPlatform, 'name' | 'markets'>;

/** Whether a save gives the keys of a platform more markets, or the platform another name. */
export const loosensPlatform = (before: PlatformTerms | null, after: PlatformTerms): boolean =>
  !before || after.name !== before.name || hasMore(before.markets, after.markets);

/** Null is every market. */
const hasMore = (before: PlatformTerms['markets'], after: PlatformTerms['markets']): boolean =>
  before !== null && (after === null || after.some((market) => !before.includes(market)));

/** The markets of a platform in words; null is every market. */
export const marketsText = (markets: PlatformTerms['markets']): string =>
  markets === null ? '全部' : markets.join('、') || '无';
