import { createHash } from 'node:crypto';
import { base58, base58xrp, createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { firstMarkets } from '../src/programs/first-markets.ts';

const base58check = createBase58check(sha256);
const TRON_VERSION = 0x41;

/** An address of TRON that nobody has the key of, the same for the same word. */
export function tronAddress(word: string): string {
  const hash = createHash('sha256').update(word).digest().subarray(0, 20);
  return base58check.encode(Uint8Array.from([TRON_VERSION, ...hash]));
}

/** The address of an EVM chain with the bytes of an address of TRON: another account of the same owner. */
export const evmTwin = (tron: string): string =>
  `0x${Buffer.from(base58check.decode(tron).subarray(1)).toString('hex')}`;

/** A network that the coin lists; any for a coin of a test, which lists none. */
export const networkOf = (market: string): string =>
  firstMarkets.find(({ name }) => name === market)?.networks[0]?.network ?? 'TRC20';

/** An address on the network of a coin that nobody has the key of, the same for the same word. */
export function addressOf(market: string, word: string): string {
  const hash = createHash('sha256').update(word).digest();
  const [long, short] = [Uint8Array.from(hash), Uint8Array.from([0, ...hash.subarray(0, 20)])];
  switch (networkOf(market)) {
    case 'ERC20':
      return `0x${hash.toString('hex').slice(0, 40)}`;
    case 'Bitcoin':
      return base58check.encode(short);
    case 'Solana':
      return base58.encode(long);
    case 'XRPL':
      return base58xrp.encode(Uint8Array.from([...short, ...sha256(sha256(short)).subarray(0, 4)]));
    default:
      return tronAddress(word);
  }
}

/** Where a payment on TRON goes: `tronAddress` with its network. */
export const onTron = (word: string) => ({ network: 'TRC20', address: tronAddress(word) });
