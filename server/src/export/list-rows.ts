import type { ExportSpec } from '@hengtai/contract/export';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { Copier, Field } from '../db/copy.ts';
import type { ListReader, WholeList } from '../db/list.ts';
import { JSON_TYPE, copyLines } from './copied-rows.ts';
import type { ExportRequest } from './request.ts';

/** The handlers of all calls, by noun. */
export type Handlers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The list that an export reads. */
export function readerOf(handlers: Handlers, call: ExportSpec): ListReader<unknown, unknown> {
  for (const noun of Object.keys(nouns) as Noun[]) {
    const calls = Object.values<{ path: string }>(nouns[noun]);
    // An export is derived from a list with columns, whose handler is one by its type.
    if (calls.some(({ path }) => path === call.path)) return handlers[noun]?.[call.of] as ListReader<unknown, unknown>;
  }
  throw new Error(`There is no list for ${call.path}.`);
}

/** Rows in COPY's text format. */
export interface SentRows {
  fields: Field[];
  rows: AsyncIterable<Uint8Array>;
  /** How many there were, once they are read to their end. */
  sent: () => number;
}

/**
 * The rows as the database copies them out, or as if it had: where a list makes more of its rows than the database says,
 * they are made here.
 */
export async function rowsOf(copier: Copier, whole: WholeList, { columns }: ExportRequest): Promise<SentRows> {
  const named = columns.map(({ field }) => field);
  const { statement } = whole;
  if (statement === undefined) return madeRows(whole.batches, columns);
  const known = await copier.fieldsOf(statement);
  const typeOf = new Map(known.map(({ name, type }) => [name, type]));
  const all = columns.some(({ text }) => text) ? known.map(({ name }) => name) : [];
  const fields = [...new Set([...named.filter((name) => typeOf.has(name)), ...all])];
  const rows = copier.copy(statement, fields);
  return {
    fields: fields.map((name) => ({ name, type: typeOf.get(name) ?? 0 })),
    rows,
    sent: () => rows.rows,
  };
}

async function madeRows(batches: AsyncGenerator<unknown[]>, columns: ExportRequest['columns']): Promise<SentRows> {
  // A column that is made of several fields may ask for any of them.
  const [first = [], rest] = await firstOf(batches);
  const all = columns.some(({ text }) => text) ? Object.keys(first[0] ?? {}) : [];
  const fields = [...new Set([...columns.map(({ field }) => field), ...all])];
  let sent = 0;
  const linesOf = (rows: readonly unknown[]): Buffer => {
    sent += rows.length;
    return copyLines(rows, fields);
  };
  async function* lines(): AsyncGenerator<Uint8Array> {
    if (first.length > 0) yield linesOf(first);
    for await (const rows of rest) yield linesOf(rows);
  }
  return { fields: fields.map((name) => ({ name, type: JSON_TYPE })), rows: lines(), sent: () => sent };
}

async function firstOf(batches: AsyncGenerator<unknown[]>): Promise<[object[] | undefined, AsyncGenerator<unknown[]>]> {
  const { value } = await batches.next();
  return [value, batches];
}
