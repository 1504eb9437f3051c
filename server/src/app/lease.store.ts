import { sql } from 'kysely';
import type { App } from './context.ts';
import { type Db, inTransaction } from '../database/connect.ts';

/**
 * Runs `work` in a transaction that locks the job's lease row, so that one process runs it at a time.
 *
 * @returns undefined at once if another process holds the lease
 */
export async function underLease<T>(app: App, name: string, work: (db: Db) => Promise<T>): Promise<T | undefined> {
  return inTransaction(app.system, async (db) => {
    const locked = await sql`select 1 from job_lease where name = ${name} for update skip locked`.execute(db);
    if (locked.rows.length === 1) return work(db);
    const inserted = await sql`insert into job_lease (name, holder, until) values (${name}, '', 0)
      on conflict (name) do nothing`.execute(db);
    return inserted.numAffectedRows === 1n ? work(db) : undefined;
  });
}

/** Whether the time that `setLeaseDue` stored for the next run has come. The caller holds the lease. */
export async function isLeaseDue(db: Db, name: string, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from job_lease where name = ${name} and until > ${now}`.execute(db);
  return rows.length === 0;
}

export async function setLeaseDue(db: Db, name: string, at: number): Promise<void> {
  await sql`update job_lease set until = ${at} where name = ${name}`.execute(db);
}

/** Lifts the limit of a statement's time for the rest of the transaction. */
export async function disableStatementTimeout(db: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db);
}
