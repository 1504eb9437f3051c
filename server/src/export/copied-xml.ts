import type { Cell } from './cell.ts';
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
import { isEnd } from './field-end.ts';
import { type Out, Piece } from './out.ts';
import { noNumber, readNumber, readWhole } from './quick-number.ts';
import { RowPiece } from './row-piece.ts';
import { CELL_MAX, STYLE, amountStyleOf, cellXml, columnName } from './sheet-xml.ts';
import { DAY_SECONDS, PART_DIGITS, type WallClock, partOfDay, serialDay } from './wall-clock.ts';

const CLOSE_NUMBER = new Piece('</v></c>');
const CLOSE_TEXT = new Piece('</t></is></c>');
const CLOSE_ROW = new Piece('</row>');
const styled = (style: number): string => `" s="${style}"><v>`;
const TEXT = `" s="${STYLE.text}" t="inlineStr"><is><t>`;
const AMOUNTS = Array.from({ length: 19 }, (_, places) => new Piece(styled(amountStyleOf(places, false))));

/** Bytes that do not stand in XML as they are. What may begin something else is left to those who know what it is. */
const stoppingBytes = (also: string): Uint8Array => {
  const table = new Uint8Array(256).fill(1, 0, 32);
  for (const char of also) table[char.charCodeAt(0)] = 1;
  return table;
};
// EF begins the two characters that XML cannot hold, among many that it can.
const STOP = stoppingBytes('&<>"\\_\xef');
const SPACE = 32;
const ZERO = 48;
const POINT = 46;
const HALF = 10 ** (PART_DIGITS / 2);

/** The rows of a sheet from copied ones; `onLong` is told of every number that had to become text. */
export function xmlForm(columns: readonly Copied[], clock: WallClock, onLong: () => void): RowForm {
  const numbered: RowPiece[] = [];
  const withRow = (head: string, tail: string): RowPiece => {
    const piece = new RowPiece(head, tail);
    numbered.push(piece);
    return piece;
  };
  const open = withRow('<row r="', '">');
  return {
    columns: columns.map((copied, c) => writerOf(copied, columnName(c), { clock, onLong, withRow })),
    begin: (out, row) => {
      for (const piece of numbered) piece.set(row);
      out.put(open.piece);
    },
    end: (out) => out.put(CLOSE_ROW),
    around: 64 + columns.length * 128,
  };
}

interface Shared {
  clock: WallClock;
  onLong: () => void;
  /** A piece that has the number of the row in it that is being written. */
  withRow: (head: string, tail: string) => RowPiece;
}

function writerOf(copied: Copied, name: string, { clock, onLong, withRow }: Shared): ColumnWriter {
  const head = `<c r="${name}`;
  const options = { clock, amount: copied.column.kind === 'amount', onLong };
  const slow = (cell: Cell, row: number): string => cellXml(`${name}${row}`, cell, options);
  if (isNumeric(copied))
    return {
      slow,
      quick: options.amount ? quickAmount(withRow(head, '')) : quickWhole(withRow(head, styled(STYLE.whole))),
    };
  if (isTime(copied)) return { slow, quick: quickTime(withRow(head, styled(STYLE.time)), clock) };
  if (isText(copied)) return { slow, quick: quickText(withRow(head, TEXT)) };
  if (isState(copied)) {
    // Everything of the cell but its place.
    const tail = remembered((raw) => slow(cellFrom(copied, raw), 0).slice(`${head}0`.length));
    return { slow, quick: quickState(withRow(head, ''), tail) };
  }
  return { slow };
}

type Quick = NonNullable<ColumnWriter['quick']>;

function quickWhole(open: RowPiece): Quick {
  const found = noNumber();
  return (out, bytes, from) => {
    if (!readNumber(bytes, from, found)) return -1;
    out.put(open.piece);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return found.to;
  };
}

function quickAmount(open: RowPiece): Quick {
  const found = noNumber();
  return (out, bytes, from) => {
    const style = readNumber(bytes, from, found) ? AMOUNTS[found.places] : undefined;
    if (!style) return -1;
    out.put(open.piece);
    out.put(style);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return found.to;
  };
}

function quickState(open: RowPiece, tail: ReturnType<typeof remembered>): Quick {
  return (out, bytes, from) => {
    const { made, end } = tail(bytes, from);
    if (made.length > 100) return -1;
    if (made.length > 0) {
      out.put(open.piece);
      out.put(made);
    }
    return end;
  };
}

function quickTime(open: RowPiece, clock: WallClock): Quick {
  const read = { value: 0, to: 0 };
  const days = new Map<number, Piece>();
  return (out, bytes, from) => {
    if (!readWhole(bytes, from, read)) return -1;
    const seconds = clock.seconds(read.value);
    const day = Math.floor(seconds / DAY_SECONDS);
    let whole = days.get(day);
    if (!whole) {
      const text = serialDay(day);
      if (text === undefined) return -1;
      whole = new Piece(text);
      if (days.size > 20_000) days.clear();
      days.set(day, whole);
    }
    out.put(open.piece);
    out.put(whole);
    putPart(out, partOfDay(seconds - day * DAY_SECONDS));
    out.put(CLOSE_NUMBER);
    return read.to;
  };
}

/** The digits behind the point, without the zeros at their end. */
function putPart(out: Out, part: number): void {
  if (part === 0) return;
  const { bytes, at } = out;
  bytes[at] = POINT;
  // Whole numbers of 32 bits are the quickest to take apart.
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

function quickText(open: RowPiece): Quick {
  return (out, bytes, from) => {
    if (isEnd(bytes[from])) return from;
    out.put(open.piece);
    const to = out.copyUntil(STOP, bytes, from);
    if (!isEnd(bytes[to]) || to - from > CELL_MAX || bytes[from] === SPACE || bytes[to - 1] === SPACE) return -1;
    out.put(CLOSE_TEXT);
    return to;
  };
}
