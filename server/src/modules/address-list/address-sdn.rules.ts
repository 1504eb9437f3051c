import { parse } from 'csv-parse/sync';
import { type FileLine, UnreadableFile } from './address-file-line.rules.ts';

const MENTION = 'Digital Currency Address';
/** How the SDN list of OFAC names addresses, in its text files and in its XML. */
const ADDRESS = /Digital Currency Address - ([A-Z0-9]{2,10})(?:<\/idType>\s*<idNumber>|\s+)([A-Za-z0-9:_-]{16,128})/g;
/** At this length OFAC cuts the remarks of sdn.csv, and goes on in sdn_comments.csv. */
const REMARKS_MAX = 1_000;
/** Coins that the list names by another code than their networks. */
const COINS: Readonly<Record<string, string>> = { XBT: 'BTC' };

export const isSdnList = (content: string): boolean => content.includes(MENTION);

/**
 * Reads the addresses of the SDN list.
 *
 * @throws UnreadableFile for an address that is not read, and for remarks that were cut
 */
export function readSdnLines(content: string): FileLine[] {
  if (!content.startsWith('<')) requireWhole(content);
  return content.split(/\r\n|\n|\r/).flatMap((text, index, all) => {
    const mentions = text.split(MENTION).length - 1;
    if (mentions === 0) return [];
    // In XML the address follows on the next line.
    const read = [...`${text}\n${all[index + 1] ?? ''}`.matchAll(ADDRESS)].slice(0, mentions);
    if (read.length < mentions)
      throw new UnreadableFile(`第 ${index + 1} 行提到 ${mentions} 个地址，只识别出 ${read.length} 个`);
    return read.map(([found, coin = '', address = '']): FileLine => ({
      line: index + 1,
      text: found,
      address,
      network: '',
      memo: '',
      reason: `SDN ${coin}`,
      coin: COINS[coin] ?? coin,
    }));
  });
}

function requireWhole(content: string): void {
  const rows = parse(content, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  const cut = rows.find((cells) => cells.some((cell) => cell.length >= REMARKS_MAX));
  if (!cut) return;
  throw new UnreadableFile(
    `编号 ${cut[0]} 的备注在 ${REMARKS_MAX} 字符处被截断，地址可能不全：请只用 sdn_comments.csv 补全后的文件或 XML`,
  );
}
