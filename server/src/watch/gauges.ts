import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { App } from '../app/context.ts';
import type { PoolUse } from '../database/connect.ts';
import { type Figure, fetchFigures } from './figures.store.ts';
import type { Readiness } from './readiness.ts';
import { withTimeout } from './timeout.ts';

/** The figures are read at most this often, however many scrapers there are. */
const FIGURES_EVERY_MS = 10_000;
/** A scrape waits no longer for the database; Prometheus gives up after ten seconds. */
const FIGURES_TIMEOUT_MS = 5_000;

export interface Watched {
  app: App;
  pools: Readonly<Record<string, () => PoolUse>>;
  readiness: () => Promise<Readiness>;
}

/**
 * Registers what is read when the metrics are scraped, and the default metrics of the process.
 *
 * @returns reads it; a figure that cannot be read is left out
 */
export function registerGauges({ app, pools, readiness }: Watched): () => Promise<void> {
  collectDefaultMetrics({ register: app.state.metrics.registry });
  const updates = [poolGauges(app, pools), jobGauges(app), figureGauges(app), replicaGauges(app)];
  const ready = gauge(app, 'ready', 'Checks of /readyz: 1 passed, 0 failed', 'check');
  const locked = gauge(app, 'locked_calls', 'Calls that are refused because they waited in vain for a table');
  return async () => {
    locked.set(app.state.locks.lockedCalls.length);
    const [{ checks }] = await Promise.all([readiness(), ...updates.map((update) => update())]);
    for (const { name, ok } of checks) ready.set({ check: name }, ok ? 1 : 0);
  };
}

function gauge<L extends string>(app: App, name: string, help: string, ...labelNames: L[]): Gauge<L> {
  return new Gauge({ name: `hengtai_${name}`, help, labelNames, registers: [app.state.metrics.registry] });
}

type Update = () => Promise<void>;

function poolGauges(app: App, pools: Watched['pools']): Update {
  const connections = gauge(app, 'pool_connections', 'Open connections of a pool by state', 'pool', 'state');
  const waiting = gauge(app, 'pool_waiting', 'Requests that wait for a connection of a pool', 'pool');
  const limit = gauge(app, 'pool_max', 'Maximum connections of a pool', 'pool');
  return async () => {
    for (const [pool, read] of Object.entries(pools)) {
      const use = read();
      connections.set({ pool, state: 'idle' }, use.idle);
      connections.set({ pool, state: 'busy' }, use.open - use.idle);
      waiting.set({ pool }, use.waiting);
      limit.set({ pool }, use.max);
    }
  };
}

function jobGauges(app: App): Update {
  const succeeded = gauge(app, 'job_last_success_timestamp_seconds', 'End of the last run that succeeded', 'name');
  const interval = gauge(app, 'job_interval_seconds', 'Pause between the runs of a job', 'name');
  const running = gauge(app, 'job_run_seconds', 'Age of the current run of a job; 0 between runs', 'name');
  return async () => {
    for (const [name, { everyMs, succeededAt, runningSince }] of app.state.jobs) {
      succeeded.set({ name }, succeededAt / 1000);
      interval.set({ name }, everyMs / 1000);
      running.set({ name }, runningSince === undefined ? 0 : (Date.now() - runningSince) / 1000);
    }
  };
}

function figureGauges(app: App): Update {
  const isRead = gauge(app, 'figures_up', '1 if the figures of the database were read, else 0');
  const families = {
    queue: countAndAge(app, 'queue', 'Records of a review queue', 'queue'),
    command: countAndAge(app, 'commands', 'Commands to the platform: unsent, unanswered, unknown outcome', 'state'),
    audit: countAndAge(app, 'audit_unsealed', 'Audit rows that are not sealed'),
    notification: countAndAge(app, 'notifications_unsent', 'Notifications that no console can have received'),
    alarm: countAndAge(app, 'alarms_open', 'Open alarms by kind', 'kind'),
  };
  const target = gauge(app, 'queue_target_seconds', 'Target time of a review queue; absent without a target', 'queue');
  const show = (figures: readonly Figure[], now: number): void => {
    target.reset();
    for (const family of Object.values(families)) family.reset();
    for (const { family, label, count, oldestAt, target: minutes } of figures) {
      families[family].set(label, count, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000);
      if (minutes) target.set({ queue: label }, minutes * 60);
    }
  };
  let readAt = -Infinity;
  return async () => {
    if (performance.now() - readAt < FIGURES_EVERY_MS) return;
    readAt = performance.now();
    const now = app.clock.now();
    try {
      show(await withTimeout(fetchFigures(app.system, now), FIGURES_TIMEOUT_MS), now);
      isRead.set(1);
    } catch (error) {
      show([], now);
      isRead.set(0);
      app.log.warn({ err: error }, 'the figures for the metrics could not be read');
    }
  };
}

function countAndAge(app: App, name: string, help: string, label?: string) {
  const labels = label === undefined ? [] : [label];
  const count = gauge(app, name, help, ...labels);
  const oldest = gauge(app, `${name}_oldest_seconds`, `Age of the oldest one: ${help}`, ...labels);
  return {
    set: (value: string, records: number, seconds: number): void => {
      const own = label === undefined ? {} : { [label]: value };
      count.set(own, records);
      oldest.set(own, seconds);
    },
    // A gauge without labels cannot be reset to no value.
    reset: (): void => {
      for (const one of [count, oldest]) {
        if (label === undefined) one.remove();
        else one.reset();
      }
    },
  };
}

function replicaGauges(app: App): Update {
  const { replica } = app;
  if (!replica) return async () => undefined;
  const isUp = gauge(app, 'replica_up', '1 if the replica answers and follows the primary, else 0');
  const bytes = gauge(app, 'replica_lag_bytes', 'Log of the primary that the replica has not replayed');
  const seconds = gauge(
    app,
    'replica_lag_seconds',
    'Age of the last transaction that the replica replayed, 0 without lag',
  );
  return async () => {
    const lag = await withTimeout(replica.lag(), FIGURES_TIMEOUT_MS).catch(() => undefined);
    isUp.set(lag ? 1 : 0);
    for (const one of [bytes, seconds]) one.remove();
    if (!lag) return;
    bytes.set(lag.bytes);
    seconds.set(lag.seconds);
  };
}
