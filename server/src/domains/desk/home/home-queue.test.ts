import { ABILITY } from '@hengtai/contract/authority/ability';
import type { HomeCard, HomeQueue, HomeTrends } from '@hengtai/contract/desk/home/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { QUEUE_TARGET_PREFIX } from '@hengtai/contract/desk/queue/work-queue';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { findUser, makeIeo, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { type TestServer, apply, call, login, nextDayAt, testServer } from '../../../../test/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let server: TestServer;
let admin: string;

/** Moves to this hour of the report zone on the next day. */
async function moveToHour(hour: number): Promise<void> {
  const now = server.clock.now();
  server.clock.move(nextDayAt(hour, now) - now);
  admin = await login(server);
}

async function moveHours(hours: number): Promise<void> {
  server.clock.move(hours * HOUR);
  admin = await login(server);
}

beforeEach(async () => {
  server = await testServer({ jobs: false });
  await moveToHour(9);
});
afterEach(() => server.stop());

const queuesOf = async (token: string) => {
  const { code, data } = await call<HomeQueue[]>(server, 'GET', 'home/queues', {}, { token });
  expect(code).toBe(200);
  return Object.fromEntries(data.map((queue) => [queue.key, queue]));
};

test('queues have the count, the oldest wait, the target and the riskiest record of the operator', async () => {
  expect(await queuesOf(admin)).toEqual({});
  const abilities = [ABILITY.withdraw, ABILITY.subscription, ABILITY.identity, ABILITY.users];
  const one = await makeOperator(server, admin, { abilities: [...abilities, ABILITY.approval] });
  const other = await makeOperator(server, admin, { abilities });
  const user = await makeUser(server, { agent: one.account, amount: '100000' });
  const stranger = await makeUser(server, { agent: other.account, amount: '100000' });

  const openedAt = server.clock.now();
  await makeWithdraw(server, admin, user, { amount: '70', address: tronAddress('known') });
  server.clock.move(5 * MINUTE);
  // Above the limit of 24 hours, which is graver than a new address, but not than an address of several users.
  await makeWithdraw(server, admin, user, { amount: '60000' });
  const shared = await makeWithdraw(server, admin, stranger, { amount: '10', address: tronAddress('known') });
  const ieo = await makeIeo(server, admin, user, { price: '0.5', amount: '44' });
  await makeIeo(server, admin, user, { price: '0.5', amount: '33' });
  await submitKyc(server, admin, user, { level: 1 });
  await apply(server, { type: 'message.received', data: { no: 'M1', account: user, text: 'hello' } });
  const unreadAt = server.clock.now();
  server.clock.move(MINUTE);
  await apply(server, { type: 'message.received', data: { no: 'M2', account: user, text: 'anybody?' } });
  const large = await makeWithdraw(server, admin, stranger, { amount: '30000' });
  await call(server, 'POST', 'withdraw/pass', { id: large.id }, { token: admin });

  const [ofAdmin, ofOne, ofOther] = [await queuesOf(admin), await queuesOf(one.token), await queuesOf(other.token)];
  expect(ofAdmin['withdrawReview']).toMatchObject({ count: 3, target: 30 });
  expect(ofAdmin['withdrawReview']?.riskiest).toEqual({
    id: shared.id,
    userId: (await findUser(server, admin, stranger)).id,
    account: stranger,
    amount: '10',
    marketName: 'USDT',
    details: ['shared_address', 'first_address'],
  });
  // The maker does not decide the request, and an operator without the ability sees no approvals.
  expect(ofAdmin['approvalOpen']).toBeUndefined();
  expect(ofOther['approvalOpen']).toBeUndefined();
  expect(ofOne['withdrawReview']).toMatchObject({ count: 2 });
  expect(Math.abs((ofOne['withdrawReview']?.oldestAt ?? 0) - openedAt)).toBeLessThan(MINUTE);
  expect(ofOne['withdrawReview']?.riskiest.details).toContain('over_limit');
  expect(ofOne['ieoReview']).toMatchObject({ count: 2, riskiest: { id: ieo.id, account: user, amount: '22' } });
  expect(ofOne['authReview']).toMatchObject({ count: 1, riskiest: { account: user, details: ['1'] } });
  expect(ofOne['authReview']?.riskiest.userId).toBe((await findUser(server, admin, user)).id);
  // The conversation waits since its first unread message.
  expect(ofOne['serviceUnread']?.count).toBe(1);
  expect(Math.abs((ofOne['serviceUnread']?.oldestAt ?? 0) - unreadAt)).toBeLessThan(MINUTE / 2);
  expect(Object.keys(ofOther)).toEqual(['withdrawReview']);
  // The order of the answer is that of the harm.
  expect(Object.keys(ofOne)).toEqual(['withdrawReview', 'ieoReview', 'authReview', 'serviceUnread']);

  // An approver in whose scope the target is, who is not the maker.
  const checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
  expect(await queuesOf(checker.token)).toMatchObject({
    approvalOpen: { count: 1, riskiest: { account: stranger, amount: '30000', details: ['withdraw.pass'] } },
  });
});

test('the target of a queue is its setting', async () => {
  await makeWithdraw(server, admin, await makeUser(server, { amount: '100' }));
  const [setting] = await server.query(
    sql<{ id: number }>`select id from config where key = ${`${QUEUE_TARGET_PREFIX}withdrawReview`}`,
  );
  const saved = await call(server, 'POST', 'config/save', { id: setting?.id, num: '7' }, { token: admin });
  expect(saved.code).toBe(200);
  expect(await queuesOf(admin)).toMatchObject({ withdrawReview: { target: 7 } });
});

const trendsOf = async (token: string) => {
  const { code, data } = await call<HomeTrends>(server, 'GET', 'home/trends', {}, { token });
  expect(code).toBe(200);
  return { ...data, of: Object.fromEntries(data.cards.map(({ text, ...trend }) => [text, trend])) };
};

test('trends are exact by day and at the same time of yesterday, for each scope', async () => {
  await moveToHour(9);
  const one = await makeOperator(server, admin);
  const other = await makeOperator(server, admin);
  const gone = await makeUser(server, { agent: one.account });
  const first = await makeUser(server, { agent: one.account, amount: '500' });
  await moveHours(2);
  await makeWithdraw(server, admin, first, { amount: '20' });
  // The next day: two users and a recharge before 10:00, others after it.
  await moveToHour(9);
  for (let n = 0; n < 2; n += 1) await makeUser(server, { agent: one.account });
  await recharge(server, first, '10.5');
  await makeWithdraw(server, admin, first, { amount: '21' });
  await moveHours(5);
  await makeUser(server, { agent: one.account });
  await recharge(server, first, '1000');
  // Today, at 10:00.
  await moveToHour(10);
  await recharge(server, first, '7');
  await makeUser(server, { agent: one.account });
  const { id } = await findUser(server, admin, gone);
  expect((await call(server, 'POST', 'user/del', { id }, { token: admin })).code).toBe(200);

  const token = await login(server, one.account, 'operator-password');
  const { of, zone, today } = await trendsOf(token);
  expect(zone).toBe('Asia/Shanghai');
  expect(today).toBe(new Date(server.clock.now() + 8 * HOUR).toISOString().slice(0, 10));
  const last = (text: string) => [of[text]?.days.slice(-4), of[text]?.yesterday];
  expect(last('用户总数')).toEqual([['0', '2', '5', '5'], '4']);
  expect(last('今日新增用户')).toEqual([['0', '1', '3', '1'], '2']);
  expect(last('今日充值(USDT)')).toEqual([['0', '500', '1010.5', '7'], '10.5']);
  expect(last('待审核提现')).toEqual([['0', '1', '1', '0'], '1']);
  const cards = (await call<HomeCard[]>(server, 'GET', 'state', {}, { token })).data;
  for (const text of ['用户总数', '今日新增用户', '今日充值(USDT)', '今日提现(USDT)']) {
    expect(of[text]?.days.at(-1)).toBe(cards.find((card) => card.text === text)?.value);
  }
  const none = await trendsOf(await login(server, other.account, 'operator-password'));
  // Only the login itself.
  expect(none.cards.filter(({ text, days }) => text !== '在线操作员' && days.some((day) => day !== '0'))).toEqual([]);
  expect(none.of['在线操作员']?.days.at(-1)).toBe('1');
});

test('the lists behind the cards of today have exactly the records of their figures', async () => {
  await moveToHour(9);
  const user = await makeUser(server, { amount: '300' });
  const requested = await makeWithdraw(server, admin, user, { amount: '40' });
  await call(server, 'POST', 'withdraw/pass', { id: requested.id }, { token: admin });
  await apply(server, { type: 'withdraw.paid', data: { no: requested.no, txHash: '0x1' } });
  // Requested today, paid tomorrow.
  const open = await makeWithdraw(server, admin, user, { amount: '50' });
  await call(server, 'POST', 'withdraw/pass', { id: open.id }, { token: admin });
  await moveToHour(9);
  await apply(server, { type: 'withdraw.paid', data: { no: open.no, txHash: '0x2' } });
  await recharge(server, user, '12');

  const cards = (await call<HomeCard[]>(server, 'GET', 'state', {}, { token: admin })).data;
  const valueOf = (text: string) => cards.find((card) => card.text === text)?.value;
  const { today } = await trendsOf(admin);
  type Listed = Page<{ account: string }, { amount: string }>;
  const list = async (path: string, input: object) =>
    (await call<Listed>(server, 'GET', path, { size: 50, ...input }, { token: admin })).data;
  const recharges = await list('recharge/list', { state: 1, creditedDay: today });
  expect(recharges.summary?.map(({ amount }) => amount)).toEqual([valueOf('今日充值(USDT)')]);
  const withdraws = await list('withdraw/list', { state: 4, paidDay: today });
  expect(withdraws.summary?.map(({ amount }) => amount)).toEqual([valueOf('今日提现(USDT)')]);
  expect(withdraws.total).toBe(1);
  for (const paidDay of ['2026-02-31', 'today', '0001-01-01']) {
    const answer = await call(server, 'GET', 'withdraw/list', { paidDay }, { token: admin });
    expect(answer).toMatchObject({ code: 422, data: [{ field: 'paidDay' }] });
  }
  // Two sessions of one operator count once; a session without activity does not.
  await login(server);
  await makeOperator(server, admin);
  const online = await list('session/list', { active: 1 });
  const card = (await call<HomeCard[]>(server, 'GET', 'state', {}, { token: admin })).data.at(-1)?.value;
  expect(String(online.total)).toBe(card);
  expect(online.total).toBe(new Set(online.list.map(({ account }) => account)).size);
  await moveHours(6);
  expect((await list('session/list', { active: 1 })).total).toBe(1);
});
