import { type Cell, FLOAT_DIGITS, placesOf, significantDigits } from './cell.ts';
import type { WallClock } from './wall-clock.ts';

/** Most characters that a spreadsheet takes in one cell. */
export const CELL_MAX = 32_767;
const PLACES_MAX = 18;

/** Numbers of the formats in `styles`, which lists them in this order. */
export const STYLE = {
  plain: 0,
  head: 1,
  headRight: 2,
  text: 3,
  longNumber: 4,
  time: 5,
  bold: 6,
  boldLong: 7,
  whole: 8,
};
const AMOUNT = 9;
const BOLD_AMOUNT = AMOUNT + PLACES_MAX + 1;

export const amountStyleOf = (count: number, bold: boolean): number =>
  (bold ? BOLD_AMOUNT : AMOUNT) + Math.min(count, PLACES_MAX);

/**
 * What XML cannot hold is written as the spreadsheets do, and what looks like that is kept apart from it. Half a surrogate
 * pair becomes the sign for an unknown character when the text becomes bytes.
 */
export function xmlText(text: string): string {
  const told = text
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (char) => `_x${hex(char)}_`);
  return told.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const hex = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** A, B, … Z, AA: names of columns by their place from 0. */
export function columnName(place: number): string {
  const before = Math.floor(place / 26);
  return (before > 0 ? columnName(before - 1) : '') + String.fromCodePoint(65 + (place % 26));
}

export function textXml(at: string, text: string, style: number): string {
  const keep = EDGES.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t${keep}>${xmlText(fitting(text))}</t></is></c>`;
}

/** Blanks that a reader of XML may leave out where it is not told to keep them. */
const EDGES = /^ | $|[\t\n\r]/;

function fitting(text: string): string {
  if (text.length <= CELL_MAX) return text;
  return `${text.slice(0, CELL_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const numberXml = (at: string, number: string, style: number): string =>
  `<c r="${at}" s="${style}"><v>${number}</v></c>`;

export interface CellOptions {
  clock: WallClock;
  /** A number in it is one, and not an id. */
  amount: boolean;
  bold?: boolean;
  /** Told of every number that had to become text to keep its digits. */
  onLong: () => void;
}

/**
 * A cell as XML. A number is written as one where a spreadsheet keeps all of its digits, else as text, so that what is
 * seen is always what is stored. Texts are texts: none can be taken for a formula.
 */
export function cellXml(at: string, cell: Cell, { clock, amount, bold = false, onLong }: CellOptions): string {
  if (cell.kind === 'none') return '';
  if (cell.kind === 'text') return textXml(at, cell.text, bold ? STYLE.bold : STYLE.text);
  if (cell.kind === 'time') {
    const serial = clock.serial(cell.ms);
    return serial === undefined ? textXml(at, clock.text(cell.ms), STYLE.text) : numberXml(at, serial, STYLE.time);
  }
  if (significantDigits(cell.text) > FLOAT_DIGITS) {
    onLong();
    return textXml(at, cell.text, bold ? STYLE.boldLong : STYLE.longNumber);
  }
  return numberXml(at, cell.text, amount ? amountStyleOf(placesOf(cell.text), bold) : STYLE.whole);
}

const TIME_FORMAT = 164;
const AMOUNT_FORMAT = 165;
const TEXT_FORMAT = 49;

const places = Array.from({ length: PLACES_MAX + 1 }, (_, count) => count);

/** One format for each number of digits behind the point: no digit is hidden, none is made up. */
const amountFormats = places
  .map(
    (count) =>
      `<numFmt numFmtId="${AMOUNT_FORMAT + count}" formatCode="#,##0${count ? `.${'0'.repeat(count)}` : ''}"/>`,
  )
  .join('');

const xf = (numFmt: number, font: number, fill: number, align = ''): string =>
  `<xf numFmtId="${numFmt}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"` +
  (align ? ` applyAlignment="1"><alignment horizontal="${align}"/></xf>` : '/>');

const formats = [
  xf(0, 0, 0),
  xf(TEXT_FORMAT, 1, 2),
  xf(TEXT_FORMAT, 1, 2, 'right'),
  xf(TEXT_FORMAT, 0, 0),
  xf(TEXT_FORMAT, 0, 3, 'right'),
  xf(TIME_FORMAT, 0, 0),
  xf(TEXT_FORMAT, 1, 0),
  xf(TEXT_FORMAT, 1, 3, 'right'),
  xf(1, 0, 0),
  ...places.map((count) => xf(AMOUNT_FORMAT + count, 0, 0, 'right')),
  ...places.map((count) => xf(AMOUNT_FORMAT + count, 1, 0, 'right')),
];

const fill = (colour: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${colour}"/><bgColor indexed="64"/></patternFill></fill>`;

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export const styles =
  `${XML}<styleSheet xmlns="${SHEET_NAMESPACE}">` +
  `<numFmts count="${places.length + 1}"><numFmt numFmtId="${TIME_FORMAT}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>${amountFormats}</numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${fill('FFE9EDF3')}${fill('FFFFF1D6')}</fills>` +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${formats.length}">${formats.join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
