import { type FileLine, type RemarkPart, UnreadableFile, makeMention } from './address-file-line.rules.ts';

export const MENTION = 'Digital Currency Address';
/** How texts of OFAC name an address. Behind it comes a character that no address has. */
const ADDRESS = new RegExp(`${MENTION}\\s*-\\s*([A-Z0-9]{2,10})\\s+([\\w:+/=.-]{16,256}?)\\.?(?=[\\s;,)]|$)`, 'g');
/** How its XML names the kind of an identity number. */
const KIND = new RegExp(`^${MENTION}\\s*-\\s*([A-Z0-9]{2,10})$`);
/** At this length OFAC cuts the remarks of sdn.csv, and goes on in sdn_comments.csv. */
const REMARKS_MAX = 1_000;

/** The code of the coin, empty if it is unknown; undefined for what is no kind of address. */
export function coinOfKind(kind: string): string | undefined {
  const text = kind.trim();
  return text.startsWith(MENTION) ? (KIND.exec(text)?.[1] ?? '') : undefined;
}

/**
 * Reads the addresses that a text mentions.
 *
 * @throws UnreadableFile for an address that is not read
 */
export function readMentions(text: string, line: number): FileLine[] {
  const mentions = text.split(MENTION).length - 1;
  if (mentions === 0) return [];
  const read = [...text.matchAll(ADDRESS)];
  if (read.length < mentions)
    throw new UnreadableFile(`第 ${line} 行提到 ${mentions} 个地址，只识别出 ${read.length} 个`);
  return read.map(([, coin = '', address = '']) => makeMention(line, address, coin, 'SDN'));
}

/** Whether a row of a table is one of sdn.csv or sdn_comments.csv, which begin with the number of an entry. */
export const isSdnRow = (cells: readonly string[]): boolean => cells.length > 1 && /^\d{1,9}$/.test(cells[0] ?? '');

/** Rows of sdn_comments.csv have a number and the rest of its remarks. */
export const isRestRow = (cells: readonly string[]): boolean => isSdnRow(cells) && cells.length === 2;

/** What a row says: its addresses, or remarks whose other part is in another file. */
export function readSdnRow(cells: readonly string[], line: number, isRest: boolean): (FileLine | RemarkPart)[] {
  const number = cells[0] ?? '';
  if (isRest) return [{ line, number, isRest, remarks: cells[1] ?? '' }];
  const cut = cells.find((cell) => cell.length >= REMARKS_MAX);
  if (cut !== undefined) return [{ line, number, isRest, remarks: cut }];
  return cells.flatMap((cell) => readMentions(cell, line));
}

/** Remarks of a draft: whole ones, and how many lack their other part. */
export interface JoinedRemarks {
  lines: FileLine[];
  unfinished: number;
  /** The first that lacks its rest. */
  first: RemarkPart | undefined;
}

/**
 * Joins the remarks of the files of a draft. Rests of remarks that were not cut stand for themselves.
 *
 * @param hasEntries whether sdn.csv is among the files
 * @throws UnreadableFile for an address that is not read
 */
export function joinRemarks(parts: readonly RemarkPart[], hasEntries: boolean): JoinedRemarks {
  const rests = new Map<string, RemarkPart>();
  for (const part of parts.filter(({ isRest }) => isRest)) {
    const before = rests.get(part.number)?.remarks ?? '';
    rests.set(part.number, { ...part, remarks: before + part.remarks });
  }
  const cut = parts.filter(({ isRest }) => !isRest);
  const numbers = new Set(cut.map(({ number }) => number));
  const whole = cut.filter(({ number }) => rests.has(number));
  const alone = [...rests.values()].filter(({ number }) => !numbers.has(number));
  const unfinished = [...cut.filter(({ number }) => !rests.has(number)), ...(hasEntries ? [] : alone)];
  return {
    lines: [
      ...whole.flatMap((part) => readMentions(part.remarks + (rests.get(part.number)?.remarks ?? ''), part.line)),
      ...(hasEntries ? alone.flatMap((part) => readMentions(part.remarks, part.line)) : []),
    ],
    unfinished: unfinished.length,
    first: unfinished[0],
  };
}

/**
 * A file that stands alone must have all of its remarks.
 *
 * @throws UnreadableFile
 */
export function requireFinished(parts: readonly RemarkPart[]): void {
  const { first } = joinRemarks(parts, false);
  if (!first) return;
  const both = '请把 sdn.csv 和 sdn_comments.csv 上传到同一草稿';
  throw new UnreadableFile(
    first.isRest
      ? `编号 ${first.number} 的备注只有后半：${both}`
      : `编号 ${first.number} 的备注在 ${REMARKS_MAX} 字符处被截断，地址可能不全：${both}，或改用 XML`,
  );
}
