import { ABILITY } from '@hengtai/contract/authority/ability';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { AssetChange } from '@hengtai/contract/funds/asset/schema';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import type { HomeCard, HomeChart, HomeTrends } from '@hengtai/contract/desk/home/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { RechargeRow, RechargeSum } from '@hengtai/contract/funds/recharge/schema';
import type { AssetRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type SentEvent,
  fetchEntries,
  fetchBalances,
  fetchHouseBalance,
  makeMarket,
  setUserState,
} from '../../../../test/book.ts';
import {
  type TestOperator,
  fetchBalance,
  findUser,
  makeOperator,
  makeUser,
  makeWithdraw,
} from '../../../../test/factories.ts';
import { fetchAuditRows, hashMoneyState, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, apply, call, fetchData, login, nextDayAt, provideServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const ACTIONS = ['active/add', 'active/sub', 'frozen/add', 'frozen/sub'] as const;
type ActionPath = (typeof ACTIONS)[number];

const server = provideServer({ jobs: false });
let admin: string;
let maker: TestOperator;
let checker: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  maker = await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.headquarters] });
  checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
});

beforeEach(async () => {
  await logIn();
  await setPolicy(server, 'asset.active', 2, '1000');
  await setPolicy(server, 'asset.frozen', 0);
});
afterEach(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
});

/** Sessions end when the clock moves. */
async function logIn(): Promise<void> {
  admin = await login(server);
  for (const one of [maker, checker]) one.token = await login(server, one.account, 'operator-password');
}

interface TestUser {
  id: number;
  account: string;
}

async function makeTestUser(amount?: string): Promise<TestUser> {
  const account = await makeUser(server, amount === undefined ? {} : { amount });
  return { id: (await findUser(server, admin, account)).id, account };
}

const inputFor = ({ id }: TestUser, more: Partial<AssetChange> = {}): AssetChange => ({
  userId: id,
  marketId: 1,
  platform: 1,
  amount: '10',
  state: 0,
  reason: '更正少记',
  ...more,
});

const adjust = <T = AssetRow>(
  path: ActionPath,
  user: TestUser,
  more: Partial<AssetChange> = {},
  options: { token?: string; key?: string } = {},
): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', `asset/${path}`, inputFor(user, more), { token: maker.token, ...options });

const commandsFor = (user: TestUser) =>
  server.query(sql<{ data: object }>`
    select data from command where type = 'balance.changed' and data ->> 'account' = ${user.account} order by id`);

async function expectRefusal(path: ActionPath, user: TestUser, more: Partial<AssetChange>, msg: string): Promise<void> {
  const before = await hashMoneyState(server);
  const answer = await adjust(path, user, more);
  expect(answer).toMatchObject({ status: 200, code: 422, msg, data: [{ field: 'amount', msg }] });
  expect(await hashMoneyState(server)).toBe(before);
  expect(await fetchAuditRows(server, answer)).toEqual([]);
}

describe('adjustments', () => {
  test('an addition debits the adjustment account and returns the new balances', async () => {
    const user = await makeTestUser();
    const house = await fetchHouseBalance(server, 'adjustment', 'USDT');
    const answer = await adjust('active/add', user, { amount: '12.500000000000000001' });
    expect(answer).toMatchObject({ status: 200, code: 200, msg: '操作成功' });
    expect(answer.data).toEqual({
      marketId: 1,
      marketName: 'USDT',
      platform: 1,
      active: '12.500000000000000001',
      frozen: '0',
      total: '12.500000000000000001',
      valuation: '12.500000000000000001',
    });
    expect(await fetchEntries(server, user.account)).toMatchObject([
      { bucket: 'active', type: 7, amount: '12.500000000000000001', refType: 'adjustment' },
    ]);
    const [sum] = await server.query(sql<{ same: boolean }>`
      select ${house}::numeric - 12.500000000000000001 = ${await fetchHouseBalance(server, 'adjustment', 'USDT')}::numeric as same`);
    expect(sum?.same).toBe(true);
  });

  test('subtracting, freezing and releasing post types 8, 9 and 10, down to a zero balance', async () => {
    const user = await makeTestUser('100');
    expect((await adjust('frozen/add', user, { amount: '30' })).data).toMatchObject({ active: '70', frozen: '30' });
    expect((await adjust('frozen/add', user, { amount: '20' })).data).toMatchObject({ active: '50', frozen: '50' });
    expect((await adjust('frozen/sub', user, { amount: '45' })).data).toMatchObject({ active: '95', frozen: '5' });
    expect((await adjust('frozen/add', user, { amount: '1' })).data).toMatchObject({ active: '94', frozen: '6' });
    expect((await adjust('frozen/sub', user, { amount: '6' })).data).toMatchObject({ active: '100', frozen: '0' });
    expect((await adjust('active/sub', user, { amount: '100.000' })).data).toMatchObject({ active: '0', total: '0' });
    const moves = (await fetchEntries(server, user.account)).map(
      ({ bucket, type, amount, balance }) => `${type} ${bucket} ${amount} ${balance}`,
    );
    expect(moves.slice(1)).toEqual([
      '9 active -30 70',
      '9 frozen 30 30',
      '9 active -20 50',
      '9 frozen 20 50',
      '10 frozen -45 5',
      '10 active 45 95',
      '9 active -1 94',
      '9 frozen 1 6',
      '10 frozen -6 0',
      '10 active 6 100',
      '8 active -100 0',
    ]);
  });

  test('every account type, a delisted market and a disabled user can be adjusted', async () => {
    const user = await makeTestUser();
    await setUserState(server, user.account, 0);
    const name = await makeMarket(server, { state: 0 });
    const [market] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
    await setPolicy(server, 'asset.active', 0);
    for (const platform of [1, 2, 3, 4] as const) {
      const more = { platform, marketId: market?.id ?? 0, amount: `${platform}.5` };
      const answer = await adjust('active/add', user, more);
      expect(answer.data).toMatchObject({ marketName: name, platform, active: `${platform}.5`, valuation: null });
    }
    expect(await fetchBalances(server, user.account)).toEqual({
      [`${name} 1 active`]: '1.5',
      [`${name} 2 active`]: '2.5',
      [`${name} 3 active`]: '3.5',
      [`${name} 4 active`]: '4.5',
    });
  });

  test('sends the new balances to the platform, one command per account', async () => {
    const user = await makeTestUser('100');
    const count = (await commandsFor(user)).length;
    await adjust('frozen/add', user, { amount: '40' });
    await adjust('active/add', user, { platform: 2, amount: '7' });
    const commands = (await commandsFor(user)).slice(count);
    expect(commands.map(({ data }) => data)).toMatchObject([
      { account: user.account, market: 'USDT', platform: 1, active: '60', frozen: '40' },
      { account: user.account, market: 'USDT', platform: 2, active: '7', frozen: '0' },
    ]);
  });

  test('the audit row has both balances, the ledger entries the unchanged reason and the operator', async () => {
    const user = await makeTestUser('100');
    const reason = `<script>alert(1)</script><img src=x onerror="alert('1')">' or 1=1 --`;
    const answer = await adjust('frozen/add', user, { amount: '40', reason, state: 1 });
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      {
        operator: maker.account,
        action: 'asset.frozen.add',
        result: 200,
        targetType: 'user',
        targetId: user.id,
        before: { marketName: 'USDT', platform: 1, active: '100', frozen: '0' },
        after: { marketName: 'USDT', platform: 1, active: '60', frozen: '40', action: 3, amount: '40', state: 1 },
        reason,
      },
    ]);
    const data = await fetchData<Page<LedgerEntryRow>>(server, admin, 'fund/record', { userId: user.id, type: 9 });
    expect(data.list).toHaveLength(2);
    for (const row of data.list)
      expect(row).toMatchObject({ refType: 'adjustment', remark: reason, operator: maker.account });
  });

  test('the same key adjusts once and is refused with another input', async () => {
    const user = await makeTestUser();
    const first = await adjust('active/add', user, {}, { key: 'adjust-once' });
    const again = await adjust('active/add', user, {}, { key: 'adjust-once' });
    expect([again.code, again.data]).toEqual([200, first.data]);
    expect((await fetchBalance(server, admin, user.account)).active).toBe('10');
    expect((await adjust('active/add', user, { amount: '11' }, { key: 'adjust-once' })).code).toBe(409);
    expect(await fetchEntries(server, user.account)).toHaveLength(1);
  });
});

describe('refusals', () => {
  test('an amount above the balance changes nothing', async () => {
    const user = await makeTestUser('100');
    await expectRefusal('active/sub', user, { amount: '100.000000000000000001' }, '数量大于可用余额');
    await expectRefusal('frozen/add', user, { amount: '101' }, '数量大于可用余额');
    await expectRefusal('active/sub', user, { amount: '1', platform: 2 }, '数量大于可用余额');
    // The amount is also above the policy, but an impossible adjustment opens no approval.
    await expectRefusal('active/sub', user, { amount: '5000' }, '数量大于可用余额');
  });

  test('does not release the hold of a withdrawal', async () => {
    const user = await makeTestUser('100');
    await makeWithdraw(server, admin, user.account, { amount: '60' });
    const problem = '数量大于人工冻结的数量，业务冻结只能由原申请释放';
    await expectRefusal('frozen/sub', user, { amount: '0.000000000000000001' }, problem);
    await adjust('frozen/add', user, { amount: '10' });
    await expectRefusal('frozen/sub', user, { amount: '10.000000000000000001' }, problem);
    await expectRefusal('frozen/sub', user, { amount: '10', platform: 2 }, problem);
    expect((await adjust('frozen/sub', user, { amount: '10' })).data).toMatchObject({ active: '40', frozen: '60' });
    await expectRefusal('frozen/sub', user, { amount: '1' }, problem);
  });

  test('a balance above numeric(36,18)', async () => {
    await setPolicy(server, 'asset.active', 0);
    // A coin of its own, in which the house has nothing yet.
    const [market] = await server.query(
      sql<{ id: number }>`select id from market where market_name = ${await makeMarket(server)}`,
    );
    const marketId = market?.id ?? 0;
    const user = await makeTestUser();
    const most = '999999999999999999';
    expect((await adjust('active/add', user, { amount: most, marketId })).code).toBe(200);
    await expectRefusal('active/add', user, { amount: '1', marketId }, '数量超出账户可记录的范围');
    // The system account of this stripe would overflow, which only the posting detects.
    const others = await Promise.all(Array.from({ length: 16 }, () => makeTestUser()));
    const sameStripe = others.find(({ id }) => id % 16 === user.id % 16);
    if (!sameStripe) throw new Error('no user shares the stripe');
    await expectRefusal('active/add', sameStripe, { amount: '1', marketId }, '数量超出账户可记录的范围');
    expect((await adjust('active/sub', user, { amount: most, marketId })).code).toBe(200);
  });

  test('an unknown market or account type, a zero amount and a too long reason answer 422', async () => {
    const user = await makeTestUser('100');
    expect(await adjust('active/add', user, { marketId: 999 })).toMatchObject({
      code: 422,
      msg: '币种不存在',
      data: [{ field: 'marketId' }],
    });
    expect(await adjust('active/add', user, { reason: 'x'.repeat(201) })).toMatchObject({
      code: 422,
      data: [{ field: 'reason' }],
    });
    for (const platform of [0, 5, -1]) {
      const answer = await call(server, 'POST', 'asset/active/add', { ...inputFor(user), platform }, { token: admin });
      expect(answer).toMatchObject({ code: 422, data: [{ field: 'platform' }] });
    }
    expect(await adjust('active/add', user, { amount: '0' })).toMatchObject({ code: 422, data: [{ field: 'amount' }] });
  });

  test('answers 403 without the ability and records the user in the audit log', async () => {
    const user = await makeTestUser('100');
    const answer = await adjust('active/add', user, {}, { token: checker.token });
    expect(answer.code).toBe(403);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { result: 403, targetType: 'user', targetId: user.id },
    ]);
  });
});

describe('adjustments above the policy', () => {
  const decide = (path: 'pass' | 'reject', id: number) =>
    call<ApprovalRow>(server, 'POST', `approval/${path}`, { id, reason: '已核对' }, { token: checker.token });

  test('wait for a checker and then record maker and checker', async () => {
    const user = await makeTestUser();
    const before = await hashMoneyState(server);
    const approval = await adjust<ApprovalRow>('active/add', user, { amount: '1000.01', state: 1 });
    expect(approval).toMatchObject({
      code: 202,
      data: { type: 'asset.active.add', title: '增加资产', userId: user.id, amount: '1000.01', maker: maker.account },
    });
    expect(await fetchEntries(server, user.account)).toEqual([]);
    expect(await hashMoneyState(server)).not.toBe(before);
    expect(await adjust('active/add', user, { amount: '2000' })).toMatchObject({ code: 409 });
    expect(await decide('pass', approval.data.id)).toMatchObject({ code: 200, data: { state: APPROVAL.passed } });
    expect(await fetchBalance(server, admin, user.account)).toEqual({ active: '1000.01', frozen: '0' });
    const [row] = await server.query(sql`
      select m.account as operator, c.account as checker, a.state, a.reason from adjustment a
      join agent m on m.id = a.operator_id left join agent c on c.id = a.checker_id where a.user_id = ${user.id}`);
    expect(row).toEqual({ operator: maker.account, checker: checker.account, state: 1, reason: '更正少记' });
    const data = await fetchData<Page<LedgerEntryRow>>(server, admin, 'fund/record', { userId: user.id });
    expect(data.list).toMatchObject([{ type: 7, operator: maker.account }]);
  });

  test('fail on approval if the balance no longer suffices, and change nothing', async () => {
    const user = await makeTestUser('3000');
    const approval = await adjust<ApprovalRow>('active/sub', user, { amount: '2500' });
    expect(approval.code).toBe(202);
    await makeWithdraw(server, admin, user.account, { amount: '1000' });
    const answer = await decide('pass', approval.data.id);
    expect(answer).toMatchObject({
      code: 409,
      msg: '复核未能执行：数量大于可用余额',
      data: { state: APPROVAL.failed, answer: '数量大于可用余额' },
    });
    expect(await fetchBalance(server, admin, user.account)).toEqual({ active: '2000', frozen: '1000' });
    const rows = await server.query(sql`select 1 from adjustment where user_id = ${user.id}`);
    expect(rows).toEqual([]);
  });

  test('change nothing if the checker rejects', async () => {
    const user = await makeTestUser('3000');
    const approval = await adjust<ApprovalRow>('active/sub', user, { amount: '2500' });
    expect(await decide('reject', approval.data.id)).toMatchObject({ code: 200, data: { state: APPROVAL.rejected } });
    expect(await fetchBalance(server, admin, user.account)).toEqual({ active: '3000', frozen: '0' });
    expect((await adjust('active/sub', user, { amount: '1000' })).code).toBe(200);
  });

  test('count the adjustments of a user in 24 hours together, in both directions and by any operator', async () => {
    const user = await makeTestUser('3000');
    expect((await adjust('active/add', user, { amount: '600' })).code).toBe(200);
    expect((await adjust('active/sub', user, { amount: '400.01' })).code).toBe(202);
    expect((await adjust('active/add', await makeTestUser(), { amount: '600' })).code).toBe(200);
    expect((await adjust('active/add', user, { amount: '600' }, { token: admin })).code).toBe(202);
    server.clock.move(24 * 3_600_000 + 1);
    await logIn();
    expect((await adjust('active/add', user, { amount: '600' })).code).toBe(200);
  });

  test('include every adjustment of a coin without a price', async () => {
    const user = await makeTestUser();
    expect((await adjust('active/add', user, { marketId: 6, amount: '0.000000000000000001' })).code).toBe(202);
    await apply(server, {
      type: 'tick',
      data: { market: 'BTC', price: '50000', at: server.clock.now() },
    } satisfies SentEvent);
    expect((await adjust('active/sub', await makeTestUser(), { marketId: 2, amount: '0.02' })).code).toBe(422);
    const rich = await makeTestUser();
    expect((await adjust('active/add', rich, { marketId: 2, amount: '0.02' })).code).toBe(200);
    expect((await adjust('active/add', rich, { marketId: 2, amount: '0.00000001' })).code).toBe(202);
  });

  test('freezing has its own policy', async () => {
    const user = await makeTestUser('9000');
    expect((await adjust('frozen/add', user, { amount: '5000' })).code).toBe(200);
    await setPolicy(server, 'asset.frozen', 1);
    const approval = await adjust<ApprovalRow>('frozen/sub', user, { amount: '1' });
    expect(approval).toMatchObject({ code: 202, data: { type: 'asset.frozen.sub', title: '解冻资产' } });
    expect((await decide('pass', approval.data.id)).code).toBe(200);
    expect(await fetchBalance(server, admin, user.account)).toEqual({ active: '4001', frozen: '4999' });
  });
});

test('the charts count adjustments with state 1 but no freezing; the cards count only the rows of their lists', async () => {
  const cards = async (): Promise<Record<string, string>> => {
    const { data } = await call<HomeCard[]>(server, 'GET', 'state', {}, { token: maker.token });
    return Object.fromEntries(data.map(({ text, value }) => [text, value]));
  };
  const now = server.clock.now();
  server.clock.move(nextDayAt(9, now + 24 * 3_600_000) - now);
  await logIn();
  await setPolicy(server, 'asset.active', 0);
  const user = await makeTestUser('500');
  await adjust('active/add', user, { amount: '70.25', state: 1 });
  await adjust('active/add', user, { amount: '1000', state: 0 });
  await adjust('active/sub', user, { amount: '20.5', state: 1 });
  await adjust('active/sub', user, { amount: '300', state: 0 });
  await adjust('frozen/add', user, { amount: '11', state: 1 });
  await adjust('frozen/sub', user, { amount: '11', state: 1 });
  const chart = (await call<HomeChart>(server, 'GET', 'home/chart', {}, { token: maker.token })).data;
  expect(chart.days.at(-1)).toMatchObject({
    recharge: { value: '570.25', count: 2 },
    withdraw: { value: '20.5', count: 1 },
  });
  expect(await cards()).toMatchObject({ '今日充值(USDT)': '500', '今日提现(USDT)': '0' });
  const { data: trends } = await call<HomeTrends>(server, 'GET', 'home/trends', {}, { token: maker.token });
  expect(trends.cards.find(({ text }) => text === '今日充值(USDT)')?.days.at(-1)).toBe('500');
  const today = { state: 1, creditedDay: trends.today };
  const listed = await fetchData<Page<RechargeRow, RechargeSum>>(server, maker.token, 'recharge/list', today);
  expect(listed.summary?.map(({ amount }) => amount)).toEqual(['500']);
});
