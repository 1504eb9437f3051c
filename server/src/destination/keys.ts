import type { Family } from '@hengtai/contract/values/destination';
import { familyOf, findListedNetwork } from '@hengtai/contract/values/network';
import { ACCOUNT_RULES, type DestinationInput, readDestination } from './destination.ts';
import { bareAddress, findRefusedCharacter, trimBlanks } from './text.ts';

/** What is stored beside the texts of a destination. */
export interface DestinationKeys {
  accountKey: string;
  memoKey: string;
  beneficiary: string;
  /** Separated by commas; empty if the text is right. */
  addressFaults: string;
  /** Version of the rules that made the keys. */
  accountRules: number;
}

/** The types of the columns of the keys. */
export const keyTypes = {
  accountKey: 'text',
  memoKey: 'text',
  beneficiary: 'text',
  addressFaults: 'text',
  accountRules: 'int',
} as const satisfies Record<keyof DestinationKeys, string>;

/** Networks as a coin lists them. Without a family, the name says it. */
export type ListedNetworks = readonly { network: string; family?: Family | undefined }[];

/** The network as a coin lists it, whatever the spelling; undefined if the coin does not list it. */
export function findListed<T extends { network: string }>(networks: readonly T[], typed: string): T | undefined {
  const names = networks.map(({ network }) => network);
  return networks[names.indexOf(findListedNetwork(names, typed) ?? '')];
}

/** The network in its listed spelling and with its family, or as typed if the coin lists no such network. */
function readNetwork(networks: ListedNetworks, typed: string): { network: string; family: Family } {
  const listed = findListed(networks, typed);
  const network = listed?.network ?? typed;
  return { network, family: listed?.family ?? familyOf(network) };
}

/** A destination as the coin's networks read it. */
export const onListed = <T extends DestinationInput>(networks: ListedNetworks, typed: T): T & { family: Family } => ({
  ...typed,
  ...readNetwork(networks, typed.network),
});

/** The keys of a record, made once when it enters. */
export function makeKeys(networks: ListedNetworks, typed: DestinationInput): DestinationKeys {
  const destination = readDestination(onListed(networks, typed));
  const { key: accountKey, memoKey, beneficiary, faults } = destination;
  return { accountKey, memoKey, beneficiary, addressFaults: faults.join(','), accountRules: ACCOUNT_RULES };
}

/** Where to pay, as commands and signed texts name it: the listed network, and the address without a payment link. */
export function toPayee(networks: ListedNetworks, typed: { network: string; address: string }) {
  const { network, family } = readNetwork(networks, typed.network);
  return { network, address: bareAddress(family, typed.address) };
}

interface TypedDestination {
  address: string;
  memo: string;
}

/**
 * The address and memo of a request without blanks at their ends.
 *
 * @param refuse is called for a field that has a refused character, or no other
 */
export function cleanDestination(
  { address, memo }: TypedDestination,
  refuse: (field: keyof TypedDestination, expected: string) => Error,
): TypedDestination {
  for (const [field, text] of [
    ['address', address],
    ['memo', memo],
  ] as const) {
    const character = findRefusedCharacter(text, field);
    if (character !== undefined) throw refuse(field, `text without the character ${character}`);
  }
  const clean = { address: trimBlanks(address), memo: trimBlanks(memo) };
  if (clean.address === '') throw refuse('address', 'text that is not blank');
  return clean;
}
