import { CODE } from '@hengtai/contract/wire/envelope';
import { EXPORT_JOB_BYTES_MAX } from '@hengtai/contract/desk/export/calls';
import type { ExportMade, ExportRow } from '@hengtai/contract/desk/export/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../actions/audit.store.ts';
import type { App, Caller, Ctx } from '../../app/context.ts';
import { refuse } from '../../app/refuse.ts';
import { runInScope, withRetries } from '../../database/connect.ts';
import { type ExportJob, findJob, insertJob } from './export-job.store.ts';
import { type ExportContent, filterWords } from './request.ts';

/**
 * Creates a job for an export whose list is too long to be sent at once.
 *
 * @throws Refused 429 if the operator has too many jobs or bytes
 */
export async function makeJob(
  app: App,
  caller: Caller,
  exported: { path: string; form: object; content: ExportContent },
): Promise<ExportMade> {
  const { request, title, fullList } = exported.content;
  const { columns, format, clock, query } = request;
  const filters = filterWords(exported.content)
    .map(([label, text]) => `${label}：${text}`)
    .join('；');
  const job = await withRetries(() =>
    runInScope(app.requests, caller.scope, caller.operator.id, async (db) => {
      const ctx: Ctx = { ...caller, db };
      const newJob = {
        list: exported.path,
        title,
        input: exported.form,
        filters,
        format,
        zone: clock.zone,
        total: fullList.total,
      };
      const id = await insertJob(ctx, newJob, EXPORT_JOB_BYTES_MAX);
      const made = id === undefined ? undefined : await findJob(ctx, id);
      if (!made) throw refuse(refusals.exportLimit);
      const after = {
        list: exported.path,
        format,
        zone: clock.zone,
        rows: fullList.total,
        query,
        columns: columns.map(({ field }) => field),
      };
      await recordAudit(db, caller, {
        action: 'export.job',
        targetType: 'export',
        targetId: made.id,
        result: CODE.ok,
        after,
      });
      return made;
    }),
  );
  return { job: toExportRow(job) };
}

/** The public fields of a job. */
export const toExportRow = (job: ExportJob): ExportRow => ({
  id: job.id,
  list: job.list,
  title: job.title,
  operator: job.operator,
  format: job.format,
  zone: job.zone,
  filters: job.filters,
  state: job.state,
  total: job.total,
  done: job.done,
  size: job.size,
  reason: job.reason,
  createdAt: job.createdAt,
  finishedAt: job.finishedAt,
  expiresAt: job.expiresAt,
});
