import { type Cell, FLOAT_DIGITS, placesOf, significantDigits } from './cell.ts';
import type { WallClock } from './wall-clock.ts';

/** Maximum characters of a spreadsheet cell. */
const CELL_MAX = 32_767;
const PLACES_MAX = 18;

/** Indexes of the cell formats; `formats` lists them in this order. */
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

const amountStyleOf = (count: number, bold: boolean): number =>
  (bold ? BOLD_AMOUNT : AMOUNT) + Math.min(count, PLACES_MAX);

/**
 * Escapes text for XML. Characters that XML cannot contain become `_xHHHH_`, as in spreadsheets, and texts that look
 * like that are escaped too. A lone surrogate becomes U+FFFD when the text is encoded.
 */
export function xmlText(text: string): string {
  const escaped = text
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (char) => `_x${hex(char)}_`);
  return escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const hex = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** Name of a column by its index from 0: A, B, … Z, AA. */
export function columnName(index: number): string {
  const prefix = Math.floor(index / 26);
  return (prefix > 0 ? columnName(prefix - 1) : '') + String.fromCodePoint(65 + (index % 26));
}

/** The XML between the place and the content of a cell, by style. Joining it from its parts for each cell takes longer. */
const textStarts = Array.from(
  { length: BOLD_AMOUNT + PLACES_MAX + 1 },
  (_, style) => `" s="${style}" t="inlineStr"><is><t>`,
);
const numberStarts = textStarts.map((_, style) => `" s="${style}"><v>`);

export const textXml = (at: string, text: string, style: number): string =>
  isPlain(text)
    ? `<c r="${at}${textStarts[style]}${text}</t></is></c>`
    : `<c r="${at}" s="${style}" t="inlineStr"><is>${specialText(text)}</is></c>`;

/** Nearly all texts are written as they are: one test is faster than the steps for the others. */
const isPlain = (text: string): boolean => text.length <= CELL_MAX && !SPECIAL.test(text);

// oxlint-disable-next-line no-control-regex
const SPECIAL = /[&<>"_\u0000-\u001f\ufffe\uffff]|^ | $/;

const specialText = (text: string): string =>
  `<t${EDGES.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(truncate(text))}</t>`;

/** White space that an XML parser may drop without xml:space="preserve". */
const EDGES = /^ | $|[\t\n\r]/;

/** Cuts a text to the limit of a cell, without splitting a surrogate pair. */
function truncate(text: string): string {
  if (text.length <= CELL_MAX) return text;
  return `${text.slice(0, CELL_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const numberXml = (at: string, number: string, style: number): string =>
  `<c r="${at}${numberStarts[style]}${number}</v></c>`;

export interface CellOptions {
  clock: WallClock;
  /** Numbers are amounts, which are shown with grouping and decimals; ids are not. */
  amount: boolean;
  bold?: boolean;
  /** Called for every number that is written as text to keep its digits. */
  onLong: () => void;
}

/**
 * XML of a cell. A number that a spreadsheet would round is written as text, so that the file always shows the stored
 * value. Texts are inline strings, which are never evaluated as formulas.
 */
export function cellXml(at: string, cell: Cell, { clock, amount, bold = false, onLong }: CellOptions): string {
  if (cell.kind === 'none') return '';
  if (cell.kind === 'text') return textXml(at, cell.text, bold ? STYLE.bold : STYLE.text);
  if (cell.kind === 'time') {
    const serial = clock.serial(cell.ms);
    return serial === undefined ? textXml(at, clock.text(cell.ms), STYLE.text) : numberXml(at, serial, STYLE.time);
  }
  if (cell.text.length > FLOAT_DIGITS && significantDigits(cell.text) > FLOAT_DIGITS) {
    onLong();
    return textXml(at, cell.text, bold ? STYLE.boldLong : STYLE.longNumber);
  }
  return numberXml(at, cell.text, amount ? amountStyleOf(placesOf(cell.text), bold) : STYLE.whole);
}

const TIME_FORMAT = 164;
const AMOUNT_FORMAT = 165;
const TEXT_FORMAT = 49;

const places = Array.from({ length: PLACES_MAX + 1 }, (_, count) => count);

/** One format per number of decimal places, so that exactly the stored digits are shown. */
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
