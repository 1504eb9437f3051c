import type { AddressFileFormat } from '@hengtai/contract/risk/address-list/schema';

/** A file that cannot be used; the message is for the operator. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  /** Lines that cannot be read, at most 200. */
  readonly unread: readonly FileLine[];

  constructor(message: string, unread: readonly FileLine[] = []) {
    super(message);
    this.unread = unread;
  }
}

/** What a file says of one address. Fields that it lacks are empty; without an address the line cannot be read. */
export interface FileLine {
  /** Its number in the file, from 1. */
  line: number;
  /** As it is shown if it cannot be read. */
  text: string;
  address: string;
  network: string;
  memo: string;
  reason: string;
  /** The coin that the file names, where it names no network that entries could have. */
  coin?: string;
}

/** A part of the remarks of an entry of the SDN list, whose other part is in another file. */
export interface RemarkPart {
  line: number;
  /** Of the entry. */
  number: string;
  /** The end, from sdn_comments.csv, and not the beginning. */
  isRest: boolean;
  remarks: string;
}

export type FileItem = FileLine | RemarkPart;

export const isRemarkPart = (item: FileItem): item is RemarkPart => 'remarks' in item;

/** A file that is being read. Reading the items throws `UnreadableFile`. */
export interface FileReading {
  format: AddressFileFormat;
  items: AsyncIterable<FileItem>;
}

/** Characters of one line, element or item of a list. Memory that one file can fill. */
export const ITEM_MAX = 4_000_000;
/** What a text costs in memory beside its characters, in characters, so that empty ones are bounded as well. */
export const TEXT_COST = 32;

export const makeLine = (line: number, text: string, fields: Partial<FileLine> = {}): FileLine => ({
  line,
  text: text.slice(0, 256),
  address: '',
  network: '',
  memo: '',
  reason: '',
  ...fields,
});

/** Coins that OFAC names by another code than their networks. */
const COINS: Readonly<Record<string, string>> = { XBT: 'BTC' };

/** A mention whose address is of the coin `code`. */
export const makeMention = (line: number, address: string, code: string, list: string): FileLine =>
  makeLine(line, `${code} ${address}`, { address, reason: `${list} ${code}`.trim(), coin: COINS[code] ?? code });
