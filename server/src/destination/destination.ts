import {
  type DestinationFault,
  type DestinationMark,
  type Family,
  families,
} from '@hengtai/contract/values/destination';
import { familyOf, isTestNetwork, prefixOf } from '@hengtai/contract/values/network';
import { readBitcoin, readDogecoin, readLitecoin } from './bitcoin.ts';
import { readBitcoinCash } from './bitcoincash.ts';
import { readCardano } from './cardano.ts';
import { readCosmos } from './cosmos.ts';
import { readEvm, readTron } from './evm.ts';
import { readFilecoin } from './filecoin.ts';
import { readHedera } from './hedera.ts';
import { toMemoKey } from './memo.ts';
import { readMonero } from './monero.ts';
import { readEos, readNear } from './names.ts';
import { readMove, readSolana, readSubstrate } from './public-key.ts';
import type { Reader, Reading } from './reading.ts';
import { readStellar } from './stellar.ts';
import { bareAddress, trimBlanks } from './text.ts';
import { readTon } from './ton.ts';
import { readXrp } from './xrp.ts';

/**
 * Version of the rules that make account and memo keys. It is stored with each key; a change that gives a text another key
 * raises it, and what was keyed by an older version is keyed again.
 */
export const ACCOUNT_RULES = 1;

/** The exact text is the account. */
const readOpaque = (text: string): Reading => ({ account: text, owners: [] });

const readers: Readonly<Record<Family, Reader>> = {
  evm: readEvm,
  bitcoin: readBitcoin,
  bitcoincash: readBitcoinCash,
  litecoin: readLitecoin,
  dogecoin: readDogecoin,
  tron: readTron,
  ton: readTon,
  xrp: readXrp,
  stellar: readStellar,
  solana: readSolana,
  substrate: readSubstrate,
  aptos: readMove,
  sui: readMove,
  near: readNear,
  cosmos: readCosmos,
  cardano: readCardano,
  filecoin: readFilecoin,
  hedera: readHedera,
  monero: readMonero,
  eos: readEos,
  opaque: readOpaque,
};

/** Accounts are compared by their keys, whatever spelling they were read from. */
export interface Account {
  family: Family;
  /** Equal for all texts of the account, different for all others. */
  key: string;
  /** Sorted. `areRelated` compares them; a column of them can be indexed. */
  owners: readonly string[];
}

export interface Destination extends Account {
  /** The text to pay to, for commands and signed texts: as typed, or the address of a payment link. */
  address: string;
  /** The memo given, without blanks at its ends, or else the one that the address carries. Empty: none. */
  memo: string;
  /** The memo as it is compared; empty for none, and in families without memos. */
  memoKey: string;
  /** Account and memo as one text. */
  beneficiary: string;
  /** Not empty: the risk 地址格式不符. */
  faults: readonly DestinationFault[];
  marks: readonly DestinationMark[];
}

export interface DestinationInput {
  network: string;
  /** Of the market's network, if it sets one. */
  family?: Family | undefined;
  address: string;
  memo?: string | undefined;
}

/** An account and a memo as one text, from which both can be told. */
export const toBeneficiary = (accountKey: string, memoKey: string): string => JSON.stringify([accountKey, memoKey]);

function toDestination(family: Family, address: string, reading: Reading | undefined, memo: string): Destination {
  const { account, owners, fault, isForeign } = reading ?? readOpaque(address);
  const key = `${reading ? family : 'opaque'}:${account}`;
  const given = toMemoKey(family, memo);
  const carried = toMemoKey(family, reading?.memo ?? '');
  const memoKey = given.key === '' ? carried.key : given.key;
  const faults: DestinationFault[] = [];
  if (!reading) faults.push('unreadable');
  if (fault) faults.push(fault);
  if (given.isWrong) faults.push('memo_format');
  if (carried.key !== '' && carried.key !== memoKey) faults.push('memo_contradicts');
  return {
    family,
    key,
    owners: owners.toSorted(),
    address,
    memo: trimBlanks(memo) || (reading?.memo ?? ''),
    memoKey,
    beneficiary: toBeneficiary(key, memoKey),
    faults,
    marks: isForeign ? ['other_network'] : [],
  };
}

/**
 * Reads where a payment goes, or where it was received. Never throws. A text that its family cannot read keeps the family,
 * and its account is the exact text. It does not look for refused characters: `findRefusedCharacter` does.
 */
export function readDestination(input: DestinationInput): Destination {
  const { network, family = familyOf(network), memo = '' } = input;
  const address = bareAddress(family, input.address);
  const reading = readers[family](address, prefixOf(network));
  if (reading?.fault !== 'test_network' || !isTestNetwork(network))
    return toDestination(family, address, reading, memo);
  const { fault: _, ...faultless } = reading;
  return toDestination(family, address, faultless, memo);
}

/**
 * What a text names on each network that it may be of: one destination for each family that reads it, the last by its exact
 * text. For entries of lists without a network, and for searches.
 */
export function readEverywhere(address: string, memo = ''): Destination[] {
  return (Object.keys(families) as Family[]).flatMap((family) => {
    const bare = bareAddress(family, address);
    const reading = readers[family](bare);
    return reading ? toDestination(family, bare, reading, memo) : [];
  });
}

/**
 * Whether two different accounts have an owner in common: a witness program and the legacy address of its hash, or the same
 * bytes on another chain. In SQL: `key <> $key and owners && $owners`.
 */
export const areRelated = (a: Account, b: Account): boolean =>
  a.key !== b.key && a.owners.some((owner) => b.owners.includes(owner));
