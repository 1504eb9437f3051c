import { keccak_256 } from '@noble/hashes/sha3.js';
import { decodeBase58Check, toHex } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const ADDRESS = /^(0x|xdc|ronin:)?([0-9a-f]{40})$/i;
const MIXED = /[a-f].*[A-F]|[A-F].*[a-f]/;

/** The 20 bytes of a text in lower case, and whether its upper-case letters are not those of EIP-55. */
export function readEvmBytes(text: string): { hex: string; isWrong: boolean; prefix: string } | undefined {
  const [, prefix = '', digits] = ADDRESS.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const hex = digits.toLowerCase();
  return { hex, isWrong: MIXED.test(digits) && digits !== withChecksum(hex), prefix: prefix.toLowerCase() };
}

function withChecksum(hex: string): string {
  const hash = toHex(keccak_256(Buffer.from(hex, 'ascii')));
  return hex.replaceAll(/[a-f]/g, (letter, index: number) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  );
}

/** The case of letters means nothing but a checksum. XDC and Ronin replace 0x by a prefix of their own. */
export function readEvm(text: string, networkPrefix?: string): Reading | undefined {
  const read = readEvmBytes(text);
  if (!read) return undefined;
  const { hex, isWrong, prefix } = read;
  const isForeign = prefix !== '' && prefix !== '0x' && prefix !== networkPrefix;
  return { account: hex, owners: [keyOwner(hex)], isForeign, ...(isWrong && { fault: 'checksum' }) };
}

const TRON_HEX = /^(?:0x)?41([0-9a-f]{40})$/i;
const TRON_VERSION = 0x41;
const TRON_TEST_VERSION = 0xa0;
const TRON_LENGTH = 21;

/** Accounts of TRON have the bytes of EVM behind 41. The bytes alone are a fault: wallets of TRON refuse them. */
export function readTron(text: string): Reading | undefined {
  const raw = TRON_HEX.exec(text)?.[1]?.toLowerCase();
  if (raw !== undefined) return { account: raw, owners: [keyOwner(raw)] };
  const evm = readEvm(text);
  if (evm) return evm.isForeign ? undefined : { ...evm, fault: 'prefix' };
  const bytes = decodeBase58Check(text);
  if (bytes?.length !== TRON_LENGTH) return undefined;
  const hex = toHex(bytes.subarray(1));
  const reading = { account: hex, owners: [keyOwner(hex)] };
  if (bytes[0] === TRON_TEST_VERSION) return { ...reading, fault: 'test_network' };
  return bytes[0] === TRON_VERSION ? reading : undefined;
}
