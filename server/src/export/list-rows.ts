import type { ExportSpec } from '@hengtai/contract/export';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { Copier, Field } from '../db/copy.ts';
import type { ListReader, FullList } from '../lists/list.ts';
import { JSON_TYPE, copyLines } from './copied-rows.ts';
import type { ExportRequest } from './request.ts';

/** The handlers of all calls, by noun. */
export type Handlers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Finds the list handler that an export reads. */
export function readerOf(handlers: Handlers, call: ExportSpec): ListReader<unknown, unknown> {
  for (const noun of Object.keys(nouns) as Noun[]) {
    const calls = Object.values<{ path: string }>(nouns[noun]);
    // An export is derived from a list, so the handler of `call.of` is a ListReader.
    if (calls.some(({ path }) => path === call.path)) return handlers[noun]?.[call.of] as ListReader<unknown, unknown>;
  }
  throw new Error(`No list handler for the export ${call.path}.`);
}

/** Rows in COPY's text format. */
export interface CopyStream {
  fields: Field[];
  rows: AsyncIterable<Uint8Array>;
  /** The number of rows; final once `rows` has been read to its end. */
  rowCount: () => number;
}

/**
 * Opens the rows of a list in COPY's text format. The database copies them if the list is one statement; otherwise the
 * list computes its rows and they are encoded here.
 */
export async function openCopyStream(
  copier: Copier,
  fullList: FullList,
  { columns }: ExportRequest,
): Promise<CopyStream> {
  const columnFields = columns.map(({ field }) => field);
  const { statement } = fullList;
  if (statement === undefined) return encodeRows(fullList.batches, columns);
  const available = await copier.fetchFields(statement);
  const typeOf = new Map(available.map(({ name, type }) => [name, type]));
  const all = columns.some(({ text }) => text) ? available.map(({ name }) => name) : [];
  const fields = [...new Set([...columnFields.filter((name) => typeOf.has(name)), ...all])];
  const rows = copier.copy(statement, fields);
  return {
    fields: fields.map((name) => ({ name, type: typeOf.get(name) ?? 0 })),
    rows,
    rowCount: () => rows.rows,
  };
}

async function encodeRows(batches: AsyncGenerator<unknown[]>, columns: ExportRequest['columns']): Promise<CopyStream> {
  // A column with a text function may read any field of the row.
  const [first = [], rest] = await firstOf(batches);
  const all = columns.some(({ text }) => text) ? Object.keys(first[0] ?? {}) : [];
  const fields = [...new Set([...columns.map(({ field }) => field), ...all])];
  let count = 0;
  const linesOf = (rows: readonly unknown[]): Buffer => {
    count += rows.length;
    return copyLines(rows, fields);
  };
  async function* lines(): AsyncGenerator<Uint8Array> {
    if (first.length > 0) yield linesOf(first);
    for await (const rows of rest) yield linesOf(rows);
  }
  return { fields: fields.map((name) => ({ name, type: JSON_TYPE })), rows: lines(), rowCount: () => count };
}

async function firstOf(batches: AsyncGenerator<unknown[]>): Promise<[object[] | undefined, AsyncGenerator<unknown[]>]> {
  const { value } = await batches.next();
  return [value, batches];
}
