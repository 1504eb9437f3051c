import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import { decode, toHex, withoutChecksum } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const KEY_LENGTH = 32;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,50}$/;

const toReading = (hex: string): Reading => ({ account: hex, owners: [keyOwner(hex)] });

/** 32 bytes in base58, without a checksum. A token account is an account of its own. */
export function readSolana(text: string): Reading | undefined {
  const bytes = BASE58.test(text) ? decode(base58, text) : undefined;
  return bytes?.length === KEY_LENGTH ? toReading(toHex(bytes)) : undefined;
}

const MOVE_ADDRESS = /^(?:0x)?([0-9a-f]{1,64})$/i;

/** Aptos and Sui: 32 bytes in hex, whose leading zeros may be missing. */
export function readMove(text: string): Reading | undefined {
  const digits = MOVE_ADDRESS.exec(text)?.[1];
  return digits === undefined ? undefined : toReading(digits.toLowerCase().padStart(2 * KEY_LENGTH, '0'));
}

const SS58_PREFIX = Buffer.from('SS58PRE', 'ascii');
const SS58_CHECKSUM = 2;
/** The prefix that no network owns and all of them read. */
const SS58_GENERIC = '42';

/** SS58: a prefix of one or two bytes says the network, the 32 bytes after it the account on all of them. */
export function readSubstrate(text: string, networkPrefix?: string): Reading | undefined {
  if (!BASE58.test(text)) return undefined;
  const bytes = withoutChecksum(decode(base58, text), SS58_CHECKSUM, (payload) =>
    blake2b(Buffer.concat([SS58_PREFIX, payload])),
  );
  const [first = 0, second = 0] = bytes ?? [];
  const prefixLength = first < 64 ? 1 : 2;
  if (!bytes || first >= 128 || bytes.length !== KEY_LENGTH + prefixLength) return undefined;
  // The two bytes hold 14 bits: the middle six, the low two, the high six.
  const wide = ((first & 63) << 2) | (second >> 6) | ((second & 63) << 8);
  const prefix = String(prefixLength === 1 ? first : wide);
  const isOwn = prefix === SS58_GENERIC || networkPrefix === undefined || prefix === networkPrefix;
  return { ...toReading(toHex(bytes.subarray(prefixLength))), isForeign: !isOwn };
}
