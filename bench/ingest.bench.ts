/**
 * Signed batches of 1,000 events through POST /platform/v1/events: credited recharges, requested withdrawals and ticks in equal
 * parts, each for a different user, from one sender and from four; withdrawals alone; and calls with one mixed event each.
 * Limit: the statements of the same transactions by pgbench with as many clients and the role of requests. No server runs
 * meanwhile.
 */
import type { Event, EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { applyEvent } from '../server/src/gateway/events.ts';
import { committedIn } from '../server/src/gateway/event-transactions.ts';
import { platform } from '../server/src/modules.ts';
import { startRecorder } from './lib/capture.ts';
import { eventsRequest, startServer } from './lib/child.ts';
import { type BenchDatabase, checkpoint } from './lib/database.ts';
import {
  RECORDED_IDS,
  FIRST_UNUSED_OFFSET,
  verifyLedger,
  derivedVariables,
  allocateIds,
  loadDecisionData,
} from './lib/decision-data.ts';
import { type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import { type PgbenchScript, hasPgbench, pgbench } from './lib/pgbench.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';
import { idPrelude, scriptOf, generalizeRuns } from './lib/template.ts';

type PlatformEvent = Static<typeof Event>;

const BATCH = scaleCount(1_000, 10);
const SINGLE = scaleCount(400, 10);
const WARM_UP = scaleCount(300, 10);
const MARKETS = ['BTC', 'ETH', 'SOL', 'XRP', 'HTT'] as const;
/** The same time for all events: a tick is accepted unless it is older than the last one. */
const AT = Date.now();

const event = (id: number, type: string, data: object): PlatformEvent => ({
  eventId: `event-${id}`,
  type,
  at: AT,
  data: { ...data },
});

const recharge = (id: number): PlatformEvent =>
  event(id, 'recharge.credited', {
    no: `R${id}`,
    account: `bench${id}`,
    market: 'USDT',
    network: 'TRC20',
    address: `T${id}`,
    txHash: `hash-${id}`,
    amount: '10.5',
    confirmations: 20,
    source: 1,
  });

const withdrawal = (id: number): PlatformEvent =>
  event(id, 'withdraw.requested', {
    no: `W${id}`,
    account: `bench${id}`,
    market: 'USDT',
    network: 'TRC20',
    address: `T${id}`,
    amount: '100.5',
    fee: '1',
  });

const tick = (id: number, market: string = MARKETS[Math.floor(id / 3) % MARKETS.length] ?? 'BTC'): PlatformEvent =>
  event(id, 'tick', { market, price: '123.45', volume: '6.7', at: AT });

/** Alternates the three types of events. */
const mixedEvent = (id: number): PlatformEvent => ([recharge, withdrawal, tick][id % 3] ?? recharge)(id);

interface Workload {
  name: string;
  senders: number;
  /** Events in a call, and of each sender in a round. */
  size: number;
  count: number;
  eventOf: (id: number) => PlatformEvent;
  scripts: PgbenchScript[];
  ours: LoadMeasurement[];
  limit: number[];
}

await bench('ingest', async (database) => {
  const kinds = [
    { name: 'events, 1 sender', senders: 1, size: BATCH, count: BATCH },
    { name: 'events, 4 senders', senders: 4, size: BATCH, count: BATCH },
    { name: 'single events, 1 sender', senders: 1, size: 1, count: SINGLE },
    { name: 'single events, 4 senders', senders: 4, size: 1, count: SINGLE },
    { name: 'withdraw.requested', senders: 1, size: BATCH, count: BATCH, isWithdrawal: true },
  ];
  const measured = kinds.reduce((sum, kind) => sum + 2 * ROUNDS * kind.senders * kind.count, 0);
  const count = FIRST_UNUSED_OFFSET + measured + kinds.length * ROUNDS * 8 * WARM_UP;
  await loadDecisionData(database, count, false);
  const { withdrawals, mixed } = await record(database);
  const workloads = kinds.map(({ isWithdrawal = false, ...kind }): Workload => ({
    ...kind,
    eventOf: isWithdrawal ? withdrawal : mixedEvent,
    scripts: isWithdrawal ? withdrawals : mixed,
    ours: [],
    limit: [],
  }));
  const ids = allocateIds(count);
  for (const workload of workloads) {
    const { senders, scripts } = workload;
    const events = senders * workload.count;
    await runInterleaved([
      async () =>
        void workload.ours.push(await measureIngest(database, workload, ids.take(8 * WARM_UP), ids.take(events))),
      async () => {
        const first = ids.take(events);
        const before = await countEffects(database);
        await checkpoint(database);
        const run = { url: database.appUrl, scripts, clients: senders, transactions: events, first };
        const tps = await pgbench(database, run);
        if (tps === undefined) return;
        workload.limit.push(tps);
        await verifyEffects(database, before, events);
      },
    ]);
  }
  await verifyLedger(database);
  return workloads.map(figureOf);
});

/** Records each type of event for two users. Ticks cover every market, so that pgbench spreads them over all rows. */
async function record(database: BenchDatabase): Promise<Record<'mixed' | 'withdrawals', PgbenchScript[]>> {
  const recorder = await startRecorder(database);
  const transactions = committedIn(recorder.app.system, 'live');
  const template = async (make: (id: number) => PlatformEvent, offset: number) => {
    const one = (id: number) =>
      recorder.recordTransaction(async () => {
        const { result, reason } = await applyEvent(recorder.app, platform.events, make(id), transactions);
        ensure(result === 'applied', `${make(id).type}: ${result} ${reason}`);
      });
    const [a, b] = [RECORDED_IDS[0] + offset, RECORDED_IDS[1] + offset];
    const statements = generalizeRuns({ ids: [a, b], runs: [await one(a), await one(b)] }, derivedVariables);
    return scriptOf(idPrelude(derivedVariables), statements);
  };
  try {
    const each: number = MARKETS.length;
    const withdrawals = [{ text: await template(withdrawal, 1), weight: each }];
    const scripts = [{ text: await template(recharge, 0), weight: each }, ...withdrawals];
    for (const [index, market] of MARKETS.entries()) {
      scripts.push({ text: await template((id) => tick(id, market), 2 + index), weight: 1 });
    }
    return { mixed: scripts, withdrawals };
  } finally {
    await recorder.end();
  }
}

/** Measures the calls of one round on a new server after a warm-up. */
async function measureIngest(
  database: BenchDatabase,
  { name, senders, size, count, eventOf }: Workload,
  warmUp: number,
  first: number,
): Promise<LoadMeasurement> {
  const server = await startServer(database);
  try {
    await send(server.port, eventOf, { senders: 8, size: WARM_UP, calls: 8, first: warmUp });
    const before = await countEffects(database);
    await checkpoint(database);
    const calls = (senders * count) / size;
    const measured = await send(server.port, eventOf, { senders, size, calls, first });
    await verifyEffects(database, before, senders * count);
    logProgress(`${name}: ${Math.round(measured.perSecond * size)} events/s`);
    return { ...measured, perSecond: measured.perSecond * size };
  } finally {
    await server.stop();
  }
}

/** Sends the calls from all senders. Throws unless every event is applied. */
async function send(
  port: number,
  eventOf: Workload['eventOf'],
  batch: { senders: number; size: number; calls: number; first: number },
): Promise<LoadMeasurement> {
  const batches = Array.from({ length: batch.calls }, (_, at) =>
    eventsRequest(Array.from({ length: batch.size }, (_, n) => eventOf(batch.first + at * batch.size + n))),
  );
  return runLoad({
    port,
    connections: batch.senders,
    next: () => batches.pop(),
    check: ({ status, body }) => {
      ensure(status === 200, body.slice(0, 300));
      const { data } = JSON.parse(body) as { data: Static<typeof EventAnswer>[] };
      const refused = data.find(({ result }) => result !== 'applied');
      ensure(data.length === batch.size && refused === undefined, JSON.stringify(refused));
    },
  });
}

/** Counts the effects of all applied events. */
async function countEffects(database: BenchDatabase): Promise<number> {
  const [row] = await database.query(sql<{ n: number }>`
    select (select count(*) from recharge where state = 1 and exists (
        select from transfer t where t.ref_type = 'recharge' and t.ref_id = recharge.id))
      + (select count(*) from withdraw w join hold h on h.ref_type = 'withdraw' and h.ref_id = w.id
        join transfer t on t.ref_type = 'withdraw' and t.ref_id = w.id where w.state = 0 and h.amount = w.amount)
      + (select count(*) from tick) as n`);
  return row?.n ?? 0;
}

async function verifyEffects(database: BenchDatabase, before: number, expected: number): Promise<void> {
  const effects = (await countEffects(database)) - before;
  ensure(effects === expected, `${effects} of ${expected} events had an effect`);
}

function figureOf({ name, size, ours, limit }: Workload): Figure {
  const oursMedian = medianOf(ours);
  return {
    name,
    unit: 'events/s',
    ours: oursMedian.perSecond,
    limit: limit.length === 0 ? undefined : median(limit),
    against: hasPgbench ? 'pgbench, the same statements' : 'pgbench (not installed)',
    goal: '≥ 0.70',
    detail: `a call of ${size}: p50 ${Math.round(oursMedian.p50)} ms`,
  };
}
