import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportForm, ExportSpec } from '@hengtai/contract/export';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { Field } from '../db/copy.ts';
import type { CoinTotal } from '../db/list.ts';
import { type Copied, CopiedRows } from './copied-rows.ts';
import { csvForm } from './copied-csv.ts';
import { xmlForm } from './copied-xml.ts';
import { csvHead } from './csv.ts';
import { type ExportContent, type ExportDetails, exportRequest } from './request.ts';
import { workbookOf } from './workbook.ts';

/** What a file is to be made of, besides its rows; it goes from process to process. */
export interface FileOrder extends ExportDetails {
  /** Path of the export call. */
  path: string;
  form: ExportForm;
  /** How many rows there are, where that must be known before the last of them: a workbook says so as it begins. */
  total?: number | undefined;
  summary?: readonly CoinTotal[] | undefined;
  /** The fields of the copied rows, in their order. */
  fields: readonly Field[];
  /** Where to write; nobody takes the file for whole before it is renamed. */
  file: string;
  sheetRows?: number | undefined;
  rowsPerSecond: number;
  bytesMax: number;
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** The export call of a path. */
export function exportCallOf(path: string): ExportSpec | undefined {
  for (const noun of Object.keys(nouns) as Noun[]) {
    for (const call of Object.values<{ kind: string; path: string }>(nouns[noun])) {
      if (call.kind === 'export' && call.path === path) return call as ExportSpec;
    }
  }
  return undefined;
}

/** The list whose rows were read already: only their number and sums are known here. */
async function* noRows(): AsyncGenerator<unknown[]> {}

/**
 * Writes a whole file from copied rows, no faster than it may.
 *
 * @param onRows told how many rows are written, now and then
 * @returns rows and bytes of the file
 */
export async function makeFile(
  order: FileOrder,
  source: AsyncIterable<Uint8Array>,
  onRows: (rows: number) => void,
): Promise<{ rows: number; size: number }> {
  const call = exportCallOf(order.path);
  if (!call) throw new Error(`There is no export for ${order.path}.`);
  const request = exportRequest(call, order.form);
  const { total, summary } = order;
  const whole = { total: total ?? 0, batches: noRows(), ...(summary && { summary }) };
  const content: ExportContent = {
    title: order.title,
    operator: order.operator,
    at: order.at,
    list: call.list,
    request,
    whole,
  };
  const columns = request.columns.map((column): Copied => {
    const place = order.fields.findIndex(({ name }) => name === column.field);
    return { column, place, field: order.fields[place] ?? { name: column.field, type: 0 } };
  });
  const pace = pacer(order.rowsPerSecond);
  // Piece by piece: a whole portion at full speed, and then a rest, would be felt by everybody.
  const rows = new CopiedRows(source, order.fields, columns, async (done) => {
    if (done > 0) onRows(done);
    await pace(done);
  });
  let written = 0;
  const bytes = request.format === 'csv' ? lines() : book();
  async function* lines(): AsyncGenerator<Buffer> {
    yield csvHead(content);
    const form = csvForm(columns, request.clock);
    for (;;) {
      const portion = await rows.take(form, Infinity, 0);
      if (portion.count === 0) return;
      written += portion.count;
      yield portion.bytes;
    }
  }
  function book(): AsyncGenerator<Buffer> {
    const seen = { long: 0 };
    const form = xmlForm(columns, request.clock, () => (seen.long += 1));
    const take = async (most: number, first: number): Promise<{ count: number; xml: Buffer }> => {
      const portion = await rows.take(form, most, first);
      written += portion.count;
      return { count: portion.count, xml: portion.bytes };
    };
    return workbookOf(content, take, seen, order.sheetRows);
  }
  const size = await writeAll(order, bytes);
  if (!(await rows.ended()) || written !== (total ?? written))
    throw new Error(`The list does not have the ${total} rows that were counted.`);
  return { rows: written, size };
}

/** While a piece is written the next is made; when the one behind that is asked for, the first is in the file. */
async function writeAll({ file, bytesMax }: FileOrder, bytes: AsyncGenerator<Buffer>): Promise<number> {
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
  // Nobody waits for it where the next piece could not be made.
  writing.catch(() => undefined);
  return writing;
}

/** So much of what a standstill cost is made up for. */
const CATCH_UP_MS = 1_000;

interface Pace {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

/** Waits wherever more was done than so much a second. */
export function pacer(
  perSecond: number,
  { now, sleep: wait }: Pace = { now: () => performance.now(), sleep },
): (done: number) => Promise<void> {
  let start = now();
  return async (done) => {
    const early = (done / perSecond) * 1000 - (now() - start);
    if (early > 10) await wait(early);
    // The rest of it stays lost: made up for at full speed it would be lists that wait.
    else if (early < -CATCH_UP_MS) start -= early + CATCH_UP_MS;
  };
}
