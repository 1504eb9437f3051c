import type { AddressFileUpload, AddressUpload } from '@hengtai/contract/risk/address-list/schema';
import { createHash } from 'node:crypto';
import { findRefusedCharacter } from '../../../destination/text.ts';
import { readCsv } from './address-csv.rules.ts';
import {
  type FileLine,
  type FileReading,
  ITEM_MAX,
  type RemarkPart,
  TEXT_COST,
  UnreadableFile,
  isRemarkPart,
} from './address-file-line.rules.ts';
import { decodeText, peek } from './address-file-text.rules.ts';
import { readJsonLines, readJsonList } from './address-json.rules.ts';
import { isComparedAsText, toEntryKeys, toTextKey } from './address-key.rules.ts';
import { readXlsx } from './address-xlsx.rules.ts';
import { readXml } from './address-xml.rules.ts';

/** An address of a file. */
export interface FileEntry {
  address: string;
  /** As `toTextKey` returns it. */
  key: string;
  /** Equal for all texts of an account and memo. */
  account: string;
  /** Empty: every network. */
  network: string;
  memo: string;
  reason: string;
  /** Its text is compared, because no chain of its coin writes so. */
  asText: boolean;
}

/** About 0.1 s of work. */
const BATCH = 1_000;
const UNREAD_NAMED = 10;
const UNREAD_LISTED = 200;

const ADDRESS_MAX = 256;
const NETWORK_MAX = 32;
const MEMO_MAX = 256;
const REASON_MAX = 200;
const PRINTABLE = /^[!-~]*[A-Za-z0-9][!-~]*$/;
/** What spreadsheets make of an address that looks like a number. */
const AS_NUMBER = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d{1,3}$/i;
/** The lists of 0xB10C have one coin each. */
const COIN_IN_NAME = /sanctioned_addresses_([A-Z0-9]{2,10})\.(?:txt|json|csv)$/i;

/** Characters in which the first that is no blank is looked for. */
const HEAD = 1_024;

const hex = (...bytes: number[]): Buffer => Buffer.from(bytes);
const ZIP = hex(0x50, 0x4b);
/** Beginnings of files that hold no text that could be read. */
const OTHER_KINDS: readonly (readonly [Buffer, string])[] = [
  [hex(0xd0, 0xcf, 0x11, 0xe0), '旧版 xls 或加密的工作簿不能使用，请另存为 xlsx 或 CSV'],
  [hex(0x1f, 0x8b), '压缩文件不能使用，请先解压'],
  [Buffer.from('%PDF'), 'PDF 不能使用，请用 CSV、XML 或 xlsx'],
];

/**
 * Reads a file in pieces, whatever its kind.
 *
 * @throws UnreadableFile
 */
async function readAddressFile(bytes: AsyncIterable<Buffer>, fileName: string): Promise<FileReading> {
  const { head, all } = await peek(bytes, 4);
  const start = Buffer.concat(head);
  const other = OTHER_KINDS.find(([mark]) => start.subarray(0, mark.length).equals(mark));
  if (other) throw new UnreadableFile(other[1]);
  const coin = COIN_IN_NAME.exec(fileName)?.[1]?.toUpperCase();
  if (start.subarray(0, ZIP.length).equals(ZIP)) return readXlsx(all, coin);
  const text = await peek(decodeText(all), HEAD);
  const first = text.head.join('').trimStart()[0];
  if (first === '<') return readXml(text.all);
  if (first === '[') return readJsonList(text.all, coin);
  if (first === '{') return readJsonLines(text.all, coin);
  return readCsv(text.all, coin);
}

/** A part of a file, for one statement. */
export interface FileBatch {
  format: FileReading['format'];
  entries: FileEntry[];
  remarks: RemarkPart[];
  /** Mentions of addresses. */
  found: number;
}

export type FileFields = Pick<AddressFileUpload, 'list' | 'fileName'>;

/**
 * Makes entries of a file, in parts.
 *
 * @throws UnreadableFile, with the numbers of lines that cannot be read at the end
 */
export async function* readBatches(
  bytes: AsyncIterable<Buffer>,
  { list, fileName }: FileFields,
): AsyncGenerator<FileBatch> {
  const { format, items } = await readAddressFile(bytes, fileName);
  const emptyBatch = (): FileBatch => ({ format, entries: [], remarks: [], found: 0 });
  const unread: FileLine[] = [];
  let unreadCount = 0;
  let remarksSize = 0;
  const isNew = makeFilter();
  let batch = emptyBatch();
  for await (const item of items) {
    if (isRemarkPart(item)) {
      remarksSize += item.remarks.length + TEXT_COST;
      if (remarksSize > ITEM_MAX) throw new UnreadableFile('被截断的备注过多');
      batch.remarks.push(item);
    } else if (!isPossible(item)) {
      unreadCount++;
      if (unread.length < UNREAD_LISTED) unread.push(item);
    } else {
      batch.found++;
      if (unreadCount === 0 && isNew(item)) batch.entries.push(toFileEntry(item, list));
    }
    if (batch.entries.length < BATCH) continue;
    yield batch;
    batch = emptyBatch();
  }
  if (unreadCount > 0) throw unreadFile(unread, unreadCount);
  yield batch;
}

/** Digests of lines that are held at a time. */
const DIGESTS_MAX = 200_000;

/** Lists repeat addresses, and reading one again costs much more than its digest. An entry that comes again is not kept twice. */
function makeFilter(): (line: FileLine) => boolean {
  const digests = new Set<string>();
  return ({ address, network, memo }) => {
    const text = JSON.stringify([address, network, memo]);
    const digest = createHash('sha256').update(text).digest('base64');
    if (digests.has(digest)) return false;
    if (digests.size === DIGESTS_MAX) digests.clear();
    digests.add(digest);
    return true;
  };
}

function unreadFile(unread: readonly FileLine[], count: number): UnreadableFile {
  const numbers = unread.slice(0, UNREAD_NAMED).map(({ line }) => line);
  const more = count > UNREAD_NAMED ? ' 等' : '';
  const total = count > 1 ? `（共 ${count} 行）` : '';
  const text = unread[0]?.text.slice(0, 60) ?? '';
  return new UnreadableFile(`第 ${numbers.join('、')}${more} 行无法识别${total}：${text}`, unread);
}

function isPossible({ address, network, memo, reason }: FileLine): boolean {
  if (address.length > ADDRESS_MAX || network.length > NETWORK_MAX) return false;
  if (memo.length > MEMO_MAX || reason.length > REASON_MAX) return false;
  return PRINTABLE.test(address) && !AS_NUMBER.test(address) && findRefusedCharacter(memo, 'memo') === undefined;
}

/** What a line that is possible makes of an entry. */
export function toFileEntry(line: FileLine, list: AddressUpload['list']): FileEntry {
  const { address, network, memo, reason, coin = network } = line;
  const { account } = toEntryKeys({ list, network, address, memo, anyMemo: false });
  const asText = isComparedAsText(address, coin);
  return { address, key: toTextKey(address, memo), account, network, memo, reason, asText };
}
