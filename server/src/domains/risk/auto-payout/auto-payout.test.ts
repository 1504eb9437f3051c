import { createHash } from 'node:crypto';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { loosensBudget } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoBudget, AutoCoin, AutoCoinDetail } from '@hengtai/contract/risk/auto-payout/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmTwin, tronAddress } from '../../../../test/address.ts';
import {
  budgetInput,
  fetchCoin,
  fetchDecision,
  saveBudget,
  startCoin,
  wideBudget,
} from '../../../../test/auto-payout.ts';
import { tick } from '../../../../test/binary-contract.ts';
import { makeMarket } from '../../../../test/book.ts';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { makeRule, moveRule } from '../../../../test/rules.ts';
import { type TestServer, apply, call, login, testServer } from '../../../../test/server.ts';
import { sealPending } from '../../../books/audit/sealer.ts';
import { drawOf } from './draw.rules.ts';
import { decideCandidates, stopCoins } from './auto-payout.jobs.ts';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  // A rule set must be in force.
  await makeRule(server, token, { actions: { points: 1 } });
});
afterAll(() => server.stop());

beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 2, '1000000');
  await server.query(sql`delete from auto_spent`);
  await server.query(sql`delete from key_renewal`);
  await saveBudget(server, token);
  if ((await fetchCoin(server, token))?.stopped) await startCoin(server, token);
});

const request = async (options: Parameters<typeof makeWithdraw>[3] = {}, agent?: string): Promise<WithdrawRow> =>
  makeWithdraw(server, token, await makeUser(server, { amount: '100000', ...(agent && { agent }) }), options);
const decide = () => decideCandidates(server.app);
const reread = ({ no }: WithdrawRow) => findWithdraw(server, token, no);
const decisionOf = ({ id }: { id: number }) => fetchDecision(server, token, id);
const stop = (input: object = {}, as = token) =>
  call<{ stopped: number[] }>(server, 'POST', 'withdraw/auto/stop', input, { token: as });

/** Moves the clock, and logs in again: a token is renewed after ten minutes. */
async function moveClock(ms: number): Promise<void> {
  server.clock.move(ms);
  token = await login(server);
}

/** The latest cause of a stop of the coin. */
async function fetchCauses(): Promise<AutoCoinDetail['causes']> {
  const { data } = await call<AutoCoinDetail>(server, 'GET', 'withdraw/auto/detail', { id: 1 }, { token });
  return data.causes.slice(0, 1);
}

/** Requests a withdrawal and lets the system decide. */
async function decided(options: Parameters<typeof makeWithdraw>[3] = {}, agent?: string): Promise<WithdrawRow> {
  const row = await request(options, agent);
  await decide();
  return reread(row);
}

describe('a withdrawal that fits the budget', () => {
  test('is passed by the system with everything that a person writes', async () => {
    const row = await decided({ amount: '100', fee: '1' });
    expect(row).toMatchObject({ state: 2, by: '系统', secondBy: null, attempt: 1 });
    const commands = await server.query(sql<{ type: string; data: object }>`
      select type, data from command where ref_type = 'withdraw' and ref_id = ${row.id} order by id`);
    expect(commands).toMatchObject([
      { type: 'withdraw.payout', data: { no: row.no, attempt: 1, amount: '99', address: row.address } },
      { type: 'withdraw.reviewed', data: { no: row.no, state: 2 } },
    ]);
    expect(await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id })).toMatchObject([
      {
        operator: null,
        action: 'withdraw.autoPass',
        result: 200,
        before: { state: 0 },
        after: { state: 2, by: '系统' },
      },
    ]);
    expect(await server.query(sql`select 1 from auto_candidate`)).toEqual([]);
    await decide();
    expect(await fetchPayouts(server, row.id)).toHaveLength(1);
  });

  test('explains itself with the budget of that time, after later changes as well', async () => {
    const account = await makeUser(server, { amount: '1000' });
    const first = await makeWithdraw(server, token, account, { amount: '100' });
    const second = await makeWithdraw(server, token, account, { amount: '50.5' });
    await decide();
    const { data: coin } = await saveBudget(server, token, { dayAmount: '7' });
    const version = coin.budget?.version ?? 0;
    expect(await decisionOf(first)).toMatchObject({
      passed: true,
      why: null,
      budget: { version: version - 1, dayAmount: '1000000', by: 'admin' },
      spent: { before: '0', after: '100', count: 1, userBefore: '0', userAfter: '100' },
    });
    const decision = await decisionOf(second);
    expect(decision?.spent).toEqual({ before: '100', after: '150.5', count: 2, userBefore: '100', userAfter: '150.5' });
    expect(decision?.set).toBeGreaterThan(0);
    const { data } = await call<AutoCoinDetail>(server, 'GET', 'withdraw/auto/detail', { id: 1 }, { token });
    expect(data.versions[0]).toMatchObject({ version, dayAmount: '7' });
    expect(data.versions).toHaveLength(version);
    expect(data.row).toMatchObject({
      spent: { amount: '150.5', count: 2 },
      openAlarms: 0,
      lastDecision: { withdrawId: second.id, passed: true, why: null },
    });
  });
});

describe('what is left to people', () => {
  const update = (statement: ReturnType<typeof sql>) => server.query(statement);
  const ofUser = (row: WithdrawRow) => sql`where account = ${row.account}`;
  const cases: [string, (row: WithdrawRow) => Promise<unknown>][] = [
    ['off', () => saveBudget(server, token, { on: false })],
    ['stopped', () => stop({ marketId: 1 })],
    ['noRules', (row) => update(sql`delete from rule_result where withdraw_id = ${row.id}`)],
    ['rulesChanged', () => makeRule(server, token, { actions: { points: 1 } })],
    ['rule', (row) => update(sql`update rule_result set manual = true where withdraw_id = ${row.id}`)],
    ['rule', (row) => update(sql`update rule_result set hold = true where withdraw_id = ${row.id}`)],
    ['people', (row) => update(sql`update rule_result set people = 2 where withdraw_id = ${row.id}`)],
    ['late', () => moveClock(11 * 60_000)],
    ['frozen', (row) => update(sql`update users set state = 0 ${ofUser(row)}`)],
    ['held', (row) => update(sql`update users set payout_held_until = ${server.clock.now() + 60_000} ${ofUser(row)}`)],
    [
      'alarm',
      (row) =>
        update(sql`insert into alarm (kind, ref_type, ref_id, user_id, agent_id, created_at)
          values ('recharge.reversed', 'user', ${row.userId}, ${row.userId}, 1, 1)`),
    ],
    ['addressFormat', (row) => update(sql`update withdraw set risk = '{address_format}' where id = ${row.id}`)],
    ['memoMissing', (row) => update(sql`update withdraw set risk = '{memo_missing}' where id = ${row.id}`)],
    ['keying', (row) => update(sql`update withdraw set account_rules = null where id = ${row.id}`)],
    ['keying', (row) => update(sql`update withdraw set account_rules = 0 where id = ${row.id}`)],
    [
      'keying',
      (row) =>
        update(sql`insert into key_renewal (table_name, market_id, after_id, last_id)
          values ('withdraw', ${row.marketId}, ${row.id - 1}, ${row.id})`),
    ],
    ['firstAddress', () => saveBudget(server, token, { firstByHand: true })],
    ['level', () => saveBudget(server, token, { largestUnverified: '99.999999999999999999' })],
    ['userDay', () => saveBudget(server, token, { userDayAmount: '99.999999999999999999' })],
    ['dayAmount', () => saveBudget(server, token, { dayAmount: '99.999999999999999999' })],
    ['dayCount', () => saveBudget(server, token, { dayCount: 0 })],
    ['policy', () => setPolicy(server, 'withdraw.pass', 1)],
    ['state', (row) => apply(server, { type: 'withdraw.cancelled', data: { no: row.no } })],
  ];

  test.each(cases)('%s', async (why, prepare) => {
    const row = await request({ amount: '100' });
    await prepare(row);
    await decide();
    expect(await decisionOf(row)).toMatchObject({ passed: false, why, drawn: false });
    expect((await reread(row)).state).toBe(why === 'state' ? 6 : 0);
    expect(await fetchPayouts(server, row.id)).toEqual([]);
    // What was spent before the last check is given back.
    expect(await server.query(sql`select 1 from auto_spent`)).toEqual([]);
    expect(await server.query(sql`select 1 from policy_use where user_id = ${row.userId}`)).toEqual([]);
  });

  test('relatedListed: the same bytes on another chain are blocked, until they are no longer', async () => {
    const twin = tronAddress('related');
    const ask = () => request({ network: 'ERC20', address: evmTwin(twin) });
    const before = await ask();
    const entry = { list: 1, address: twin, reason: '诈骗' };
    const { data } = await call<{ id: number }>(server, 'POST', 'address_list/add', entry, { token });
    const after = await ask();
    expect([before, after].map(({ risk }) => risk.includes('related_listed'))).toEqual([false, true]);
    await decide();
    for (const row of [before, after])
      expect(await decisionOf(row)).toMatchObject({ passed: false, why: 'relatedListed' });
    const last = await ask();
    const removal = { id: data.id, reason: '误报' };
    expect(await call(server, 'POST', 'address_list/remove', removal, { token })).toMatchObject({ code: 200 });
    await decide();
    expect(await decisionOf(last)).toMatchObject({ passed: true });
  });

  test.each([
    ['none', 0, '10'],
    ['waits for a review', 1, '10'],
    ['is basic', 2, '50'],
    ['is advanced', 3, '200'],
    ['was rejected', 4, '10'],
  ])('more than the limit of a user whose identity %s', async (_what, auth, largest) => {
    await saveBudget(server, token, { largestUnverified: '10', largestBasic: '50', largestAdvanced: '200' });
    const account = await makeUser(server, { amount: '1000' });
    await update(sql`update users set auth = ${auth} where account = ${account}`);
    const allowed = await makeWithdraw(server, token, account, { amount: largest });
    const tooLarge = await makeWithdraw(server, token, account, { amount: `${largest}.000000000000000001` });
    await decide();
    expect([await decisionOf(allowed), await decisionOf(tooLarge)]).toMatchObject([
      { passed: true },
      { passed: false, why: 'level' },
    ]);
  });

  test('a request of a coin that is off is no candidate, also not later', async () => {
    await saveBudget(server, token, { on: false });
    const row = await request();
    await saveBudget(server, token);
    await decide();
    expect(await decisionOf(row)).toBeNull();
    expect((await reread(row)).state).toBe(0);
  });

  test('one that cannot be decided holds up no other', async () => {
    const [broken, next] = [await request(), await request()];
    await server.query(sql`
      create function fail_decision() returns trigger language plpgsql as $$
        begin if new.why is distinct from 'error' then raise exception 'broken'; end if; return new; end $$`);
    await server.query(sql`
      create trigger fail_decision before insert on auto_decision for each row
        when (new.withdraw_id = ${sql.lit(broken.id)}) execute function fail_decision()`);
    await decide();
    await server.query(sql`drop trigger fail_decision on auto_decision`);
    expect([(await decisionOf(broken))?.why, (await decisionOf(next))?.passed]).toEqual(['error', true]);
    expect([(await reread(broken)).state, await fetchPayouts(server, broken.id)]).toEqual([0, []]);
  });

  test('an address that the user was paid to is no first one', async () => {
    const account = await makeUser(server, { amount: '1000' });
    const first = await makeWithdraw(server, token, account, { address: tronAddress('known') });
    await decide();
    await apply(server, { type: 'withdraw.paid', data: { no: first.no, txHash: '0x1' } });
    await saveBudget(server, token, { firstByHand: true });
    const second = await makeWithdraw(server, token, account, { address: tronAddress('known') });
    const other = await makeWithdraw(server, token, account, { address: tronAddress('other') });
    await decide();
    expect([(await reread(second)).state, (await reread(other)).state]).toEqual([2, 0]);
  });

  test('what the system passed counts for the policy, for people as well', async () => {
    await setPolicy(server, 'withdraw.pass', 2, '150');
    const account = await makeUser(server, { amount: '1000' });
    const first = await makeWithdraw(server, token, account, { amount: '100' });
    const second = await makeWithdraw(server, token, account, { amount: '100' });
    await decide();
    expect([(await reread(first)).state, (await decisionOf(second))?.why]).toEqual([2, 'policy']);
    expect(await call(server, 'POST', 'withdraw/pass', { id: second.id }, { token })).toMatchObject({ code: 202 });
  });
});

describe('the budget of a day', () => {
  test('is spent to the last digit, never beyond', async () => {
    const amount = '1.000000000000000001';
    await saveBudget(server, token, { dayAmount: '3.000000000000000002' });
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < 4; n += 1) rows.push(await request({ amount, fee: '0' }));
    await decide();
    const reasons = await Promise.all(rows.map(async (row) => (await decisionOf(row))?.why));
    expect(reasons).toEqual([null, null, 'dayAmount', 'dayAmount']);
    await saveBudget(server, token, { dayAmount: '3.000000000000000003' });
    const last = await request({ amount, fee: '0' });
    await decide();
    expect(await decisionOf(last)).toMatchObject({ passed: true, spent: { after: '3.000000000000000003' } });
  });

  test('is new at midnight UTC', async () => {
    await saveBudget(server, token, { dayCount: 1 });
    const [first, second] = [await request(), await request()];
    await decide();
    expect([(await reread(first)).state, (await reread(second)).state]).toEqual([2, 0]);
    const midnight = 86_400_000 - (server.clock.now() % 86_400_000);
    await moveClock(midnight);
    expect((await decided()).state).toBe(2);
  });
});

describe('a stop', () => {
  const failing: [string, string, (row: WithdrawRow) => Promise<unknown>][] = [
    ['a failed payout', 'failed', (row) => apply(server, { type: 'withdraw.failed', data: { no: row.no } })],
    ['an unknown outcome', 'unknown', (row) => apply(server, { type: 'withdraw.unknown', data: { no: row.no } })],
  ];
  test.each(failing)('follows %s, once', async (_what, why, fail) => {
    const cause = await decided();
    await fail(cause);
    const next = await decided();
    expect([next.state, (await decisionOf(next))?.why]).toEqual([0, 'stopped']);
    const coin = await fetchCoin(server, token);
    expect(coin).toMatchObject({
      stopped: { why, by: null },
      lastDecision: { withdrawId: next.id, passed: false, why: 'stopped' },
    });
    const notified = await server.query(sql`
      select 1 from notice where type = 'autoPayout.stopped' and recorded_at >= ${coin?.stopped?.at ?? 0}`);
    expect(notified).toHaveLength(1);
    // The failure is dealt with: a person starts it again.
    const causeRead = { why, withdrawId: cause.id };
    expect(await fetchCauses()).toMatchObject([{ ...causeRead, handledAt: null }]);
    expect(await startCoin(server, token)).toMatchObject({ code: 200, data: { stopped: null } });
    expect(await fetchCauses()).toMatchObject([{ ...causeRead, handledAt: expect.any(Number) as number }]);
    expect((await decided()).state).toBe(2);
  });

  test('does not follow what an operator decides about a payout', async () => {
    const row = await decided();
    await apply(server, { type: 'withdraw.unknown', data: { no: row.no } });
    await stopCoins(server.app);
    await startCoin(server, token);
    await setPolicy(server, 'withdraw.resolve', 0);
    const input = { id: row.id, paid: false, reason: '链上没有' };
    expect(await call(server, 'POST', 'withdraw/resolve', input, { token })).toMatchObject({ data: { state: 7 } });
    expect((await decided()).state).toBe(2);
  });

  test('follows a rule that demands it, before any later withdrawal passes', async () => {
    const rule = await makeRule(server, token, { actions: { stopCoin: true } });
    const row = await decided();
    await moveRule(server, token, rule, 3);
    expect((await decisionOf(row))?.why).toBe('stopped');
    expect(await fetchCoin(server, token)).toMatchObject({ stopped: { why: 'rule' } });
  });

  test('by anybody who reviews withdrawals, also in another tree, of all coins or one', async () => {
    const agent = await makeOperator(server, token, { abilities: [ABILITY.withdraw] });
    const other = await makeOperator(server, token, { abilities: [ABILITY.users] });
    expect(await stop({}, other.token)).toMatchObject({ code: 403 });
    expect(await stop({ marketId: 2 }, agent.token)).toMatchObject({ code: 404 });
    const row = await request();
    expect(await stop({ reason: '可疑' }, agent.token)).toMatchObject({
      code: 200,
      data: { stopped: expect.arrayContaining([1]) as number[] },
    });
    expect(await stop({}, agent.token)).toMatchObject({ code: 200, data: { stopped: [] } });
    await decide();
    expect((await reread(row)).state).toBe(0);
    expect(await fetchCoin(server, agent.token)).toMatchObject({
      on: true,
      stopped: { why: 'operator', by: null },
      budget: null,
      spent: null,
      openAlarms: null,
      toReview: null,
      lastDecision: null,
    });
    expect(await fetchCoin(server, token)).toMatchObject({ stopped: { by: agent.account } });
  });

  test('waits for the decision under way and ends all later ones', async () => {
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < 6; n += 1) rows.push(await request());
    const deciding = Promise.all([decide(), decide(), decide()]);
    const { data } = await stop();
    const { n: paidThen = 0 } =
      (
        await server.query(sql<{ n: number }>`
      select count(*) as n from auto_decision where passed and withdraw_id >= ${rows[0]?.id ?? 0}`)
      )[0] ?? {};
    await deciding;
    const states = await Promise.all(rows.map(async (row) => (await reread(row)).state));
    expect(data.stopped).toContain(1);
    expect(states.filter((state) => state === 2)).toHaveLength(paidThen);
  });
});

describe('the budget', () => {
  test('is changed only as it was read, and only with full scope', async () => {
    const agent = await makeOperator(server, token, { abilities: [ABILITY.platform, ABILITY.withdraw] });
    const input = await budgetInput(server, token, { dayCount: 3 });
    const send = (as: string, dayCount = 3) =>
      call<AutoCoin>(server, 'POST', 'withdraw/auto/save', { ...input, dayCount }, { token: as });
    expect(await send(agent.token)).toMatchObject({ code: 403 });
    expect(await send(token)).toMatchObject({ code: 200, data: { budget: { dayCount: 3 } } });
    expect(await send(token, 4)).toMatchObject({ code: 409 });
    expect(await call(server, 'GET', 'withdraw/auto/detail', { id: 1 }, { token: agent.token })).toMatchObject({
      code: 403,
    });
  });

  test.each<[boolean, Partial<AutoBudget>]>([
    [false, { on: false }],
    [true, { on: false, dayAmount: '2000000' }],
    [false, { dayAmount: '999999', dayCount: 1, userDayAmount: '0', firstByHand: true, reviewPercent: 100 }],
    [true, { dayAmount: '1000000.000000000000000001' }],
    [true, { dayCount: 1_000_001 }],
    [true, { userDayAmount: '1000001' }],
    [true, { largestUnverified: '1000001' }],
    [true, { largestBasic: '1000001' }],
    [true, { largestAdvanced: '1000001' }],
  ])('loosens: %s for %o', (loosens, change) => {
    expect(loosensBudget(wideBudget, { ...wideBudget, ...change })).toBe(loosens);
    expect(loosensBudget(null, { ...wideBudget, ...change })).toBe(true);
  });

  test('loosens if first addresses or reviews are given up, or it is switched on', () => {
    const strict = { ...wideBudget, firstByHand: true, reviewPercent: 10 };
    expect(loosensBudget(strict, { ...strict, firstByHand: false })).toBe(true);
    expect(loosensBudget(strict, { ...strict, reviewPercent: 9 })).toBe(true);
    expect(loosensBudget({ ...strict, on: false }, strict)).toBe(true);
    expect(loosensBudget({ ...strict, on: false }, { ...strict, on: false, dayCount: strict.dayCount + 1 })).toBe(true);
    expect(loosensBudget(strict, strict)).toBe(false);
  });
});

describe('the draw', () => {
  test('can be computed again from the head and the number', async () => {
    await saveBudget(server, token, { reviewPercent: 50 });
    await sealPending(server.app);
    const row = await decided();
    const decision = await decisionOf(row);
    const [head] = await server.query(sql<{ hash: string }>`
      select hash from audit_head where number = ${decision?.head ?? -1}`);
    if (!head) throw new Error('The decision names no head.');
    const digest = createHash('sha256').update(`${head.hash} ${row.no}`).digest();
    const draw = Math.floor((digest.readUIntBE(0, 6) / 2 ** 48) * 100);
    expect(decision).toMatchObject({ draw, drawn: draw < 50 });
  });

  test('takes each share', () => {
    const draws = Array.from({ length: 10_000 }, (_, n) => drawOf('seed', `W-${n}`));
    expect(Math.min(...draws)).toBe(0);
    expect(Math.max(...draws)).toBe(99);
    const below = draws.filter((draw) => draw < 10).length;
    expect(below).toBeGreaterThan(850);
    expect(below).toBeLessThan(1_150);
  });

  test('is reviewed once, by the tree of the withdrawal', async () => {
    await saveBudget(server, token, { reviewPercent: 100 });
    const own = await makeOperator(server, token, { abilities: [ABILITY.withdraw] });
    const foreign = await makeOperator(server, token, { abilities: [ABILITY.withdraw] });
    const row = await decided({}, own.account);
    const review = (as: string, id = row.id) =>
      call(server, 'POST', 'withdraw/auto/review', { id, sound: false, reason: '地址可疑' }, { token: as });
    const found = async (auto: number) => {
      const { data } = await call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', { auto, id: row.id }, { token });
      return data.total;
    };
    expect([await found(1), await found(2), await found(3), await found(4)]).toEqual([1, 1, 0, 0]);
    const toReview = async () => (await fetchCoin(server, token))?.toReview ?? 0;
    const before = await toReview();
    expect(await review(foreign.token)).toMatchObject({ code: 404 });
    expect(await review(own.token)).toMatchObject({ code: 200, data: { sound: false, by: own.account } });
    expect(await review(token)).toMatchObject({ code: 409 });
    expect(await toReview()).toBe(before - 1);
    expect([await found(2), await found(3)]).toEqual([0, 1]);
    expect(await fetchDecision(server, own.token, row.id)).toMatchObject({
      drawn: true,
      budget: null,
      spent: null,
      review: { sound: false, reason: '地址可疑' },
    });
    await saveBudget(server, token);
    expect(await review(token, (await decided()).id)).toMatchObject({ code: 409 });
  });
});

test('leaves to people what is too large for one person at the price of now, or has an old price', async () => {
  const market = await makeMarket(server);
  const [found] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
  await saveBudget(server, token, {}, found?.id);
  await setPolicy(server, 'withdraw.pass', 2, '10000');
  const account = await makeUser(server, { amount: '100', market });
  const requestCoin = () => makeWithdraw(server, token, account, { amount: '1', fee: '0', market });
  const setPrice = (price: string, at: number) => apply(server, tick(market, price, at));
  await setPrice('9000', server.clock.now() - 25 * 3_600_000);
  const old = await requestCoin();
  await decide();
  expect(await decisionOf(old)).toMatchObject({ passed: false, why: 'priceOld' });
  const grown = await requestCoin();
  await setPrice('90000', server.clock.now());
  await decide();
  expect(await decisionOf(grown)).toMatchObject({ passed: false, why: 'policy' });
  await setPrice('1', server.clock.now());
  const small = await requestCoin();
  await decide();
  expect(await decisionOf(small)).toMatchObject({ passed: true, why: null });
});
