import { EXPORT_ATTEMPTS, EXPORT_JOB_BYTES_MAX, type ExportSpec } from '@hengtai/contract/export';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { App, Caller } from '../context.ts';
import { scoped } from '../db/connect.ts';
import { type Copier, type Field, openCopier } from '../db/copy.ts';
import type { ListReader, WholeList } from '../db/list.ts';
import { underLease } from '../jobs/job.ts';
import { Refused } from '../refuse.ts';
import { JSON_TYPE, copyLines } from './copied-rows.ts';
import {
  type ExportJob,
  bytesOf,
  deleteOldJobs,
  expireJobs,
  failJob,
  findMaker,
  finishJob,
  hasWork,
  holdPatiently,
  noteDone,
  returnJob,
  strayFiles,
  takeJob,
} from './export-job.store.ts';
import { mayHave } from './export.rules.ts';
import { beginFile, dropFile, keepFile, listFiles, nameOfFile } from './files.ts';
import { type FileOrder, exportCallOf } from './make-file.ts';
import { type ExportRequest, exportRequest } from './request.ts';
import { NotWritten, writeFile } from './writing.ts';

/** How often a job under way says how far it is, and asks whether it is still wanted and allowed. */
const LOOK_EVERY_MS = 500;

const REASONS = {
  space: '服务器磁盘空间不足，文件未生成',
  size: '文件超过每人可保存的总大小，请缩小范围或删除旧文件',
  fault: '生成文件时出错，请重试',
  often: '多次被中断，已放弃',
  rights: '权限或数据范围已变化，任务已终止',
} as const;

/** Ends a job with words for its maker. */
class Ended extends Error {
  override name = 'Ended';
}
/** Ends a job that nobody waits for: it was cancelled, or somebody else has it. */
class Unwanted extends Error {
  override name = 'Unwanted';
}

type Handlers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Makes the next file, one at a time over all processes: whoever holds the lease does. A process that dies loses it at
 * once, and whoever comes next begins its job anew.
 */
export const makeExports =
  (handlers: () => Handlers) =>
  async (app: App, stopping: AbortSignal): Promise<boolean> => {
    if (!(await hasWork(app.system, app.clock.now()))) return false;
    const made = await underLease(app, 'export', async (held) => {
      await holdPatiently(held);
      await expireJobs(app.system, app.clock.now());
      await deleteOldJobs(app.system, app.clock.now());
      const job = await takeJob(app.system, app.clock.now());
      if (!job) return false;
      await doJob(app, handlers(), job, stopping);
      return !stopping.aborted;
    });
    return made ?? false;
  };

/** Removes the files of this machine that belong to nobody: of removed and expired jobs, and of tries that were broken off. */
export async function tidyExports(app: App): Promise<boolean> {
  const files = await listFiles(app.exports.directory);
  for (const name of await strayFiles(app.system, files)) await dropFile(app.exports.directory, name);
  return false;
}

async function doJob(app: App, handlers: Handlers, job: ExportJob, stopping: AbortSignal): Promise<void> {
  const { directory } = app.exports;
  const name = nameOfFile(job);
  const abort = new AbortController();
  const stop = (): void => abort.abort(new Unwanted('the process ends'));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    if (job.attempt > EXPORT_ATTEMPTS) throw new Ended(REASONS.often);
    const written = await write(app, handlers, job, abort);
    await keepFile(directory, name);
    const kept = await finishJob(app.system, job.id, { file: name, ...written }, app.clock.now());
    if (!kept) await dropFile(directory, name);
  } catch (error) {
    await dropFile(directory, name).catch(() => undefined);
    if (stopping.aborted) return await returnJob(app.system, job.id, app.clock.now());
    const reason = abort.signal.aborted ? abort.signal.reason : error;
    if (reason instanceof Unwanted) return;
    await failJob(app.system, job.id, wordsFor(app, job, reason), app.clock.now());
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

function wordsFor(app: App, job: ExportJob, error: unknown): string {
  if (error instanceof Ended || error instanceof Refused) return error.message;
  if (error instanceof NotWritten && error.why !== 'fault') return REASONS[error.why];
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return REASONS.space;
  app.log.error({ err: error, export: job.id }, 'an export could not be made');
  return REASONS.fault;
}

/** The call of a job, and its maker as that one stands now. */
async function standing(app: App, job: ExportJob): Promise<{ call: ExportSpec; caller: Caller }> {
  const call = exportCallOf(job.list);
  const maker = await findMaker(app.system, job.operatorId);
  if (!call || !maker || !mayHave(call, maker.operator, maker.scope, job.agents)) throw new Ended(REASONS.rights);
  const { sessionId, ip, userAgent, requestId } = job;
  const codes = { on: false, due: false, demanded: false, freshAt: null };
  return { call, caller: { ...maker, sessionId, codes, requestId, ip, userAgent, now: app.clock.now() } };
}

async function write(
  app: App,
  handlers: Handlers,
  job: ExportJob,
  abort: AbortController,
): Promise<{ rows: number; size: number }> {
  const { call, caller } = await standing(app, job);
  const list = readerOf(handlers, call);
  const request = exportRequest(call, job.input);
  const part = await beginFile(app.exports.directory, job);
  const copier = await openCopier(app.exports.url, (error) => abort.abort(error));
  const progress = { done: 0, total: job.total };
  const looking = watch(app, job, progress, abort);
  const end = (): void => void copier.end();
  abort.signal.addEventListener('abort', end);
  try {
    // The scope of that moment is not more than the one of now, or the job had ended.
    const { operator, scope } = caller;
    return await scoped(
      copier.db,
      scope,
      operator.id,
      async (db) => {
        const whole = await list.whole({ ...caller, db }, request.query);
        progress.total = whole.total;
        const { fields, rows } = await rowsOf(copier, whole, request);
        const order: FileOrder = {
          path: job.list,
          form: job.input,
          title: job.title,
          operator: operator.account,
          at: caller.now,
          total: whole.total,
          summary: whole.summary,
          fields,
          file: part,
          sheetRows: app.exports.sheetRows,
          rowsPerSecond: app.exports.rowsPerSecond,
          bytesMax: EXPORT_JOB_BYTES_MAX - (await bytesOf(app.system, operator.id)),
        };
        return writeFile(order, rows, { signal: abort.signal, onRows: (done) => (progress.done = done) });
      },
      'read',
    );
  } finally {
    abort.signal.removeEventListener('abort', end);
    await looking();
    await copier.end();
  }
}

function readerOf(handlers: Handlers, call: ExportSpec): ListReader<unknown, unknown> {
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
async function rowsOf(
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

/** Says how far a job is, and ends it when it is cancelled or its maker may no longer have it. */
function watch(
  app: App,
  job: ExportJob,
  progress: { done: number; total: number },
  abort: AbortController,
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      if (!(await noteDone(app.system, job.id, progress, app.clock.now()))) throw new Unwanted('cancelled');
      await standing(app, job);
    } catch (error) {
      // A database that is away for a moment is no reason; the copy notices by itself.
      if (error instanceof Unwanted || error instanceof Ended) abort.abort(error);
      else app.log.warn({ err: error, export: job.id }, 'an export could not say how far it is');
    }
  };
  const timer = setInterval(() => (looking ??= look().finally(() => (looking = undefined))), LOOK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
