import { loosensList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import type { AddressEntry } from '@hengtai/contract/risk/address-list/schema';
import type { Lines } from '../../../actions/save.ts';

/** What an approval signs of an entry: its line is null once it is removed. */
export interface SignedEntry {
  list: AddressEntry['list'];
  address: string;
  network: string;
  expiresAt: number | null;
  /** Absent: with every memo, and of allowed addresses without one. */
  memo?: string;
  /** Present if an allowed address counts with every memo. */
  anyMemo?: true;
}

export const toSignedEntry = ({
  list,
  address,
  network,
  expiresAt,
  memo,
  anyMemo = false,
}: Omit<SignedEntry, 'memo' | 'anyMemo'> & { memo: string; anyMemo?: boolean }): SignedEntry => ({
  list,
  address,
  network,
  expiresAt,
  ...(memo !== '' && { memo }),
  ...(anyMemo && { anyMemo }),
});

/** Labels and texts of an entry for its checker. */
export const entryNames = { list: '名单', memo: '备注', digest: '增加内容的摘要' };

export const entryTexts = {
  list: (list: SignedEntry['list']) => addressLists[list],
  network: (network: string) => network || '全部',
};

export const loosensLists = (before: Lines<SignedEntry>, after: Lines<SignedEntry>): boolean =>
  Object.values(after).some((entry) => entry !== null && loosensList(entry.list, { added: 1, removed: 0 })) ||
  Object.values(before).some((entry) => entry !== null && loosensList(entry.list, { added: 0, removed: 1 }));

/** What an approval signs of a file besides what it removes. */
export interface SignedFile {
  checksum: string;
  added: number;
  digest: string;
}

/**
 * The line of an entry among those that approvals sign.
 *
 * @param textKey as `toTextKey` returns it
 */
export const addressLine = (list: number, network: string, textKey: string): string =>
  `address:${list}:${network}:${textKey}`;
