import type { Cell } from './cell.ts';
import {
  type ColumnWriter,
  type CopiedColumn,
  type RowFormat,
  cellFrom,
  isNumeric,
  isState,
  isText,
  isTime,
  memoizeField,
} from './copied-rows.ts';
import { isEnd } from './copy-format.ts';
import { type ByteBuffer, ByteChunk } from './byte-buffer.ts';
import { newNumberBytes, readNumber, readInteger } from './number-bytes.ts';
import { RowNumberChunk } from './row-number-chunk.ts';
import { CELL_MAX, STYLE, amountStyleOf, cellXml, columnName } from './sheet-xml.ts';
import { DAY_SECONDS, PART_DIGITS, type WallClock, partOfDay, serialDay } from './wall-clock.ts';

const CLOSE_NUMBER = new ByteChunk('</v></c>');
const CLOSE_TEXT = new ByteChunk('</t></is></c>');
const CLOSE_ROW = new ByteChunk('</row>');
const styled = (style: number): string => `" s="${style}"><v>`;
const TEXT = `" s="${STYLE.text}" t="inlineStr"><is><t>`;
const AMOUNTS = Array.from({ length: 19 }, (_, places) => new ByteChunk(styled(amountStyleOf(places, false))));

/** Table of the bytes that must not be copied into XML unchanged: control characters and the given ones. */
const stoppingBytes = (also: string): Uint8Array => {
  const table = new Uint8Array(256).fill(1, 0, 32);
  for (const char of also) table[char.charCodeAt(0)] = 1;
  return table;
};
// 0xEF is the first UTF-8 byte of U+FFFE and U+FFFF, which XML cannot contain.
const STOP = stoppingBytes('&<>"\\_\xef');
const SPACE = 32;
const ZERO = 48;
const POINT = 46;
const HALF = 10 ** (PART_DIGITS / 2);

/** Format of sheet rows for copied rows. Calls `onLong` for every number that is written as text to keep its digits. */
export function xmlRowFormat(columns: readonly CopiedColumn[], clock: WallClock, onLong: () => void): RowFormat {
  const rowNumbers: RowNumberChunk[] = [];
  const withRow = (head: string, tail: string): RowNumberChunk => {
    const chunk = new RowNumberChunk(head, tail);
    rowNumbers.push(chunk);
    return chunk;
  };
  const open = withRow('<row r="', '">');
  return {
    columns: columns.map((copied, c) => writerOf(copied, columnName(c), { clock, onLong, withRow })),
    begin: (out, row) => {
      for (const chunk of rowNumbers) chunk.set(row);
      out.put(open.chunk);
    },
    end: (out) => out.put(CLOSE_ROW),
    overhead: 64 + columns.length * 128,
  };
}

interface Shared {
  clock: WallClock;
  onLong: () => void;
  /** Creates a chunk that contains the number of the current row between `head` and `tail`. */
  withRow: (head: string, tail: string) => RowNumberChunk;
}

function writerOf(copied: CopiedColumn, name: string, { clock, onLong, withRow }: Shared): ColumnWriter {
  const head = `<c r="${name}`;
  const options = { clock, amount: copied.column.kind === 'amount', onLong };
  const format = (cell: Cell, row: number): string => cellXml(`${name}${row}`, cell, options);
  if (isNumeric(copied))
    return {
      format,
      writeBytes: options.amount ? amountWriter(withRow(head, '')) : integerWriter(withRow(head, styled(STYLE.whole))),
    };
  if (isTime(copied)) return { format, writeBytes: timeWriter(withRow(head, styled(STYLE.time)), clock) };
  if (isText(copied)) return { format, writeBytes: textWriter(withRow(head, TEXT)) };
  if (isState(copied)) {
    // The XML of the cell after its row number.
    const tail = memoizeField((raw) => format(cellFrom(copied, raw), 0).slice(`${head}0`.length));
    return { format, writeBytes: stateWriter(withRow(head, ''), tail) };
  }
  return { format };
}

type WriteBytes = NonNullable<ColumnWriter['writeBytes']>;

function integerWriter(open: RowNumberChunk): WriteBytes {
  const found = newNumberBytes();
  return (out, bytes, from) => {
    if (!readNumber(bytes, from, found)) return -1;
    out.put(open.chunk);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return found.to;
  };
}

function amountWriter(open: RowNumberChunk): WriteBytes {
  const found = newNumberBytes();
  return (out, bytes, from) => {
    const style = readNumber(bytes, from, found) ? AMOUNTS[found.places] : undefined;
    if (!style) return -1;
    out.put(open.chunk);
    out.put(style);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return found.to;
  };
}

function stateWriter(open: RowNumberChunk, tail: ReturnType<typeof memoizeField>): WriteBytes {
  return (out, bytes, from) => {
    const { written, end } = tail(bytes, from);
    if (written.length > 100) return -1;
    if (written.length > 0) {
      out.put(open.chunk);
      out.put(written);
    }
    return end;
  };
}

function timeWriter(open: RowNumberChunk, clock: WallClock): WriteBytes {
  const read = { value: 0, to: 0 };
  const days = new Map<number, ByteChunk>();
  return (out, bytes, from) => {
    if (!readInteger(bytes, from, read)) return -1;
    const seconds = clock.seconds(read.value);
    const day = Math.floor(seconds / DAY_SECONDS);
    let whole = days.get(day);
    if (!whole) {
      const text = serialDay(day);
      if (text === undefined) return -1;
      whole = new ByteChunk(text);
      if (days.size > 20_000) days.clear();
      days.set(day, whole);
    }
    out.put(open.chunk);
    out.put(whole);
    putFraction(out, partOfDay(seconds - day * DAY_SECONDS));
    out.put(CLOSE_NUMBER);
    return read.to;
  };
}

/** Writes the decimal places of a fraction of a day, without trailing zeros. */
function putFraction(out: ByteBuffer, part: number): void {
  if (part === 0) return;
  const { bytes, at } = out;
  bytes[at] = POINT;
  // 32-bit integers are the fastest to split into digits.
  const high = Math.floor(part / HALF);
  putHalf(bytes, at + 1, high);
  putHalf(bytes, at + 6, part - high * HALF);
  out.at = at + 11;
  while (bytes[out.at - 1] === ZERO) out.at -= 1;
}

function putHalf(bytes: Buffer, at: number, half: number): void {
  let rest = half | 0;
  for (let i = at + 4; i >= at; i -= 1) {
    const next = (rest / 10) | 0;
    bytes[i] = ZERO + rest - next * 10;
    rest = next;
  }
}

function textWriter(open: RowNumberChunk): WriteBytes {
  return (out, bytes, from) => {
    if (isEnd(bytes[from])) return from;
    out.put(open.chunk);
    const to = out.copyUntil(STOP, bytes, from);
    if (!isEnd(bytes[to]) || to - from > CELL_MAX || bytes[from] === SPACE || bytes[to - 1] === SPACE) return -1;
    out.put(CLOSE_TEXT);
    return to;
  };
}
