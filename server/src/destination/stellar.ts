import { base32nopad } from '@scure/base';
import { crc16, decode, toHex } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const TEXT = /^[GMC][A-Z2-7]{55}(?:[A-Z2-7]{13})?$/;
const KEY = { version: 0x30, length: 35 };
const MUXED = { version: 0x60, length: 43 };
const CONTRACT = { version: 0x10, length: 35 };
const KEY_END = 33;

/** G… is a key, M… a key with an id as its memo, C… a contract. */
export function readStellar(text: string): Reading | undefined {
  const bytes = TEXT.test(text) ? decode(base32nopad, text) : undefined;
  if (!bytes) return undefined;
  const view = Buffer.from(bytes);
  const hasForm = ({ version, length }: typeof KEY): boolean => view.length === length && view[0] === version;
  if (!hasForm(KEY) && !hasForm(MUXED) && !hasForm(CONTRACT)) return undefined;
  if (crc16(view.subarray(0, -2)) !== view.readUInt16LE(view.length - 2)) return undefined;
  const hex = toHex(view.subarray(1, KEY_END));
  if (hasForm(CONTRACT)) return { account: `C${hex}`, owners: [] };
  const reading = { account: `G${hex}`, owners: [keyOwner(hex)] };
  return hasForm(MUXED) ? { ...reading, memo: String(view.readBigUInt64BE(KEY_END)) } : reading;
}
