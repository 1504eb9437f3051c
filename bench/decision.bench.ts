/**
 * withdraw/pass over HTTP on 8 connections, with idempotency keys, for distinct users, while the jobs run. Also reports how
 * long sealing the audit rows takes.
 * Limit: the statements of the same transaction by pgbench with 8 clients and the role of requests. Second limit: the same
 * statements in one message, without round trips between them. The limits look up no session, and no server runs meanwhile.
 * Third limit: the same decisions without the triggers that keep counters.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { sql } from 'kysely';
import { rebuildCounters } from '../server/src/books/lists/counters.ts';
import { startRecorder } from './lib/capture.ts';
import { fetchToken, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase, checkpoint } from './lib/database.ts';
import {
  RECORDED_IDS,
  FIRST_UNUSED_OFFSET,
  verifyLedger,
  derivedVariables,
  allocateIds,
  loadDecisionData,
} from './lib/decision-data.ts';
import { request } from './lib/http.ts';
import { type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';
import { type PgbenchStatement, idPrelude, singleMessageScriptOf, scriptOf, generalizeRuns } from './lib/template.ts';

const CLIENTS = 8;
const DECISIONS = scaleCount(3_000, CLIENTS);
const WARM_UP = scaleCount(800, CLIENTS);
const SEALED_WITHIN_MS = 60_000;
const PATH = `${API_BASE}withdraw/pass`;

interface Round extends LoadMeasurement {
  /** Milliseconds from the last answer until the last audit row was sealed. */
  sealMs: number;
}

await bench('decision', async (database) => {
  const count = FIRST_UNUSED_OFFSET + ROUNDS * (2 * WARM_UP + 4 * DECISIONS);
  await loadDecisionData(database, count, true);
  const statements = await record(database);
  const ids = allocateIds(count);
  const [ours, uncounted, single, joined]: [Round[], Round[], number[], number[]] = [[], [], [], []];
  const measureLimit = async (results: number[], script: string): Promise<void> => {
    const first = ids.take(DECISIONS);
    const scripts = [{ text: script }];
    await checkpoint(database);
    const run = { url: database.appUrl, scripts, clients: CLIENTS, transactions: DECISIONS, first };
    const tps = await pgbench(database, run);
    if (tps === undefined) return;
    await verifyDecisions(database, first);
    results.push(tps);
  };
  await runInterleaved([
    async () => void ours.push(await measureDecisions(database, ids.take(WARM_UP), ids.take(DECISIONS))),
    () =>
      withoutCounters(database, async () => {
        uncounted.push(await measureDecisions(database, ids.take(WARM_UP), ids.take(DECISIONS)));
      }),
    () => measureLimit(single, scriptOf(idPrelude(derivedVariables), statements)),
    () => measureLimit(joined, singleMessageScriptOf(idPrelude(derivedVariables), statements)),
  ]);
  await verifyLedger(database);
  return figuresOf(ours, uncounted, single, joined, statements.length);
});

/** Runs `work` without the triggers that keep counters. The counters are rebuilt afterwards, so that the next round is right. */
async function withoutCounters(database: BenchDatabase, work: () => Promise<void>): Promise<void> {
  const triggers = await database.query(sql<{ table: string; name: string }>`
    select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where tgname ~ '^(count|move)_' and not tgisinternal`);
  ensure(triggers.length > 10, 'the triggers of the counters were not found');
  const switchAll = async (state: 'enable' | 'disable'): Promise<void> => {
    for (const { table, name } of triggers)
      await database.query(sql`alter table ${sql.raw(table)} ${sql.raw(state)} trigger ${sql.ref(name)}`);
  };
  await switchAll('disable');
  try {
    await work();
  } finally {
    await switchAll('enable');
    await rebuildCounters(database.db);
  }
}

/** Records the transaction of a decision for two withdrawals and generalizes it. */
async function record(database: BenchDatabase): Promise<PgbenchStatement[]> {
  const token = await adminToken(database);
  const recorder = await startRecorder(database);
  try {
    const one = (id: number) => recorder.call('POST', PATH, { token, 'idempotency-key': keyOf(id) }, { id });
    const [first, second] = RECORDED_IDS;
    return generalizeRuns({ ids: RECORDED_IDS, runs: [await one(first), await one(second)] }, derivedVariables);
  } finally {
    await recorder.end();
  }
}

async function adminToken(database: BenchDatabase): Promise<string> {
  const server = await startServer(database);
  try {
    return await fetchToken(server.port, ADMIN.account, ADMIN.password);
  } finally {
    await server.stop();
  }
}

function keyOf(id: number): string {
  return `decision-${id}`;
}

/** Measures one round on a new server after a warm-up. */
async function measureDecisions(database: BenchDatabase, warmUp: number, first: number): Promise<Round> {
  const server = await startServer(database);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    await waitUntilSealed(database);
    await runLoad(loadOf(server.port, token, warmUp, WARM_UP));
    await waitUntilSealed(database);
    await checkpoint(database);
    const measured = await runLoad(loadOf(server.port, token, first, DECISIONS));
    const sealMs = await waitUntilSealed(database);
    await verifyDecisions(database, first);
    const round = { ...measured, sealMs };
    logProgress(`${Math.round(round.perSecond)} decisions/s, all sealed ${Math.round(sealMs)} ms after the last`);
    return round;
  } finally {
    await server.stop();
  }
}

function loadOf(port: number, token: string, first: number, count: number) {
  let id = first;
  return {
    port,
    connections: CLIENTS,
    next: () => {
      if (id >= first + count) return undefined;
      const bytes = request('POST', PATH, { token, 'idempotency-key': keyOf(id) }, JSON.stringify({ id }));
      id += 1;
      return bytes;
    },
    check: ({ status, body }: { status: number; body: string }) => {
      ensure(status === 200 && body.startsWith('{"code":200,') && body.includes('"state":2'), body.slice(0, 300));
    },
  };
}

/** Waits until every audit row is sealed and returns the milliseconds it took. Throws after SEALED_WITHIN_MS. */
async function waitUntilSealed(database: BenchDatabase): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < SEALED_WITHIN_MS) {
    const [row] = await database.query(sql<{ open: boolean }>`select exists (select from audit_pending) as open`);
    if (row?.open === false) return performance.now() - start;
    await sleep(5);
  }
  throw new Error(`The measured work failed: audit rows were not sealed within ${SEALED_WITHIN_MS} ms`);
}

/** Throws unless each withdrawal of the round was passed once, with payout command, audit row and idempotent answer. */
async function verifyDecisions(database: BenchDatabase, first: number): Promise<void> {
  const last = first + DECISIONS - 1;
  const [row] = await database.query(sql<Record<string, number>>`
    select
      (select count(*) from withdraw where id between ${first} and ${last} and state = ${WITHDRAW.queued} and attempt = 1)
        as passed,
      (select count(distinct ref_id) from command where type = 'withdraw.payout' and ref_id between ${first} and ${last}
        and data ->> 'no' = 'W' || ref_id) as ordered,
      (select count(distinct target_id) from audit where action = 'withdraw.pass' and result = 200
        and target_id between ${first} and ${last}) as audited,
      (select count(*) from idempotency where key between ${keyOf(first)} and ${keyOf(last)}
        and answer -> 'data' ->> 'id' = substr(key, 10)) as kept`);
  for (const [what, count] of Object.entries(row ?? {}))
    ensure(count === DECISIONS, `${count} of ${DECISIONS} ${what}`);
}

function figuresOf(
  ours: readonly Round[],
  uncounted: readonly Round[],
  single: number[],
  joined: number[],
  statements: number,
): Figure[] {
  const oursMedian = medianOf(ours);
  const sealMs = median(ours.map((round) => round.sealMs));
  const common = { name: 'withdraw/pass', unit: 'decisions/s', ours: oursMedian.perSecond };
  const latency = `p50 ${oursMedian.p50.toFixed(1)} p95 ${oursMedian.p95.toFixed(1)} ms; sealed ${Math.round(sealMs)} ms after the last`;
  const pgbenchOf = (kind: string): string => (hasPgbench ? `pgbench, ${kind}` : 'pgbench (not installed)');
  const limits = (values: number[]): number | undefined => (values.length === 0 ? undefined : median(values));
  return [
    {
      ...common,
      limit: limits(single),
      against: pgbenchOf(`the same ${statements} statements`),
      goal: '≥ 0.70',
      detail: latency,
    },
    { ...common, limit: limits(joined), against: pgbenchOf('the same in one message') },
    { ...common, limit: medianOf(uncounted).perSecond, against: 'the same without counters', goal: '≥ 0.80' },
  ];
}
