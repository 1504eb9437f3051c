import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { findFreePort, startServer } from '../bench/lib/child.ts';
import { createBenchDatabase } from '../bench/lib/database.ts';
import { type Drill, drills } from './drills.ts';
import { Installation } from './installation.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

/** A job counts as stopped after a little more than a minute. */
const TIMEOUT_MS = 180_000;
/** Tested with a real replica in server/src/database/replica.test.ts. */
const NOT_DRILLED = ['HengTaiReplicaBehind'];

/** Set by a signal: what was started is still stopped. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

interface Result {
  alert: string;
  cause: string;
  /** Seconds until the expression of the alert was true; undefined if it never was. */
  seconds: number | undefined;
  /** It was true before it was caused. */
  wasTrue: boolean;
}

async function perform(drill: Drill, installation: Installation, prometheus: Prometheus): Promise<Result[]> {
  const before = await prometheus.fetchStates();
  const startedAt = Date.now();
  const undo = await drill.start(installation);
  const seconds = new Map<string, number>();
  try {
    while (!interruption.signal.aborted && seconds.size < drill.alerts.length && Date.now() - startedAt < TIMEOUT_MS) {
      const states = await prometheus.fetchStates();
      for (const alert of drill.alerts) {
        if (!seconds.has(alert) && states.get(alert) !== 'inactive' && states.has(alert))
          seconds.set(alert, (Date.now() - startedAt) / 1000);
      }
      await sleep(500);
    }
  } finally {
    await undo();
  }
  return drill.alerts.map((alert) => ({
    alert,
    cause: drill.cause,
    seconds: seconds.get(alert),
    wasTrue: before.get(alert) !== 'inactive',
  }));
}

/** Every alert must have a drill, so that none is shipped that cannot fire. */
function findUndrilled(): string[] {
  const rules = readFileSync(new URL('../deploy/prometheus/hengtai.rules.yml', import.meta.url), 'utf8');
  const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] };
  const drilled = new Set([...NOT_DRILLED, ...drills.flatMap(({ alerts }) => alerts)]);
  return groups.flatMap(({ rules: own }) => own.map(({ alert }) => alert)).filter((alert) => !drilled.has(alert));
}

async function main(program: string): Promise<number> {
  const undrilled = findUndrilled();
  if (undrilled.length > 0) throw new Error(`These alerts have no drill: ${undrilled.join(', ')}.`);
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-drill-'));
  const database = await createBenchDatabase();
  const metricsPort = await findFreePort();
  const server = await startServer(database, {
    METRICS_PORT: String(metricsPort),
    DATABASE_READ_URL: database.appUrl,
    LOG_LEVEL: 'fatal',
  });
  const installation = new Installation(server, database);
  let failed = 0;
  try {
    await installation.logIn();
    const prometheus = await startPrometheus(program, directory, `127.0.0.1:${metricsPort}`);
    try {
      // One scrape and one evaluation before the first drill.
      await sleep(3_000);
      for (const drill of drills) {
        if (interruption.signal.aborted) throw new Error('The drill was interrupted.');
        for (const { alert, cause, seconds, wasTrue } of await perform(drill, installation, prometheus)) {
          const isConstant = drill === drills[0];
          const problem =
            wasTrue && !isConstant ? 'was true before' : seconds === undefined ? 'did not become true' : '';
          if (problem) failed += 1;
          const result = problem ? `FAILED  ${problem}` : `passed  after ${seconds?.toFixed(0)} s`;
          console.log(`${result.padEnd(28)} ${alert.padEnd(28)} ${cause}`);
        }
      }
    } finally {
      await prometheus.stop();
    }
  } finally {
    await server.stop();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(`not drilled: ${NOT_DRILLED.join(', ')} (tested with a real replica)`);
  return failed;
}

process.exit((await main(process.argv[2] ?? 'prometheus')) === 0 ? 0 : 1);
