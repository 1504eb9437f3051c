import { crc16, toHex } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/;
const RAW = /^(-?\d{1,10}):([0-9a-f]{64})$/i;
const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x51;
const TEST_ONLY = 0x80;
const CHECKSUM_AT = 34;
const INT32_MAX = 2 ** 31 - 1;

const toReading = (workchain: number, hex: string): Reading => ({
  account: `${workchain}:${hex}`,
  owners: [keyOwner(hex)],
});

/** An account is a workchain and 32 bytes. Whether its text is bounceable is a wish of the sender, not another account. */
export function readTon(text: string): Reading | undefined {
  const [, workchain, hex] = RAW.exec(text) ?? [];
  if (workchain !== undefined && hex !== undefined) {
    const number = Number(workchain);
    return number > INT32_MAX || number < -INT32_MAX - 1 ? undefined : toReading(number, hex.toLowerCase());
  }
  if (!FRIENDLY.test(text)) return undefined;
  // Reads both alphabets. 48 characters are 36 bytes without a rest.
  const bytes = Buffer.from(text, 'base64');
  if (crc16(bytes.subarray(0, CHECKSUM_AT)) !== bytes.readUInt16BE(CHECKSUM_AT)) return undefined;
  const tag = bytes.readUInt8(0);
  const kind = tag & ~TEST_ONLY;
  if (kind !== BOUNCEABLE && kind !== NON_BOUNCEABLE) return undefined;
  const reading = toReading(bytes.readInt8(1), toHex(bytes.subarray(2, CHECKSUM_AT)));
  return tag & TEST_ONLY ? { ...reading, fault: 'test_network' } : reading;
}
