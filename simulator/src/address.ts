import { createHash } from 'node:crypto';
import { ALPHABET, type Random } from './random.ts';

/** The characters of base58 in the order of XRP. */
const XRP_BASE58 = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const TRON_VERSION = 0x41;
const XRP_VERSION = 0;
const HASH_BYTES = 20;
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;

const drawBytes = (count: number, dice: Random): Buffer => Buffer.from(dice.text(ALPHABET.hex, 2 * count), 'hex');
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Each zero byte at the beginning is one character. */
function encodeBase58(bytes: Buffer, alphabet: string): string {
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n)
    text = alphabet.charAt(Number(rest % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return alphabet.charAt(0).repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function encodeWithChecksum(version: number, hash: Buffer, alphabet: string): string {
  const bytes = Buffer.concat([Buffer.of(version), hash]);
  return encodeBase58(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES)]), alphabet);
}

/** The remainders that BIP 173 adds for each bit that leaves the checksum. */
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32_CHECKSUM = 6;

/** The checksum of BIP 173 over values of five bits. */
function bech32Checksum(values: readonly number[]): number[] {
  let sum = 1;
  for (const value of [...values, ...Array.from({ length: BECH32_CHECKSUM }, () => 0)]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, remainder] of BECH32_GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= remainder;
  }
  return Array.from({ length: BECH32_CHECKSUM }, (_, place) => ((sum ^ 1) >>> (5 * (5 - place))) & 31);
}

/** A witness program of version 0 for the main network: `bc` as BIP 173 expands it, version, and a hash of 32 characters. */
function bitcoinAddress(dice: Random): string {
  const prefix = [3, 3, 0, 2, 3];
  const data = `q${dice.text(ALPHABET.bech32, 32)}`;
  const values = Array.from(data, (letter) => ALPHABET.bech32.indexOf(letter));
  const checksum = bech32Checksum([...prefix, ...values]).map((value) => ALPHABET.bech32.charAt(value));
  return `bc1${data}${checksum.join('')}`;
}

/** Generates an address that is right for the network. It is random, so nobody has its key: what is sent there is lost. */
export function createAddress(network: string, dice: Random): string {
  switch (network) {
    case 'TRC20':
      return encodeWithChecksum(TRON_VERSION, drawBytes(HASH_BYTES, dice), ALPHABET.base58);
    case 'Bitcoin':
      return bitcoinAddress(dice);
    case 'Solana':
      return encodeBase58(drawBytes(KEY_BYTES, dice), ALPHABET.base58);
    case 'XRPL':
      return encodeWithChecksum(XRP_VERSION, drawBytes(HASH_BYTES, dice), XRP_BASE58);
    default:
      return `0x${dice.text(ALPHABET.hex, 40)}`;
  }
}
