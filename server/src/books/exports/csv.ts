import { type Cell, cellOf } from './cell.ts';
import { type ExportContent, headingOf } from './request.ts';
import type { WallClock } from './wall-clock.ts';

/** Without it spreadsheets read the file in the local encoding. */
const BYTE_ORDER_MARK = '\ufeff';
/** Texts that a spreadsheet would evaluate as a formula. Chinese versions accept full-width signs too. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/** Generates a csv file: numbers unchanged, texts that look like formulas with a leading apostrophe. */
export async function* csv(content: ExportContent): AsyncGenerator<Buffer> {
  const { columns, clock } = content.request;
  yield Buffer.from(BYTE_ORDER_MARK + lineOf(columns.map((column) => quote(escapeFormula(headingOf(column, clock))))));
  for await (const rows of content.fullList.batches) {
    const lines = rows.map((row) => lineOf(columns.map((column) => fieldOf(cellOf(column, row, clock), clock))));
    yield Buffer.from(lines.join(''));
  }
}

const lineOf = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

const quote = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** Formats a cell as a csv field. Numbers and times need no quotes. */
function fieldOf(cell: Cell, clock: WallClock): string {
  if (cell.kind === 'none') return '';
  if (cell.kind === 'time') return clock.text(cell.ms);
  return cell.kind === 'number' ? cell.text : quote(escapeFormula(cell.text));
}

const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
