import { ALPHABET, type Random } from './random.ts';

/** What can follow the first letter of an address of this length. */
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Addresses and hashes of the right shape. Their checksums are wrong nearly always, on purpose: no real wallet sends
 * anything to an address that only looks real.
 */
export function address(network: string, dice: Random): string {
  switch (network) {
    case 'TRC20':
      return `T${dice.text(UPPER, 1)}${dice.text(ALPHABET.base58, 32)}`;
    case 'Bitcoin':
      return `bc1q${dice.text(ALPHABET.bech32, 38)}`;
    case 'Solana':
      return dice.text(ALPHABET.base58, 44);
    case 'XRPL':
      return `r${dice.text(ALPHABET.base58, 33)}`;
    default:
      return `0x${dice.text(ALPHABET.hex, 40)}`;
  }
}

export function txHash(network: string, dice: Random): string {
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

/** Networks on which one address serves many, told apart by a number. */
export const memo = (network: string, dice: Random): string | undefined =>
  network === 'XRPL' ? String(dice.int(100_000, 4_000_000_000)) : undefined;

const CONFIRMATIONS: Readonly<Record<string, number>> = { TRC20: 20, ERC20: 12, Bitcoin: 3, Solana: 32, XRPL: 1 };
export const confirmations = (network: string): number => CONFIRMATIONS[network] ?? 12;
