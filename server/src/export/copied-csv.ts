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
import { isEnd } from './field-end.ts';
import { Piece } from './out.ts';
import { noNumber, readNumber, readWhole } from './quick-number.ts';
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
/** Bytes at which a text that is copied stops: it has ended, is quoted, or is more than it seems. */
const STOP = tableOf(Buffer.from('\t\n\r",\\'));
/** What a formula begins with, or the blanks before it, or the first byte of either in UTF-8. */
const SUSPECT = tableOf([...Buffer.from('=+-@ \v\f'), 0xc2, 0xe1, 0xe2, 0xe3, 0xef]);

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
    const words = remembered((raw) => fieldOf(cellFrom(copied, raw), clock));
    return {
      slow,
      quick: (out, bytes, from) => {
        const { made, end } = words(bytes, from);
        if (made.length > 100) return -1;
        out.put(made);
        return end;
      },
    };
  }
  return { slow };
}

type Quick = NonNullable<ColumnWriter['quick']>;

function quickNumber(): Quick {
  const found = noNumber();
  return (out, bytes, from) => {
    if (!readNumber(bytes, from, found)) return -1;
    out.slice(bytes, from, found.end);
    return found.to;
  };
}

const quickText: Quick = (out, bytes, from) => {
  if (SUSPECT[bytes[from] ?? 0] === 1) return -1;
  const to = out.copyUntil(STOP, bytes, from);
  return isEnd(bytes[to]) ? to : -1;
};

function quickTime(clock: WallClock): Quick {
  const days = new Map<number, Piece>();
  const read = { value: 0, to: 0 };
  return (out, bytes, from) => {
    if (!readWhole(bytes, from, read)) return -1;
    const seconds = clock.seconds(read.value);
    const day = Math.floor(seconds / DAY_SECONDS);
    let date = days.get(day);
    if (!date) {
      // `2026-03-08 `: years beyond four digits are written by those who know how.
      date = new Piece(clock.text(read.value).slice(0, -8));
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
