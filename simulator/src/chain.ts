import { type Random, ALPHABET } from './random.ts';

export function createTxHash(network: string, dice: Random): string {
  switch (network) {
    case 'TRC20':
    case 'Bitcoin':
      return dice.text(ALPHABET.hex, 64);
    case 'Solana':
      return dice.text(ALPHABET.base58, 88);
    case 'XRPL':
      return dice.text(ALPHABET.hex, 64).toUpperCase();
    default:
      return `0x${dice.text(ALPHABET.hex, 64)}`;
  }
}

/** A memo for networks where customers share one address; undefined on the others. */
export const createMemo = (network: string, dice: Random): string | undefined =>
  network === 'XRPL' || network === 'TON' ? String(dice.int(100_000, 4_000_000_000)) : undefined;

interface Chain {
  confirmations: number;
  /** Time between two blocks. */
  blockMs: number;
  /** Height of the block at the first midnight of the past. */
  height: number;
  /** The coin in which the chain takes fees, if the platform has a wallet of it; else it is the coin that moves. */
  native?: string;
  /** Usual fee of a transaction, in that coin, and its decimals. */
  fee: number;
  decimals: number;
}

const CHAINS: Readonly<Record<string, Chain>> = {
  // The chain takes TRX, which is no coin of the platform; a relayer takes USDT for it.
  TRC20: { confirmations: 20, blockMs: 3_000, height: 68_000_000, fee: 1.4, decimals: 6 },
  ERC20: { confirmations: 12, blockMs: 12_000, height: 21_500_000, native: 'ETH', fee: 0.0007, decimals: 12 },
  Bitcoin: { confirmations: 3, blockMs: 600_000, height: 878_000, native: 'BTC', fee: 0.00004, decimals: 8 },
  Solana: { confirmations: 32, blockMs: 400, height: 310_000_000, native: 'SOL', fee: 0.000012, decimals: 9 },
  XRPL: { confirmations: 1, blockMs: 4_000, height: 93_000_000, native: 'XRP', fee: 0.000015, decimals: 6 },
  TON: { confirmations: 1, blockMs: 5_000, height: 43_000_000, native: 'TON', fee: 0.005, decimals: 9 },
};
const OTHER: Chain = { confirmations: 12, blockMs: 15_000, height: 1_000_000, fee: 0, decimals: 8 };

export const chainOf = (network: string): Chain => CHAINS[network] ?? OTHER;

export const requiredConfirmations = (network: string): number => chainOf(network).confirmations;
