import { setMaxListeners } from 'node:events';
import { sql } from 'kysely';
import type { App } from '../core/context.ts';
import { type Db, inTransaction } from '../postgres/connect.ts';

/** Background work. Every server process runs every job, so a job must be safe with any number of processes. */
export interface Job {
  name: string;
  /** Pause between runs in milliseconds; doubled after each consecutive failure, up to 10 seconds. */
  everyMs: number;
  /** @returns true to run again without a pause, because more work may be pending */
  run: (app: App, stopping: AbortSignal) => Promise<boolean>;
}

/** Starts the jobs. The returned function stops them and waits until their current runs have ended. */
export function startJobs(app: App, jobs: readonly Job[]): () => Promise<void> {
  const stopping = new AbortController();
  // Every job listens on this signal; Node would warn about a leak from eleven listeners on.
  setMaxListeners(0, stopping.signal);
  const loops = jobs.map((job) => loop(app, job, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}

async function loop(app: App, job: Job, stopping: AbortSignal): Promise<void> {
  let failures = 0;
  while (!stopping.aborted) {
    let more = false;
    try {
      more = await job.run(app, stopping);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!stopping.aborted) app.log.error({ err: error, job: job.name }, 'job failed');
    }
    // Exponential backoff, so that an unavailable database is not polled at full rate.
    if (!more) await pause(Math.min(job.everyMs * 2 ** Math.min(failures, 6), 10_000), stopping);
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stopping.addEventListener('abort', done);
  });
}

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
