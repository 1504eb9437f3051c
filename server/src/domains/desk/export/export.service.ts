import type { IdInput } from '@hengtai/contract/wire/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { EXPORT, exportJobs as calls, exportTypes } from '@hengtai/contract/desk/export/calls';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App, Caller } from '../../../app/context.ts';
import { withRetries, runInScope } from '../../../database/connect.ts';
import { defineAction } from '../../../actions/action.ts';
import { houseSubject } from '../../../actions/action-audit.ts';
import type { Download } from '../../../http/handler.ts';
import { refuse } from '../../../app/refuse.ts';
import { type ExportJob, cancelJob, deleteJob, findJob } from '../../../books/exports/export-job.store.ts';
import { canAccessExport } from './export.rules.ts';
import { toExportRow } from '../../../books/exports/make-job.ts';
import { openFile } from '../../../books/exports/files.ts';
import { exportCallOf } from '../../../books/exports/export-call.ts';
import { dispositionOf, exportRequest } from '../../../books/exports/request.ts';

const subjectOf = houseSubject('export');
const auditFieldsOf = ({ list, format, total, state }: ExportJob) => ({ list, format, rows: total, state });

export const exportCancel = defineAction<IdInput, ExportRow, ExportJob>({
  call: calls.cancel,
  load: (ctx, { id }) => findJob(ctx, id),
  check: (_ctx, { state }) => {
    if (state !== EXPORT.queued && state !== EXPORT.running) throw refuse(refusals.exportEnded);
  },
  execute: async (ctx, { id }, target) => {
    if (!(await cancelJob(ctx, id))) throw refuse(refusals.exportEnded);
    const now = await findJob(ctx, id);
    if (!now) throw refuse(refusals.notFound);
    return {
      data: toExportRow(now),
      subject: subjectOf(ctx, target),
      before: auditFieldsOf(target),
      after: auditFieldsOf(now),
      msg: '已取消',
    };
  },
});

/** Deletes a job. The process on the machine with its file deletes the file later. */
export const exportRemove = defineAction<IdInput, null, ExportJob>({
  call: calls.remove,
  load: (ctx, { id }) => findJob(ctx, id),
  check: (_ctx, { state }) => {
    if (state === EXPORT.queued || state === EXPORT.running) throw refuse(refusals.exportRunning);
  },
  execute: async (ctx, { id }, target) => {
    if (!(await deleteJob(ctx, id))) throw refuse(refusals.exportRunning);
    return { data: null, subject: subjectOf(ctx, target), before: auditFieldsOf(target), msg: '已删除' };
  },
});

/**
 * Opens the file of the caller's own job. The download is audited before the first byte is sent.
 *
 * @throws Refused 404 for jobs of others, 409 if there is no file yet or any more, 403 if the caller may no longer have
 * it, 503 if the file is on another machine
 */
export async function exportDownload(
  { app, caller }: { app: App; caller: Caller },
  { id }: IdInput,
): Promise<Download> {
  const job = await withRetries(() =>
    runInScope(app.requests, caller.scope, caller.operator.id, (db) => findJob({ ...caller, db }, id), 'read'),
  );
  if (!job) throw refuse(refusals.notFound);
  const call = exportCallOf(job.list);
  if (!call || !canAccessExport(call, caller.operator, caller.scope, job.agents))
    throw refuse(refusals.exportScopeChanged);
  if (job.state === EXPORT.queued || job.state === EXPORT.running) throw refuse(refusals.exportNotReady);
  if (job.state !== EXPORT.done || (job.expiresAt ?? 0) <= caller.now) throw refuse(refusals.exportGone);
  const file = await openFile(app.exports.directory, job.file);
  if (!file) throw refuse(refusals.exportOnOtherServer);
  try {
    const request = exportRequest(call, job.input);
    const details = { title: job.title, operator: job.operator, at: job.finishedAt ?? job.createdAt };
    const recordDownload = (result: number): Promise<void> =>
      runInScope(app.requests, caller.scope, caller.operator.id, (db) =>
        recordAudit(db, caller, {
          action: 'export',
          targetType: 'export',
          targetId: job.id,
          result,
          after: {
            list: job.list,
            format: job.format,
            zone: job.zone,
            rows: job.total,
            query: request.query,
            columns: request.columns.map(({ field }) => field),
          },
        }),
      );
    await recordDownload(CODE.ok);
    return {
      file,
      size: (await file.stat()).size,
      type: exportTypes[request.format],
      disposition: dispositionOf(call, details, request),
      recordEnd: recordDownload,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
