import type { HomeCard } from '@hengtai/contract/desk/home/schema';
import { homeCards } from '@hengtai/contract/desk/home/calls';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { type TestServer, apply, call, login, nextDayAt, testServer } from '../../../../test/server.ts';

const HOUR = 3_600_000;
let server: TestServer;
let admin: string;

/** Moves to this hour of the report zone on the next day. */
async function moveToHour(hour: number): Promise<void> {
  const now = server.clock.now();
  server.clock.move(nextDayAt(hour, now) - now);
  admin = await login(server);
}

beforeEach(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterEach(() => server.stop());

async function cards(token: string): Promise<Record<string, string>> {
  const { data } = await call<HomeCard[]>(server, 'GET', 'state', {}, { token });
  expect(data.map(({ text }) => text)).toEqual(homeCards);
  return Object.fromEntries(data.map(({ text, value }) => [text, value]));
}

/** Makes two users below an agent, and one withdrawal each in review, paid and waiting for a checker. */
async function makeActivity(agent: TestOperator, amount: string): Promise<void> {
  const user = await makeUser(server, { agent: agent.account, amount });
  await makeUser(server, { agent: agent.account });
  await makeWithdraw(server, admin, user, { amount: '30' });
  const paid = await makeWithdraw(server, admin, user, { amount: '50.25' });
  await call(server, 'POST', 'withdraw/pass', { id: paid.id }, { token: admin });
  await apply(server, { type: 'withdraw.paid', data: { no: paid.no, txHash: '0x1' } });
  const large = await makeWithdraw(server, admin, user, { amount: '12000' });
  await call(server, 'POST', 'withdraw/pass', { id: large.id }, { token: admin });
}

test('shows zeros for an empty installation', async () => {
  const empty = await cards(admin);
  expect(empty).toEqual({ ...Object.fromEntries(homeCards.map((text) => [text, '0'])), 在线操作员: '1' });
});

test('shows an operator the figures of its scope, and the admin those of all', async () => {
  await moveToHour(9);
  const abilities = [ABILITY.approval];
  const one = await makeOperator(server, admin, { abilities });
  const below = await makeOperator(server, admin, { parent: one.account });
  const other = await makeOperator(server, admin, { abilities });
  await makeActivity(one, '20000.5');
  await makeActivity(below, '30000');
  await makeActivity(other, '40000');
  const figures = { 用户总数: '4', 今日新增用户: '4', '今日充值(USDT)': '50000.5', '今日提现(USDT)': '100.5' };
  expect(await cards(one.token)).toMatchObject({ ...figures, 待审核提现: '2', 待复核审批: '2', 在线操作员: '2' });
  expect(await cards(other.token)).toMatchObject({
    用户总数: '2',
    '今日充值(USDT)': '40000',
    待审核提现: '1',
    待复核审批: '1',
  });
  expect(await cards(admin)).toMatchObject({
    用户总数: '6',
    '今日充值(USDT)': '90000.5',
    '今日提现(USDT)': '150.75',
    待审核提现: '3',
    待复核审批: '3',
    在线操作员: '4',
  });
});

test('a day begins at midnight of the report zone', async () => {
  await moveToHour(0);
  const before = await cards(admin);
  expect(before).toMatchObject({ 今日新增用户: '0', '今日充值(USDT)': '0', '今日提现(USDT)': '0' });
  const user = await makeUser(server, { amount: '10' });
  await recharge(server, user, '0.5', 'BTC');
  // A deposit of a coin without a price does not count.
  expect(await cards(admin)).toMatchObject({ 今日新增用户: '1', '今日充值(USDT)': '10' });
  server.clock.move(-1 * HOUR);
  await apply(server, { type: 'user.registered', data: { account: 'late-yesterday' } });
  server.clock.move(HOUR);
  expect(await cards(admin)).toMatchObject({ 用户总数: '2', 今日新增用户: '1' });
});

test('counts an operator as offline after five minutes without activity', async () => {
  await makeOperator(server, admin);
  const online = Number((await cards(admin))['在线操作员']);
  server.clock.move(6 * 60_000);
  expect(online).toBeGreaterThan(1);
  expect(await cards(admin)).toMatchObject({ 在线操作员: '1' });
});
