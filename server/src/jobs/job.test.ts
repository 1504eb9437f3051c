import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../app/context.ts';
import { createProcessState } from '../app/process-state.ts';
import { type Job, startJobs } from './job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs a job for some time, and returns the seconds at which it ran. */
async function runFor(seconds: number, job: Omit<Job, 'name'>): Promise<number[]> {
  const app = { state: createProcessState(), log: pino({ level: 'silent' }) } as unknown as App;
  const startedAt = Date.now();
  const ranAt: number[] = [];
  const run: Job['run'] = async (...input) => {
    ranAt.push((Date.now() - startedAt) / 1000);
    return job.run(...input);
  };
  const stop = startJobs(app, [{ ...job, name: 'tested', run }]);
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  await stop();
  return ranAt;
}

const fail = async (): Promise<boolean> => {
  throw new Error('failed');
};

test('a job pauses for as long as it declares, also above the limit of the backoff', async () => {
  expect(await runFor(1_300, { everyMs: 600_000, run: async () => false })).toEqual([0, 600, 1200]);
  expect(await runFor(130, { everyMs: 60_000, run: fail })).toEqual([0, 60, 120]);
});

test('after failures a job pauses twice as long each time, up to ten seconds', async () => {
  expect(await runFor(40, { everyMs: 1_000, run: fail })).toEqual([0, 2, 6, 14, 24, 34]);
});
