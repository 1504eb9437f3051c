import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportForm } from '@hengtai/contract/desk/export/calls';
import { NO_FACTORS, type Caller } from '../src/app/context.ts';
import { runInScope } from '../src/database/connect.ts';
import { openCopier } from '../src/database/copy.ts';
import { exportCallOf, readerOf } from '../src/books/exports/export-call.ts';
import { makeFile } from '../src/books/exports/make-file.ts';
import { exportRequest } from '../src/books/exports/request.ts';
import { openRowLines } from '../src/books/exports/row-lines.ts';
import { handlers } from '../src/modules.ts';
import { type TestServer, unique } from './server.ts';

/** The admin as the caller of an export job. */
const adminCaller = (now: number): Caller => ({
  operator: { id: 1, account: 'admin', top: true, abilities: [] },
  scope: { kind: 'all' },
  sessionId: null,
  factors: NO_FACTORS,
  requestId: '',
  ip: '',
  userAgent: '',
  now,
});

/** Creates an export file as an export job does, but in this process. */
export async function makeExportFile(
  { app, auditDir }: TestServer,
  path: string,
  form: ExportForm,
  {
    sheetRows,
    chunk,
    who: caller = adminCaller(app.clock.now()),
  }: { sheetRows?: number; chunk?: number; who?: Caller } = {},
): Promise<Buffer> {
  const call = exportCallOf(path);
  if (!call) throw new Error(`no export ${path}`);
  const request = exportRequest(call, form);
  const file = join(auditDir, unique('copied-'));
  const copier = await openCopier(app.exports.url, () => undefined);
  try {
    await runInScope(
      copier.db,
      caller.scope,
      caller.operator.id,
      async (db) => {
        const list = await readerOf(handlers, call).readAll({ ...caller, db }, request.query);
        const { fields, bytes } = await openRowLines(copier, list, request);
        const { total, summary } = list;
        const labels = { title: call.title, operator: caller.operator.account, at: caller.now };
        const task = {
          ...labels,
          path,
          form,
          total,
          summary,
          fields,
          file,
          sheetRows,
          rowsPerSecond: 1e9,
          bytesMax: 1e9,
        };
        await makeFile(task, chunk === undefined ? bytes : splitIntoChunks(bytes, chunk), () => undefined);
      },
      'read',
    );
    return await readFile(file);
  } finally {
    await copier.end();
    await rm(file, { force: true });
  }
}

/** Splits the same bytes into chunks of `size` bytes, regardless of row boundaries. */
async function* splitIntoChunks(rows: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const bytes of rows) for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
