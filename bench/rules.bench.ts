/**
 * What rules cost: `withdraw.requested` one by one without a rule, with 50 rules in effect, and of a user with very many
 * withdrawals; and a backtest over all recorded withdrawals. BENCH_SCALE=10 tests ten million.
 */
import { KEY_COLUMNS, keyValues } from './lib/destination.ts';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { type FactName, factNames, facts } from '@hengtai/contract/risk/rule/catalogue';
import type { BacktestResult, Condition, RuleBacktest } from '@hengtai/contract/risk/rule/schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { NO_FACTORS } from '../server/src/app/context.ts';
import { backtest } from '../server/src/domains/risk/rule/backtest.service.ts';
import { factColumn } from '../server/src/domains/risk/rule/fact-column.store.ts';
import { insertRule, insertRuleSet } from '../server/src/domains/risk/rule/rule.store.ts';
import { openPool, runInScope } from '../server/src/database/connect.ts';
import { eventsRequest, startServer } from './lib/child.ts';
import { type BenchDatabase, checkpoint, vacuumAndAnalyze } from './lib/database.ts';
import { FIRST_ID, allocateIds, loadDecisionData } from './lib/decision-data.ts';
import { type LoadMeasurement, medianOf, runLoad } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, ensure, logProgress, runInterleaved, scaleCount } from './lib/run.ts';

const EVENTS = scaleCount(400, 20);
const WARM_UP = scaleCount(200, 10);
const RULES = 50;
const HEAVY_ROWS = scaleCount(500_000, 1_000);
const TESTED_ROWS = scaleCount(1_000_000, 10_000);
const DAY_MS = 86_400_000;
/** The goal of the product is 10 million withdrawals in 30 seconds. */
const GOAL_MS_PER_ROW = 30_000 / 10_000_000;
const actions = { points: 1, hold: false, people: 0, manual: false, openCase: false, stopCoin: false } as const;

const manyConditions = (index: number): Condition[] => [
  { fact: 'amountUsdt', op: 'gte', value: String(1_000 * index) },
  { fact: 'addressPaid', op: 'lt', value: '3' },
  { fact: 'credentialHours', op: 'lt', value: String(index) },
  { fact: 'coin', op: 'in', value: ['1', '2', '3'] },
];

const caller = {
  operator: { id: 1, account: 'admin', top: true, abilities: [] },
  scope: { kind: 'all' },
  sessionId: null,
  factors: NO_FACTORS,
  requestId: 'bench',
  ip: '',
  userAgent: '',
} as const;

await bench('rules', async (database) => {
  const perKind = ROUNDS * (EVENTS + WARM_UP);
  const count = 100 + 3 * perKind;
  await loadDecisionData(database, count, false);
  const ids = allocateIds(count);
  const heavy = FIRST_ID + count - 1;
  await insertHistory(database, heavy, HEAVY_ROWS);
  // The heavy user makes many small withdrawals.
  await database.query(sql`update market set withdraw_min = 0`);
  await vacuumAndAnalyze(database);
  const bare: LoadMeasurement[] = [];
  const ruled: LoadMeasurement[] = [];
  const ofHeavy: LoadMeasurement[] = [];
  let heavyNumber = 0;
  await runInterleaved([
    async () => {
      await setRules(database, 0);
      bare.push(await measureRequests(database, () => ids.take(1)));
    },
    async () => {
      await setRules(database, RULES);
      ruled.push(await measureRequests(database, () => ids.take(1)));
    },
    async () => {
      ofHeavy.push(
        await measureRequests(
          database,
          () => heavy,
          () => `H${(heavyNumber += 1)}`,
        ),
      );
    },
  ]);
  const [without, withRules, heavyUser] = [medianOf(bare), medianOf(ruled), medianOf(ofHeavy)];
  const detail = ({ p50, p99 }: LoadMeasurement): string => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
  const requests: Figure[] = [
    { name: `request, ${RULES} rules`, unit: 'ms p99', ours: withRules.p99, limit: without.p99, against: 'no rule', goal: '+5 ms', detail: detail(withRules) },
    { name: `request, user with ${HEAVY_ROWS} withdrawals`, unit: 'ms p99', ours: heavyUser.p99, limit: withRules.p99, against: 'new users', goal: '+5 ms', detail: detail(heavyUser) },
  ]; // prettier-ignore
  return [...requests, ...(await measureBacktests(database))];
});

/** Puts `count` rules into effect, and none beside them. */
async function setRules(database: BenchDatabase, count: number): Promise<void> {
  const { db } = database;
  await database.query(sql`update rule set state = 3`);
  const now = Date.now();
  for (let index = 0; index < count; index += 1) {
    const name = `rule ${now} ${index}`;
    const rule = { name, conditions: manyConditions(index), actions, unknownHits: true };
    await insertRule({ db, now }, rule, { by: '', reason: '', state: 2 });
  }
  await insertRuleSet({ db, now }, '');
}

/** Sends single requests on one connection to a new server, after a warm-up. */
async function measureRequests(
  database: BenchDatabase,
  user: () => number,
  number?: () => string,
): Promise<LoadMeasurement> {
  const server = await startServer(database);
  const send = async (count: number): Promise<LoadMeasurement> => {
    const requests = Array.from({ length: count }, () => {
      const id = user();
      const no = number?.() ?? `W${id}`;
      const data = {
        no,
        account: `bench${id}`,
        market: 'USDT',
        network: 'TRC20',
        address: `T${id}`,
        amount: '0.5',
        fee: '0.1',
      };
      return eventsRequest([{ eventId: `event-${no}`, type: 'withdraw.requested', at: Date.now(), data }]);
    });
    return runLoad({
      port: server.port,
      connections: 1,
      next: () => requests.pop(),
      check: ({ status, body }) => {
        ensure(status === 200, body.slice(0, 300));
        const { data } = JSON.parse(body) as { data: Static<typeof EventAnswer>[] };
        ensure(data[0]?.result === 'applied', body.slice(0, 300));
      },
    });
  };
  try {
    await send(WARM_UP);
    await checkpoint(database);
    return await send(EVENTS);
  } finally {
    await server.stop();
  }
}

/** Withdrawals of one user, one a minute. Counters are left as they are: nothing here reads them. */
async function insertHistory(database: BenchDatabase, user: number, rows: number): Promise<void> {
  const now = Date.now();
  await database.query(sql`alter table withdraw disable trigger user`);
  await database.query(sql`
    insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, valuation, state, by_account,
      reviewed_at, attempt, created_at, recorded_at, updated_at, ${KEY_COLUMNS})
    select ${`P${user}-`} || n, ${user}, (select agent_id from users where id = ${user}), 1, 'TRC20', 'T' || n % 1000, 10, 1, 10,
      case when n % 10 = 0 then 5 else 4 end, 'admin', t.at + 600000, 1, t.at, t.at, t.at + 700000,
      ${keyValues(sql`'T' || n % 1000`)}
    from generate_series(1, ${rows}::int) n cross join lateral (select ${now} - (${rows} - n + 1) * 60000::bigint as at) t`);
  await database.query(sql`alter table withdraw enable trigger user`);
  logProgress(`${rows} earlier withdrawals`);
}

/** Random facts of all withdrawals: computing each would take longer than everything else here. */
async function insertRandomFacts(database: BenchDatabase): Promise<void> {
  const value = (name: FactName) => {
    if (name === 'coin') return sql`w.market_id`;
    if (name === 'network') return sql`w.network`;
    if (name === 'amount' || name === 'amountUsdt') return sql`round((random() * 10000)::numeric, 8)`;
    if (facts[name].kind === 'flag') return sql`random() < 0.1`;
    return name === 'kycLevel' ? sql`(random() * 2)::int` : sql`(random() * 1000)::int`;
  };
  await database.query(sql`insert into withdraw_fact (withdraw_id, created_at, ${sql.join(factNames.map(factColumn))})
    select w.id, w.created_at, ${sql.join(factNames.map(value))} from withdraw w order by w.id on conflict do nothing`);
  await database.query(sql`update fact_backfill set reached = (select max(id) from withdraw)`);
}

async function measureBacktests(database: BenchDatabase): Promise<Figure[]> {
  const rest = TESTED_ROWS - HEAVY_ROWS;
  if (rest > 0) await insertHistory(database, FIRST_ID, rest);
  await insertRandomFacts(database);
  await vacuumAndAnalyze(database);
  const [found] = await database.query(sql<{ rows: number }>`select count(*) as rows from withdraw_fact`);
  const rows = found?.rows ?? 0;
  const pool = openPool({
    url: database.appUrl,
    max: 1,
    name: 'bench',
    settings: { jit: 'off' },
    onError: () => undefined,
  });
  const run = (input: RuleBacktest): Promise<BacktestResult> =>
    runInScope(pool.db, { kind: 'all' }, 1, (db) => backtest({ ...caller, db, now: Date.now() }, input), 'read');
  const figures: Figure[] = [];
  try {
    for (const [name, input] of [
      [
        'few hits',
        {
          conditions: [
            { fact: 'amountUsdt', op: 'gt', value: '9990' },
            { fact: 'loginNewIp', op: 'is', value: true },
          ],
        },
      ],
      ['all hit', { conditions: [{ fact: 'amount', op: 'gte', value: '0' }] }],
      [`${RULES} rules`, { effective: true }],
      ['one day', { conditions: [{ fact: 'amount', op: 'gte', value: '0' }], from: Date.now() - DAY_MS }],
    ] as [string, RuleBacktest][]) {
      const times: number[] = [];
      let hits = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const start = performance.now();
        const result = await run(input);
        times.push(performance.now() - start);
        ensure(input.from !== undefined || result.total === rows, `${result.total} of ${rows} rows`);
        hits = result.hits;
      }
      const ours = times.toSorted((a, b) => a - b)[1] ?? Number.NaN;
      logProgress(`backtest ${name}: ${Math.round(ours)} ms, ${hits} hits of ${rows}`);
      figures.push({ name: `backtest, ${name}`, unit: 'ms', ours, limit: rows * GOAL_MS_PER_ROW, against: '30 s for 10 million', goal: '≤ 1.00', detail: `${hits} hits of ${rows}` }); // prettier-ignore
    }
  } finally {
    await pool.end();
  }
  return figures;
}
