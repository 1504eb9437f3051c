import { EXPORT_ATTEMPTS, EXPORT_JOB_BYTES_MAX, type ExportSpec } from '@hengtai/contract/export';
import type { App, Caller } from '../context.ts';
import { scoped } from '../db/connect.ts';
import { openCopier } from '../db/copy.ts';
import { underLease } from '../jobs/job.ts';
import { Refused } from '../refuse.ts';
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
  recordExportProgress,
  returnJob,
  strayFiles,
  takeJob,
} from './export-job.store.ts';
import { mayHave } from './export.rules.ts';
import { beginFile, dropFile, keepFile, listFiles, nameOfFile } from './files.ts';
import { type FileOrder, exportCallOf } from './make-file.ts';
import { type Handlers, readerOf, rowsOf } from './list-rows.ts';
import { exportRequest } from './request.ts';
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

/**
 * Makes the next file, one at a time over all processes, under a lease. A process that dies loses the lease at
 * once, and the next process restarts its job.
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
  app.log.error({ err: error, export: job.id }, 'export job failed');
  return REASONS.fault;
}

/** The call of a job, and its maker as that one stands now. */
async function standing(app: App, job: ExportJob): Promise<{ call: ExportSpec; caller: Caller }> {
  const call = exportCallOf(job.list);
  const maker = await findMaker(app.system, job.operatorId);
  if (!call || !maker || !mayHave(call, maker.operator, maker.scope, job.agents)) throw new Ended(REASONS.rights);
  const { sessionId, ip, userAgent, requestId } = job;
  const codes = { on: false, due: false, demanded: false, freshAt: null, passwordDue: false };
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
  const progress: Progress = { done: 0, total: job.total };
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
        // A csv is its rows and nothing else; how many came of them is known at their end.
        const known = request.format === 'csv' ? job.total : undefined;
        const whole = await list.whole({ ...caller, db }, request.query, known);
        progress.total = whole.total;
        const { fields, rows, sent } = await rowsOf(copier, whole, request);
        const order: FileOrder = {
          path: job.list,
          form: job.input,
          title: job.title,
          operator: operator.account,
          at: caller.now,
          total: known === undefined ? whole.total : undefined,
          summary: whole.summary,
          fields,
          file: part,
          sheetRows: app.exports.sheetRows,
          rowsPerSecond: app.exports.rowsPerSecond,
          bytesMax: EXPORT_JOB_BYTES_MAX - (await bytesOf(app.system, operator.id)),
        };
        try {
          const written = await writeFile(order, rows, {
            signal: abort.signal,
            onRows: (done) => tell(progress, done),
          });
          if (written.rows !== sent()) throw new Error(`The export writer wrote ${written.rows} of ${sent()} rows.`);
          return written;
        } catch (error) {
          // Rows that nobody takes any more stand before whatever else would be said on this connection.
          await copier.end();
          throw error;
        }
      },
      'read',
    );
  } finally {
    abort.signal.removeEventListener('abort', end);
    await looking();
    await copier.end();
  }
}

interface Progress {
  done: number;
  total: number;
}

/** Rows that came since they were counted count as well. */
function tell(progress: Progress, done: number): void {
  progress.done = done;
  progress.total = Math.max(progress.total, done);
}

/** Says how far a job is, and ends it when it is cancelled or its maker may no longer have it. */
function watch(app: App, job: ExportJob, progress: Progress, abort: AbortController): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      if (!(await recordExportProgress(app.system, job.id, progress, app.clock.now()))) throw new Unwanted('cancelled');
      await standing(app, job);
    } catch (error) {
      // A database that is away for a moment is no reason; the copy notices by itself.
      if (error instanceof Unwanted || error instanceof Ended) abort.abort(error);
      else app.log.warn({ err: error, export: job.id }, 'export progress could not be saved');
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, LOOK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
