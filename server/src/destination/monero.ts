import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { decode, toHex, withoutChecksum } from './codec.ts';
import type { Reading } from './reading.ts';

const TEXT = /^[1-9A-HJ-NP-Za-km-z]{95}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/;
const KEYS_END = 65;
const PAYMENT_ID_LENGTH = 8;
const CHECKSUM_BYTES = 4;

interface Kind {
  name: 'standard' | 'integrated' | 'subaddress';
  mainByte: number;
  /** The first bytes on the test network and the stage network. */
  testBytes: readonly number[];
}

/** By the first byte of an address. */
const KINDS: readonly Kind[] = [
  { name: 'standard', mainByte: 18, testBytes: [53, 24] },
  { name: 'integrated', mainByte: 19, testBytes: [54, 25] },
  { name: 'subaddress', mainByte: 42, testBytes: [63, 36] },
];

/** An integrated address is a standard address with a payment id as its memo. A subaddress is an account of its own. */
export function readMonero(text: string): Reading | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = withoutChecksum(decode(base58xmr, text), CHECKSUM_BYTES, keccak_256);
  const [first = 0] = bytes ?? [];
  const kind = KINDS.find(({ mainByte, testBytes }) => first === mainByte || testBytes.includes(first));
  if (!bytes || !kind) return undefined;
  const isIntegrated = kind.name === 'integrated';
  if (bytes.length !== KEYS_END + (isIntegrated ? PAYMENT_ID_LENGTH : 0)) return undefined;
  const keys = toHex(bytes.subarray(1, KEYS_END));
  return {
    account: kind.name === 'subaddress' ? `sub:${keys}` : keys,
    owners: [],
    ...(isIntegrated && { memo: toHex(bytes.subarray(KEYS_END)) }),
    ...(first !== kind.mainByte && { fault: 'test_network' }),
  };
}
