import { keyHash, readLegacyBitcoin, scriptHash } from './bitcoin.ts';
import { bytesOfWords, toHex } from './codec.ts';
import { type Reading, scriptOwner } from './reading.ts';

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const TEXT = /^(?:([a-z]+):)?([02-9ac-hj-np-z]{42,61})$/;
const MAIN = 'bitcoincash';
const TEST_PREFIXES: readonly string[] = ['bchtest', 'bchreg'];
const CHECKSUM_WORDS = 8;
const GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The checksum of CashAddr, a BCH code of 40 bits; zero for a valid text. */
function polymod(words: readonly number[]): bigint {
  let checksum = 1n;
  for (const word of words) {
    const top = Number(checksum >> 35n);
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, value] of GENERATOR.entries()) if ((top >> bit) & 1) checksum ^= value;
  }
  return checksum ^ 1n;
}

/** Types 2 and 3 are 0 and 1 for wallets that know tokens: the same output script. */
function readPayload(words: number[]): Reading | undefined {
  const [version = 0, ...payload] = bytesOfWords(words) ?? [];
  const [type, size, length] = [version >> 3, version & 7, payload.length];
  const hex = toHex(Uint8Array.from(payload));
  if (size === 0 && length === 20 && (type === 0 || type === 2)) return keyHash(hex);
  if (size === 0 && length === 20 && (type === 1 || type === 3)) return scriptHash(hex);
  if (size !== 3 || length !== 32 || (type !== 1 && type !== 3)) return undefined;
  return { account: `aa20${hex}87`, owners: [scriptOwner(hex)] };
}

/** The words that a prefix adds to the checksum. */
const wordsOf = (prefix: string): number[] => Array.from(prefix, (letter) => letter.charCodeAt(0) & 31);

/** CashAddr with and without its prefix, all lower or all upper case, and the texts of Bitcoin before SegWit. */
export function readBitcoinCash(text: string): Reading | undefined {
  const [, prefix, body] = TEXT.exec(text === text.toUpperCase() ? text.toLowerCase() : text) ?? [];
  if (body === undefined) return readLegacyBitcoin(text);
  const words = Array.from(body, (character) => CHARACTERS.indexOf(character));
  const candidates = prefix === undefined ? [MAIN, ...TEST_PREFIXES] : [prefix];
  const own = candidates.find((name) => polymod([...wordsOf(name), 0, ...words]) === 0n);
  const reading = own === undefined ? undefined : readPayload(words.slice(0, -CHECKSUM_WORDS));
  if (!reading || own === MAIN) return reading;
  return own !== undefined && TEST_PREFIXES.includes(own) ? { ...reading, fault: 'test_network' } : undefined;
}
