import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';

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
