import { readEvmBytes } from './evm.ts';
import { type Reading, keyOwner } from './reading.ts';

/** Shard and realm may be missing, and then are zero. */
const NUMBER = /^(?:(\d{1,19})\.(\d{1,19})\.)?(\d{1,19})(?:-([a-z]{5}))?$/;
const EVM_HEAD = /^0\.0\.(?=(?:0x)?[0-9a-f]{40}$)/i;
/** An EVM address that is the number of an account of shard 0 and realm 0. */
const LONG_ZERO = /^0{24}([0-9a-f]{16})$/;
const NUMBER_MAX = 2n ** 63n - 1n;
const MAIN_LEDGER = 0;
/** Test network, previews, a network of one's own. */
const TEST_LEDGERS: readonly number[] = [1, 2, 3];

/** A number with or without its checksum, or an EVM address, also behind 0.0. */
export function readHedera(text: string): Reading | undefined {
  const evm = readEvmBytes(text.replace(EVM_HEAD, ''));
  if (evm) return evm.prefix === '' || evm.prefix === '0x' ? ofEvm(evm.hex) : undefined;
  const [, shard = '0', realm = '0', number, checksum] = NUMBER.exec(text) ?? [];
  if (number === undefined) return undefined;
  const parts = [shard, realm, number].map(BigInt);
  if (parts.some((part) => part > NUMBER_MAX)) return undefined;
  const account = parts.join('.');
  const reading = { account, owners: [] };
  if (checksum === undefined || checksum === checksumOf(account, MAIN_LEDGER)) return reading;
  const isTest = TEST_LEDGERS.some((ledger) => checksum === checksumOf(account, ledger));
  return { ...reading, fault: isTest ? 'test_network' : 'checksum' };
}

function ofEvm(hex: string): Reading {
  const number = LONG_ZERO.exec(hex)?.[1];
  if (number === undefined || BigInt(`0x${number}`) > NUMBER_MAX) return { account: hex, owners: [keyOwner(hex)] };
  return { account: `0.0.${BigInt(`0x${number}`)}`, owners: [] };
}

const P3 = 26 ** 3;
const P5 = 26 ** 5;
const LEDGER_BYTES = 7;

/** Five letters over a number and the ledger it is of (HIP 15). */
function checksumOf(account: string, ledger: number): string {
  const digits = Array.from(account, (character) => (character === '.' ? 10 : Number(character)));
  const sumOf = (rest: number): number =>
    digits.filter((_, index) => index % 2 === rest).reduce((sum, digit) => sum + digit, 0) % 11;
  const weighted = digits.reduce((sum, digit) => (sum * 31 + digit) % P3, 0);
  const ledgerSum = [ledger, ...Array<number>(LEDGER_BYTES - 1).fill(0)].reduce(
    (sum, byte) => (sum * 31 + byte) % P5,
    0,
  );
  const start = ((digits.length % 5) * 11 + sumOf(0)) * 11 + sumOf(1);
  let rest = (((start * P3 + weighted + ledgerSum) % P5) * 1_000_003) % P5;
  let letters = '';
  for (let index = 0; index < 5; index++) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return letters;
}
