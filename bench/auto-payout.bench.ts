/** How long a withdrawal waits for the system: from the begin of its request to the end of the decision, in bursts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { insertBudget } from '../server/src/domains/risk/auto-payout/coin.store.ts';
import { insertRule, insertRuleSet } from '../server/src/domains/risk/rule/rule.store.ts';
import { eventsRequest, startServer } from './lib/child.ts';
import type { BenchDatabase } from './lib/database.ts';
import { allocateIds, loadDecisionData } from './lib/decision-data.ts';
import { runLoad } from './lib/load.ts';
import { bench, ensure, scaleCount } from './lib/run.ts';

const BURST = 10;
const BURSTS = scaleCount(60, 5);
/** Bursts that are not measured. */
const WARM_UP = 5;
const GOAL_MS = 300;
const WAIT_MS = 20;

await bench('auto-payout', async (database) => {
  const count = (BURSTS + WARM_UP) * BURST;
  await loadDecisionData(database, count + 100, false);
  const ids = allocateIds(count + 100);
  await switchOn(database);
  const server = await startServer(database);
  try {
    for (let burst = 0; burst < BURSTS + WARM_UP; burst += 1) {
      await sendBurst(server.port, ids.take(BURST));
      await waitUntilDecided(database);
    }
  } finally {
    await server.stop();
  }
  const [waits] = await database.query(sql<{ passed: number; p50: number; p99: number }>`
    select count(*) as passed, percentile_cont(0.5) within group (order by waited) as p50,
      percentile_cont(0.99) within group (order by waited) as p99
    from (select a.recorded_at - w.recorded_at as waited from audit a join withdraw w on w.id = a.target_id
      where a.action = 'withdraw.autoPass' order by w.id offset ${WARM_UP * BURST}) t`);
  if (!waits) throw new Error('There are no decisions.');
  ensure(waits.passed === BURSTS * BURST, `${waits.passed} of ${BURSTS * BURST} withdrawals were passed`);
  const detail = `p50 ${Math.round(waits.p50)} ms, ${waits.passed} withdrawals`;
  return [{ name: `automatic payout, bursts of ${BURST}`, unit: 'ms p99', ours: waits.p99, limit: GOAL_MS, against: 'promise', goal: '≤ 1.00', detail }]; // prettier-ignore
});

/** One rule that hits nothing, and a budget that everything fits. */
async function switchOn({ db }: BenchDatabase): Promise<void> {
  const now = Date.now();
  const actions = { points: 0, hold: true, people: 0, manual: false, openCase: false, stopCoin: false } as const;
  const conditions = [{ fact: 'amount', op: 'gt', value: '1000000' } as const];
  const rule = { name: 'large', conditions, actions, unknownHits: true };
  await insertRule({ db, now }, rule, { by: '', reason: '', state: 2 });
  await insertRuleSet({ db, now }, '');
  const amount = '1000000';
  const budget = {
    on: true,
    dayAmount: amount,
    dayCount: 1_000_000,
    userDayAmount: amount,
    largestUnverified: amount,
    largestBasic: amount,
    largestAdvanced: amount,
    firstByHand: false,
    reviewPercent: 5,
  };
  await insertBudget({ db, now }, 1, budget, { by: 'bench', reason: '' });
}

async function sendBurst(port: number, first: number): Promise<void> {
  const events = Array.from({ length: BURST }, (_, index) => {
    const id = first + index;
    const address = `0x${id.toString(16).padStart(40, '0')}`;
    const wallet = { market: 'USDT', network: 'ERC20', address, amount: '2', fee: '0.1' };
    const data = { no: `W${id}`, account: `bench${id}`, ...wallet };
    return { eventId: `event-${id}`, type: 'withdraw.requested', at: Date.now(), data };
  });
  const requests = [eventsRequest(events)];
  await runLoad({
    port,
    connections: 1,
    next: () => requests.pop(),
    check: ({ status, body }) => {
      ensure(status === 200, body.slice(0, 300));
      const { data } = JSON.parse(body) as { data: Static<typeof EventAnswer>[] };
      ensure(
        data.every(({ result }) => result === 'applied'),
        body.slice(0, 300),
      );
    },
  });
}

async function waitUntilDecided(database: BenchDatabase): Promise<void> {
  for (;;) {
    const waiting = await database.query(sql<{ id: number }>`select withdraw_id as id from auto_candidate limit 1`);
    if (waiting.length === 0) return;
    await sleep(WAIT_MS);
  }
}
