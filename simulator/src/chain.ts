import { ALPHABET, type Random } from './random.ts';

/** Letters allowed as the second character of a TRC20 address. */
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Generates an address in the format of the network. The checksum is almost always wrong on purpose, so that no
 * real wallet can send to it.
 */
export function createAddress(network: string, dice: Random): string {
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
  network === 'XRPL' ? String(dice.int(100_000, 4_000_000_000)) : undefined;

const CONFIRMATIONS: Readonly<Record<string, number>> = { TRC20: 20, ERC20: 12, Bitcoin: 3, Solana: 32, XRPL: 1 };
export const requiredConfirmations = (network: string): number => CONFIRMATIONS[network] ?? 12;
