import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportForm, ExportSpec } from '@hengtai/contract/export';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { Field } from '../db/copy.ts';
import type { CoinTotal } from '../lists/list.ts';
import { type CopiedColumn, CopiedRows } from './copied-rows.ts';
import { csvRowFormat } from './csv-row-format.ts';
import { xmlRowFormat } from './xml-row-format.ts';
import { csvHead } from './csv.ts';
import { type ExportContent, type ExportDetails, exportRequest } from './request.ts';
import { workbookOf } from './workbook.ts';

/** Description of a file to write, without its rows. It is sent to the writer process, so it must be serializable. */
export interface FileTask extends ExportDetails {
  /** Path of the export call. */
  path: string;
  form: ExportForm;
  /** Number of rows. A workbook needs it before the first row; a csv does not. */
  total?: number | undefined;
  summary?: readonly CoinTotal[] | undefined;
  /** The fields of the copied rows, in their task. */
  fields: readonly Field[];
  /** Path to write to; the caller renames the file when it is complete. */
  file: string;
  sheetRows?: number | undefined;
  rowsPerSecond: number;
  bytesMax: number;
}

/** Thrown when a file exceeds `bytesMax`. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** Finds the export call of a path. */
export function exportCallOf(path: string): ExportSpec | undefined {
  for (const noun of Object.keys(nouns) as Noun[]) {
    for (const call of Object.values<{ kind: string; path: string }>(nouns[noun])) {
      if (call.kind === 'export' && call.path === path) return call as ExportSpec;
    }
  }
  return undefined;
}

/** Stands in for the list's batches, because the rows come from COPY. */
async function* noRows(): AsyncGenerator<unknown[]> {}

/**
 * Writes a complete file from copied rows, at most `rowsPerSecond`.
 *
 * @param onRows called from time to time with the number of written rows
 * @returns rows and bytes of the file
 * @throws FileTooLarge; Error if the rows are malformed or not as many as `total`
 */
export async function makeFile(
  task: FileTask,
  source: AsyncIterable<Uint8Array>,
  onRows: (rows: number) => void,
): Promise<{ rows: number; size: number }> {
  const call = exportCallOf(task.path);
  if (!call) throw new Error(`There is no export for ${task.path}.`);
  const request = exportRequest(call, task.form);
  const { total, summary } = task;
  const fullList = { total: total ?? 0, batches: noRows(), ...(summary && { summary }) };
  const content: ExportContent = {
    title: task.title,
    operator: task.operator,
    at: task.at,
    list: call.list,
    request,
    fullList,
  };
  const columns = request.columns.map((column): CopiedColumn => {
    const place = task.fields.findIndex(({ name }) => name === column.field);
    return { column, place, field: task.fields[place] ?? { name: column.field, type: 0 } };
  });
  const pace = createPacer(task.rowsPerSecond);
  // The pace is kept within a portion too, because a burst followed by a pause would slow down all requests.
  const rows = new CopiedRows(source, task.fields, columns, async (done) => {
    if (done > 0) onRows(done);
    await pace(done);
  });
  let written = 0;
  const bytes = request.format === 'csv' ? lines() : book();
  async function* lines(): AsyncGenerator<Buffer> {
    yield csvHead(content);
    const form = csvRowFormat(columns, request.clock);
    for (;;) {
      const portion = await rows.take(form, Infinity, 0);
      if (portion.count === 0) return;
      written += portion.count;
      yield portion.bytes;
    }
  }
  function book(): AsyncGenerator<Buffer> {
    const longNumbers = { count: 0 };
    const form = xmlRowFormat(columns, request.clock, () => (longNumbers.count += 1));
    const take = async (most: number, first: number): Promise<{ count: number; xml: Buffer }> => {
      const portion = await rows.take(form, most, first);
      written += portion.count;
      return { count: portion.count, xml: portion.bytes };
    };
    return workbookOf(content, take, longNumbers, task.sheetRows);
  }
  const size = await writeAll(task, bytes);
  if (!(await rows.ended()) || written !== (total ?? written))
    throw new Error(`The list has a different number of rows than the ${total} that were counted.`);
  return { rows: written, size };
}

/** Writes one chunk while the next is computed. A chunk is in the file before the one after the next is requested. */
async function writeAll({ file, bytesMax }: FileTask, bytes: AsyncGenerator<Buffer>): Promise<number> {
  const handle: FileHandle = await open(file, 'w', 0o600);
  try {
    let size = 0;
    let writing: Promise<void> | undefined;
    for await (const chunk of bytes) {
      await writing;
      size += chunk.length;
      if (size > bytesMax) throw new FileTooLarge();
      writing = write(handle, chunk);
    }
    await writing;
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

function write(handle: FileHandle, chunk: Buffer): Promise<void> {
  const writing = (async () => {
    for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
  })();
  // If computing the next chunk fails, this promise is not awaited; its rejection must not be unhandled.
  writing.catch(() => undefined);
  return writing;
}

/** After a stall at most this much lost time is caught up at full speed. */
const CATCH_UP_MS = 1_000;

interface Pace {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

/** Returns a function that waits while more than `perSecond` units per second were done. */
export function createPacer(
  perSecond: number,
  { now, sleep: wait }: Pace = { now: () => performance.now(), sleep },
): (done: number) => Promise<void> {
  let start = now();
  return async (done) => {
    const early = (done / perSecond) * 1000 - (now() - start);
    if (early > 10) await wait(early);
    // Catching up everything at full speed would delay other requests.
    else if (early < -CATCH_UP_MS) start -= early + CATCH_UP_MS;
  };
}
