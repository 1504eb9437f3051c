import { ALPHABET, type Random } from './random.ts';

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

const CONFIRMATIONS: Readonly<Record<string, number>> = {
  TRC20: 20,
  ERC20: 12,
  Bitcoin: 3,
  Solana: 32,
  XRPL: 1,
  TON: 1,
};
export const requiredConfirmations = (network: string): number => CONFIRMATIONS[network] ?? 12;
