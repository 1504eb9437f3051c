import { base58xrp } from '@scure/base';
import { decodeBase58Check, toHex } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const CLASSIC_LENGTH = 21;
const X_LENGTH = 31;
const MAIN_PREFIX = '0544';
const TEST_PREFIX = '0493';
const TAG_AT = 23;

/** An X-address is a classic address with its tag, or with the statement that there is none. */
export function readXrp(text: string): Reading | undefined {
  const bytes = decodeBase58Check(text, base58xrp);
  if (bytes?.length === CLASSIC_LENGTH && bytes[0] === 0) return toReading(bytes.subarray(1));
  if (bytes?.length !== X_LENGTH) return undefined;
  const prefix = toHex(bytes.subarray(0, 2));
  if (prefix !== MAIN_PREFIX && prefix !== TEST_PREFIX) return undefined;
  const view = Buffer.from(bytes);
  const hasTag = view.readUInt8(TAG_AT - 1);
  const tag = view.readBigUInt64LE(TAG_AT);
  if (hasTag > 1 || tag >= 2n ** 32n || (hasTag === 0 && tag !== 0n)) return undefined;
  const reading = { ...toReading(bytes.subarray(2, TAG_AT - 1)), ...(hasTag === 1 && { memo: String(tag) }) };
  return prefix === TEST_PREFIX ? { ...reading, fault: 'test_network' } : reading;
}

function toReading(account: Uint8Array): Reading {
  const hex = toHex(account);
  return { account: hex, owners: [keyOwner(hex)] };
}
