/**
 * Signed batches of 1,000 events through POST /platform/v1/events: recharges credited, withdrawals requested and ticks in
 * equal parts, each on another user; from one sender, and from 8 at once.
 * Limit: the statements of the same transactions by pgbench with as many clients, as the role that requests run as. While
 * it is measured no server runs.
 */
import type { Event, EventAnswer } from '@hengtai/contract/gateway.schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { applyEvent } from '../server/src/gateway/events.ts';
import { startRecorder } from './lib/capture.ts';
import { eventsRequest, startServer } from './lib/child.ts';
import { type BenchDatabase, settle } from './lib/database.ts';
import { RECORDED, USABLE, bookHolds, derived, idsOf, loadDecisionData } from './lib/decision-data.ts';
import { type Measured, drive, median, medianOf } from './lib/load.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, interleaved, must, say, scaled } from './lib/run.ts';
import { counting, scriptOf, templateOf } from './lib/template.ts';

type PlatformEvent = Static<typeof Event>;

const BATCH = scaled(1_000, 10);
const WARM_UP = scaled(300, 10);
const MARKETS = ['BTC', 'ETH', 'SOL', 'XRP', 'HTT'] as const;
/** One moment for every event: a tick that is not older than the last one is taken. */
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

/** The kinds in turns. */
const eventOf = (id: number): PlatformEvent => ([recharge, withdrawal, tick][id % 3] ?? recharge)(id);

interface Sending {
  name: string;
  senders: number;
  ours: Measured[];
  limit: number[];
}

await bench('ingest', async (database) => {
  const sendings: Sending[] = [1, 8].map((senders) => ({
    name: `events, ${senders} sender${senders > 1 ? 's' : ''}`,
    senders,
    ours: [],
    limit: [],
  }));
  const batches = sendings.reduce((sum, { senders }) => sum + 2 * ROUNDS * senders, 0);
  const count = USABLE + batches * BATCH + sendings.length * ROUNDS * 8 * WARM_UP;
  await loadDecisionData(database, count, false);
  const scripts = await record(database);
  const ids = idsOf(count);
  for (const sending of sendings) {
    const { senders } = sending;
    await interleaved([
      async () =>
        void sending.ours.push(await ingest(database, senders, ids.take(8 * WARM_UP), ids.take(senders * BATCH))),
      async () => {
        const first = ids.take(senders * BATCH);
        const before = await effects(database);
        await settle(database);
        const run = { url: database.appUrl, scripts, clients: senders, transactions: senders * BATCH, first };
        const tps = await pgbench(database, run);
        if (tps === undefined) return;
        sending.limit.push(tps);
        await wasDone(database, before, senders * BATCH);
      },
    ]);
  }
  await bookHolds(database);
  return sendings.map(figureOf);
});

/** Each kind of event twice, for two users; ticks for every market, so that pgbench hurries no single one. */
async function record(database: BenchDatabase): Promise<{ text: string; weight: number }[]> {
  const recorder = await startRecorder(database);
  const template = async (make: (id: number) => PlatformEvent, offset: number) => {
    const one = (id: number) =>
      recorder.transactionOf(async () => {
        const { result, reason } = await applyEvent(recorder.app, make(id));
        must(result === 'applied', `${make(id).type}: ${result} ${reason}`);
      });
    const [a, b] = [RECORDED[0] + offset, RECORDED[1] + offset];
    const statements = templateOf({ ids: [a, b], runs: [await one(a), await one(b)] }, derived);
    return scriptOf(counting(derived), statements);
  };
  try {
    const each: number = MARKETS.length;
    const scripts = [
      { text: await template(recharge, 0), weight: each },
      { text: await template(withdrawal, 1), weight: each },
    ];
    for (const [index, market] of MARKETS.entries()) {
      scripts.push({ text: await template((id) => tick(id, market), 2 + index), weight: 1 });
    }
    return scripts;
  } finally {
    await recorder.end();
  }
}

/** A fresh server, warmed up, and then measured in batches. */
async function ingest(database: BenchDatabase, senders: number, warmUp: number, first: number): Promise<Measured> {
  const server = await startServer(database);
  try {
    await send(server.port, { senders: 8, size: WARM_UP, first: warmUp });
    const before = await effects(database);
    await settle(database);
    const measured = await send(server.port, { senders, size: BATCH, first });
    await wasDone(database, before, senders * BATCH);
    say(`${senders} at once: ${Math.round(measured.perSecond * BATCH)} events/s`);
    return { ...measured, perSecond: measured.perSecond * BATCH };
  } finally {
    await server.stop();
  }
}

/** One batch from every sender; every event must be applied. */
async function send(port: number, batch: { senders: number; size: number; first: number }): Promise<Measured> {
  const batches = Array.from({ length: batch.senders }, (_, at) =>
    eventsRequest(Array.from({ length: batch.size }, (_, n) => eventOf(batch.first + at * batch.size + n))),
  );
  return drive({
    port,
    connections: batch.senders,
    next: () => batches.pop(),
    check: ({ status, body }) => {
      must(status === 200, body.slice(0, 300));
      const { data } = JSON.parse(body) as { data: Static<typeof EventAnswer>[] };
      const refused = data.find(({ result }) => result !== 'applied');
      must(data.length === batch.size && refused === undefined, JSON.stringify(refused));
    },
  });
}

/** How many effects events have had until now. */
async function effects(database: BenchDatabase): Promise<number> {
  const [row] = await database.query(sql<{ n: number }>`
    select (select count(*) from recharge where state = 1 and exists (
        select from transfer t where t.ref_type = 'recharge' and t.ref_id = recharge.id))
      + (select count(*) from withdraw w join hold h on h.ref_type = 'withdraw' and h.ref_id = w.id
        join transfer t on t.ref_type = 'withdraw' and t.ref_id = w.id where w.state = 0 and h.amount = w.amount)
      + (select count(*) from tick) as n`);
  return row?.n ?? 0;
}

async function wasDone(database: BenchDatabase, before: number, expected: number): Promise<void> {
  const done = (await effects(database)) - before;
  must(done === expected, `${done} of ${expected} events had their effect`);
}

function figureOf({ name, ours, limit }: Sending): Figure {
  const mine = medianOf(ours);
  return {
    name,
    unit: 'events/s',
    ours: mine.perSecond,
    limit: limit.length === 0 ? undefined : median(limit),
    against: hasPgbench ? 'pgbench, the same statements' : 'pgbench (not installed)',
    goal: '≥ 0.70',
    detail: `a batch of ${BATCH}: p50 ${Math.round(mine.p50)} ms`,
  };
}
