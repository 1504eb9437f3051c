import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CODE } from '@hengtai/contract/envelope';
import type { ExportForm, ExportSpec } from '@hengtai/contract/export';
import type { ExportMade } from '@hengtai/contract/export.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { FastifyReply } from 'fastify';
import { recordAudit } from '../audit/audit.store.ts';
import { type App, type Caller, can } from '../context.ts';
import { scoped } from '../db/connect.ts';
import type { ListReader } from '../db/list.ts';
import { readList } from '../db/replica.ts';
import { csv } from '../export/csv.ts';
import { makeJob } from '../export/export.service.ts';
import {
  type ExportContent,
  type ExportRequest,
  contentTypeOf,
  dispositionOf,
  exportRequest,
} from '../export/request.ts';
import type { Slots } from '../export/slots.ts';
import { workbook } from '../export/workbook.ts';
import { Refused, refuse } from '../refuse.ts';

/** A file that takes longer than this is given up: its snapshot keeps the database from tidying up. */
const LONGEST_MS = 30 * 60_000;
/** Nobody takes the bytes any more. */
export const STALLED_MS = 60_000;

/** How the audit log says that a file did not get to its end. */
export const ENDED = { byClient: 499, byFault: 500 } as const;

interface Export {
  app: App;
  slots: Slots;
  /** Aborted when the server is asked to end. */
  closing: AbortSignal;
  noun: string;
  call: ExportSpec;
  list: ListReader<unknown, unknown>;
  caller: Caller;
  /** As it was asked for; a job keeps it. */
  form: ExportForm;
}

/** What a schema cannot say of an export is refused before the ability is asked, as everywhere. */
export const parseExport = (call: ExportSpec, input: unknown): { form: ExportForm; request: ExportRequest } => ({
  form: input as ExportForm,
  request: exportRequest(call, input as ExportForm),
});

/**
 * Sends a whole list as a file. All of it is read in one snapshot that sees the operator's tree only, and row by row as
 * the other side takes it. That it was exported is in the audit log before the first byte leaves. A list that is too long
 * for one sitting becomes a job instead, which is what comes back.
 *
 * @throws Refused 403 without the abilities, 429 when too many exports are under way, 422 as the list does; nothing was
 * sent then. A fault after the first byte breaks the connection off, so that no half of a file looks whole.
 */
export async function sendExport(
  doing: Export,
  request: ExportRequest,
  reply: FastifyReply,
): Promise<ExportMade | undefined> {
  const { app, caller, call } = doing;
  const { operator } = caller;
  for (const ability of [call.ability, call.also]) {
    if (ability !== undefined && !can(operator, ability)) throw refuse(refusals.forbidden);
  }
  const leave = doing.slots.take(operator.id);
  let content: ExportContent | undefined;
  let long: ExportContent | undefined;
  let taken = false;
  try {
    await readList(
      app,
      caller,
      async (db) => {
        const whole = await doing.list.whole({ ...caller, db }, request.query);
        const facts = { title: call.title, operator: operator.account, at: caller.now };
        const found: ExportContent = { ...facts, list: call.list, request, whole };
        if (whole.total > app.exports.jobRows) {
          long = found;
          return;
        }
        await recordExport(doing, found, CODE.ok);
        content = found;
        taken = await send(doing, found, reply);
      },
      () => content === undefined,
      // Before its end is told: who hears of it finds the place free for the next one.
    ).finally(leave);
  } catch (error) {
    // Refused, or failed before anything was sent: answered as any other call.
    if (!content || !reply.raw.headersSent) throw error;
    reply.raw.destroy();
    app.log.error({ err: error, path: call.path }, 'export interrupted');
    await recordEarlyEnd(doing, content, ENDED.byFault);
    return undefined;
  }
  if (long) return makeJob(app, caller, { path: call.path, form: doing.form, content: long });
  if (content && !taken) {
    reply.raw.destroy();
    await recordEarlyEnd(doing, content, ENDED.byClient);
    return undefined;
  }
  reply.raw.end();
  return undefined;
}

/** Whether all of it was taken; false when the other side went away. */
async function send({ closing, call }: Export, content: ExportContent, reply: FastifyReply): Promise<boolean> {
  const { request } = content;
  reply.header('content-type', contentTypeOf(request));
  reply.header('content-disposition', dispositionOf(call, content, request));
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  if (closing.aborted) raw.setHeader('connection', 'close');
  raw.setTimeout(STALLED_MS, () => raw.destroy());
  raw.writeHead(200);
  let broken = false;
  const bytes = telling(request.format === 'csv' ? csv(content) : workbook(content), () => (broken = true));
  const signal = AbortSignal.any([closing, AbortSignal.timeout(LONGEST_MS)]);
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), raw, { signal, end: false });
    return true;
  } catch (error) {
    if (broken || !wasLeft(error)) throw error;
    return false;
  }
}

/**
 * The bytes as they are made. That their making failed is told apart, because a database's connection breaks with the very
 * codes with which that of the other side does.
 */
async function* telling(bytes: AsyncGenerator<Buffer>, failed: () => void): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { done, value } = await bytes.next().catch((error: unknown) => {
        failed();
        throw error;
      });
      if (done) return;
      yield value;
    }
  } finally {
    await bytes.return(undefined);
  }
}

/** The connection is broken off already; what is left is to say so. */
async function recordEarlyEnd(doing: Export, content: ExportContent, result: number): Promise<void> {
  try {
    await recordExport(doing, content, result);
  } catch (err) {
    doing.app.log.error({ err, path: doing.call.path }, 'the audit row for the end of an export could not be written');
  }
}

/** Whether the other side went away. */
export function wasLeft(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** In a transaction of its own: the one that reads writes nothing, and what was sent stays told whatever comes of it. */
async function recordExport(
  { app, caller, call, noun }: Export,
  content: ExportContent,
  result: number,
): Promise<void> {
  const { request, whole } = content;
  await scoped(app.requests, caller.scope, caller.operator.id, (db) =>
    recordAudit(db, caller, {
      action: EXPORT_ACTION,
      targetType: noun,
      result,
      after: {
        list: call.path,
        format: request.format,
        zone: request.clock.zone,
        rows: whole.total,
        query: request.query,
        columns: request.columns.map(({ field }) => field),
      },
    }),
  );
}

/** One word for all of them, so that the audit log can be asked who took data out of the house. */
const EXPORT_ACTION = 'export';

/** A refused export, as the audit log keeps it. */
export async function recordRefusedExport(app: App, caller: Caller, noun: string, error: unknown): Promise<void> {
  if (!(error instanceof Refused) || error.refusal.code !== CODE.forbidden) return;
  await scoped(app.requests, caller.scope, caller.operator.id, (db) =>
    recordAudit(db, caller, { action: EXPORT_ACTION, targetType: noun, result: error.refusal.code }),
  );
}
