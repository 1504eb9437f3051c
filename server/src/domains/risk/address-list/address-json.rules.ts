import {
  type FileItem,
  type FileReading,
  ITEM_MAX,
  type FileLine,
  UnreadableFile,
  makeLine,
} from './address-file-line.rules.ts';
import { chain } from './address-file-text.rules.ts';
import { readWallets } from './address-opensanctions.rules.ts';

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
};

function readItem(item: unknown, line: number, coin: string | undefined): FileLine {
  const fields: Partial<Record<string, unknown>> =
    typeof item === 'object' && item !== null ? { ...item } : { address: item };
  const network = textOf(fields['network']);
  return makeLine(line, JSON.stringify(item), {
    address: typeof fields['address'] === 'string' ? textOf(fields['address']) : '',
    network,
    memo: textOf(fields['memo']),
    reason: textOf(fields['reason']),
    ...(network === '' && coin !== undefined && { coin }),
  });
}

/**
 * Reads a JSON list of texts, or of objects with `address` and perhaps `network`, `memo` and `reason`. An item counts as a
 * line.
 */
export function readJsonList(texts: AsyncIterable<string>, coin: string | undefined): FileReading {
  return { format: 'json', items: readItems(texts, coin) };
}

async function* readItems(texts: AsyncIterable<string>, coin: string | undefined): AsyncGenerator<FileItem> {
  let line = 0;
  for await (const item of splitList(texts)) yield readItem(parseItem(item, ++line), line, coin);
}

/**
 * Splits a list at its commas, so that only one item is in memory.
 *
 * @throws UnreadableFile if the brackets do not match; an item may still be no JSON
 */
async function* splitList(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let item = '';
  let count = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let hasEnded = false;
  for await (const text of texts) {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? '';
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isText = false;
        continue;
      }
      if (hasEnded && character.trim() !== '') throw notAList();
      if (character === '"') isText = true;
      else if (character === '[' || character === '{') {
        if (depth++ === 0) start = at + 1;
      } else if (character === ']' || character === '}') {
        depth--;
        hasEnded = depth === 0;
      }
      const endsItem = hasEnded || (depth === 1 && character === ',');
      if (!endsItem || character.trim() === '') continue;
      item += text.slice(start, at);
      start = at + 1;
      if (item.trim() !== '' || count > 0 || !hasEnded) {
        count++;
        yield item;
      }
      item = '';
    }
    if (!hasEnded && depth > 0) item += text.slice(start);
    if (item.length > ITEM_MAX) throw new UnreadableFile(`第 ${count + 1} 项过长`);
  }
  if (!hasEnded) throw notAList();
}

const notAList = (): UnreadableFile => new UnreadableFile('不是有效的 JSON 列表');

function parseItem(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser is English and names no line.
    throw new UnreadableFile(`不是有效的 JSON 列表：第 ${line} 项无法识别`);
  }
}

/** Reads lines of JSON: entities of OpenSanctions, or objects as in a list. */
export async function readJsonLines(texts: AsyncIterable<string>, coin: string | undefined): Promise<FileReading> {
  const lines = splitLines(texts);
  const first = await lines.next();
  const all = chain(first.done ? [] : [first.value], lines);
  const isWallets = !first.done && /"schema"\s*:/.test(first.value.text);
  return { format: isWallets ? 'opensanctions' : 'json', items: readLines(all, coin) };
}

interface TextLine {
  line: number;
  text: string;
}

async function* readLines(lines: AsyncIterable<TextLine>, coin: string | undefined): AsyncGenerator<FileItem> {
  for await (const { line, text } of lines) {
    const item = parseItem(text, line);
    if (typeof item === 'object' && item !== null && 'schema' in item) yield* readWallets(item, line);
    else yield readItem(item, line, coin);
  }
}

async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let rest = '';
  let line = 0;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > ITEM_MAX) throw new UnreadableFile(`第 ${line + 1} 行过长`);
    for (const one of lines) {
      line++;
      if (one.trim() !== '') yield { line, text: one };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest };
}
