import type { AutoBudget, AutoCoin, AutoWhatIf } from '@hengtai/contract/risk/auto-payout/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRandom } from '../../../../../testing/random.ts';
import { evmTwin, tronAddress } from '../../../../test/address.ts';
import { saveBudget, wideBudget } from '../../../../test/auto-payout.ts';
import { makeMarket } from '../../../../test/book.ts';
import { makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { type TestServer, apply, call, login, testServer } from '../../../../test/server.ts';
import { decideCandidates } from './auto-payout.jobs.ts';

const DAY_MS = 86_400_000;
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  // No test crosses midnight by chance.
  await nextDay();
  await makeRule(server, token, { conditions: [{ fact: 'amount', op: 'eq', value: '13' }], actions: { manual: true } });
  await makeRule(server, token, { conditions: [{ fact: 'amount', op: 'eq', value: '14' }], actions: { people: 2 } });
  await setPolicy(server, 'withdraw.pass', 0);
});
afterAll(() => server.stop());

/** A coin of its own, without a budget. */
async function makeCoin(): Promise<{ id: number; name: string }> {
  const name = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
  return { id: row?.id ?? 0, name };
}

async function whatIf(marketId: number, budget: Partial<AutoBudget> = {}): Promise<AutoWhatIf> {
  const input = { ...wideBudget, ...budget, marketId };
  const { data } = await call<AutoWhatIf>(server, 'POST', 'withdraw/auto/whatif', input, { token });
  return data;
}

/** Ids of the listed withdrawals that would newly pass. */
const opened = async (marketId: number, budget: Partial<AutoBudget> = {}): Promise<number[]> =>
  (await whatIf(marketId, budget)).opened.newest.map(({ id }) => id).toReversed();

/** Moves the clock to a time of the next UTC day, and logs in again. */
async function nextDay(afterMidnightMs = 3_600_000): Promise<void> {
  server.clock.move(DAY_MS - (server.clock.now() % DAY_MS) + afterMidnightMs);
  token = await login(server);
}

async function passKyc(account: string, level: number): Promise<void> {
  const { id } = await submitKyc(server, token, account, { level });
  expect(await call(server, 'POST', 'auth/review/pass', { id }, { token })).toMatchObject({ code: 200 });
}

describe('without a budget yet', () => {
  test('counts what was recorded of each withdrawal: level, rules, risks; nothing passes now', async () => {
    const { id, name: market } = await makeCoin();
    const ask = (account: string, amount: string, more: object = {}) =>
      makeWithdraw(server, token, account, { amount, fee: '0', market, ...more });
    const [none, basic, advanced] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    for (const account of [none, basic, advanced]) await recharge(server, account, '10000', market);
    await passKyc(basic, 1);
    await passKyc(advanced, 1);
    await passKyc(advanced, 2);
    const first = await ask(none, '10');
    await ask(none, '10.000000000000000001');
    const second = await ask(basic, '50');
    await ask(basic, '50.1');
    const third = await ask(advanced, '200');
    await ask(advanced, '201');
    // A rule demands people, or more than one.
    await ask(advanced, '13');
    await ask(advanced, '14');
    // Later changes say nothing about that time.
    await passKyc(none, 1);
    await server.query(sql`update users set state = 0 where account = ${advanced}`);
    const limits = { largestUnverified: '10', largestBasic: '50', largestAdvanced: '200' };
    expect(await whatIf(id, limits)).toMatchObject({
      marketName: market,
      complete: true,
      total: 8,
      present: { count: 0, amount: '0' },
      proposed: { count: 3, amount: '260' },
      opened: { count: 3, amount: '260', newest: [{ id: third.id }, { id: second.id }, { id: first.id }] },
      closed: { count: 0, amount: '0', newest: [] },
    });
    expect((await whatIf(id)).proposed).toEqual({ count: 6, amount: '521.100000000000000001' });
    expect((await whatIf(id, { on: false })).proposed).toEqual({ count: 0, amount: '0' });
    expect(await opened(id, { ...limits, dayCount: 1 })).toEqual([first.id]);
  });

  test('leaves marked addresses to people, and first ones where the budget says so', async () => {
    const marketId = 1;
    const account = await makeUser(server, { amount: '1000' });
    const twin = tronAddress('twin');
    const known = tronAddress('known');
    const ask = (more: object) => makeWithdraw(server, token, account, { amount: '10', ...more });
    const paid = await ask({ address: known });
    await call(server, 'POST', 'withdraw/pass', { id: paid.id }, { token });
    await apply(server, { type: 'withdraw.paid', data: { no: paid.no, txHash: '0x1' } });
    const again = await ask({ address: known });
    const other = await ask({ address: tronAddress('other') });
    const bad = await ask({ address: 'nowhere' });
    const entry = { list: 1, address: twin, reason: '诈骗' };
    const { data } = await call<{ id: number }>(server, 'POST', 'address_list/add', entry, { token });
    const related = await ask({ network: 'ERC20', address: evmTwin(twin) });
    const removal = { id: data.id, reason: '误报' };
    expect(await call(server, 'POST', 'address_list/remove', removal, { token })).toMatchObject({ code: 200 });
    expect([bad.risk.includes('address_format'), related.risk.includes('related_listed')]).toEqual([true, true]);
    expect(await opened(marketId)).toEqual([paid.id, again.id, other.id]);
    expect(await opened(marketId, { firstByHand: true })).toEqual([again.id]);
    const answer = await whatIf(marketId);
    const [user] = await server.query(sql<{ id: number }>`select id from users where account = ${account}`);
    expect(answer.opened.newest[0]).toEqual({
      id: other.id,
      userId: user?.id,
      account,
      amount: '10',
      risk: other.risk,
      why: 'off',
      createdAt: other.createdAt,
    });
  });

  test('leaves to people what an alarm forbade then, and nothing after it was closed', async () => {
    const { id, name: market } = await makeCoin();
    const account = await makeUser(server, { amount: '1000', market });
    const ask = () => makeWithdraw(server, token, account, { amount: '10', market });
    const before = await ask();
    server.clock.move(1);
    await server.query(sql`insert into alarm (kind, ref_type, ref_id, user_id, agent_id, created_at)
      values ('recharge.reversed', 'user', ${before.userId}, ${before.userId}, 1, ${server.clock.now()})`);
    server.clock.move(1);
    await ask();
    server.clock.move(1);
    await server.query(
      sql`update alarm set closed_at = ${server.clock.now()}, closed_by = 'admin' where user_id = ${before.userId}`,
    );
    server.clock.move(1);
    const after = await ask();
    expect(await opened(id)).toEqual([before.id, after.id]);
  });
});

describe('the sums of a day', () => {
  test('are spent in the order of the requests, and new at midnight UTC', async () => {
    const { id, name: market } = await makeCoin();
    const [one, two] = [
      await makeUser(server, { amount: '1000', market }),
      await makeUser(server, { amount: '1000', market }),
    ];
    const ask = (account: string, amount: string) => makeWithdraw(server, token, account, { amount, fee: '0', market });
    await nextDay(DAY_MS - 60_000);
    const rows = [
      await ask(one, '60'),
      await ask(one, '50'),
      await ask(two, '50'),
      await ask(one, '40'),
      await ask(two, '1'),
    ];
    server.clock.move(120_000);
    rows.push(await ask(one, '100'), await ask(two, '11'), await ask(two, '10'));
    const pick = (...indexes: number[]) => indexes.map((index) => rows[index]?.id);
    expect(await opened(id, { userDayAmount: '100' })).toEqual(pick(0, 2, 3, 4, 5, 6, 7));
    expect(await opened(id, { userDayAmount: '59' })).toEqual(pick(1, 2, 4, 6, 7));
    // What does not fit spends nothing, so that a smaller one fits later.
    expect(await opened(id, { dayAmount: '110' })).toEqual(pick(0, 1, 5, 7));
    expect(await opened(id, { dayAmount: '101' })).toEqual(pick(0, 3, 4, 5));
    expect(await opened(id, { dayCount: 2 })).toEqual(pick(0, 1, 5, 6));
    expect(await opened(id, { dayAmount: '100', userDayAmount: '55', dayCount: 2 })).toEqual(pick(1, 2, 6, 7));
    // The user keeps what the house had no room for.
    expect(await opened(id, { dayAmount: '99', userDayAmount: '50' })).toEqual(pick(1, 4, 6, 7));
    expect((await whatIf(id, { dayAmount: '101' })).proposed).toEqual({ count: 4, amount: '201' });
  });
});

describe('compared with the budget in force', () => {
  /** Limits that each leave some of the withdrawals to people. */
  const tight: Partial<AutoBudget> = {
    dayAmount: '260',
    dayCount: 6,
    userDayAmount: '160',
    largestUnverified: '120',
    largestBasic: '150',
    firstByHand: true,
  };

  test('the budget in force passes what it really passed, whatever forbade the rest', async () => {
    const { id, name: market } = await makeCoin();
    const random = makeRandom(7);
    const amounts = ['13', '40', '70.5', '119.999999999999999999', '121', '151'];
    await saveBudget(server, token, tight, id);
    const accounts: string[] = [];
    for (let n = 0; n < 4; n += 1) accounts.push(await makeUser(server, { amount: '100000', market }));
    await passKyc(accounts[0] ?? '', 1);
    const known = tronAddress('first');
    const ask = (account: string, amount: string, address: string) =>
      makeWithdraw(server, token, account, { amount, fee: '0', market, network: 'TRC20', address });
    for (const account of accounts) {
      const { no, id: withdrawId } = await ask(account, '1', known);
      await decideCandidates(server.app);
      await call(server, 'POST', 'withdraw/pass', { id: withdrawId }, { token });
      await apply(server, { type: 'withdraw.paid', data: { no, txHash: '0x1' } });
    }
    for (let day = 0; day < 3; day += 1) {
      await nextDay();
      for (let n = 0; n < 24; n += 1) {
        const account = random.pick(accounts);
        const amount = random.pick(day === 2 ? ['1.5', '13', '20', '121'] : amounts);
        const row = await ask(account, amount, random.pick([known, known, known, tronAddress('new')]));
        const frozen = sql`update users set state = case when ${random.int(8)} = 0 then 0 else 1 end`;
        await server.query(sql`${frozen} where account = ${account}`);
        if (random.int(9) === 0) await apply(server, { type: 'withdraw.cancelled', data: { no: row.no } });
        await decideCandidates(server.app);
        await server.query(sql`update users set state = 1 where account = ${account}`);
      }
      // A stop of some hours.
      if (day === 1) {
        const coins = async () => (await call<AutoCoin[]>(server, 'GET', 'withdraw/auto/list', {}, { token })).data;
        await call(server, 'POST', 'withdraw/auto/stop', { marketId: id }, { token });
        await ask(accounts[0] ?? '', '10', known);
        await decideCandidates(server.app);
        const seen = (await coins()).find(({ marketId }) => marketId === id)?.updatedAt;
        const start = { marketId: id, seen, reason: '继续' };
        expect(await call(server, 'POST', 'withdraw/auto/start', start, { token })).toMatchObject({ code: 200 });
      }
    }
    const reasons = await server.query(sql<{ why: string | null }>`
      select distinct d.why from auto_decision d join withdraw w on w.id = d.withdraw_id where w.market_id = ${id}`);
    const expected = [
      'rule',
      'frozen',
      'state',
      'stopped',
      'firstAddress',
      'level',
      'userDay',
      'dayAmount',
      'dayCount',
    ];
    expect(reasons.map(({ why }) => why)).toEqual(expect.arrayContaining([null, ...expected]));
    const passed = await server.query(sql<{ id: number; amount: string }>`
      select w.id, w.amount from withdraw w join auto_decision d on d.withdraw_id = w.id
      where w.market_id = ${id} and d.passed order by w.id`);
    const [sum] = await server.query(sql<{ amount: string }>`
      select sum(w.amount) as amount from withdraw w where w.id = any(${passed.map((row) => row.id)}::bigint[])`);
    const same = await whatIf(id, tight);
    expect(same.present).toEqual({ count: passed.length, amount: sum?.amount });
    expect(same.proposed).toEqual(same.present);
    expect([same.opened.count, same.closed.count]).toEqual([0, 0]);
    // Without any budget it would be exactly these as well, the newest ten of them listed.
    const off = await whatIf(id, { ...tight, on: false });
    const newest = passed.slice(-10).toReversed();
    expect(off.closed).toMatchObject({ ...same.present, newest: newest.map((row) => ({ ...row, why: 'off' })) });
  });

  test('a start names what only the stop left to people: not what the budget, a rule or an alarm would have', async () => {
    const { id, name: market } = await makeCoin();
    await saveBudget(server, token, { largestUnverified: '100', userDayAmount: '160' }, id);
    const account = await makeUser(server, { amount: '1000', market });
    const alarmed = await makeUser(server, { amount: '1000', market });
    const ask = (amount: string, of = account) => makeWithdraw(server, token, of, { amount, fee: '0', market });
    const find = async (): Promise<AutoWhatIf> => {
      const input = { marketId: id };
      return (await call<AutoWhatIf>(server, 'GET', 'withdraw/auto/start/whatif', input, { token })).data;
    };
    await ask('70');
    await decideCandidates(server.app);
    expect((await find()).opened.count).toBe(0);
    await call(server, 'POST', 'withdraw/auto/stop', { marketId: id }, { token });
    server.clock.move(1);
    const user = sql`(select id from users where account = ${alarmed})`;
    await server.query(sql`insert into alarm (kind, ref_type, ref_id, user_id, agent_id, created_at)
      values ('recharge.reversed', 'user', ${user}, ${user}, 1, ${server.clock.now()})`);
    server.clock.move(1);
    // Above the limit of one, by a rule, with an alarm, and beyond the day of the user.
    const first = await ask('80');
    for (const [amount, of] of [
      ['101', account],
      ['13', account],
      ['20', alarmed],
      ['11', account],
    ] as const)
      await ask(amount, of);
    const last = await ask('10');
    await decideCandidates(server.app);
    const answer = await find();
    expect(answer).toMatchObject({
      question: 'start',
      total: 7,
      present: { count: 1, amount: '70' },
      proposed: { count: 3, amount: '160' },
      opened: {
        count: 2,
        amount: '90',
        newest: [
          { id: last.id, why: 'stopped' },
          { id: first.id, why: 'stopped' },
        ],
      },
      closed: { count: 0, amount: '0' },
    });
  });

  test('names those that would newly pass, and those that would newly be left, with the reason', async () => {
    const { id, name: market } = await makeCoin();
    await saveBudget(server, token, { largestUnverified: '100' }, id);
    const account = await makeUser(server, { amount: '1000', market });
    const rows: WithdrawRow[] = [];
    for (const amount of ['150', '20', '50']) rows.push(await makeWithdraw(server, token, account, { amount, market }));
    await decideCandidates(server.app);
    const answer = await whatIf(id, { userDayAmount: '170' });
    const [large, , last] = rows;
    expect(answer).toMatchObject({
      total: 3,
      present: { count: 2, amount: '70' },
      proposed: { count: 2, amount: '170' },
      opened: { count: 1, amount: '150', newest: [{ id: large?.id, account, amount: '150', why: 'level' }] },
      closed: { count: 1, amount: '50', newest: [{ id: last?.id, account, amount: '50', why: 'userDay' }] },
    });
  });

  test('looks at 30 days, today included', async () => {
    const { id, name: market } = await makeCoin();
    const account = await makeUser(server, { amount: '1000', market });
    await nextDay();
    await makeWithdraw(server, token, account, { amount: '1', fee: '0', market });
    await nextDay(1_000);
    const { id: second } = await makeWithdraw(server, token, account, { amount: '2', fee: '0', market });
    server.clock.move(29 * DAY_MS);
    token = await login(server);
    const answer = await whatIf(id);
    expect(answer).toMatchObject({ total: 1, complete: true, opened: { count: 1, newest: [{ id: second }] } });
    expect(answer.from % DAY_MS).toBe(0);
    expect(answer.from).toBeLessThan(answer.opened.newest[0]?.createdAt ?? 0);
    server.clock.move(DAY_MS);
    token = await login(server);
    expect(await whatIf(id)).toMatchObject({ total: 0, opened: { count: 0, newest: [] } });
  });

  test('looks at the newest of very many only, and says so', async () => {
    const { id } = await makeCoin();
    const account = await makeUser(server);
    const now = server.clock.now();
    await server.owner.connection().execute(async (db) => {
      // Without the triggers that keep counters.
      await sql`set session_replication_role = replica`.execute(db);
      await sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, account_key,
          memo_key, beneficiary, address_faults, created_at, recorded_at, updated_at)
        select 'many-' || n, u.id, u.agent_id, ${id}, 'TRC20', 'T', 1, 0, 6, 'k', '', 'b', '{}', ${now}::bigint + n,
          ${now}::bigint + n, ${now}::bigint + n
        from generate_series(1, 60000) n, users u where u.account = ${account}`.execute(db);
      await sql`set session_replication_role = default`.execute(db);
    });
    server.clock.move(70_000);
    const answer = await whatIf(id);
    expect(answer.complete).toBe(false);
    expect(answer.total).toBeLessThanOrEqual(50_000);
    expect(answer.from).toBe(now + 60_001 - answer.total);
    // No rule set ran for these, so they are left to people.
    expect(answer.proposed).toEqual({ count: 0, amount: '0' });
    await server.owner.connection().execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db);
      await sql`delete from withdraw where no like 'many-%'`.execute(db);
      await sql`set session_replication_role = default`.execute(db);
    });
  });
});
