/**
 * One signed batch of 1,000 spot events through POST /platform/v1/events: placed orders, and then their fills, each for a
 * different user.
 * Limit: the statements of the same transactions by pgbench with one client and the role of requests. No server runs
 * meanwhile.
 */
import type { Event, EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { applyEvent } from '../server/src/gateway/events.ts';
import { committedIn } from '../server/src/gateway/event-transactions.ts';
import { platform } from '../server/src/modules.ts';
import { STRIPES } from '../server/src/books/ledger/account.ts';
import { startRecorder } from './lib/capture.ts';
import { eventsRequest, startServer } from './lib/child.ts';
import { type BenchDatabase, vacuumAndAnalyze, checkpoint } from './lib/database.ts';
import {
  FIRST_ID,
  RECORDED_IDS,
  FIRST_UNUSED_OFFSET,
  verifyLedger,
  derivedVariables,
  allocateIds,
  loadDecisionData,
} from './lib/decision-data.ts';
import { type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import { ROUNDS, bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';
import { idPrelude, scriptOf, generalizeRuns } from './lib/template.ts';

type PlatformEvent = Static<typeof Event>;

const BATCH = scaleCount(1_000, 10);
const AT = Date.now();
/** First ids of the accounts that spot orders need in addition to those of `loadDecisionData`. */
const COIN = 6_000_000;
const TRADING_USDT = 301;
const TRADING_COIN = 331;
const FEE_COIN = 361;
const house = (name: string, first: number) => ({
  name,
  of: (id: number) => first + (id % STRIPES),
  expression: `${first} + :id % ${STRIPES}`,
});
const all = [
  ...derivedVariables,
  { name: 'coin', of: (id: number) => id + COIN, expression: `:id + ${COIN}` },
  house('trading_usdt', TRADING_USDT),
  house('trading_coin', TRADING_COIN),
  house('fee_coin', FEE_COIN),
];

const kinds = {
  placed: (id: number): PlatformEvent => ({
    eventId: `placed-${id}`,
    type: 'order.placed',
    at: AT,
    data: { no: `O${id}`, account: `bench${id}`, market: 'BTC', side: 1, type: 1, price: '100', amount: '2' },
  }),
  filled: (id: number): PlatformEvent => ({
    eventId: `filled-${id}`,
    type: 'order.filled',
    at: AT,
    data: { no: `O${id}`, tradeNo: `F${id}`, price: '99.5', amount: '1', fee: '0.001' },
  }),
} as const;
type Kind = keyof typeof kinds;

await bench('spot', async (database) => {
  const rounds = 2 * ROUNDS;
  const count = FIRST_UNUSED_OFFSET + rounds * BATCH;
  await loadDecisionData(database, count, false);
  await loadSpot(database, count);
  const scripts = await record(database);
  const ids = allocateIds(count);
  const ours: Record<Kind, LoadMeasurement[]> = { placed: [], filled: [] };
  const limit: Record<Kind, number[]> = { placed: [], filled: [] };
  await runInterleaved([
    async () => {
      const first = ids.take(BATCH);
      const server = await startServer(database);
      try {
        for (const kind of ['placed', 'filled'] as const) {
          await checkpoint(database);
          ours[kind].push(await sendBatch(server.port, kind, first));
        }
      } finally {
        await server.stop();
      }
      await verifyFills(database, first);
    },
    async () => {
      const first = ids.take(BATCH);
      for (const kind of ['placed', 'filled'] as const) {
        await checkpoint(database);
        const run = { url: database.appUrl, scripts: [scripts[kind]], clients: 1, transactions: BATCH, first };
        const tps = await pgbench(database, run);
        if (tps !== undefined) limit[kind].push(tps);
      }
      if (hasPgbench) await verifyFills(database, first);
    },
  ]);
  await verifyLedger(database);
  return (['placed', 'filled'] as const).map((kind) => {
    const oursMedian = medianOf(ours[kind]);
    return {
      name: `order.${kind}, a batch of ${BATCH}`,
      unit: 'events/s',
      ours: oursMedian.perSecond * BATCH,
      limit: limit[kind].length === 0 ? undefined : median(limit[kind]),
      against: hasPgbench ? 'pgbench, the same statements' : 'pgbench (not installed)',
      goal: '1,000 in a second',
      detail: `the batch: p50 ${Math.round(oursMedian.p50)} ms`,
    };
  });
});

/** Moves all money to spot accounts and creates every account that a fill needs. */
async function loadSpot(database: BenchDatabase, count: number): Promise<void> {
  const { db } = database;
  await sql`update account set platform = 2 where user_id is not null`.execute(db);
  await sql`update entry set platform = 2 where user_id is not null`.execute(db);
  await sql`
    insert into account (id, owner, owner_id, user_id, agent_id, market_id, platform, bucket, created_at) overriding system value
    select u.id + ${COIN}, 'user', u.id, u.id, u.agent_id, 2, 2, 'active', ${AT}::bigint from users u
    where u.id between ${FIRST_ID} and ${FIRST_ID + count - 1}`.execute(db);
  for (const [owner, market, first] of [
    ['trading', 1, TRADING_USDT],
    ['trading', 2, TRADING_COIN],
    ['fee', 2, FEE_COIN],
  ] as const) {
    await sql`
      insert into account (id, owner, owner_id, market_id, platform, bucket, created_at) overriding system value
      select ${first} + s, ${owner}, s, ${market}, 0, 'active', ${AT}::bigint from generate_series(0, ${STRIPES}::int - 1) s`.execute(
      db,
    );
  }
  await sql`alter table trade_order alter column id restart with 20000000`.execute(db);
  await sql`alter table trade_fill alter column id restart with 40000000`.execute(db);
  await vacuumAndAnalyze(database);
}

async function record(database: BenchDatabase): Promise<Record<Kind, { text: string; weight: number }>> {
  const recorder = await startRecorder(database);
  const transactions = committedIn(recorder.app.system, 'live');
  const one = async (kind: Kind) => {
    const run = (id: number) =>
      recorder.recordTransaction(async () => {
        const { result, reason } = await applyEvent(recorder.app, platform.events, kinds[kind](id), transactions);
        ensure(result === 'applied', `${kind}: ${result} ${reason}`);
      });
    const [a, b] = RECORDED_IDS;
    const statements = generalizeRuns({ ids: [a, b], runs: [await run(a), await run(b)] }, all);
    return { text: scriptOf(idPrelude(all), statements), weight: 1 };
  };
  try {
    return { placed: await one('placed'), filled: await one('filled') };
  } finally {
    await recorder.end();
  }
}

async function sendBatch(port: number, kind: Kind, first: number): Promise<LoadMeasurement> {
  const batches = [eventsRequest(Array.from({ length: BATCH }, (_, n) => kinds[kind](first + n)))];
  const measured = await runLoad({
    port,
    connections: 1,
    next: () => batches.pop(),
    check: ({ status, body }) => {
      ensure(status === 200, body.slice(0, 300));
      const { data } = JSON.parse(body) as { data: Static<typeof EventAnswer>[] };
      const refused = data.find(({ result }) => result !== 'applied');
      ensure(data.length === BATCH && refused === undefined, JSON.stringify(refused));
    },
  });
  logProgress(`${kind}: ${Math.round(measured.perSecond * BATCH)} events/s`);
  return measured;
}

/** Throws unless each order has one fill of half its amount. */
async function verifyFills(database: BenchDatabase, first: number): Promise<void> {
  const [row] = await database.query(sql<{ n: number }>`
    select count(*)::int as n from trade_order o join trade_fill f on f.order_id = o.id
    where o.user_id between ${first} and ${first + BATCH - 1} and o.filled = 1 and o.frozen = 100`);
  ensure(row?.n === BATCH, `${row?.n} of ${BATCH} orders have their fill`);
}
