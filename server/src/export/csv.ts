import { type Cell, cellOf } from './cell.ts';
import { type ExportContent, headOf } from './request.ts';
import type { WallClock } from './wall-clock.ts';

/** Spreadsheets take a file without it for one in the machine's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';
/** A text that a spreadsheet would take for a formula; the wide forms are read like the narrow ones in Chinese set-ups. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/** The rows as comma-separated values: numbers as they are, texts that look like formulas behind an apostrophe. */
export async function* csv(content: ExportContent): AsyncGenerator<Buffer> {
  const { columns, clock } = content.request;
  yield csvHead(content);
  for await (const rows of content.whole.batches) {
    const lines = rows.map((row) => lineOf(columns.map((column) => fieldOf(cellOf(column, row), clock))));
    yield Buffer.from(lines.join(''));
  }
}

export const csvHead = ({ request: { columns, clock } }: Pick<ExportContent, 'request'>): Buffer =>
  Buffer.from(BYTE_ORDER_MARK + lineOf(columns.map((column) => quoted(harmless(headOf(column, clock))))));

const lineOf = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** A cell as a field of a line. */
export const fieldOf = (cell: Cell, clock: WallClock): string => quoted(written(cell, clock));

function written(cell: Cell, clock: WallClock): string {
  if (cell.kind === 'none') return '';
  if (cell.kind === 'time') return clock.text(cell.ms);
  return cell.kind === 'number' ? cell.text : harmless(cell.text);
}

const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
