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
import type { Out } from './out.ts';
import { noNumber, readNumber, readWhole } from './quick-number.ts';
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

/** Bytes that do not stand in XML as they are. What may begin something else is left to those who know what it is. */
const stoppingBytes = (also: string): Uint8Array => {
  const table = new Uint8Array(256).fill(1, 0, 32);
  for (const char of also) table[char.charCodeAt(0)] = 1;
  return table;
};
// EF begins the two characters that XML cannot hold, among many that it can.
const STOP = stoppingBytes('&<>"\\_\xef');

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
      quick: (out, bytes, from, row) => {
        const { made, end } = tail(bytes, from);
        if (made.length > 100) return -1;
        if (made.length > 0) {
          open(out, row);
          out.put(made);
        }
        return end;
      },
    };
  }
  return { slow };
}

type Open = (out: Out, row: number) => void;
type Quick = NonNullable<ColumnWriter['quick']>;

function quickNumber(open: Open, amount: boolean): Quick {
  const found = noNumber();
  return (out, bytes, from, row) => {
    if (!readNumber(bytes, from, found) || found.places >= AMOUNTS.length) return -1;
    open(out, row);
    out.put(amount ? (AMOUNTS[found.places] ?? WHOLE) : WHOLE);
    out.slice(bytes, from, found.end);
    out.put(CLOSE_NUMBER);
    return found.to;
  };
}

function quickTime(open: Open, clock: WallClock): Quick {
  const read = { value: 0, to: 0 };
  return (out, bytes, from, row) => {
    const serial = readWhole(bytes, from, read) ? clock.serial(read.value) : undefined;
    if (serial === undefined) return -1;
    open(out, row);
    out.put(TIME);
    out.at += out.bytes.write(String(serial), out.at, 'latin1');
    out.put(CLOSE_NUMBER);
    return read.to;
  };
}

function quickText(open: Open): Quick {
  return (out, bytes, from, row) => {
    if (isEnd(bytes[from])) return from;
    open(out, row);
    out.put(TEXT);
    const to = out.copyUntil(STOP, bytes, from);
    if (!isEnd(bytes[to]) || to - from > CELL_MAX) return -1;
    out.put(CLOSE_TEXT);
    return to;
  };
}
