import type { ExportFormat } from '@hengtai/contract/desk/export/calls';
import { SCHEDULES_MAX } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleAdd, ScheduleRow, ScheduleSave } from '@hengtai/contract/desk/schedule/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import type { Timing } from './slot.store.ts';

/** Every statement is limited to the operator's own schedules, regardless of its scope. */
type OperatorContext = Pick<Ctx, 'db' | 'operator'>;

const fields = sql`
  s.id, s.name, s.list, s.title, s.query, s.format, s.period, s.day, s.hour, s.range, s.enabled,
  case when s.enabled = 1 then s.next_at end as "nextAt", s.last_at as "lastAt", j.id as "jobId", j.state as "jobState",
  s.reason, s.created_at as "createdAt", s.updated_at as "updatedAt"`;
const from = sql`schedule s left join export_job j on j.id = s.job_id and j.operator_id = s.operator_id`;

export async function listSchedules({ db, operator }: OperatorContext): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select ${fields} from ${from} where s.operator_id = ${operator.id} order by s.id`.execute(db);
  return rows;
}

export async function findSchedule({ db, operator }: OperatorContext, id: number): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`
    select ${fields} from ${from} where s.id = ${id} and s.operator_id = ${operator.id}`.execute(db);
  return rows[0];
}

/** Inserts a schedule; undefined if the operator has `SCHEDULES_MAX` schedules. */
export async function insertSchedule(
  { db, operator, now }: Ctx,
  { list, title, query, columns, name, format, period, day, hour, range }: ScheduleAdd & { title: string },
  nextAt: number,
): Promise<number | undefined> {
  // Concurrent inserts may exceed the limit slightly; it only protects the database.
  const { rows } = await sql<{ id: number }>`
    insert into schedule (operator_id, name, list, title, query, columns, format, period, day, hour, range, enabled,
      next_at, created_at, recorded_at, updated_at)
    select ${operator.id}::bigint, ${name}::text, ${list}::text, ${title}::text, ${query}::text,
      ${columns ? [...columns] : null}::text[], ${format}::text, ${period}::smallint, ${day}::smallint, ${hour}::smallint,
      ${range}::smallint, 1, ${nextAt}::bigint, ${now}::bigint, ${now}::bigint, ${now}::bigint
    where (select count(*) from schedule where operator_id = ${operator.id}) < ${SCHEDULES_MAX}
    returning id`.execute(db);
  return rows[0]?.id;
}

/** Updates a schedule. Its next slot is in the future, so a change never runs it at once. */
export async function updateSchedule(
  { db, operator, now }: Ctx,
  change: ScheduleSave,
  nextAt: number,
): Promise<boolean> {
  const { id, name, format, period, day, hour, range, enabled } = change;
  const { numAffectedRows } = await sql`
    update schedule set name = ${name}, format = ${format}, period = ${period}, day = ${day}, hour = ${hour},
      range = ${range}, enabled = ${enabled}, next_at = ${nextAt}, updated_at = ${now}
    where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteSchedule({ db, operator }: OperatorContext, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from schedule where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}

export interface DueSchedule extends Timing {
  id: number;
  operatorId: number;
  name: string;
  list: string;
  title: string;
  query: string;
  columns: string[] | null;
  format: ExportFormat;
  range: number;
  nextAt: number;
}

/** The due schedules of operators who are neither frozen nor deleted. Those of a frozen one wait for its release. */
export async function findDueSchedules(db: Db, now: number): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select s.id, s.operator_id as "operatorId", s.name, s.list, s.title, s.query, s.columns, s.format, s.period, s.day,
      s.hour, s.range, s.next_at as "nextAt"
    from schedule s join agent o on o.id = s.operator_id
    where s.enabled = 1 and s.next_at <= ${now} and o.state = 1 and o.deleted_at is null
    order by s.next_at limit 20`.execute(db);
  return rows;
}

/**
 * Takes the slot of a schedule by one conditional write, so that one process runs it, once.
 *
 * @returns false if another process has taken it or the schedule changed
 */
export async function takeSlot(
  db: Db,
  { id, nextAt }: Pick<DueSchedule, 'id' | 'nextAt'>,
  next: number,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update schedule set next_at = ${next}, last_at = ${now}, job_id = null, reason = ''
    where id = ${id} and next_at = ${nextAt} and enabled = 1`.execute(db);
  return numAffectedRows === 1n;
}

export async function recordRun(db: Db, id: number, run: { jobId: number } | { reason: string }): Promise<void> {
  const { jobId, reason } = { jobId: null, reason: '', ...run };
  await sql`update schedule set job_id = ${jobId}, reason = ${reason} where id = ${id}`.execute(db);
}
