import { CODE } from '@hengtai/contract/wire/envelope';
import { EXPORT_JOB_BYTES_MAX } from '@hengtai/contract/desk/export/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../../actions/audit.store.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { NO_FACTORS, type App, type Ctx } from '../../../app/context.ts';
import { Refused, refuse } from '../../../app/refuse.ts';
import { findMaker, insertJob } from '../../../books/exports/export-job.store.ts';
import { exportRequest, filterWords } from '../../../books/exports/request.ts';
import { type Db, inTransaction, withSavepoint } from '../../../database/connect.ts';
import { canAccessExport } from '../export/export.rules.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import { exportForm, requireExport } from './form.rules.ts';
import { type DueSchedule, findDueSchedules, recordRun, takeSlot } from './schedule.store.ts';
import { type Slots, findSlots } from './slot.store.ts';

/**
 * Runs due schedules: each slot creates one export job, with any number of processes and whenever one dies. Of the slots
 * that were missed only the latest is run. Returns true if more may be due.
 */
export async function runSchedules(app: App): Promise<boolean> {
  const due = await findDueSchedules(app.system, app.clock.now());
  for (const schedule of due) await inTransaction(app.system, (db) => runSchedule(app, db, schedule));
  return due.length > 0;
}

/** Takes the slot and creates its job, or records why there is none, in one transaction. */
async function runSchedule(app: App, db: Db, schedule: DueSchedule): Promise<void> {
  const now = app.clock.now();
  const slots = await findSlots(db, schedule, now);
  if (!(await takeSlot(db, schedule, slots.next, now))) return;
  const maker = await findMaker(db, schedule.operatorId);
  // Frozen or deleted a moment ago: there is nobody to notify.
  if (!maker) return;
  const ctx: Ctx = {
    ...maker,
    db,
    now,
    sessionId: null,
    factors: NO_FACTORS,
    requestId: `schedule-${schedule.id}-${slots.latest}`,
    ip: '',
    userAgent: '',
  };
  try {
    const jobId = await withSavepoint(db, () => createJob(ctx, schedule, slots));
    await recordRun(db, schedule.id, { jobId });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await recordRefusedRun(ctx, schedule, error);
  }
}

/**
 * Creates the export job with the operator's current authority and scope; the job checks them again while it runs.
 *
 * @throws Refused 403 without the abilities, 422 for a list that has changed, 429 at the limit of jobs
 */
async function createJob(ctx: Ctx, schedule: DueSchedule, slots: Slots): Promise<number> {
  const { operator, scope, db, now } = ctx;
  const call = requireExport(schedule.list);
  const agents = scope.kind === 'all' ? null : [...scope.ids];
  if (!canAccessExport(call, operator, scope, agents)) throw refuse(refusals.forbidden);
  const form = exportForm(schedule, await fetchReportZone(db, now), slots);
  const request = exportRequest(call, form);
  const filters = filterWords({ list: call.list, request, fullList: EMPTY_LIST });
  const job = {
    list: call.path,
    title: schedule.title,
    input: form,
    filters: filters.map(([label, text]) => `${label}：${text}`).join('；'),
    format: request.format,
    zone: request.clock.zone,
    total: 0,
  };
  const id = await insertJob(ctx, job, EXPORT_JOB_BYTES_MAX);
  if (id === undefined) throw refuse(refusals.exportLimit);
  await recordAudit(db, ctx, {
    action: 'export.job',
    targetType: 'export',
    targetId: id,
    result: CODE.ok,
    after: {
      list: call.path,
      format: request.format,
      zone: request.clock.zone,
      query: request.query,
      columns: request.columns.map(({ field }) => field),
      slot: slots.latest,
    },
  });
  return id;
}

/** The rows are read when the job runs; the words of the filters need none of them. */
const EMPTY_LIST = { total: 0, batches: (async function* () {})() };

async function recordRefusedRun(ctx: Ctx, { id }: DueSchedule, { refusal, message }: Refused): Promise<void> {
  const { db, operator, now } = ctx;
  await recordRun(db, id, { reason: message });
  await recordAudit(db, ctx, {
    action: 'schedule.failed',
    targetType: 'schedule',
    targetId: id,
    result: refusal.code,
    reason: message,
  });
  await recordNotification(db, {
    type: 'schedule.failed',
    refType: 'schedule',
    refId: id,
    agentId: null,
    operatorId: operator.id,
    at: now,
    now,
  });
}
