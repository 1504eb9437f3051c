import { loosensList } from '@hengtai/contract/address-list';
import type { AddressEntry } from '@hengtai/contract/address-list.schema';
import type { Lines } from '../../actions/save.ts';

/** What an approval signs of an entry: its line is null once it is removed. */
export interface SignedEntry {
  list: AddressEntry['list'];
  address: string;
  network: string;
  expiresAt: number | null;
}

export const loosensLists = (before: Lines<SignedEntry>, after: Lines<SignedEntry>): boolean =>
  Object.values(after).some((entry) => entry !== null && loosensList(entry.list, { added: 1, removed: 0 })) ||
  Object.values(before).some((entry) => entry !== null && loosensList(entry.list, { added: 0, removed: 1 }));

/** What an approval signs of a file besides what it removes. */
export interface SignedFile {
  checksum: string;
  added: number;
  digest: string;
}

/** The line of an entry among those that approvals sign. */
export const addressLine = (list: number, network: string, key: string): string => `address:${list}:${network}:${key}`;
