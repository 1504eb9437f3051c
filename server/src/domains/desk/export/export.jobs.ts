import { EXPORT_ATTEMPTS, EXPORT_JOB_BYTES_MAX, type ExportSpec } from '@hengtai/contract/desk/export/calls';
import { NO_FACTORS, type App, type Caller } from '../../../app/context.ts';
import { runInScope } from '../../../database/connect.ts';
import { openCopier } from '../../../database/copy.ts';
import { underLease } from '../../../app/lease.store.ts';
import { Refused } from '../../../app/refuse.ts';
import {
  type ExportJob,
  sumFileSizes,
  deleteOldJobs,
  expireJobs,
  failJob,
  findMaker,
  finishJob,
  hasWork,
  disableIdleTimeout,
  recordExportProgress,
  returnJob,
  findOrphanFiles,
  takeJob,
} from '../../../books/exports/export-job.store.ts';
import { canAccessExport } from './export.rules.ts';
import { prepareFile, deleteFile, completeFile, listFiles, nameOfFile } from '../../../books/exports/files.ts';
import { type Handlers, exportCallOf, readerOf } from '../../../books/exports/export-call.ts';
import type { FileTask } from '../../../books/exports/make-file.ts';
import { exportRequest } from '../../../books/exports/request.ts';
import { openRowLines } from '../../../books/exports/row-lines.ts';
import { WriterFailed, writeFile } from '../../../books/exports/writer-process.ts';

/** How often a running job records its progress and checks that it is neither cancelled nor forbidden. */
const PROGRESS_EVERY_MS = 500;

const REASONS = {
  space: '服务器磁盘空间不足，文件未生成',
  size: '文件超过每人可保存的总大小，请缩小范围或删除旧文件',
  error: '生成文件时出错，请重试',
  attempts: '多次被中断，已放弃',
  rights: '权限或数据范围已变化，任务已终止',
} as const;

/** Fails a job. The message is the reason that the maker reads. */
class JobFailure extends Error {
  override name = 'JobFailure';
}
/** Stops a job without a result: it was cancelled, or this process is stopping. */
class JobCancelled extends Error {
  override name = 'JobCancelled';
}

/**
 * Makes the next file under a lease: one at a time over all processes. A process that dies loses the lease at once, and
 * the next process restarts its job. Returns true if more jobs may be waiting.
 */
export const makeExports =
  (handlers: Handlers) =>
  async (app: App, stopSignal: AbortSignal): Promise<boolean> => {
    if (!(await hasWork(app.system, app.clock.now()))) return false;
    const made = await underLease(app, 'export', async (leaseDb) => {
      await disableIdleTimeout(leaseDb);
      await expireJobs(app.system, app.clock.now());
      await deleteOldJobs(app.system, app.clock.now());
      const job = await takeJob(app.system, app.clock.now());
      if (!job) return false;
      await doJob(app, handlers, job, stopSignal);
      return !stopSignal.aborted;
    });
    return made ?? false;
  };

/** Deletes files on this machine that have no job: of deleted and expired jobs, and of interrupted attempts. */
export async function tidyExports(app: App): Promise<boolean> {
  const files = await listFiles(app.exports.directory);
  for (const name of await findOrphanFiles(app.system, files)) await deleteFile(app.exports.directory, name);
  return false;
}

async function doJob(app: App, handlers: Handlers, job: ExportJob, stopSignal: AbortSignal): Promise<void> {
  const { directory } = app.exports;
  const name = nameOfFile(job);
  const abort = new AbortController();
  const stop = (): void => abort.abort(new JobCancelled('the process ends'));
  stopSignal.addEventListener('abort', stop);
  if (stopSignal.aborted) stop();
  try {
    if (job.attempt > EXPORT_ATTEMPTS) throw new JobFailure(REASONS.attempts);
    const written = await write(app, handlers, job, abort);
    await completeFile(directory, name);
    const isFinished = await finishJob(app.system, job.id, { file: name, ...written }, app.clock.now());
    if (!isFinished) await deleteFile(directory, name);
  } catch (error) {
    await deleteFile(directory, name).catch(() => undefined);
    if (stopSignal.aborted) return await returnJob(app.system, job.id, app.clock.now());
    const cause = abort.signal.aborted ? abort.signal.reason : error;
    if (cause instanceof JobCancelled) return;
    await failJob(app.system, job.id, describeFailure(app, job, cause), app.clock.now());
  } finally {
    stopSignal.removeEventListener('abort', stop);
  }
}

/** The reason that the maker reads. Unexpected errors are logged. */
function describeFailure(app: App, job: ExportJob, error: unknown): string {
  if (error instanceof JobFailure || error instanceof Refused) return error.message;
  if (error instanceof WriterFailed && error.reason !== 'error') return REASONS[error.reason];
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return REASONS.space;
  app.log.error({ err: error, export: job.id }, 'export job failed');
  return REASONS.error;
}

/**
 * Finds the call of a job, and its maker with its current abilities and scope.
 *
 * @throws JobFailure if the maker may no longer have the export
 */
async function authorizeMaker(app: App, job: ExportJob): Promise<{ call: ExportSpec; caller: Caller }> {
  const call = exportCallOf(job.list);
  const maker = await findMaker(app.system, job.operatorId, job.allowedAbilities);
  if (!call || !maker || !canAccessExport(call, maker.operator, maker.scope, job.agents))
    throw new JobFailure(REASONS.rights);
  const { sessionId, ip, userAgent, requestId } = job;
  return { call, caller: { ...maker, sessionId, factors: NO_FACTORS, requestId, ip, userAgent, now: app.clock.now() } };
}

async function write(
  app: App,
  handlers: Handlers,
  job: ExportJob,
  abort: AbortController,
): Promise<{ rows: number; size: number }> {
  const { call, caller } = await authorizeMaker(app, job);
  const list = readerOf(handlers, call);
  const request = exportRequest(call, job.input);
  const part = await prepareFile(app.exports.directory, job);
  const copier = await openCopier(app.exports.url, (error) => abort.abort(error));
  const progress: Progress = { done: 0, total: job.total };
  const stopWatching = watch(app, job, progress, abort);
  const end = (): void => void copier.end();
  abort.signal.addEventListener('abort', end);
  try {
    // `authorizeMaker` has checked that the current scope still includes all of the job's agents.
    const { operator, scope } = caller;
    const { rowCount, written } = await runInScope(
      copier.db,
      scope,
      operator.id,
      async (db) => {
        // A csv has no totals, so rows that were counted for the request are not counted again. A scheduled job has no count.
        const known = request.format === 'csv' && job.total > 0 ? job.total : undefined;
        const fullList = await list.readAll({ ...caller, db }, request.query, known);
        progress.total = fullList.total;
        const { fields, bytes, rowCount } = await openRowLines(copier, fullList, request);
        const task: FileTask = {
          path: job.list,
          form: job.input,
          title: job.title,
          operator: operator.account,
          at: caller.now,
          total: known === undefined ? fullList.total : undefined,
          summary: fullList.summary,
          fields,
          file: part,
          sheetRows: app.exports.sheetRows,
          rowsPerSecond: app.exports.rowsPerSecond,
          bytesMax: EXPORT_JOB_BYTES_MAX - (await sumFileSizes(app.system, operator.id)),
        };
        try {
          const onRows = (done: number): void => updateProgress(progress, done);
          return { rowCount, written: await writeFile(task, bytes, { signal: abort.signal, onRows }) };
        } catch (error) {
          // Unread rows block the connection, so the transaction could not end on it.
          await copier.end();
          throw error;
        }
      },
      'read',
    );
    if (written.rows !== rowCount()) throw new Error(`The export writer wrote ${written.rows} of ${rowCount()} rows.`);
    return written;
  } finally {
    abort.signal.removeEventListener('abort', end);
    await stopWatching();
    await copier.end();
  }
}

interface Progress {
  done: number;
  total: number;
}

/** More rows than counted may come, so the total follows. */
function updateProgress(progress: Progress, done: number): void {
  progress.done = done;
  progress.total = Math.max(progress.total, done);
}

/** Records the progress of a job, and aborts it when it is cancelled or its maker loses the right to it. */
function watch(app: App, job: ExportJob, progress: Progress, abort: AbortController): () => Promise<void> {
  let checking: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    try {
      if (!(await recordExportProgress(app.system, job.id, progress, app.clock.now())))
        throw new JobCancelled('cancelled');
      await authorizeMaker(app, job);
    } catch (error) {
      // A short loss of the database must not end the job; the copy fails by itself if the loss is long.
      if (error instanceof JobCancelled || error instanceof JobFailure) abort.abort(error);
      else app.log.warn({ err: error, export: job.id }, 'export progress could not be saved');
    }
  };
  const timer = setInterval(() => {
    checking ??= check().finally(() => (checking = undefined));
  }, PROGRESS_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await checking;
  };
}
