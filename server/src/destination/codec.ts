import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type BytesCoder, base58, bech32, bech32m } from '@scure/base';

/** Longer texts name no account of any family; base58 takes quadratic time. */
const TEXT_MAX = 256;
/** 25 or 35 bytes in the alphabet of Bitcoin or that of XRP, which has the same characters. */
const BASE58_CHECK = /^[1-9A-HJ-NP-Za-km-z]{25,49}$/;
const BECH32 = /^[a-z0-9_]{1,83}1[02-9ac-hj-np-z]{6,}$/i;
const SHA_CHECKSUM_BYTES = 4;

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Undefined if the text is not of the encoding. Its failures are slow: callers test the form of the text first. */
export function decode(coder: BytesCoder, text: string): Uint8Array | undefined {
  if (text.length > TEXT_MAX) return undefined;
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}

/** The bytes before a checksum at their end; undefined if the checksum is wrong. */
export function withoutChecksum(
  bytes: Uint8Array | undefined,
  length: number,
  checksum: (payload: Uint8Array) => Uint8Array,
): Uint8Array | undefined {
  if (!bytes || bytes.length <= length) return undefined;
  const payload = bytes.subarray(0, -length);
  return isEqual(checksum(payload).subarray(0, length), bytes.subarray(-length)) ? payload : undefined;
}

/** The bytes of base58 with the checksum of Bitcoin, in the alphabet of the coder. */
export function decodeBase58Check(text: string, coder: BytesCoder = base58): Uint8Array | undefined {
  if (!BASE58_CHECK.test(text)) return undefined;
  return withoutChecksum(decode(coder, text), SHA_CHECKSUM_BYTES, (payload) => sha256(sha256(payload)));
}

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

export interface Bech32Text {
  /** The human-readable part, in lower case. */
  prefix: string;
  words: number[];
  /** With the checksum of BIP 350. */
  isBech32m: boolean;
}

/** Reads bech32 and bech32m, all lower or all upper case. */
export function decodeBech32(text: string): Bech32Text | undefined {
  if (text.length > TEXT_MAX || !BECH32.test(text)) return undefined;
  const plain = bech32.decodeUnsafe(text, TEXT_MAX);
  if (plain) return { ...plain, isBech32m: false };
  const modified = bech32m.decodeUnsafe(text, TEXT_MAX);
  return modified ? { ...modified, isBech32m: true } : undefined;
}

/** The bytes of groups of five bits; undefined if the rest is not zero. */
export const bytesOfWords = (words: number[]): Uint8Array | undefined => bech32.fromWordsUnsafe(words) ?? undefined;

/** CRC-16/XMODEM, which TON and Stellar use. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}
