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
  throw new Error(`no list for ${call.path}`);
}

/**
 * The rows as the database copies them out, or as if it had: where a list makes more of its rows than the database says,
 * they are made here.
 */
export async function rowsOf(
  copier: Copier,
  whole: WholeList,
  { columns }: ExportRequest,
): Promise<{ fields: Field[]; rows: AsyncIterable<Uint8Array> }> {
  const named = columns.map(({ field }) => field);
  const { statement } = whole;
  if (statement === undefined) {
    // A column that is made of several fields may ask for any of them.
    const [first = [], rest] = await firstOf(whole.batches);
    const all = columns.some(({ text }) => text) ? Object.keys(first[0] ?? {}) : [];
    const fields = [...new Set([...named, ...all])];
    async function* lines(): AsyncGenerator<Uint8Array> {
      if (first.length > 0) yield copyLines(first, fields);
      for await (const rows of rest) yield copyLines(rows, fields);
    }
    return { fields: fields.map((name) => ({ name, type: JSON_TYPE })), rows: lines() };
  }
  const known = await copier.fieldsOf(statement);
  const typeOf = new Map(known.map(({ name, type }) => [name, type]));
  const all = columns.some(({ text }) => text) ? known.map(({ name }) => name) : [];
  const fields = [...new Set([...named.filter((name) => typeOf.has(name)), ...all])];
  return {
    fields: fields.map((name) => ({ name, type: typeOf.get(name) ?? 0 })),
    rows: copier.copy(statement, fields),
  };
}

async function firstOf(batches: AsyncGenerator<unknown[]>): Promise<[object[] | undefined, AsyncGenerator<unknown[]>]> {
  const { value } = await batches.next();
  return [value, batches];
}
