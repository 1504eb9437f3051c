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
import type { Out } from './out.ts';
import { type QuickNumber, readNumber, readWhole } from './quick-number.ts';
import { CELL_MAX, STYLE, amountStyleOf, cellXml, columnName } from './sheet-xml.ts';
import type { WallClock } from './wall-clock.ts';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const CLOSE_NUMBER = ascii('</v></c>');
const CLOSE_TEXT = ascii('</t></is></c>');
const CLOSE_ROW = ascii('</row>');
const OPEN_ROW = ascii('<row r="');
const OPEN_CELLS = ascii('">');
const TEXT_TAIL = '" s="3" t="inlineStr"><is><t xml:space="preserve">';
const styled = (style: number): Buffer => ascii(`" s="${style}"><v>`);
const WHOLE = styled(STYLE.whole);
const TIME = styled(STYLE.time);
const TEXT = ascii(TEXT_TAIL.replace('s="3"', `s="${STYLE.text}"`));
const AMOUNTS = Array.from({ length: 19 }, (_, places) => styled(amountStyleOf(places, false)));

/** Bytes that stand in XML as they are. What may begin something else is left to those who know what it is. */
const plainBytes = (excluded: string): Uint8Array => {
  const table = new Uint8Array(256).fill(1, 32);
  for (const char of excluded) table[char.charCodeAt(0)] = 0;
  return table;
};
// EF begins the two characters that XML cannot hold, among many that it can.
const PLAIN = plainBytes('&<>"\\_\xef');

/** The rows of a sheet from copied ones; `onLong` is told of every number that had to become text. */
export function xmlForm(columns: readonly Copied[], clock: WallClock, onLong: () => void): RowForm {
  const rowNumber = { row: -1, text: Buffer.alloc(0) };
  const numbered = (row: number): Buffer => {
    if (rowNumber.row !== row) Object.assign(rowNumber, { row, text: ascii(String(row)) });
    return rowNumber.text;
  };
  const writers = columns.map((copied, c) => writerOf(copied, columnName(c), { clock, onLong, numbered }));
  return {
    columns: writers,
    begin: (out, row) => {
      out.put(OPEN_ROW);
      out.put(numbered(row));
      out.put(OPEN_CELLS);
    },
    end: (out) => out.put(CLOSE_ROW),
    around: 64 + columns.length * 128,
  };
}

interface Shared {
  clock: WallClock;
  onLong: () => void;
  numbered: (row: number) => Buffer;
}

function writerOf(copied: Copied, name: string, shared: Shared): ColumnWriter {
  const { clock, onLong, numbered } = shared;
  const head = ascii(`<c r="${name}`);
  const options = { clock, amount: copied.column.kind === 'amount', onLong };
  const slow = (cell: Cell, row: number): string => cellXml(`${name}${row}`, cell, options);
  const open = (out: Out, row: number): void => {
    out.put(head);
    out.put(numbered(row));
  };
  if (isNumeric(copied)) return { slow, quick: quickNumber(open, options.amount) };
  if (isTime(copied)) return { slow, quick: quickTime(open, clock) };
  if (isText(copied)) return { slow, quick: quickText(open) };
  if (isState(copied)) {
    // Everything of the cell but its place.
    const tail = remembered((raw) => Buffer.from(slow(cellFrom(copied, raw), 0).slice(`<c r="${name}0`.length)));
    return {
      slow,
      quick: (out, bytes, from, to, row) => {
        const rest = tail(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString());
        if (rest.length === 0) return true;
        if (rest.length > 100) return false;
        open(out, row);
        out.put(rest);
        return true;
      },
    };
  }
  return { slow };
}

type Open = (out: Out, row: number) => void;
type Quick = NonNullable<ColumnWriter['quick']>;

function quickNumber(open: Open, amount: boolean): Quick {
  const found: QuickNumber = { end: 0, places: 0 };
  return (out, bytes, from, to, row) => {
    if (!readNumber(bytes, from, to, found) || found.places >= AMOUNTS.length) return false;
    open(out, row);
    out.put(amount ? (AMOUNTS[found.places] ?? WHOLE) : WHOLE);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return true;
  };
}

function quickTime(open: Open, clock: WallClock): Quick {
  return (out, bytes, from, to, row) => {
    const serial = clock.serial(readWhole(bytes, from, to));
    if (serial === undefined) return false;
    open(out, row);
    out.put(TIME);
    out.at += out.bytes.write(String(serial), out.at, 'latin1');
    out.put(CLOSE_NUMBER);
    return true;
  };
}

function quickText(open: Open): Quick {
  return (out, bytes, from, to, row) => {
    if (from === to) return true;
    if (to - from > CELL_MAX) return false;
    for (let i = from; i < to; i += 1) if (PLAIN[bytes[i] ?? 0] === 0) return false;
    open(out, row);
    out.put(TEXT);
    out.slice(bytes, from, to);
    out.put(CLOSE_TEXT);
    return true;
  };
}
