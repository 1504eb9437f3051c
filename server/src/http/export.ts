import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CODE } from '@hengtai/contract/wire/envelope';
import type { ExportForm, ExportSpec } from '@hengtai/contract/desk/export/calls';
import type { ExportMade } from '@hengtai/contract/desk/export/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyReply } from 'fastify';
import { recordAudit } from '../actions/audit.store.ts';
import { type App, type Caller, can } from '../app/context.ts';
import { runInScope } from '../database/connect.ts';
import type { ListReader } from '../books/lists/list.ts';
import { readList } from './read.ts';
import { csv } from '../books/exports/csv.ts';
import { makeJob } from '../books/exports/make-job.ts';
import {
  type ExportContent,
  type ExportRequest,
  contentTypeOf,
  dispositionOf,
  exportRequest,
} from '../books/exports/request.ts';
import type { Slots } from '../books/exports/slots.ts';
import { workbook } from '../books/exports/workbook.ts';
import { Refused, refuse } from '../app/refuse.ts';

/** Longer exports are aborted, because their snapshot keeps vacuum from removing dead rows. */
const MAX_DURATION_MS = 30 * 60_000;
/** A connection that accepts no bytes for this long is closed. */
const STALL_TIMEOUT_MS = 60_000;

/** Results in the audit log of a file that was not sent completely. */
export const INCOMPLETE_RESULT = { byClient: 499, byError: 500 } as const;

interface Export {
  app: App;
  slots: Slots;
  /** Aborted when the server shuts down. */
  stopSignal: AbortSignal;
  noun: string;
  call: ExportSpec;
  list: ListReader<unknown, unknown>;
  caller: Caller;
  /** The request as it was sent; an export job stores it. */
  form: ExportForm;
}

/**
 * Validates what the schema cannot express, before the ability is checked.
 *
 * @throws Refused 422
 */
export const parseExport = (call: ExportSpec, input: unknown): { form: ExportForm; request: ExportRequest } => ({
  form: input as ExportForm,
  request: exportRequest(call, input as ExportForm),
});

/**
 * Sends a whole list as a file. The list is read in one snapshot of the operator's scope, as fast as the client receives
 * the bytes. The audit row is written before the first byte. A list with more than `jobRows` rows becomes an export job,
 * which is returned instead.
 *
 * @throws Refused 403 without the abilities, 429 when too many exports run, 422 for an invalid query; nothing was sent
 * then. An error after the first byte closes the connection, so that a partial file never looks complete.
 */
export async function sendExport(
  task: Export,
  request: ExportRequest,
  reply: FastifyReply,
): Promise<ExportMade | undefined> {
  const { app, caller, call } = task;
  const { operator } = caller;
  for (const ability of [call.ability, call.also]) {
    if (ability !== undefined && !can(operator, ability)) throw refuse(refusals.forbidden);
  }
  const releaseSlot = task.slots.take(operator.id);
  let content: ExportContent | undefined;
  let oversized: ExportContent | undefined;
  let isComplete = false;
  try {
    await readList(
      app,
      caller,
      async (db) => {
        const fullList = await task.list.readAll({ ...caller, db }, request.query);
        const heading = { title: call.title, operator: operator.account, at: caller.now };
        const found: ExportContent = { ...heading, list: call.list, request, fullList };
        if (fullList.total > app.exports.jobRows) {
          oversized = found;
          return;
        }
        await recordExport(task, found, CODE.ok);
        content = found;
        isComplete = await send(task, found, reply);
      },
      'read',
      () => content === undefined,
      // Released before the response ends, so that the client can start its next export at once.
    ).finally(releaseSlot);
  } catch (error) {
    // Nothing was sent yet, so the error handler can answer with an envelope.
    if (!content || !reply.raw.headersSent) throw error;
    reply.raw.destroy();
    app.log.error({ err: error, path: call.path }, 'export interrupted');
    await recordEarlyEnd(task, content, INCOMPLETE_RESULT.byError);
    return undefined;
  }
  if (oversized) return makeJob(app, caller, { path: call.path, form: task.form, content: oversized });
  if (content && !isComplete) {
    reply.raw.destroy();
    await recordEarlyEnd(task, content, INCOMPLETE_RESULT.byClient);
    return undefined;
  }
  reply.raw.end();
  return undefined;
}

/** Sends the headers of a file and returns the response, which the caller writes and ends. */
export function openFile(reply: FastifyReply, stopSignal: AbortSignal): FastifyReply['raw'] {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  if (stopSignal.aborted) raw.setHeader('connection', 'close');
  raw.setTimeout(STALL_TIMEOUT_MS, () => raw.destroy());
  raw.writeHead(200);
  return raw;
}

/** Sends the file; false when the client disconnected before the end. */
async function send({ stopSignal, call }: Export, content: ExportContent, reply: FastifyReply): Promise<boolean> {
  const { request } = content;
  reply.header('content-type', contentTypeOf(request));
  reply.header('content-disposition', dispositionOf(call, content, request));
  const raw = openFile(reply, stopSignal);
  let hasSourceFailed = false;
  const source = request.format === 'csv' ? csv(content) : workbook(content);
  const bytes = watchErrors(source, () => (hasSourceFailed = true));
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(MAX_DURATION_MS)]);
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), raw, { signal, end: false });
    return true;
  } catch (error) {
    if (hasSourceFailed || !isClientDisconnect(error)) throw error;
    return false;
  }
}

/**
 * Passes the bytes through and reports an error of their source. A broken database connection has the same error codes as
 * a client that disconnected, so the code alone cannot tell them apart.
 */
async function* watchErrors(bytes: AsyncGenerator<Buffer>, onError: () => void): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { done, value } = await bytes.next().catch((error: unknown) => {
        onError();
        throw error;
      });
      if (done) return;
      yield value;
    }
  } finally {
    await bytes.return(undefined);
  }
}

/** Audits an incomplete file. The connection is closed already, so an error here can only be logged. */
async function recordEarlyEnd(task: Export, content: ExportContent, result: number): Promise<void> {
  try {
    await recordExport(task, content, result);
  } catch (err) {
    task.app.log.error({ err, path: task.call.path }, 'the audit row for the end of an export could not be written');
  }
}

/** Whether an error means that the client closed the connection. */
export function isClientDisconnect(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Audits in its own transaction: the reading one is read-only, and the row must persist even if sending fails. */
async function recordExport(
  { app, caller, call, noun }: Export,
  content: ExportContent,
  result: number,
): Promise<void> {
  const { request, fullList } = content;
  await runInScope(app.requests, caller.scope, caller.operator.id, (db) =>
    recordAudit(db, caller, {
      action: EXPORT_ACTION,
      targetType: noun,
      result,
      after: {
        list: call.path,
        format: request.format,
        zone: request.clock.zone,
        rows: fullList.total,
        query: request.query,
        columns: request.columns.map(({ field }) => field),
      },
    }),
  );
}

/** One name for all exports, so that one filter of the audit log finds them. */
const EXPORT_ACTION = 'export';

/** Audits an export that was refused for a missing ability; other errors are ignored. */
export async function recordRefusedExport(app: App, caller: Caller, noun: string, error: unknown): Promise<void> {
  if (!(error instanceof Refused) || error.refusal.code !== CODE.forbidden) return;
  await runInScope(app.requests, caller.scope, caller.operator.id, (db) =>
    recordAudit(db, caller, { action: EXPORT_ACTION, targetType: noun, result: error.refusal.code }),
  );
}
