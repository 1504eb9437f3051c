import type { App } from '../app/context.ts';
import type { JobState } from '../app/process-state.ts';
import { runInScope } from '../database/connect.ts';
import { type AppliedMigration, newerThan, whyUnserved } from '../database/applied-migrations.ts';
import { type Migration, migrationsDirectory, readMigrations } from '../database/migration-files.ts';
import { fetchAppliedMigrations } from './schema.store.ts';
import { withTimeout } from './timeout.ts';

const CHECKS = ['serving', 'database', 'schema', 'jobs', 'locks'] as const;

export interface Check {
  name: (typeof CHECKS)[number];
  ok: boolean;
  /** Why it is not ok, or what an operator should know. */
  reason?: string;
}

export interface Readiness {
  /** `degraded` serves, but not everything. */
  status: 'ready' | 'degraded' | 'unready';
  checks: Check[];
}

const DATABASE_TIMEOUT_MS = 2_000;
/** A result serves all probes for this long, so that probes cannot load the database. */
const KEPT_MS = 1_000;

/**
 * Makes the check of this process: whether it should get requests, and why not.
 *
 * @param expected the migrations of this release
 */
export function makeReadiness(app: App, expected = readMigrations(migrationsDirectory())): () => Promise<Readiness> {
  let kept: { at: number; result: Promise<Readiness> } | undefined;
  return async () => {
    if (!kept || performance.now() - kept.at > KEPT_MS) kept = { at: performance.now(), result: check(app, expected) };
    const { checks } = await kept.result;
    // The state of the process itself is never a second old.
    return summarize([checkServing(app), ...checks.filter(({ name }) => name !== 'serving')]);
  };
}

async function check(app: App, expected: readonly Migration[]): Promise<Readiness> {
  const read = runInScope(app.requests, { kind: 'all' }, 0, fetchAppliedMigrations, 'read');
  const applied = await withTimeout(read, DATABASE_TIMEOUT_MS).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  const database: Check[] =
    applied instanceof Error
      ? [
          { name: 'database', ok: false, reason: `The pool of the requests does not reach it: ${applied.message}` },
          { name: 'schema', ok: false, reason: 'It could not be read.' },
        ]
      : [{ name: 'database', ok: true }, checkSchema(expected, applied)];
  return summarize([checkServing(app), ...database, checkJobs(app.state.jobs, Date.now()), checkLocks(app)]);
}

function summarize(checks: Check[]): Readiness {
  if (checks.some(({ ok }) => !ok)) return { status: 'unready', checks };
  return { status: checks.some(({ name, reason }) => name === 'locks' && reason) ? 'degraded' : 'ready', checks };
}

const checkServing = ({ state }: App): Check =>
  state.isDraining
    ? { name: 'serving', ok: false, reason: 'It shuts down after the running requests.' }
    : { name: 'serving', ok: true };

/** The schema of a newer release may serve this one, so that both can run side by side. */
function checkSchema(expected: readonly Migration[], applied: readonly AppliedMigration[]): Check {
  const newest = expected.at(-1)?.version ?? 0;
  const unserved = whyUnserved(applied, newest);
  if (unserved !== undefined) return { name: 'schema', ok: false, reason: unserved };
  const byVersion = new Map(applied.map((migration) => [migration.version, migration]));
  for (const { version, name, checksum } of expected) {
    const found = byVersion.get(version);
    if (!found) return { name: 'schema', ok: false, reason: `Migration ${name} is not applied.` };
    if (found.checksum !== checksum)
      return { name: 'schema', ok: false, reason: `Migration ${name} differs from the one that was applied.` };
  }
  const newer = newerThan(applied, newest).at(-1);
  return { name: 'schema', ok: true, ...(newer && { reason: `The database is newer: ${newer.name}.` }) };
}

function checkJobs(jobs: ReadonlyMap<string, JobState>, now: number): Check {
  if (jobs.size === 0) return { name: 'jobs', ok: false, reason: 'They are not started.' };
  const stuck = [...jobs].filter(([, job]) => job.runningSince !== undefined && now - job.runningSince > job.maxRunMs);
  if (stuck.length === 0) return { name: 'jobs', ok: true };
  return { name: 'jobs', ok: false, reason: `These do not end: ${stuck.map(([name]) => name).join(', ')}.` };
}

function checkLocks({ state }: App): Check {
  const calls = state.locks.lockedCalls;
  return { name: 'locks', ok: true, ...(calls.length > 0 && { reason: `Waiting for a table: ${calls.join(', ')}.` }) };
}
