import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { UnreadableFile } from './address-file-line.rules.ts';

/** Bytes after the first that is not ASCII, by which the encoding is recognized. */
const SAMPLE_BYTES = 64 * 1024;
const UTF16_MARKS = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;
/** Ctrl-Z, with which files of OFAC end. */
const END_MARK = '\u001A';

const WRONG_ENCODING = '编码无法识别，请以 UTF-8 或 GB18030 保存';

/**
 * Decodes a file in pieces: UTF-8, UTF-16 with its mark, or GB18030, as spreadsheets write it in China.
 *
 * @throws UnreadableFile
 */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held = '';
  for await (const text of decodePieces(bytes)) {
    if (text.includes('\uFFFD')) throw new UnreadableFile(WRONG_ENCODING);
    const piece = held + text;
    const end = piece.slice(-16).trimEnd().endsWith(END_MARK) ? piece.lastIndexOf(END_MARK) : piece.length;
    held = piece.slice(end);
    if (end > 0) yield piece.slice(0, end);
  }
}

async function* decodePieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let undecided = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) decoder = utf16Decoder(chunk);
    isFirst = false;
    if (decoder) yield decode(decoder, chunk, true);
    else if (undecided.length === 0 && isAscii(chunk)) yield chunk.toString('latin1');
    else {
      undecided = Buffer.concat([undecided, chunk]);
      if (undecided.length < SAMPLE_BYTES) continue;
      decoder = chooseDecoder(undecided, true);
      yield decode(decoder, undecided, true);
    }
  }
  if (decoder) yield decode(decoder, Buffer.alloc(0), false);
  else if (undecided.length > 0) yield decode(chooseDecoder(undecided, false), undecided, false);
}

function utf16Decoder(chunk: Buffer): TextDecoder | undefined {
  for (const [encoding, mark] of Object.entries(UTF16_MARKS))
    if (mark.every((byte, index) => chunk[index] === byte)) return new TextDecoder(encoding, { fatal: true });
  return undefined;
}

function chooseDecoder(sample: Buffer, isCut: boolean): TextDecoder {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: isCut });
    return new TextDecoder('utf-8', { fatal: true });
  } catch {
    return new TextDecoder('gb18030', { fatal: true });
  }
}

function decode(decoder: TextDecoder, chunk: Buffer, isCut: boolean): string {
  try {
    return decoder.decode(chunk, { stream: isCut });
  } catch {
    throw new UnreadableFile(WRONG_ENCODING);
  }
}

/** Looks at the beginning of a stream: at least `size` characters or bytes, if it has so many. */
export async function peek<T extends { length: number }>(
  pieces: AsyncIterable<T>,
  size: number,
): Promise<{ head: T[]; all: AsyncGenerator<T> }> {
  const source = pieces[Symbol.asyncIterator]();
  const head: T[] = [];
  for (let length = 0; length < size;) {
    const next = await source.next();
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  return { head, all: chain(head, { [Symbol.asyncIterator]: () => source }) };
}

export async function* chain<T>(first: Iterable<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
