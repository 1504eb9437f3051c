import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import type { AddressEntry } from '@hengtai/contract/risk/address-list/schema';
import type { Family } from '@hengtai/contract/values/destination';
import { familyOf, networkKey } from '@hengtai/contract/values/network';
import {
  type Destination,
  type DestinationInput,
  readDestination,
  readEverywhere,
  toBeneficiary,
} from '../../../destination/destination.ts';
import { trimBlanks } from '../../../destination/text.ts';

/** What an entry says about where money may go. */
export type EntryDestination = Pick<AddressEntry, 'list' | 'network' | 'address' | 'memo' | 'anyMemo'>;

const HEX = /^0x[0-9a-f]{40}$/i;
const UPPER_BECH32 = /^[A-Z]{1,83}1[AC-HJ-NP-Z02-9]{6,}$/;

/** Case means nothing in hexadecimal and bech32, on networks that are not known as well. */
function foldText(address: string): string {
  const text = trimBlanks(address);
  return HEX.test(text) || UPPER_BECH32.test(text) ? text.toLowerCase() : text;
}

/**
 * The text of an entry as servers of the last release compare it. It tells entries of a list apart, also in approvals. A
 * memo, which those servers do not know, makes it another text.
 */
export function toTextKey(address: string, memo: string): string {
  return memo === '' ? foldText(address) : toBeneficiary(foldText(address), memo);
}

/** What each family reads in an address, exact texts included, in every case that means nothing. */
function readAnywhere(address: string, memo: string): Destination[] {
  const folded = foldText(address);
  const read = readEverywhere(address, memo);
  return folded === address ? read : [...read, ...readEverywhere(folded, memo)];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The keys of the account as payments to any of its texts have them. */
export const toAccountKeys = ({ address }: Pick<EntryDestination, 'address'>): string[] =>
  unique(readAnywhere(address, '').map(({ key }) => key));

const isOfText = ({ key }: Destination): boolean => key.startsWith('opaque:');
/** Texts of another network, or of one for tests, whose account is certain: they are blocked, but never allowed. */
const isElsewhere = ({ faults }: Destination): boolean => faults.includes('prefix') || faults.includes('test_network');

const toAllowedKey = (network: string, key: string): string => `allowed:${JSON.stringify([networkKey(network), key])}`;
const toOwnerKey = (owner: string): string => `owner:${owner}`;

export interface EntryKeys {
  /** Equal for all texts of an account and memo. */
  account: string;
  /** What the entry is found by. */
  keys: string[];
}

/**
 * A blocked account is met whatever its network and text; with a memo, by that beneficiary only. The memo that a text carries
 * does not narrow it. An allowed account is met on its network and with its memo, or with any if the entry says so. Only
 * whole accounts have owners by which related ones are found: owners of shared accounts are exchanges.
 */
export function toEntryKeys({ list, network, address, memo, anyMemo }: EntryDestination): EntryKeys {
  const givenMemo = list === ADDRESS_LIST.sanctions ? '' : trimBlanks(memo);
  const read = readAnywhere(address, givenMemo);
  const isAllowed = list === ADDRESS_LIST.allowed;
  const isWhole = isAllowed ? anyMemo : givenMemo === '';
  const toKey = (one: Destination): string => (isWhole ? one.key : one.beneficiary);
  const readable = read.filter((one) => !isOfText(one));
  const account = unique((readable.length > 0 ? readable : read.slice(-1)).map(toKey))
    .toSorted()
    .join(' ');
  if (!isAllowed) {
    const owners = isWhole ? read.flatMap((one) => one.owners) : [];
    return { account, keys: unique([...read.map(toKey), ...owners.map(toOwnerKey)]) };
  }
  const own = network === '' ? [] : [readDestination({ network, address, memo: givenMemo })];
  const allowed = [...own, ...read.filter((one) => !isElsewhere(one))];
  return { account, keys: unique(allowed.map((one) => toAllowedKey(network, toKey(one)))) };
}

/** Whether no family of the entry reads its text, so that the text itself is compared. */
export function isComparedAsText(address: string, network: string): boolean {
  const family: Family = familyOf(network);
  const readers = readAnywhere(address, '').filter((one) => !isOfText(one));
  return family === 'opaque' ? readers.length === 0 : !readers.some((one) => one.family === family);
}

/** Whether an address carries a memo that is not the one given. */
export const contradictsMemo = (network: string, address: string, memo: string): boolean =>
  readAnywhere(address, memo).some((one) => one.faults.includes('memo_contradicts')) ||
  readDestination({ network, address, memo }).faults.includes('memo_contradicts');

/** Every account that a payment may reach. A network that is not known opens no account that is blocked on another. */
function readPayee(input: DestinationInput): { own: Destination; all: Destination[] } {
  const own = readDestination(input);
  return { own, all: isOfText(own) ? [own, ...readAnywhere(input.address, input.memo ?? '')] : [own] };
}

/** The keys of the entries that meet a payment: those that block it, and those that allow it on its network. */
export function toListedKeys(input: DestinationInput): string[] {
  const { own, all } = readPayee(input);
  const text = foldText(input.address);
  const allowing = isOfText(own) ? [own, readDestination({ ...input, address: text })] : [own];
  const allowed = allowing.flatMap((one) =>
    [input.network, ''].flatMap((network) => [toAllowedKey(network, one.key), toAllowedKey(network, one.beneficiary)]),
  );
  return unique([...all.flatMap((one) => [one.key, one.beneficiary]), `opaque:${text}`, ...allowed]);
}

/** The keys of the entries that block an account with an owner in common. They include those of the account itself. */
export const toRelatedKeys = (input: DestinationInput): string[] =>
  unique(readPayee(input).all.flatMap((one) => one.owners.map(toOwnerKey)));
