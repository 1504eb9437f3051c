import { crc32 } from 'node:zlib';
import { base58 } from '@scure/base';
import { bytesOfWords, decode, decodeBech32, fromHex, toHex } from './codec.ts';
import { type Reading, keyOwner, scriptOwner } from './reading.ts';

const HASH_LENGTH = 28;
/** Bytes of an address by the four high bits of its first byte (CIP 19). */
const BASE_LENGTH = 1 + 2 * HASH_LENGTH;
const SINGLE_LENGTH = 1 + HASH_LENGTH;
/** A pointer has three numbers of at least one byte behind its hash, and at most ten bytes each. */
const POINTER_LENGTHS = { min: SINGLE_LENGTH + 3, max: SINGLE_LENGTH + 30 };
const HEX = /^(?:[0-9a-f]{2}){29,59}$/i;

type Kind = 'base' | 'pointer' | 'enterprise' | 'stake';

function kindOf(type: number, length: number): Kind | undefined {
  if (type < 4) return length === BASE_LENGTH ? 'base' : undefined;
  if (type < 6) return length >= POINTER_LENGTHS.min && length <= POINTER_LENGTHS.max ? 'pointer' : undefined;
  if (length !== SINGLE_LENGTH) return undefined;
  return type < 8 ? 'enterprise' : type >= 14 ? 'stake' : undefined;
}

/**
 * The bytes are the account; libraries read them behind any prefix. Payment and stake part each are a key or a script, which
 * other addresses can have as well.
 */
function readShelley(bytes: Uint8Array, prefix?: string): Reading | undefined {
  const [header = 0] = bytes;
  const [type, network] = [header >> 4, header & 15];
  const kind = kindOf(type, bytes.length);
  const isTest = network === 0;
  const expected = `${kind === 'stake' ? 'stake' : 'addr'}${isTest ? '_test' : ''}`;
  if (!kind || network > 1) return undefined;
  const ownerAt = (start: number, isScript: boolean): string => {
    const hash = toHex(bytes.subarray(start, start + HASH_LENGTH));
    return isScript ? scriptOwner(hash) : keyOwner(hash);
  };
  const owners = [ownerAt(1, (type & 1) === 1)];
  if (kind === 'base') owners.push(ownerAt(SINGLE_LENGTH, (type & 2) === 2));
  const reading = { account: toHex(bytes), owners };
  if (prefix !== undefined && prefix !== expected) return { ...reading, fault: 'prefix' };
  return isTest ? { ...reading, fault: 'test_network' } : reading;
}

/** From 43 bytes on. */
const BYRON = /^[1-9A-HJ-NP-Za-km-z]{58,}$/;
const BYRON_START = Buffer.from('82d81858', 'hex');
const CRC_LENGTH = 4;
/** After the root of 28 bytes with its head; attribute 2 names a test network. */
const ATTRIBUTES_AT = 2 + 1 + HASH_LENGTH;
const NETWORK_ATTRIBUTE = 2;

/** Addresses before Shelley: base58 of CBOR, [24(bytes), CRC-32 of the bytes]. */
function readByron(text: string): Reading | undefined {
  const bytes = Buffer.from((BYRON.test(text) && decode(base58, text)) || []);
  const length = bytes[BYRON_START.length] ?? 0;
  const start = BYRON_START.length + 1;
  const payload = bytes.subarray(start, start + length);
  const crcAt = start + length + 1;
  if (!bytes.subarray(0, BYRON_START.length).equals(BYRON_START) || bytes.length !== crcAt + CRC_LENGTH)
    return undefined;
  if (length < ATTRIBUTES_AT + 2 || bytes[crcAt - 1] !== 0x1a || bytes.readUInt32BE(crcAt) !== crc32(payload))
    return undefined;
  const isTest = hasAttribute(payload.subarray(ATTRIBUTES_AT), NETWORK_ATTRIBUTE);
  return { account: toHex(bytes), owners: [], ...(isTest && { fault: 'test_network' }) };
}

/** Whether a CBOR map of small numbers to byte strings has a key. */
function hasAttribute(map: Uint8Array, key: number): boolean {
  const count = (map[0] ?? 0) & 31;
  for (let index = 0, at = 1; index < count && at < map.length; index++) {
    if (map[at] === key) return true;
    const head = map[at + 1] ?? 0;
    const isLong = head === 0x58;
    at += 2 + (isLong ? 1 + (map[at + 2] ?? 0) : head & 31);
  }
  return false;
}

/** Bech32 and hex since Shelley, base58 before. */
export function readCardano(text: string): Reading | undefined {
  if (HEX.test(text)) return readShelley(fromHex(text));
  const bech32 = decodeBech32(text);
  if (!bech32) return readByron(text);
  const bytes = bech32.isBech32m ? undefined : bytesOfWords(bech32.words);
  return bytes && readShelley(bytes, bech32.prefix);
}
