import type { Network } from '@hengtai/contract/trading/market/schema';
import { findListed } from '../destination/keys.ts';

export interface CompletedNetworks {
  networks: Network[];
  /** Names of the added networks. */
  added: string[];
  /** Spellings that mean a network which is switched off, and that were not compared with it before. */
  closed: string[];
  /** Networks for which the list has no room. */
  left: string[];
}

/**
 * The listed networks and, open, those that are in use and not among them, each in its most frequent spelling.
 *
 * @param used as records spell them, the most frequent first
 * @param max most networks that a coin can list
 */
export function completeNetworks(
  { networks: listed, withdrawFee }: { networks: readonly Network[]; withdrawFee: string },
  used: readonly string[],
  max: number,
): CompletedNetworks {
  const networks = [...listed];
  const found: Omit<CompletedNetworks, 'networks'> = { added: [], closed: [], left: [] };
  for (const network of used) {
    const same = findListed(networks, network);
    if (same) {
      if (same.network !== network && same.recharge * same.withdraw === 0) found.closed.push(network);
    } else if (networks.length < max && network.trim() !== '') {
      const name = network.trim();
      // Until now, the fee of a network that was not listed was that of the coin.
      networks.push({ network: name, recharge: 1, withdraw: 1, fee: withdrawFee, explorer: '' });
      found.added.push(name);
    } else found.left.push(network);
  }
  return { networks, ...found };
}
