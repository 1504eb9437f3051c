import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportForm } from '@hengtai/contract/desk/export/calls';
import type { Field } from '../../database/copy.ts';
import type { CoinTotal } from '../lists/list.ts';
import { csv } from './csv.ts';
import { exportCallOf } from './export-call.ts';
import { type ExportContent, type ExportDetails, exportRequest } from './request.ts';
import { decodeRows } from './row-lines.ts';
import { workbook } from './workbook.ts';

/** Description of a file to write, without its rows. It is sent to the writer process, so it must be serializable. */
export interface FileTask extends ExportDetails {
  /** Path of the export call. */
  path: string;
  form: ExportForm;
  /** Number of rows. A workbook needs it before the first row; a csv does not. */
  total?: number | undefined;
  summary?: readonly CoinTotal[] | undefined;
  /** As in `RowLines`. */
  fields?: readonly Field[] | undefined;
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

/**
 * Writes a complete file from the lines of its rows, at most `rowsPerSecond`.
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
  const { title, operator, at, total, summary } = task;
  const request = exportRequest(call, task.form);
  const pace = createPacer(task.rowsPerSecond);
  let rows = 0;
  // The pace is kept with every batch, because a burst followed by a pause would slow down all requests.
  const batches = decodeRows(source, task.fields, async (done) => {
    rows = done;
    onRows(done);
    await pace(done);
  });
  const fullList = { total: total ?? 0, batches, ...(summary && { summary }) };
  const content: ExportContent = { title, operator, at, list: call.list, request, fullList };
  const { sheetRows } = task;
  const size = await writeAll(
    task,
    request.format === 'csv' ? csv(content) : workbook(content, { sheetRows, pieceBytes: WRITER_PIECE_BYTES }),
  );
  const isEnded = (await batches.next()).done === true;
  if (!isEnded || rows !== (total ?? rows))
    throw new Error(`The list has a different number of rows than the ${total} that were counted.`);
  return { rows, size };
}

/** Bytes compressed per step. Large, because each step costs thread switches and the writer process serves no requests. */
const WRITER_PIECE_BYTES = 512 * 1024;
/** Bytes that wait for the disk while the next rows are formatted. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024;

/** @returns the size of the file, which is on disk then */
async function writeAll({ file, bytesMax }: FileTask, bytes: AsyncGenerator<Buffer>): Promise<number> {
  let size = 0;
  async function* limitBytes(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > bytesMax) throw new FileTooLarge();
      yield chunk;
    }
  }
  await pipeline(limitBytes, createWriteStream(file, { mode: 0o600, flush: true, highWaterMark: UNWRITTEN_BYTES_MAX }));
  return size;
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
