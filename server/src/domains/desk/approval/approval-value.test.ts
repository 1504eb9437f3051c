import { ABILITY } from '@hengtai/contract/authority/ability';
import type { LimitedPolicy } from '@hengtai/contract/authority/actions';
import { PRICE_HOURS, TWO_CHECKERS_PREFIX } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalItem, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { AssetPreview } from '@hengtai/contract/funds/asset/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tick } from '../../../../test/binary-contract.ts';
import { makeMarket, marketSettings } from '../../../../test/book.ts';
import {
  type TestOperator,
  findUser,
  findWithdraw,
  makeOperator,
  makeUser,
  makeWithdraw,
  recharge,
} from '../../../../test/factories.ts';
import { countDeadlocks, fetchAuditRows, runWhileLocked, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';

const HOUR_MS = 3_600_000;

let server: TestServer;
let admin: string;
let maker: TestOperator;
let first: TestOperator;
let second: TestOperator;
/** A coin of its own for each test, without a price. */
let coin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  maker = await makeOperator(server, admin, {
    abilities: [ABILITY.withdraw, ABILITY.users, ABILITY.assets, ABILITY.headquarters],
  });
  first = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
  second = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
});
afterAll(async () => {
  expect(await countDeadlocks(server)).toBe(0);
  await server.stop();
});

beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 2, '10000');
  await setPolicy(server, 'asset.active', 2, '10000');
  await setNumber(PRICE_HOURS, '24');
  await setTwoCheckers('withdraw.pass', '0');
  await setTwoCheckers('asset.active', '0');
  coin = await makeMarket(server);
});

const post = <T = ApprovalRow>(
  path: string,
  input: object,
  { token }: { token: string } = maker,
): Promise<ApiResponse<T>> => call<T>(server, 'POST', path, input, { token });
const read = <T>(path: string, input: object, { token }: { token: string } = maker): Promise<ApiResponse<T>> =>
  call<T>(server, 'GET', path, input, { token });
const setNumber = (key: string, num: string) =>
  server.query(sql`update config set num = ${num}::numeric where key = ${key}`);
const setTwoCheckers = (policy: LimitedPolicy, num: string) => setNumber(`${TWO_CHECKERS_PREFIX}${policy}`, num);

/** Sends a price of the coin of this test. Returns its time. */
async function setPrice(price: string, ageMs = 0, market = coin): Promise<number> {
  const at = server.clock.now() - ageMs;
  await apply(server, tick(market, price, at));
  return at;
}
const request = async (amount = '1', user?: string, market = coin): Promise<WithdrawRow> =>
  makeWithdraw(server, admin, user ?? (await makeUser(server, { amount: '1000', market })), {
    amount,
    market,
    fee: '0',
  });

const passWithdrawal = ({ id }: WithdrawRow, by = maker) => post('withdraw/pass', { id }, by);
const approve = ({ id }: { id: number }, by: TestOperator) => post('approval/pass', { id }, by);
const detailOf = async ({ id }: WithdrawRow): Promise<WithdrawDetail> =>
  (await read<WithdrawDetail>('withdraw/detail', { id })).data;
const stateOf = async ({ no }: WithdrawRow) => (await findWithdraw(server, admin, no)).state;
const fetchSums = async ({ userId }: { userId: number }): Promise<string[]> =>
  (
    await server.query(sql<{ amount: string | null }>`
      select trim_scale(amount)::text as amount from policy_use where user_id = ${userId} order by created_at, amount`)
  ).map(({ amount }) => amount ?? 'unknown');
async function fetchItems({ id }: { id: number }): Promise<ApprovalItem[]> {
  const { data } = await read<ApprovalDetail>('approval/detail', { id }, first);
  return data.now;
}

describe('a withdrawal', () => {
  test('of 90,000 USDT is not passed as the 9,000 of its request', async () => {
    await setPrice('9000');
    const row = await request();
    expect((await detailOf(row)).approval).toMatchObject({ needed: false, amount: '9000' });
    const pricedAt = await setPrice('90000');
    const detail = await detailOf(row);
    expect(detail).toMatchObject({
      row: { valuation: '9000' },
      value: { now: '90000', pricedAt, priceOld: false },
      approval: { needed: true, amount: '90000' },
    });
    const asked = await passWithdrawal(row);
    expect(asked).toMatchObject({ code: 202, data: { amount: '90000', required: 1 } });
    expect(await fetchItems(asked.data)).toEqual(
      expect.arrayContaining([
        { label: '申请时估值', text: '9000', kind: 'amount', unit: 'USDT' },
        { label: '当前估值', text: '90000', kind: 'amount', unit: 'USDT' },
        { label: '价格时间', text: String(pricedAt), kind: 'time' },
      ]),
    );
    expect(await approve(asked.data, first)).toMatchObject({ code: 200, data: { state: APPROVAL.passed } });
    expect(await fetchSums(row)).toEqual(['90000']);
  });

  test('counts by the value of its request when the price fell', async () => {
    await setPrice('90000');
    const row = await request();
    await setPrice('9000');
    expect(await passWithdrawal(row)).toMatchObject({ code: 202, data: { amount: '90000' } });
  });

  test('that one person passes is recorded with the larger value, and not valued again', async () => {
    await setPrice('4000');
    const row = await request();
    await setPrice('6000');
    expect(await passWithdrawal(row)).toMatchObject({ code: 200 });
    await setPrice('90000');
    await recharge(server, row.account, '20000');
    expect(await passWithdrawal(await request('4000', row.account, 'USDT'))).toMatchObject({ code: 200 });
    expect(await fetchSums(row)).toEqual(['6000', '4000']);
    expect(await passWithdrawal(await request('1', row.account, 'USDT'))).toMatchObject({ code: 202 });
  });

  test('of USDT has no age', async () => {
    const row = await request('100', undefined, 'USDT');
    expect(await detailOf(row)).toMatchObject({ value: { now: '100', pricedAt: null, priceOld: false } });
    expect(await passWithdrawal(row)).toMatchObject({ code: 200 });
  });
});

describe('a price older than the setting', () => {
  test('puts only its own decision above every limit, and records its value', async () => {
    await setPrice('1', 25 * HOUR_MS);
    await setTwoCheckers('withdraw.pass', '50000');
    const row = await request();
    expect(await detailOf(row)).toMatchObject({
      value: { now: '1', priceOld: true },
      approval: { needed: true, amount: '1' },
    });
    const asked = await passWithdrawal(row);
    expect(asked).toMatchObject({ code: 202, data: { amount: '1', required: 2 } });
    expect(await fetchItems(asked.data)).toContainEqual(
      expect.objectContaining({ label: '价格时限', text: expect.stringContaining('已超过') }),
    );
    expect(await approve(asked.data, first)).toMatchObject({ data: { state: APPROVAL.open, given: 1 } });
    expect(await approve(asked.data, second)).toMatchObject({ data: { state: APPROVAL.passed } });
    expect(await fetchSums(row)).toEqual(['1']);
    await recharge(server, row.account, '20000');
    expect(await passWithdrawal(await request('9999', row.account, 'USDT'))).toMatchObject({ code: 200 });
  });

  test('is one at the age of the setting', async () => {
    await setPrice('1', 24 * HOUR_MS - 60_000);
    expect(await passWithdrawal(await request())).toMatchObject({ code: 200 });
    server.clock.move(60_000);
    expect(await passWithdrawal(await request())).toMatchObject({ code: 202 });
    const other = await request();
    await setNumber(PRICE_HOURS, '25');
    expect(await passWithdrawal(other)).toMatchObject({ code: 200 });
  });

  test('asks for nobody where the policy is off: an open house of one person goes on', async () => {
    await setPrice('1', 25 * HOUR_MS);
    await setPolicy(server, 'withdraw.pass', 0);
    const row = await request();
    expect(await passWithdrawal(row, { ...maker, token: admin })).toMatchObject({ code: 200 });
  });

  test('is the oldest of those in the value of a coin that is priced by a pair', async () => {
    const quote = await makeMarket(server);
    const { data: pair } = await post<MarketRow>(
      'market/save',
      { ...marketSettings, rechargeState: 0, withdrawState: 0, marketName: unique('P-'), base: coin, quote },
      { token: admin },
    );
    const pricedAt = await setPrice('3', 30 * HOUR_MS, quote);
    await setPrice('2', 0, pair.marketName);
    const row = await request();
    expect(await detailOf(row)).toMatchObject({
      value: { now: '6', pricedAt, priceOld: true },
    });
    await setPrice('3', 0, quote);
    expect(await detailOf(row)).toMatchObject({ value: { now: '6', priceOld: false } });
  });
});

describe('the checkers of an open approval', () => {
  test('become two when its value rises above the second limit, and never one again', async () => {
    await setTwoCheckers('withdraw.pass', '50000');
    await setPrice('20000');
    const row = await request();
    const { data: asked } = await passWithdrawal(row);
    expect(asked).toMatchObject({ amount: '20000', required: 1 });
    await setPrice('60000');
    const one = await approve(asked, first);
    expect(one).toMatchObject({
      code: 200,
      msg: expect.stringContaining('1/2'),
      data: { state: APPROVAL.open, required: 2, given: 1, amount: '60000' },
    });
    expect(await fetchAuditRows(server, one)).toMatchObject([
      {
        action: 'approval.pass',
        before: { given: 0, required: 1, amount: '20000' },
        after: { given: 1, required: 2, amount: '60000' },
      },
    ]);
    expect(await stateOf(row)).toBe(1);
    const fetchVotes = async () => (await read<ApprovalDetail>('approval/detail', { id: asked.id })).data.votes;
    const [firstVote, ...rest] = await fetchVotes();
    expect(firstVote).toMatchObject({ checker: first.account });
    expect(firstVote?.at).toBeGreaterThanOrEqual(asked.createdAt);
    expect(rest).toEqual([]);
    await setPrice('20000');
    expect(await approve(asked, first)).toMatchObject({ code: 409 });
    const last = await approve(asked, second);
    expect(last).toMatchObject({ data: { state: APPROVAL.passed, required: 2, given: 2 } });
    expect(await fetchVotes()).toEqual([firstVote, { checker: second.account, at: last.data.decidedAt }]);
    expect(await fetchSums(row)).toEqual(['60000']);
  });

  test('become two when the price became old', async () => {
    await setTwoCheckers('withdraw.pass', '50000');
    await setPrice('20000', 23 * HOUR_MS);
    const { data: asked } = await passWithdrawal(await request());
    expect(asked.required).toBe(1);
    await setNumber(PRICE_HOURS, '22');
    expect(await approve(asked, first)).toMatchObject({ data: { state: APPROVAL.open, required: 2, amount: '20000' } });
  });

  test('become two for an adjustment of assets', async () => {
    await setTwoCheckers('asset.active', '50000');
    const pricedAt = await setPrice('20000');
    const { id: userId } = await findUser(server, admin, await makeUser(server));
    const { id: marketId } = await marketOf(coin);
    const input = { userId, marketId, platform: 1, amount: '1', state: 0 };
    const { data: preview } = await read<AssetPreview>('asset/preview', {
      userId,
      marketId,
      platform: 1,
      amount: '1',
      action: 1,
    });
    expect(preview).toMatchObject({ valuation: '20000', pricedAt, priceOld: false });
    const { data: asked } = await post('asset/active/add', input);
    expect(asked).toMatchObject({ amount: '20000', required: 1 });
    await setPrice('60000');
    expect(await approve(asked, first)).toMatchObject({ data: { state: APPROVAL.open, required: 2, given: 1 } });
    expect(await approve(asked, second)).toMatchObject({ data: { state: APPROVAL.passed } });
    expect(await fetchSums({ userId })).toEqual(['60000']);
  });

  test('become two for the later of two approvals of one user that pass at once', async () => {
    await setTwoCheckers('withdraw.pass', '50000');
    await setPrice('30000');
    const row = await request();
    const other = await request('1', row.account);
    const asked = [(await passWithdrawal(row)).data, (await passWithdrawal(other)).data];
    expect(asked.map(({ required }) => required)).toEqual([1, 1]);
    const [one, two] = asked;
    if (!one || !two) throw new Error('two approvals');
    // Without the lock of the user both would have counted before either is executed.
    const answers = await runWhileLocked(
      server,
      (tx) => sql`select 1 from withdraw where user_id = ${row.userId} for update`.execute(tx),
      () => approve(one, first),
      () => approve(two, second),
    );
    expect(answers.map(({ data }) => data.state).toSorted((a, b) => a - b)).toEqual([APPROVAL.open, APPROVAL.passed]);
    expect((await Promise.all([stateOf(row), stateOf(other)])).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test('both count when they pass at once an approval whose value rose', async () => {
    await setTwoCheckers('withdraw.pass', '50000');
    await setPrice('20000');
    const row = await request();
    const { data: asked } = await passWithdrawal(row);
    await setPrice('60000');
    const answers = await Promise.all([approve(asked, first), approve(asked, second)]);
    expect(answers.map(({ code }) => code)).toEqual([200, 200]);
    expect(answers.map(({ data }) => data.given).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(await stateOf(row)).toBe(2);
    expect(await fetchSums(row)).toEqual(['60000']);
  });
});

test('the market list shows the time of the last price', async () => {
  expect((await marketOf(coin)).pricedAt).toBeNull();
  const pricedAt = await setPrice('5', HOUR_MS);
  expect((await marketOf(coin)).pricedAt).toBe(pricedAt);
});

async function marketOf(marketName: string): Promise<MarketRow> {
  const { data } = await call<Page<MarketRow>>(server, 'GET', 'market/list', { marketName }, { token: admin });
  const found = data.list[0];
  if (!found) throw new Error(`no market ${marketName}`);
  return found;
}
