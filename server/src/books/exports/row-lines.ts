import type { Copier, Field } from '../../database/copy.ts';
import { parserOf } from '../../database/types.ts';
import type { FullList } from '../lists/list.ts';
import type { ExportRequest } from './request.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows of a list as lines of text, the form in which the writer process receives them. */
export interface RowLines {
  /** The fields of each line in COPY's text format; undefined if each line is a row as JSON. */
  fields?: Field[];
  bytes: AsyncIterable<Uint8Array>;
  /** The number of rows; final once `bytes` has been read and the transaction has ended. */
  rowCount: () => number;
}

/**
 * Opens the rows of a list. The database copies them if the list is one statement, which costs this process next to
 * nothing; otherwise the list computes its rows and they are encoded here.
 */
export async function openRowLines(
  copier: Copier,
  { statement, batches }: FullList,
  { columns }: ExportRequest,
): Promise<RowLines> {
  if (statement === undefined) return encodeRows(batches);
  const available = await copier.fetchFields(statement);
  // A column with a text function may read any field of the row.
  const needsAll = columns.some(({ text }) => text);
  const fields = available.filter(({ name }) => needsAll || columns.some(({ field }) => field === name));
  const copied = copier.copy(
    statement,
    fields.map(({ name }) => name),
  );
  return { fields, bytes: copied, rowCount: () => copied.rowCount };
}

function encodeRows(batches: AsyncGenerator<unknown[]>): RowLines {
  let count = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const rows of batches) {
      count += rows.length;
      yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  }
  return { bytes: lines(), rowCount: () => count };
}

const LINE_END = '\n';

/**
 * Decodes lines into rows. Each batch has the complete lines of one chunk of the source.
 *
 * @param fields as in `RowLines`
 * @param onRows called with the number of rows so far after each batch is written; reading waits for it
 */
export async function* decodeRows(
  source: AsyncIterable<Uint8Array>,
  fields: readonly Field[] | undefined,
  onRows: (rows: number) => Promise<void> = async () => undefined,
): AsyncGenerator<unknown[]> {
  const decode = fields ? copiedRowDecoder(fields) : (line: string): unknown => JSON.parse(line);
  let rest: Uint8Array = Buffer.alloc(0);
  let count = 0;
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_END);
    rest = bytes.subarray(end + 1);
    if (end < 0) continue;
    const rows = bytes.toString('utf8', 0, end).split(LINE_END).map(decode);
    count += rows.length;
    yield rows;
    await onRows(count);
  }
  if (rest.length > 0) throw new Error('The rows end in the middle of a line.');
}

/** @throws Error for a line with another number of fields */
function copiedRowDecoder(fields: readonly Field[]): (line: string) => Row {
  const decoders = fields.map(({ name, type }) => {
    const parse = parserOf(type);
    return (row: Record<string, unknown>, field: string): void => {
      const text = unescapeField(field);
      row[name] = text === null ? null : parse(text);
    };
  });
  return (line) => {
    const row: Record<string, unknown> = {};
    const texts = line.split('\t');
    if (texts.length !== fields.length) throw new Error(`A copied row does not have ${fields.length} fields.`);
    texts.forEach((text, i) => decoders[i]?.(row, text));
    return row;
  };
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Decodes a field of COPY's text format; null is distinct from any text. */
function unescapeField(field: string): string | null {
  if (field === '\\N') return null;
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\([\s\S])/g, (_all, char: string) => ESCAPED[char] ?? char);
}
