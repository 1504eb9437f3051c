import {
  type ColumnWriter,
  type Copied,
  type RowForm,
  cellFrom,
  isNumeric,
  isState,
  isText,
  isTime,
  remembered,
} from './copied-rows.ts';
import { fieldOf } from './csv.ts';
import { readNumber, readWhole } from './quick-number.ts';
import type { WallClock } from './wall-clock.ts';

const COMMA = 44;
const CR = 13;
const LF = 10;
const ZERO = 48;

const tableOf = (bytes: Iterable<number>): Uint8Array => {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
};
/** Bytes for which a field is quoted, or is more than it seems. */
const SPECIAL = tableOf(Buffer.from('",\r\n\\'));
/** What a formula begins with, or the blanks before it, or the first byte of either in UTF-8. */
const SUSPECT = tableOf([...Buffer.from('=+-@ \t\v\f'), 0xc2, 0xe1, 0xe2, 0xe3, 0xef]);

/** The lines of a csv from copied rows. */
export function csvForm(columns: readonly Copied[], clock: WallClock): RowForm {
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
    around: 64 + columns.length * 128,
  };
}

function writerOf(copied: Copied, clock: WallClock): ColumnWriter {
  const slow: ColumnWriter['slow'] = (cell) => fieldOf(cell, clock);
  if (isNumeric(copied)) return { slow, quick: quickNumber() };
  if (isTime(copied)) return { slow, quick: quickTime(clock) };
  if (isText(copied)) return { slow, quick: quickText };
  if (isState(copied)) {
    const words = remembered((raw) => Buffer.from(fieldOf(cellFrom(copied, raw), clock)));
    return {
      slow,
      quick: (out, bytes, from, to) => {
        const field = words(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString());
        if (field.length > 100) return false;
        out.put(field);
        return true;
      },
    };
  }
  return { slow };
}

type Quick = NonNullable<ColumnWriter['quick']>;

function quickNumber(): Quick {
  const found = { end: 0, places: 0 };
  return (out, bytes, from, to) => {
    if (!readNumber(bytes, from, to, found)) return false;
    out.slice(bytes, from, found.end);
    return true;
  };
}

const quickText: Quick = (out, bytes, from, to) => {
  if (from === to) return true;
  if (SUSPECT[bytes[from] ?? 0] === 1) return false;
  for (let i = from; i < to; i += 1) if (SPECIAL[bytes[i] ?? 0] === 1) return false;
  out.slice(bytes, from, to);
  return true;
};

const DAY_SECONDS = 86_400;

function quickTime(clock: WallClock): Quick {
  const days = new Map<number, Buffer>();
  return (out, bytes, from, to) => {
    const ms = readWhole(bytes, from, to);
    const seconds = clock.seconds(ms);
    const day = Math.floor(seconds / DAY_SECONDS);
    let date = days.get(day);
    if (!date) {
      // `2026-03-08 `: years beyond four digits are written by those who know how.
      date = Buffer.from(clock.text(ms).slice(0, -8));
      if (date.length !== 11) return false;
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
    return true;
  };
}

function twoDigits(target: Buffer, at: number, value: number): void {
  target[at] = ZERO + Math.floor(value / 10);
  target[at + 1] = ZERO + (value % 10);
}
