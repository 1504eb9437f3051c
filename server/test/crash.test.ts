// @module-tag sized
// @module-tag soak
import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAuditKey } from '../src/host/audit-key.ts';
import { loadAnchors, verifyChain } from '../src/books/audit/verify.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { checkCounters } from '../src/books/lists/counters.ts';
import { checkFundDays } from '../src/domains/desk/report/fund-day.store.ts';
import { sized } from '../../testing/level.ts';
import { onTron } from './address.ts';
import { World } from './crash-world.ts';

const USERS = 10;
const RECHARGES = sized({ short: 60, full: 200, long: 2_000 });
const TRANSFERS = sized({ short: 60, full: 200, long: 2_000 });
/** Each withdrawal consists of a request and a decision. */
const WITHDRAWALS = sized({ short: 90, full: 300, long: 3_000 });
/** Number of concurrent requests. */
const WORKERS = 8;
/** Number of kills, alternating between server and PostgreSQL, spread over the work. */
const KILLS = sized({ short: 2, full: 4, long: 60 });

interface TestEvent {
  eventId: string;
  type: string;
  data: object;
}

interface Decision {
  no: string;
  path: 'withdraw/pass' | 'withdraw/reject';
  key: string;
  body: object;
  response: Envelope<WithdrawRow>;
}

let world: World;
const events: { event: TestEvent; response: EventAnswer | undefined }[] = [];
const decisions: Decision[] = [];
/** Balances that every user must have at the end, in whole coins. */
const expected = new Map<string, { active: number; frozen: number }>();
const completed = { count: 0 };

beforeAll(async () => {
  world = await World.start();
  await sql`update config set state = 0 where key like 'policy.%'`.execute(world.db);
  await sql`update counter_limit set total_rows = 0, large_rows = 0, block_rows = 0`.execute(world.db);
  await playUnderKills();
}, 640_000);
afterAll(() => world.stop(), 120_000);

const userAt = (n: number): string => `crash-user-${n % USERS}`;

function addExpected(account: string, active: number, frozen = 0): void {
  const current = expected.get(account) ?? { active: 0, frozen: 0 };
  expected.set(account, { active: current.active + active, frozen: current.frozen + frozen });
}

async function sendEvent(event: TestEvent): Promise<void> {
  const [response] = await world.events(event);
  events.push({ event, response });
  completed.count += 1;
}

const rechargeEvent = (no: string, account: string, amount: number): TestEvent => ({
  eventId: `event-${no}`,
  type: 'recharge.credited',
  data: {
    no,
    account,
    market: 'USDT',
    ...onTron('any'),
    amount: `${amount}`,
    confirmations: 20,
    source: 1,
  },
});

async function recharge(n: number): Promise<void> {
  await sendEvent(rechargeEvent(`R${n}`, userAt(n), n + 1));
  addExpected(userAt(n), n + 1);
}

async function transfer(n: number): Promise<void> {
  const [account, toAccount] = [userAt(n), userAt(n + 1 + (n % (USERS - 1)))];
  const data = { no: `T${n}`, account, toAccount, market: 'USDT', platform: 1, toPlatform: 1, amount: `${n + 2}` };
  await sendEvent({ eventId: `event-T${n}`, type: 'transfer.made', data });
  addExpected(account, -(n + 2));
  addExpected(toAccount, n + 2);
}

async function withdraw(n: number): Promise<void> {
  const [account, no, amount] = [userAt(n * 7), `W${n}`, n + 10];
  const data = { no, account, market: 'USDT', network: 'TRC20', address: `T-${n}`, amount: `${amount}`, fee: '1' };
  await sendEvent({ eventId: `event-${no}`, type: 'withdraw.requested', data });
  const page = await world.get<Page<WithdrawRow>>(`withdraw/list?no=${no}`);
  const id = page.data.list[0]?.id ?? 0;
  const isRejection = n % 3 === 0;
  const path = isRejection ? 'withdraw/reject' : 'withdraw/pass';
  const body = isRejection ? { id, reason: `because ${n}` } : { id };
  const response = await world.post<WithdrawRow>(path, body, `key-${no}`);
  decisions.push({ no, path, key: `key-${no}`, body, response });
  completed.count += 1;
  if (!isRejection) addExpected(account, -amount, amount);
}

/** Yields the different kinds of work in a fixed interleaved order. Answers may arrive in any order. */
function* generateTasks(): Generator<() => Promise<void>> {
  for (let n = 0; n < WITHDRAWALS; n += 1) {
    yield () => withdraw(n);
    if (n < RECHARGES) yield () => recharge(n);
    if (n < TRANSFERS) yield () => transfer(n);
  }
}

async function runWorker(queue: Iterator<() => Promise<void>>): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) await next.value();
}

/** Kills after fixed shares of the answers, so that every kill interrupts running work. */
async function killRepeatedly(total: number, finished: AbortSignal): Promise<number> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while (completed.count < (total * kill) / (KILLS + 1)) {
      if (finished.aborted) return kill - 1;
      await sleep(5);
    }
    await (kill % 2 === 1 ? world.killServer() : world.killPostgres());
  }
  return KILLS;
}

const query = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await statement.execute(world.db)).rows;

/** Waits until the owner's pool reaches the restarted PostgreSQL; its old connections are broken. */
async function waitForPostgres(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isReachable = await sql`select 1`.execute(world.db).then(
      () => true,
      () => false,
    );
    if (isReachable) return;
    await sleep(100);
  }
  throw new Error('PostgreSQL does not answer.');
}

/** Sends every call and event until it is answered, while server and database are killed. */
async function playUnderKills(): Promise<void> {
  for (let n = 0; n < USERS; n += 1) {
    await world.events({ eventId: `event-U${n}`, type: 'user.registered', data: { account: userAt(n) } });
    await world.events(rechargeEvent(`start-${n}`, userAt(n), 1_000_000));
    addExpected(userAt(n), 1_000_000);
  }
  const total = RECHARGES + TRANSFERS + 2 * WITHDRAWALS;
  const queue = generateTasks();
  const finished = new AbortController();
  const workers = Promise.all(Array.from({ length: WORKERS }, () => runWorker(queue))).finally(() => finished.abort());
  const [kills] = await Promise.all([killRepeatedly(total, finished.signal), workers]);
  expect(kills).toBe(KILLS);
  expect(completed.count).toBe(total);
  await waitForPostgres();
}

test('applies every acknowledged call and event exactly once', async () => {
  for (const { response } of events) expect(['applied', 'duplicate']).toContain(response?.result);
  for (const { response, path } of decisions) {
    expect(response).toMatchObject({ code: 200, data: { state: path === 'withdraw/pass' ? 2 : 5 } });
  }
  const [counts] = await query(sql<Record<string, number>>`
    select (select count(*) from recharge where state = 1) as recharges, (select count(*) from internal_transfer) as transfers,
      (select count(*) from withdraw where state = 2) as passed, (select count(*) from withdraw where state = 5) as rejected,
      (select count(*) from inbox) as events, (select count(*) from hold) as holds,
      (select count(*) from hold where released = amount) as released`);
  expect(counts).toEqual({
    recharges: RECHARGES + USERS,
    transfers: TRANSFERS,
    passed: WITHDRAWALS - WITHDRAWALS / 3,
    rejected: WITHDRAWALS / 3,
    events: 2 * USERS + RECHARGES + TRANSFERS + WITHDRAWALS,
    holds: WITHDRAWALS,
    released: WITHDRAWALS / 3,
  });
  const duplicates = await query(sql`
    select t.ref_type, t.ref_id, count(*) from transfer t group by 1, 2
    having count(*) <> case when t.ref_type = 'withdraw' and (select state from withdraw where id = t.ref_id) = 5 then 2 else 1 end`);
  expect(duplicates).toEqual([]);
  expect(await checkBook(world.db)).toEqual([]);
});

test('gives every user exactly the acknowledged balance', async () => {
  for (const [account, { active, frozen }] of expected) {
    const { data } = await world.platformGet<object[]>(`balances?account=${account}`);
    expect(data, account).toEqual([{ market: 'USDT', platform: 1, active: `${active}`, frozen: `${frozen}` }]);
  }
});

test('writes one command per effect, numbered without gaps', async () => {
  const passed = decisions.filter(({ path }) => path === 'withdraw/pass');
  const rejected = decisions.filter(({ path }) => path === 'withdraw/reject');
  const commandCounts = await query(sql<{ type: string; n: number; targets: number }>`
    select type, count(*) as n, count(distinct ref_id) as targets from command group by type order by type`);
  expect(commandCounts).toEqual([
    { type: 'balance.changed', n: rejected.length, targets: rejected.length },
    { type: 'withdraw.payout', n: passed.length, targets: passed.length },
    { type: 'withdraw.reviewed', n: decisions.length, targets: decisions.length },
  ]);
  const commands: { seq: number; id: number; type: string; data: { no?: string } }[] = [];
  for (let after = 0; ;) {
    const { data } = await world.platformGet<typeof commands>(`commands?after=${after}&limit=200`);
    if (data.length === 0) break;
    commands.push(...data);
    after = data.at(-1)?.seq ?? after;
  }
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  expect(commands).toHaveLength(2 * decisions.length);
  expect(commands.map(({ seq }) => seq)).toEqual(commands.map(({ seq }) => seq).toSorted((a, b) => a - b));
  const payoutNos = commands.filter(({ type }) => type === 'withdraw.payout').map(({ data }) => data.no);
  expect(payoutNos).toHaveLength(passed.length);
  expect(new Set(payoutNos)).toEqual(new Set(passed.map(({ no }) => no)));
});

test('counts every row once, whichever compaction a kill interrupted', async () => {
  const pending = async () => (await query(sql<{ n: number }>`select count(*)::int as n from counter_delta`))[0]?.n;
  await expect.poll(pending).toBe(0);
  const [counted] = await query(
    sql<{ n: number }>`select sum(n)::int as n from counter where resource = 1 and kind = 1 and level = 3`,
  );
  expect(counted?.n).toBeGreaterThanOrEqual(WITHDRAWALS);
  expect(await checkCounters(world.db)).toEqual([]);
  expect(await checkFundDays(world.db)).toEqual([]);
});

test('answers a repeated event as a duplicate and a repeated key with the first answer', async () => {
  const before = await query(
    sql`select count(*) as entries, (select count(*) from command) as commands, (select count(*) from audit) as audit from entry`,
  );
  for (let from = 0; from < events.length; from += 100) {
    const answers = await world.events(...events.slice(from, from + 100).map(({ event }) => event));
    expect(new Set(answers.map(({ result }) => result))).toEqual(new Set(['duplicate']));
  }
  for (const { path, body, key, response } of decisions) {
    expect(await world.post(path, body, key)).toMatchObject({ code: 200, msg: response.msg, data: response.data });
  }
  const first = decisions[0];
  expect(await world.post(first?.path ?? '', { ...first?.body, reason: 'other' }, first?.key)).toMatchObject({
    code: 409,
  });
  expect(
    await query(
      sql`select count(*) as entries, (select count(*) from command) as commands, (select count(*) from audit) as audit from entry`,
    ),
  ).toEqual(before);
});

test('keeps a valid audit chain with one row per decision', async () => {
  const verify = async () =>
    verifyChain(world.db, await loadAnchors(world.auditDir, findAuditKey(world.auditDir, world.auditDir)));
  for (let tries = 0; (await verify()).pending > 0; tries += 1) {
    if (tries > 1_000) throw new Error('Rows stay unsealed.');
    await sleep(50);
  }
  const verdict = await verify();
  expect(verdict).toMatchObject({ ok: true, pending: 0, firstBad: null });
  expect(verdict.sealed).toBeGreaterThan(WITHDRAWALS);
  const auditCounts = await query(sql<{ n: number; targets: number }>`
    select count(*) as n, count(distinct target_id) as targets from audit where target_type = 'withdraw' and result = 200`);
  expect(auditCounts).toEqual([{ n: WITHDRAWALS, targets: WITHDRAWALS }]);
});
