import { POLICY } from '@hengtai/contract/desk/approval/calls';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { factNames } from '@hengtai/contract/risk/rule/catalogue';
import type { BacktestResult, RuleResult } from '@hengtai/contract/risk/rule/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findUser, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { kycSubmission } from '../../../../test/identity.ts';
import { always, makeRule } from '../../../../test/rules.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../../../test/server.ts';
import { sized } from '../../../../../testing/level.ts';
import { backfillFacts } from './fact.jobs.ts';
import { insertFacts } from './fact.store.ts';
import { findFacts } from './rule-result.store.ts';
import { starterRules } from './starter.rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  token = await login(server);
});

/** Moves the clock and logs in again, because sessions end. */
const wait = async (ms: number): Promise<void> => {
  server.clock.move(ms);
  token = await login(server);
};
const factsOf = async ({ id }: { id: number }): Promise<RuleResult['facts']> => findFacts(server.owner, id);
const paid = async ({ id, no }: { id: number; no: string }) => {
  await call(server, 'POST', 'withdraw/pass', { id }, { token });
  await apply(server, { type: 'withdraw.paid', data: { no, txHash: `0x${no}` } });
};
/** Saves the policy of passing, so that the history has it. */
const savePolicy = async (value: { state: number; num?: string }) => {
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token });
  const id = data.find(({ key }) => key === 'policy.withdraw.pass')?.id;
  expect(await call(server, 'POST', 'config/save', { id, ...value }, { token })).toMatchObject({ code: 200 });
};
const signIn = (account: string, ip: string, device?: string) =>
  apply(server, { type: 'user.login', data: { account, ip, ...(device === undefined ? {} : { device }) } });

describe('the facts of a withdrawal', () => {
  test('are what was known when it was requested', async () => {
    await savePolicy({ state: POLICY.above, num: '1000' });
    const address = unique('T-shared');
    const other = await makeUser(server, { amount: '500' });
    const rejected = await makeWithdraw(server, token, other, { address });
    await call(server, 'POST', 'withdraw/reject', { id: rejected.id, reason: '地址有风险' }, { token });
    const { id: otherId } = await findUser(server, token, other);
    await call(server, 'POST', 'user/state/disable', { id: otherId }, { token });
    const account = await makeUser(server);
    await signIn(account, '10.0.0.1', 'phone');
    await wait(2 * DAY);
    await signIn(account, '10.0.0.2', 'laptop');
    await recharge(server, account, '2000');
    await apply(server, { type: 'user.credential', data: { account, kind: 'password' } });
    await wait(30 * MINUTE);
    await paid(await makeWithdraw(server, token, account, { amount: '100', address }));
    await wait(2 * HOUR);
    const row = await makeWithdraw(server, token, account, { amount: '800', fee: '2', address });
    expect(await factsOf(row)).toMatchObject({
      amount: '800',
      amountUsdt: '800',
      feeShare: '0.25',
      network: 'TRC20',
      riskSharedAddress: true,
      riskFirstAddress: false,
      userDays: '2',
      kycLevel: '0',
      rejectedCount: '0',
      loginHours: '2',
      loginNewIp: true,
      loginNewDevice: true,
      loginIps24h: '1',
      loginGapDays: '2',
      ipUsers: '0',
      ipHours: '2',
      deviceHours: '2',
      kycHours: '50',
      credentialHours: '2',
      addressDays: '0',
      addressPaid: '1',
      addressUsers: '1',
      addressFrozenUsers: '1',
      addressRejectedUsers: '1',
      count1h: '1',
      count24h: '2',
      sum1h: '800',
      sum24h: '900',
      nearFourEyes24h: '1',
      nearLimit24h: '0',
      recharges1h: '0',
      recharges24h: '1',
      rechargeMinutes: '150',
      rechargeShare: '100',
      netDeposit: '1900',
      gainShare: '0',
      manualShare: '0',
      priceMove1h: '0',
    });
    expect((await factsOf(rejected))?.addressUsers).toBe('0');
  });

  test('follow the price of the coin', async () => {
    const at = server.clock.now();
    for (const [price, ago] of [
      ['100', 25 * HOUR],
      ['200', 2 * HOUR],
      ['150', MINUTE],
    ] as const)
      await apply(server, { type: 'tick', data: { market: 'ETH', price, at: at - ago } });
    server.clock.move(10);
    const account = await makeUser(server, { amount: '5', market: 'ETH' });
    const row = await makeWithdraw(server, token, account, { market: 'ETH', amount: '1', fee: '0.1' });
    expect(await factsOf(row)).toMatchObject({ amountUsdt: '150', priceMove1h: '-25', priceMove24h: '50' });
  });

  test('count what operators added', async () => {
    const account = await makeUser(server, { amount: '300' });
    const { id } = await findUser(server, token, account);
    const added = await call(
      server,
      'POST',
      'asset/active/add',
      { userId: id, marketId: 1, platform: 1, amount: '100', state: 1, reason: '活动' },
      { token },
    );
    expect(added).toMatchObject({ code: 200 });
    expect(await factsOf(await makeWithdraw(server, token, account))).toMatchObject({ manualShare: '25' });
  });
});

describe('the facts about logins and identity', () => {
  test('name the longest absence before a login, and the others at the same IP address', async () => {
    const [user, near, ...others] = await Promise.all([1, 2, 3, 4].map(() => makeUser(server, { amount: '500' })));
    if (user === undefined || near === undefined) throw new Error('no users');
    const ip = '10.9.0.1';
    for (const account of others) await signIn(account, ip);
    await signIn(user, '10.9.0.2');
    await wait(5 * DAY);
    await signIn(near, ip);
    await signIn(near, ip);
    await wait(4 * DAY);
    await signIn(user, ip, 'phone');
    await wait(HOUR);
    // A second login makes the place no older.
    await signIn(user, ip, 'phone');
    // The logins of the others at this place are older than seven days.
    expect(await factsOf(await makeWithdraw(server, token, user))).toMatchObject({
      ipUsers: '1',
      loginGapDays: '9',
      ipHours: '1',
      deviceHours: '1',
    });
    await wait(31 * DAY);
    expect(await factsOf(await makeWithdraw(server, token, user))).toMatchObject({ ipUsers: '0', loginGapDays: null });
    const silent = await makeUser(server, { amount: '500' });
    expect(await factsOf(await makeWithdraw(server, token, silent))).toMatchObject({
      ipUsers: null,
      loginGapDays: null,
    });
  });

  test('count from the last identity review that was passed', async () => {
    const account = await makeUser(server, { amount: '500' });
    await wait(3 * DAY);
    expect(await factsOf(await makeWithdraw(server, token, account))).toMatchObject({ kycHours: '72', kycLevel: '0' });
    const { front: _front, back: _back, ...document } = kycSubmission(account);
    const reviewedAt = server.clock.now();
    for (const [level, state] of [
      [1, 1],
      [2, 2],
    ])
      await apply(server, { type: 'auth.imported', data: { ...document, level, state, reviewedAt } });
    await wait(5 * HOUR);
    expect(await factsOf(await makeWithdraw(server, token, account))).toMatchObject({ kycHours: '5', kycLevel: '1' });
  });
});

test('what was not deposited is a share of the amount', async () => {
  const account = await makeUser(server, { amount: '300' });
  const source = await makeUser(server, { amount: '1000' });
  const transfer = { no: unique('T'), account: source, toAccount: account, market: 'USDT', platform: 1, toPlatform: 1 };
  await apply(server, { type: 'transfer.made', data: { ...transfer, amount: '900' } });
  expect(await factsOf(await makeWithdraw(server, token, account, { amount: '400' }))).toMatchObject({
    gainShare: '25',
  });
  await paid(await makeWithdraw(server, token, account, { amount: '700' }));
  expect(await factsOf(await makeWithdraw(server, token, account))).toMatchObject({
    netDeposit: '-400',
    gainShare: '100',
  });
});

/** One step of a day: an event of the platform, or a decision. */
const step = fc.record({
  kind: fc.nat({ max: 9 }),
  user: fc.nat({ max: 3 }),
  address: fc.nat({ max: 2 }),
  amount: fc.constantFrom('40', '900', '9000'),
  /** Milliseconds until the next step. Steps without a pause go to the server in one call. */
  pause: fc.constantFrom(0, 0, 0, 1, MINUTE, 20 * MINUTE, 5 * HOUR),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sent = Parameters<typeof send>[1];

class Day {
  readonly users: string[] = [];
  readonly requests: string[] = [];
  #waiting: Sent[] = [];

  async play(steps: readonly Step[]): Promise<void> {
    for (let user = 0; user < 4; user += 1) this.users.push(await makeUser(server, { amount: '50000' }));
    for (const one of steps) {
      await this.#play(one);
      if (one.pause === 0) continue;
      await this.#send();
      server.clock.move(one.pause);
    }
    await this.#send();
  }

  /** The platform reports each event with a later time than the one before. */
  async #send(): Promise<void> {
    const events = this.#waiting.map((event, index) => ({ ...event, at: server.clock.now() + index }));
    server.clock.move(events.length);
    if (events.length > 0) await send(server, ...events);
    this.#waiting = [];
  }

  async #play({ kind, user, address, amount }: Step): Promise<void> {
    const account = this.users[user] ?? '';
    const chain = { account, market: 'USDT', network: 'TRC20', address: `T-day-${address}`, amount };
    const no = unique('day');
    const known = this.requests.at(-1 - (user % 2)) ?? '';
    if (kind <= 3) {
      this.requests.push(no);
      this.#waiting.push({ type: 'withdraw.requested', data: { no, ...chain, fee: '1' } });
    } else if (kind === 4)
      this.#waiting.push({ type: 'user.login', data: { account, ip: `10.0.0.${address}`, device: amount } });
    else if (kind === 5)
      this.#waiting.push({
        type: 'recharge.credited',
        data: { no, ...chain, confirmations: 9, source: 1, txHash: no },
      });
    else if (kind === 6) this.#waiting.push({ type: 'user.credential', data: { account, kind: 'password' } });
    else if (kind === 7) this.#waiting.push({ type: 'withdraw.cancelled', data: { no: known } });
    else if (kind === 8) this.#waiting.push({ type: 'withdraw.paid', data: { no: known, txHash: no } });
    else await this.#decide(known, address);
  }

  async #decide(no: string, choice: number): Promise<void> {
    await this.#send();
    // A decision never shares its millisecond with a request.
    server.clock.move(1);
    const [row] = await server.query(sql<{ id: number }>`select id from withdraw where no = ${no}`);
    await wait(0);
    const action = choice === 0 ? 'reject' : 'pass';
    if (row) await call(server, 'POST', `withdraw/${action}`, { id: row.id, reason: '账户存在异常' }, { token });
    server.clock.move(1);
  }
}

/** Facts and hits of all withdrawals, by number. */
const fetchRecorded = () =>
  server.query(sql<{ no: string; facts: object; hits: number[] | null; trial: number[] | null }>`
    select w.no, to_jsonb(f) - 'withdraw_id' as facts, r.hits, r.trial_hits as trial
    from withdraw w join withdraw_fact f on f.withdraw_id = w.id left join rule_result r on r.withdraw_id = w.id order by w.id`);

test('a day replayed gives the same facts and decisions', { tags: ['sized', 'soak'] }, async () => {
  // Its rules would decide the withdrawals of the other tests.
  const first = { server, token };
  server = await testServer({ jobs: false });
  token = await login(server);
  onTestFinished(async () => {
    await server.stop();
    ({ server, token } = first);
  });
  await savePolicy({ state: POLICY.off });
  const rules = [];
  for (const [index, rule] of starterRules.entries())
    rules.push(await makeRule(server, token, { ...rule, name: unique('day ') }, index % 3 === 0 ? 1 : 2));
  rules.push(await makeRule(server, token, { conditions: [always] }));
  const from = server.clock.now() + 1;
  server.clock.move(2);
  const thaw = server.clock.freeze();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => new Day().play(steps)),
    { numRuns: sized({ short: 1, full: 3, long: 60 }), endOnFailure: true },
  );
  thaw();
  const live = await fetchRecorded();
  // One short day can have few requests.
  expect(live.length).toBeGreaterThan(sized({ short: 2, full: 10 }));
  // By itself, the backfill leaves rows alone whose neighbours may not be committed.
  server.clock.move(2 * MINUTE);
  await server.query(sql`truncate withdraw_fact`);
  await server.query(sql`update fact_backfill set reached = 0`);
  await backfillFacts(server.app);
  expect(await fetchRecorded()).toEqual(live);
  await wait(0);
  const { data } = await call<BacktestResult>(
    server,
    'POST',
    'rule/backtest',
    { ids: rules.map(({ id }) => id), from },
    { token },
  );
  const ofDay = live.filter(({ hits }) => hits !== null);
  expect(data).toMatchObject({ complete: true, hits: ofDay.length, total: ofDay.length });
  const count = (id: number) =>
    ofDay.filter(({ hits, trial }) => hits?.includes(id) === true || trial?.includes(id) === true).length;
  expect(data.rules.map(({ id, hits }) => [id, hits])).toEqual(rules.map(({ id }) => [id, count(id)]));
  // Many hits, which are on the last days, and few, which are on any.
  for (const amount of ['0', '8999']) {
    const conditions = [{ fact: 'amount', op: 'gt', value: amount }];
    const few = await call<BacktestResult>(server, 'POST', 'rule/backtest', { conditions, from }, { token });
    expect(few).toMatchObject({ code: 200 });
    const expected = await server.query(sql<{ id: number }>`select withdraw_id as id from withdraw_fact
      where created_at >= ${from} and amount > ${amount}::numeric order by withdraw_id desc limit 20`);
    expect(few.data.newest.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  }
});

test('the backfill goes on where it ended, and waits for younger rows', async () => {
  const account = await makeUser(server, { amount: '500' });
  const row = await makeWithdraw(server, token, account);
  await server.query(sql`delete from withdraw_fact where withdraw_id = ${row.id}`);
  await server.query(sql`update fact_backfill set reached = ${row.id - 1}`);
  await backfillFacts(server.app);
  expect(await factsOf(row)).toBeNull();
  server.clock.move(2 * MINUTE);
  await backfillFacts(server.app);
  expect(Object.keys((await factsOf(row)) ?? {}).toSorted()).toEqual([...factNames].toSorted());
  expect(await server.query(sql`select reached from fact_backfill`)).toEqual([{ reached: row.id }]);
  expect(await insertFacts(server.owner, [row.id])).toBe(0);
});

test('facts are unknown where too many rows would have to be read', async () => {
  const account = await makeUser(server, { amount: '300' });
  const { id } = await findUser(server, token, account);
  const now = server.clock.now();
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, valuation,
      state, created_at, recorded_at, updated_at)
    select ${account} || n, ${id}, 1, 1, 'TRC20', 'T-old', 1, 0, 1, ${WITHDRAW.cancelled}, ${now}::bigint - n * 60000,
      ${now}, ${now} from generate_series(1200, 1, -1) n`);
  expect(await factsOf(await makeWithdraw(server, token, account))).toMatchObject({
    count1h: '60',
    sum1h: '159',
    count30d: '1000',
    sum30d: null,
    addressDays: null,
    netDeposit: null,
    gainShare: null,
  });
});
