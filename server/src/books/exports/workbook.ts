import type { ListColumn } from '@hengtai/contract/wire/list';
import type { CoinTotal } from '../lists/list.ts';
import { cellOf } from './cell.ts';
import { notesSheetXml } from './notes-sheet.ts';
import { type ExportContent, headingOf } from './request.ts';
import { SHEET_NAMESPACE, STYLE, XML, cellXml, columnName, styles, textXml, xmlText } from './sheet-xml.ts';
import { type ZipEntry, type ZipOptions, zip } from './zip.ts';

/** Data rows per sheet. A sheet holds 1,048,576 rows; the rest is for the heading and the totals. */
const SHEET_ROWS = 1_048_000;
/** Rows per chunk: small enough not to block other requests, and to die young in the garbage collector. */
const CHUNK_ROWS = 50;

const WIDTHS: Readonly<Record<ListColumn['kind'], number>> = {
  id: 12,
  count: 10,
  text: 18,
  user: 18,
  agent: 18,
  operator: 18,
  hash: 44,
  amount: 24,
  time: 28,
  state: 14,
  states: 30,
};

export interface WorkbookOptions extends ZipOptions {
  /** Data rows per sheet; only tests lower it. */
  sheetRows?: number | undefined;
}

/** Generates an xlsx file of a whole list: data sheets with the totals at the end, and a sheet of notes. */
export const workbook = (
  content: ExportContent,
  { sheetRows = SHEET_ROWS, ...options }: WorkbookOptions = {},
): AsyncGenerator<Buffer> => zip(generateEntries(content, sheetRows), options);

async function* generateEntries(content: ExportContent, sheetRows: number): AsyncGenerator<ZipEntry> {
  const { title, fullList } = content;
  const longNumbers = { count: 0 };
  const readXml = rowReader(content, () => (longNumbers.count += 1));
  const count = Math.max(1, Math.ceil(fullList.total / sheetRows));
  const names = Array.from({ length: count }, (_, i) => sheetName(title, i));
  names.push('说明');
  yield { name: '[Content_Types].xml', chunks: once(contentTypes(names.length)) };
  yield { name: '_rels/.rels', chunks: once(rootLinks) };
  yield { name: 'xl/workbook.xml', chunks: once(workbookXml(names)) };
  yield { name: 'xl/_rels/workbook.xml.rels', chunks: once(workbookLinks(names.length)) };
  yield { name: 'xl/styles.xml', chunks: once(styles) };
  for (let sheet = 1; sheet <= count; sheet += 1) {
    const size = Math.min(sheetRows, fullList.total - (sheet - 1) * sheetRows);
    yield { name: `xl/worksheets/sheet${sheet}.xml`, chunks: dataSheet(content, readXml, size, sheet === count) };
  }
  yield { name: `xl/worksheets/sheet${count + 1}.xml`, chunks: once(notesSheetXml(content, longNumbers.count)) };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Reads up to `most` rows as XML, the first with row number `first`; a count of 0 means the end. */
type RowReader = (most: number, first: number) => Promise<{ count: number; xml: string }>;

/** @param onLong called for every number that is written as text */
function rowReader({ request, fullList }: ExportContent, onLong: () => void): RowReader {
  const { columns, clock } = request;
  const cells = columns.map((column, i) => {
    const name = columnName(i);
    const options = { clock, amount: column.kind === 'amount', onLong };
    return (row: unknown, line: string): string => cellXml(name + line, cellOf(column, row, clock), options);
  });
  let batch: readonly unknown[] = [];
  let taken = 0;
  return async (most, first) => {
    if (taken === batch.length) {
      batch = (await fullList.batches.next()).value ?? [];
      taken = 0;
    }
    const portion = batch.slice(taken, taken + Math.min(most, CHUNK_ROWS));
    taken += portion.length;
    let xml = '';
    for (const [i, row] of portion.entries()) {
      const line = String(first + i);
      let content = '';
      for (const cell of cells) content += cell(row, line);
      xml += rowXml(line, content);
    }
    return { count: portion.length, xml };
  };
}

async function* dataSheet(
  content: ExportContent,
  readXml: RowReader,
  size: number,
  last: boolean,
): AsyncGenerator<string> {
  const { columns, clock } = content.request;
  yield (
    sheetStart(columns) +
      rowXml(1, columns.map((column, i) => headXml(`${columnName(i)}1`, column, headingOf(column, clock))).join(''))
  );
  for (let done = 0; done < size;) {
    const { count, xml } = await readXml(size - done, done + 2);
    if (count === 0) throw new Error(`The list ended after ${done} of ${size} rows.`);
    done += count;
    yield xml;
  }
  if (last) yield totalsXml(content, size + 3);
  yield `</sheetData><autoFilter ref="A1:${columnName(columns.length - 1)}${size + 1}"/></worksheet>`;
}

const rowXml = (at: number | string, cells: string): string => `<row r="${at}">${cells}</row>`;

const isNumber = ({ kind }: ListColumn): boolean => kind === 'amount' || kind === 'count';

const headXml = (at: string, column: ListColumn, title: string): string =>
  textXml(at, title, isNumber(column) ? STYLE.headRight : STYLE.head);

function sheetStart(columns: readonly ListColumn[]): string {
  const widths = columns.map(
    ({ kind }, i) => `<col min="${i + 1}" max="${i + 1}" width="${WIDTHS[kind]}" customWidth="1"/>`,
  );
  return (
    `${XML}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}

/** One row per coin, separated by an empty row, so that sorting or filtering the data does not include the totals. */
function totalsXml({ list, request, fullList }: ExportContent, from: number): string {
  const { columns, clock } = request;
  const summed = new Set([...(list.sums ?? []), ...(list.coinSums ?? [])]);
  const label = columns.findIndex(({ field }) => !summed.has(field));
  const options = { clock, amount: true, bold: true, onLong: () => undefined };
  const lineOf = (coin: CoinTotal, at: number): string => {
    const cells = columns.map((column, i) => {
      const place = `${columnName(i)}${at}`;
      if (i === label) return textXml(place, `合计 ${coin.marketName}`, STYLE.bold);
      return summed.has(column.field) ? cellXml(place, cellOf(column, coin, clock), options) : '';
    });
    return rowXml(at, cells.join(''));
  };
  return (fullList.summary ?? []).map((coin, i) => lineOf(coin, from + i)).join('');
}

/** Sheet names are limited to 31 characters and must not contain these. */
const sheetName = (title: string, place: number): string =>
  `${title.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 25)}${place > 0 ? ` ${place + 1}` : ''}`;

const sheets = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const contentTypes = (count: number): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${OFFICE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${OFFICE}.styles+xml"/>${sheets(count)
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${OFFICE}.worksheet+xml"/>`)
    .join('')}</Types>`;

const rootLinks =
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookXml = (names: readonly string[]): string =>
  `${XML}<workbook xmlns="${SHEET_NAMESPACE}" xmlns:r="${LINKS}"><sheets>${names
    .map((name, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`;

const workbookLinks = (count: number): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${sheets(count)
    .map((n) => `<Relationship Id="rId${n}" Type="${LINKS}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join('')}<Relationship Id="rId${count + 1}" Type="${LINKS}/styles" Target="styles.xml"/></Relationships>`;
