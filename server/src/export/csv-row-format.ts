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
import { fieldOf } from './csv.ts';
import { isEnd } from './copy-format.ts';
import { ByteChunk } from './byte-buffer.ts';
import { newNumberBytes, readNumber, readInteger } from './number-bytes.ts';
import { DAY_SECONDS, type WallClock } from './wall-clock.ts';

const COMMA = 44;
const CR = 13;
const LF = 10;
const ZERO = 48;

const tableOf = (bytes: Iterable<number>): Uint8Array => {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
};
/** Bytes that end the fast copy of a text: the end of the field, or a character that needs quoting or decoding. */
const STOP = tableOf(Buffer.from('\t\n\r",\\'));
/** First bytes (in UTF-8) of formula characters and of the blanks that may precede them. */
const MAYBE_FORMULA = tableOf([...Buffer.from('=+-@ \v\f'), 0xc2, 0xe1, 0xe2, 0xe3, 0xef]);

/** Format of csv lines for copied rows. */
export function csvRowFormat(columns: readonly CopiedColumn[], clock: WallClock): RowFormat {
  return {
    columns: columns.map((copied) => writerOf(copied, clock)),
    begin: () => undefined,
    between: (out) => {
      out.bytes[out.at++] = COMMA;
    },
    end: (out) => {
      out.bytes[out.at++] = CR;
      out.bytes[out.at++] = LF;
    },
    overhead: 64 + columns.length * 128,
  };
}

function writerOf(copied: CopiedColumn, clock: WallClock): ColumnWriter {
  const format: ColumnWriter['format'] = (cell) => fieldOf(cell, clock);
  if (isNumeric(copied)) return { format, writeBytes: numberWriter() };
  if (isTime(copied)) return { format, writeBytes: timeWriter(clock) };
  if (isText(copied)) return { format, writeBytes: writeText };
  if (isState(copied)) {
    const label = memoizeField((raw) => fieldOf(cellFrom(copied, raw), clock));
    return {
      format,
      writeBytes: (out, bytes, from) => {
        const { written, end } = label(bytes, from);
        if (written.length > 100) return -1;
        out.put(written);
        return end;
      },
    };
  }
  return { format };
}

type WriteBytes = NonNullable<ColumnWriter['writeBytes']>;

function numberWriter(): WriteBytes {
  const found = newNumberBytes();
  return (out, bytes, from) => {
    if (!readNumber(bytes, from, found)) return -1;
    out.slice(bytes, from, found.end);
    return found.to;
  };
}

const writeText: WriteBytes = (out, bytes, from) => {
  if (MAYBE_FORMULA[bytes[from] ?? 0] === 1) return -1;
  const to = out.copyUntil(STOP, bytes, from);
  return isEnd(bytes[to]) ? to : -1;
};

function timeWriter(clock: WallClock): WriteBytes {
  const days = new Map<number, ByteChunk>();
  const read = { value: 0, to: 0 };
  return (out, bytes, from) => {
    if (!readInteger(bytes, from, read)) return -1;
    const seconds = clock.seconds(read.value);
    const day = Math.floor(seconds / DAY_SECONDS);
    let date = days.get(day);
    if (!date) {
      // `2026-03-08 `: other years are left to `format`.
      date = new ByteChunk(clock.text(read.value).slice(0, -8));
      if (date.length !== 11) return -1;
      if (days.size > 20_000) days.clear();
      days.set(day, date);
    }
    out.put(date);
    const rest = seconds - day * DAY_SECONDS;
    const target = out.bytes;
    target[out.at + 2] = target[out.at + 5] = 58;
    twoDigits(target, out.at, Math.floor(rest / 3600));
    twoDigits(target, out.at + 3, Math.floor((rest % 3600) / 60));
    twoDigits(target, out.at + 6, rest % 60);
    out.at += 8;
    return read.to;
  };
}

function twoDigits(target: Buffer, at: number, value: number): void {
  target[at] = ZERO + Math.floor(value / 10);
  target[at + 1] = ZERO + (value % 10);
}
