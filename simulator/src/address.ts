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

function encodeWithChecksum(bytes: Buffer, alphabet: string): string {
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

const TON_BOUNCEABLE = 0x11;
const TON_PAYABLE = 0x51;

/** The checksum of friendly addresses of TON: CRC-16/XMODEM. */
function crc16(bytes: Buffer): Buffer {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : sum << 1;
  }
  return Buffer.of(sum >> 8, sum & 0xff);
}

/** An account of the base workchain, `EQ…` or `UQ…`. */
function tonAddress(hash: Buffer, tag: number): string {
  const bytes = Buffer.concat([Buffer.of(tag, 0), hash]);
  return Buffer.concat([bytes, crc16(bytes)]).toString('base64url');
}

const X_PREFIX = [0x05, 0x44];
const X_WITH_TAG = 1;

/** The X-address of an account of XRP with a tag, which is what wallets write for an address with a memo. */
function xAddress(hash: Buffer, tag: number): string {
  const end = Buffer.alloc(9);
  end.writeUInt8(X_WITH_TAG, 0);
  end.writeUInt32LE(tag, 1);
  return encodeWithChecksum(Buffer.concat([Buffer.from(X_PREFIX), hash, end]), XRP_BASE58);
}

/** An account without an owner, and the texts in which wallets write it; the first is the most usual. */
export interface Account {
  texts: readonly [string, ...string[]];
  /** The text that carries this memo; undefined on networks without such texts. */
  withMemo: (memo: string) => string | undefined;
}

/** Generates an account of a network. It is random, so nobody has its key: what is sent there is lost. */
export function createAccount(network: string, dice: Random): Account {
  const withMemo = () => undefined;
  switch (network) {
    case 'TRC20': {
      const bytes = Buffer.concat([Buffer.of(TRON_VERSION), drawBytes(HASH_BYTES, dice)]);
      const hex = bytes.toString('hex');
      return { texts: [encodeWithChecksum(bytes, ALPHABET.base58), hex, `0x${hex}`], withMemo };
    }
    case 'Bitcoin': {
      const address = bitcoinAddress(dice);
      return { texts: [address, address.toUpperCase()], withMemo };
    }
    case 'Solana':
      return { texts: [encodeBase58(drawBytes(KEY_BYTES, dice), ALPHABET.base58)], withMemo };
    case 'XRPL': {
      const hash = drawBytes(HASH_BYTES, dice);
      const classic = encodeWithChecksum(Buffer.concat([Buffer.of(XRP_VERSION), hash]), XRP_BASE58);
      return { texts: [classic], withMemo: (memo) => xAddress(hash, Number(memo)) };
    }
    case 'TON': {
      const hash = drawBytes(KEY_BYTES, dice);
      return {
        texts: [tonAddress(hash, TON_PAYABLE), tonAddress(hash, TON_BOUNCEABLE), `0:${hash.toString('hex')}`],
        withMemo,
      };
    }
    default: {
      const hex = dice.text(ALPHABET.hex, 2 * HASH_BYTES);
      return { texts: [`0x${hex}`, `0X${hex.toUpperCase()}`], withMemo };
    }
  }
}

/** Generates an address that is right for the network, in its most usual text. */
export const createAddress = (network: string, dice: Random): string => createAccount(network, dice).texts[0];
