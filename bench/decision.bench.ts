/**
 * withdraw/pass through HTTP on 8 connections, each with its idempotency key, on distinct users, the jobs running: what
 * they seal is waited for and reported.
 * Limit: the statements of the same transaction by pgbench with 8 clients as the role that requests run as. Second limit:
 * the same statements in one message each, as if no statement had to wait for the one before it. Sessions are looked up
 * by the product only, and while the limits are measured no server runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/endpoint';
import { WITHDRAW } from '@hengtai/contract/withdraw';
import { sql } from 'kysely';
import { startRecorder } from './lib/capture.ts';
import { login, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase, settle } from './lib/database.ts';
import { RECORDED, USABLE, bookHolds, derived, idsOf, loadDecisionData } from './lib/decision-data.ts';
import { request } from './lib/http.ts';
import { type Measured, drive, median, medianOf } from './lib/load.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, interleaved, must, say, scaled } from './lib/run.ts';
import { type PgbenchStatement, counting, oneMessageOf, scriptOf, templateOf } from './lib/template.ts';

const CLIENTS = 8;
const DECISIONS = scaled(3_000, CLIENTS);
const WARM_UP = scaled(800, CLIENTS);
const SEALED_WITHIN_MS = 60_000;
const PATH = `${API_BASE}withdraw/pass`;

interface Round extends Measured {
  /** From the last answer until the last audit row was chained. */
  sealMs: number;
}

await bench('decision', async (database) => {
  const count = USABLE + ROUNDS * (WARM_UP + 3 * DECISIONS);
  await loadDecisionData(database, count, true);
  const statements = await record(database);
  const ids = idsOf(count);
  const [ours, single, joined]: [Round[], number[], number[]] = [[], [], []];
  const limit = async (kept: number[], script: string): Promise<void> => {
    const first = ids.take(DECISIONS);
    const scripts = [{ text: script }];
    await settle(database);
    const run = { url: database.appUrl, scripts, clients: CLIENTS, transactions: DECISIONS, first };
    const tps = await pgbench(database, run);
    if (tps === undefined) return;
    await wasDone(database, first);
    kept.push(tps);
  };
  await interleaved([
    async () => void ours.push(await decide(database, ids.take(WARM_UP), ids.take(DECISIONS))),
    () => limit(single, scriptOf(counting(derived), statements)),
    () => limit(joined, oneMessageOf(counting(derived), statements)),
  ]);
  await bookHolds(database);
  return figuresOf(ours, single, joined, statements.length);
});

/** One decision twice, for two withdrawals: the transaction that each sends. */
async function record(database: BenchDatabase): Promise<PgbenchStatement[]> {
  const token = await adminToken(database);
  const recorder = await startRecorder(database);
  try {
    const one = (id: number) => recorder.call('POST', PATH, { token, 'idempotency-key': keyOf(id) }, { id });
    const [first, second] = RECORDED;
    return templateOf({ ids: RECORDED, runs: [await one(first), await one(second)] }, derived);
  } finally {
    await recorder.end();
  }
}

async function adminToken(database: BenchDatabase): Promise<string> {
  const server = await startServer(database);
  try {
    return await login(server.port, ADMIN.account, ADMIN.password);
  } finally {
    await server.stop();
  }
}

function keyOf(id: number): string {
  return `decision-${id}`;
}

/** A fresh server, warmed up, and then measured; it ends before anything else is. */
async function decide(database: BenchDatabase, warmUp: number, first: number): Promise<Round> {
  const server = await startServer(database);
  try {
    const token = await login(server.port, ADMIN.account, ADMIN.password);
    await sealed(database);
    await drive(loadOf(server.port, token, warmUp, WARM_UP));
    await sealed(database);
    await settle(database);
    const measured = await drive(loadOf(server.port, token, first, DECISIONS));
    const sealMs = await sealed(database);
    await wasDone(database, first);
    const round = { ...measured, sealMs };
    say(`${Math.round(round.perSecond)} decisions/s, all sealed ${Math.round(sealMs)} ms after the last`);
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
      must(status === 200 && body.startsWith('{"code":200,') && body.includes('"state":2'), body.slice(0, 300));
    },
  };
}

/** Waits until every audit row is chained; returns how long that took. */
async function sealed(database: BenchDatabase): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < SEALED_WITHIN_MS) {
    const [row] = await database.query(sql<{ open: boolean }>`select exists (select from audit_pending) as open`);
    if (row?.open === false) return performance.now() - start;
    await sleep(5);
  }
  throw new Error('The measured work was not done: audit rows were not chained');
}

/** Every withdrawal of the round was passed once, with its order to the wallet, its audit row and its kept answer. */
async function wasDone(database: BenchDatabase, first: number): Promise<void> {
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
  for (const [what, count] of Object.entries(row ?? {})) must(count === DECISIONS, `${count} of ${DECISIONS} ${what}`);
}

function figuresOf(ours: readonly Round[], single: number[], joined: number[], statements: number): Figure[] {
  const mine = medianOf(ours);
  const sealMs = median(ours.map((round) => round.sealMs));
  const common = { name: 'withdraw/pass', unit: 'decisions/s', ours: mine.perSecond };
  const latency = `p50 ${mine.p50.toFixed(1)} p95 ${mine.p95.toFixed(1)} ms; sealed ${Math.round(sealMs)} ms after the last`;
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
  ];
}
