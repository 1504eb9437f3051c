import type { DestinationFault } from '@hengtai/contract/values/destination';

/** What a family reads in the text of an address. */
export interface Reading {
  /** The account, in the one form of its family. */
  account: string;
  /**
   * Keys and scripts that the account pays to, or that can be computed from them. Accounts of any families that have one in
   * common are related: they have the same owner.
   */
  owners: readonly string[];
  /** The memo that the text carries, such as the tag of an X-address. */
  memo?: string;
  /** The account is certain, but a wallet of the network may refuse the text. */
  fault?: DestinationFault;
  /** The text is written as on another network of the family. */
  isForeign?: boolean;
}

/**
 * Reads a text without blanks around it; undefined if it names no account of the family. Never throws.
 *
 * @param prefix how the network's own texts begin, as `prefixOf` returns it
 */
export type Reader = (text: string, prefix?: string) => Reading | undefined;

/** An owner by the bytes of its key or the hash of that, which many chains share. */
export const keyOwner = (hex: string): string => `key:${hex}`;

/** An owner by the hash of a script. */
export const scriptOwner = (hex: string): string => `script:${hex}`;
