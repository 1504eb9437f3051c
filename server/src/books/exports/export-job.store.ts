import { literals } from '../../database/literals.ts';
import {
  EXPORT,
  EXPORT_DAYS,
  EXPORT_JOBS_MAX,
  EXPORT_RECORD_DAYS,
  type ExportForm,
} from '@hengtai/contract/desk/export/calls';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Operator } from '../../app/context.ts';
import type { Db, Scope } from '../../database/connect.ts';
import { type Authority, authorityColumns, scopeOf } from '../../database/tree.ts';
import { notificationInsert } from '../../actions/notification.store.ts';

const DAY_MS = 24 * 3_600_000;

/** An export job with the fields that the process needs to make its file. */
export interface ExportJob extends ExportRow {
  operatorId: number;
  /** With the filters and the order of the list. */
  input: ExportForm & Readonly<Record<string, unknown>>;
  /** The agents in the maker's scope at the time of the request; null: full scope. */
  agents: number[] | null;
  /** What the identity provider allowed the session of the request; null: no limit. */
  allowedAbilities: number[] | null;
  sessionId: number | null;
  ip: string;
  userAgent: string;
  requestId: string;
  attempt: number;
  /** File name in the directory of exports; empty if there is no file. */
  file: string;
}

const fields = sql`
  j.id, j.list, j.title, o.account as operator, j.format, j.zone, j.filters, j.state, j.total, j.done, j.size, j.reason,
  j.created_at as "createdAt", j.finished_at as "finishedAt", j.expires_at as "expiresAt"`;
const internalFields = sql`
  j.operator_id as "operatorId", j.input, j.agents, j.allowed_abilities as "allowedAbilities", j.session_id as "sessionId", j.ip, j.user_agent as "userAgent",
  j.request_id as "requestId", j.attempt, j.file`;
const from = sql`export_job j join agent o on o.id = j.operator_id`;

export interface NewJob {
  list: string;
  title: string;
  input: ExportForm;
  filters: string;
  format: string;
  zone: string;
  total: number;
}

/** Inserts a job of the caller. Returns undefined if the caller has reached the limit of jobs or of bytes. */
export async function insertJob(ctx: Ctx, job: NewJob, bytesMax: number): Promise<number | undefined> {
  const { db, operator, scope, now } = ctx;
  // The row lock serializes concurrent inserts, so that both are counted.
  await sql`select 1 from agent where id = ${operator.id} for no key update`.execute(db);
  const current = sql`from export_job where operator_id = ${operator.id} and state in (${literals(EXPORT.queued, EXPORT.running, EXPORT.done)})`;
  const { rows } = await sql<{ id: number }>`
    insert into export_job (operator_id, list, title, input, filters, format, zone, agents, allowed_abilities, session_id, ip,
      user_agent, request_id, total, created_at, recorded_at, updated_at)
    select ${operator.id}::bigint, ${job.list}::text, ${job.title}::text, ${JSON.stringify(job.input)}::jsonb,
      ${job.filters}::text, ${job.format}::text, ${job.zone}::text,
      ${scope.kind === 'all' ? null : [...scope.ids]}::bigint[],
      ${ctx.allowedAbilities ? [...ctx.allowedAbilities] : null}::int[], ${ctx.sessionId}::bigint, ${ctx.ip}::text,
      ${ctx.userAgent}::text, ${ctx.requestId}::text, ${job.total}::bigint, ${now}::bigint, ${now}::bigint, ${now}::bigint
    where (select count(*) ${current}) < ${EXPORT_JOBS_MAX} and (select coalesce(sum(size), 0) ${current}) < ${bytesMax}
    returning id`.execute(db);
  return rows[0]?.id;
}

/** The latest 100 jobs of the operator, newest first. */
export async function listJobs({ db, operator }: Pick<Ctx, 'db' | 'operator'>): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    select ${fields} from ${from} where j.operator_id = ${operator.id} order by j.id desc limit 100`.execute(db);
  return rows;
}

export async function findJob(
  { db, operator }: Pick<Ctx, 'db' | 'operator'>,
  id: number,
): Promise<ExportJob | undefined> {
  const { rows } = await sql<ExportJob>`
    select ${fields}, ${internalFields} from ${from} where j.id = ${id} and j.operator_id = ${operator.id}`.execute(db);
  return rows[0];
}

/** Returns false if the job has already ended. */
export async function cancelJob({ db, operator, now }: Ctx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update export_job set state = ${EXPORT.cancelled}, finished_at = ${now}, updated_at = ${now}
    where id = ${id} and operator_id = ${operator.id} and state in (${literals(EXPORT.queued, EXPORT.running)})`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Returns false if the job is queued or running. */
export async function deleteJob({ db, operator }: Ctx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from export_job where id = ${id} and operator_id = ${operator.id} and state not in (0, 1)`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether there is a queued or abandoned job, or an expired file. */
export async function hasWork(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from export_job where state in (${literals(EXPORT.queued, EXPORT.running)}) or (state = ${sql.lit(EXPORT.done)} and expires_at <= ${now}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The transaction of the lease stays idle while a file is made, so PostgreSQL must not end it. */
export async function disableIdleTimeout(db: Db): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
}

/**
 * Takes the next job and increments its attempt. The caller must hold the lease; then a job in state running belongs to
 * a process that died.
 */
export async function takeJob(db: Db, now: number): Promise<ExportJob | undefined> {
  const { rows } = await sql<{ id: number }>`
    update export_job set state = ${EXPORT.running}, attempt = attempt + 1, done = 0, started_at = ${now}, updated_at = ${now}
    where id = (select id from export_job where state in (${literals(EXPORT.queued, EXPORT.running)}) order by state desc, id limit 1) and state in (${literals(EXPORT.queued, EXPORT.running)})
    returning id`.execute(db);
  const [taken] = rows;
  if (!taken) return undefined;
  const found = await sql<ExportJob>`select ${fields}, ${internalFields} from ${from} where j.id = ${taken.id}`.execute(
    db,
  );
  return found.rows[0];
}

/** Returns a job to the queue; the interrupted attempt does not count. */
export async function returnJob(db: Db, id: number, now: number): Promise<void> {
  await sql`update export_job set state = ${EXPORT.queued}, attempt = attempt - 1, done = 0, updated_at = ${now}
    where id = ${id} and state = ${EXPORT.running}`.execute(db);
}

/** Returns false if the job is no longer running, for example because it was cancelled. */
export async function recordExportProgress(
  db: Db,
  id: number,
  progress: { done: number; total: number },
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update export_job set done = ${progress.done}, total = ${progress.total}, updated_at = ${now}
    where id = ${id} and state = ${EXPORT.running}`.execute(db);
  return numAffectedRows === 1n;
}

/** Columns that `notificationInsert` reads. Only the maker of the job gets the notification. */
const movedColumns = sql`
  id, null::bigint as user_id, null::bigint as agent_id, operator_id, null::bigint as market_id, null::numeric as amount,
  state, title as detail`;

/** Returns false if the job is no longer running. `size` is in bytes. */
export async function finishJob(
  db: Db,
  id: number,
  { file, rows: total, size }: { file: string; rows: number; size: number },
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update export_job set state = ${EXPORT.done}, file = ${file}, total = ${total}, done = ${total},
        size = ${size}, finished_at = ${now}, updated_at = ${now}, expires_at = ${now + EXPORT_DAYS * DAY_MS}
      where id = ${id} and state = ${EXPORT.running} returning ${movedColumns}),
    notified as (${notificationInsert('export.done', now, now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** Returns false if the job is no longer running. */
export async function failJob(db: Db, id: number, reason: string, now: number): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update export_job set state = ${EXPORT.failed}, reason = ${reason}, finished_at = ${now},
        updated_at = ${now}
      where id = ${id} and state = ${EXPORT.running} returning ${movedColumns}),
    notified as (${notificationInsert('export.failed', now, now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** Expires finished jobs that are too old, and returns the names of their files. */
export async function expireJobs(db: Db, now: number): Promise<string[]> {
  const { rows } = await sql<{ file: string }>`
    with old as (select id, file from export_job where state = ${EXPORT.done} and expires_at <= ${now} for update skip locked)
    update export_job j set state = ${EXPORT.expired}, file = '', updated_at = ${now}
    from old where j.id = old.id returning old.file`.execute(db);
  return rows.map(({ file }) => file);
}

/** Deletes the records of jobs that ended long ago. */
export async function deleteOldJobs(db: Db, now: number): Promise<void> {
  await sql`delete from export_job
    where state not in (0, 1, 2) and updated_at < ${now - EXPORT_RECORD_DAYS * DAY_MS}`.execute(db);
}

/** Total bytes of the operator's finished files. */
export async function sumFileSizes(db: Db, operatorId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from export_job where operator_id = ${operatorId} and state = ${sql.lit(EXPORT.done)}`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}

/** Which of these files belong to no finished, queued or running job. */
export async function findOrphanFiles(db: Db, files: readonly { name: string; id: number }[]): Promise<string[]> {
  if (files.length === 0) return [];
  const values: RawBuilder<unknown> = sql.join(files.map(({ name, id }) => sql`(${name}::text, ${id}::bigint)`));
  const { rows } = await sql<{ name: string }>`
    select f.name from (values ${values}) as f (name, id)
    where not exists (select from export_job j where j.id = f.id
      and (j.file = f.name or j.state in (${literals(EXPORT.queued, EXPORT.running)})))`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * The current abilities and scope of a maker; undefined if it is disabled or deleted.
 *
 * @param allowed what the identity provider allowed the session that the job was requested in; null: no limit
 */
export async function findMaker(
  db: Db,
  operatorId: number,
  allowed: readonly number[] | null = null,
): Promise<{ operator: Operator; scope: Scope } | undefined> {
  const { rows } = await sql<{ id: number; account: string } & Authority>`
    select o.id, o.account, ${authorityColumns(sql`${allowed && [...allowed]}::int[]`)}
    from agent o where o.id = ${operatorId} and o.state = 1 and o.deleted_at is null`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { seesAll, treeVersion, ...operator } = found;
  return { operator, scope: await scopeOf(db, operator.id, { seesAll, treeVersion }) };
}
