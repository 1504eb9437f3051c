import { setMaxListeners } from 'node:events';
import { sql } from 'kysely';
import type { App } from '../context.ts';
import { type Db, inTransaction } from '../db/connect.ts';

/** Work that goes on by itself; every server process runs all of them, and each is safe with any number of processes. */
export interface Job {
  name: string;
  everyMs: number;
  /** Returns true when there may be more to do at once. */
  run: (app: App, stopping: AbortSignal) => Promise<boolean>;
}

/** Starts the jobs; the returned function ends them after what they are doing. */
export function startJobs(app: App, jobs: readonly Job[]): () => Promise<void> {
  const stopping = new AbortController();
  // Every job listens for the end, and there are more of them than Node takes for a leak.
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
    // A database that is away for a while is not asked many times a second.
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
 * Runs work in a transaction that only one process is in at a time: it holds the job's lease row, and a process that
 * finds it held returns undefined at once.
 */
export async function underLease<T>(app: App, name: string, work: (db: Db) => Promise<T>): Promise<T | undefined> {
  return inTransaction(app.system, async (db) => {
    const taken = await sql`select 1 from job_lease where name = ${name} for update skip locked`.execute(db);
    if (taken.rows.length === 1) return work(db);
    const made = await sql`insert into job_lease (name, holder, until) values (${name}, '', 0)
      on conflict (name) do nothing`.execute(db);
    return made.numAffectedRows === 1n ? work(db) : undefined;
  });
}
