import { setMaxListeners } from 'node:events';
import type { App } from '../app/context.ts';
import type { JobState } from '../app/process-state.ts';
import { inSpan } from '../host/trace.ts';

/** Background work. Every server process runs every job, so a job must be safe with any number of processes. */
export interface Job {
  name: string;
  /** Pause between runs in milliseconds. After each consecutive failure it doubles, as long as it is below 10 seconds. */
  everyMs: number;
  /** A run that takes longer counts as stuck, in milliseconds; ten minutes by default. */
  maxRunMs?: number;
  /** @returns true to run again without a pause, because more work may be pending */
  run: (app: App, stopSignal: AbortSignal) => Promise<boolean>;
}

const MAX_RUN_MS = 600_000;
const BACKOFF_MAX_MS = 10_000;

/** Starts the jobs. The returned function stops them and waits until their current runs have ended. */
export function startJobs(app: App, jobs: readonly Job[]): () => Promise<void> {
  const stopController = new AbortController();
  // Every job listens on this signal; Node would warn about a leak from eleven listeners on.
  setMaxListeners(0, stopController.signal);
  const loops = jobs.map((job) => loop(app, job, stopController.signal));
  return async () => {
    stopController.abort();
    await Promise.all(loops);
  };
}

async function loop(app: App, job: Job, stopSignal: AbortSignal): Promise<void> {
  const state: JobState = {
    everyMs: job.everyMs,
    maxRunMs: job.maxRunMs ?? MAX_RUN_MS,
    succeededAt: Date.now(),
    runningSince: undefined,
  };
  app.state.jobs.set(job.name, state);
  let failures = 0;
  while (!stopSignal.aborted) {
    let more = false;
    try {
      state.runningSince = Date.now();
      more = await inSpan(`job ${job.name}`, { 'hengtai.job': job.name }, () => job.run(app, stopSignal));
      failures = 0;
      state.succeededAt = Date.now();
      app.state.metrics.jobRuns.inc({ name: job.name, result: 'ok' });
    } catch (error) {
      failures += 1;
      app.state.metrics.jobRuns.inc({ name: job.name, result: 'failed' });
      if (!stopSignal.aborted) app.log.error({ err: error, job: job.name }, 'job failed');
    } finally {
      state.runningSince = undefined;
    }
    if (!more) await pause(pauseAfter(job.everyMs, failures), stopSignal);
  }
}

/** Exponential backoff, so that an unavailable database is not polled at full rate. The limit never shortens the pause. */
const pauseAfter = (everyMs: number, failures: number): number =>
  Math.max(everyMs, Math.min(everyMs * 2 ** failures, BACKOFF_MAX_MS));

function pause(ms: number, stopSignal: AbortSignal): Promise<void> {
  if (stopSignal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopSignal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stopSignal.addEventListener('abort', done);
  });
}
