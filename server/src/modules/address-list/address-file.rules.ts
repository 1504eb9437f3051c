import type { AddressUpload } from '@hengtai/contract/address-list.schema';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findRefusedCharacter, trimBlanks } from '../../destination/text.ts';
import { readCsvLines } from './address-csv.rules.ts';
import { isComparedAsText, toEntryKeys, toTextKey } from './address-key.rules.ts';
import { type FileLine, UnreadableFile } from './address-file-line.rules.ts';
import { readJsonLines } from './address-json.rules.ts';
import { isSdnList, readSdnLines } from './address-sdn.rules.ts';

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
}

export interface AddressFile {
  /** One for each account and memo, in the order of the file. */
  entries: FileEntry[];
  /** Mentions of addresses. */
  found: number;
  /** Entries whose text is compared, because no chain of theirs writes so. */
  asText: number;
}

const ADDRESS_MAX = 256;
const NETWORK_MAX = 32;
const MEMO_MAX = 256;
const REASON_MAX = 200;
const PRINTABLE = /^[!-~]*[A-Za-z0-9][!-~]*$/;
/** About 0.1 s of work, after which other requests have their turn. */
const TURN = 1_000;
const UNREAD_SHOWN = 10;

/**
 * Reads a file: a table, a JSON list, or a list of OFAC that names addresses in its own way.
 *
 * @throws UnreadableFile with the numbers of all lines that cannot be read
 */
export async function parseAddressFile(content: string, list: AddressUpload['list']): Promise<AddressFile> {
  const text = trimBlanks(content.replace(/^\uFEFF/, ''));
  if (text.includes('\uFFFD')) throw new UnreadableFile('编码无法识别，请以 UTF-8 或 GB18030 保存');
  const lines = readLines(content, text);
  requireRead(lines);
  const entries = new Map<string, FileEntry>();
  let asText = 0;
  for (const [index, { address, network, memo, reason, coin = network }] of lines.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    const { account } = toEntryKeys({ list, network, address, memo, anyMemo: false });
    if (!entries.has(account) && isComparedAsText(address, coin)) asText++;
    entries.set(account, { address, key: toTextKey(address, memo), account, network, memo, reason });
  }
  return { entries: [...entries.values()], found: lines.length, asText };
}

function readLines(content: string, text: string): FileLine[] {
  if (isSdnList(text)) return readSdnLines(text);
  return text.startsWith('[') ? readJsonLines(text) : readCsvLines(content);
}

/** Nothing of a file is used unless all of it is read. */
function requireRead(lines: readonly FileLine[]): void {
  const unread = lines.filter((line) => !isPossible(line));
  const [first] = unread;
  if (!first) return;
  const numbers = unread.slice(0, UNREAD_SHOWN).map(({ line }) => line);
  const more = unread.length > UNREAD_SHOWN ? ' 等' : '';
  const count = unread.length > 1 ? `（共 ${unread.length} 行）` : '';
  throw new UnreadableFile(`第 ${numbers.join('、')}${more} 行无法识别${count}：${first.text.slice(0, 60)}`);
}

function isPossible({ address, network, memo, reason }: FileLine): boolean {
  if (address.length > ADDRESS_MAX || network.length > NETWORK_MAX) return false;
  if (memo.length > MEMO_MAX || reason.length > REASON_MAX) return false;
  return PRINTABLE.test(address) && findRefusedCharacter(memo, 'memo') === undefined;
}

export const checksumOf = (content: string): string => createHash('sha256').update(content).digest('hex');
