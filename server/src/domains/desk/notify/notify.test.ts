import { ABILITY } from '@hengtai/contract/authority/ability';
import { NOTIFICATION_DAYS, NOTIFICATION_HOURS } from '@hengtai/contract/desk/notify/calls';
import type { Counts, NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { onTron } from '../../../../test/address.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { finishCommand } from '../../../gateway/command.store.ts';
import { sweep } from '../../../jobs/sweep.ts';
import { numberNotifications } from './notify.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

async function fetchLatest(token = admin, query: object = {}): Promise<NotificationsAnswer> {
  while (await numberNotifications(server.app));
  const answer = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', query, { token });
  expect(answer.code).toBe(200);
  return answer.data;
}

const counts = async (token: string): Promise<Counts> =>
  (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data;

/** The types of the notifications that an action caused, in order. */
async function notificationsDuring(action: () => Promise<unknown>, token = admin): Promise<string[]> {
  const { last } = await fetchLatest(token, { size: 1 });
  await action();
  return (await fetchLatest(token, { after: last })).list.map(({ type }) => type).toReversed();
}

const event = (type: string, data: object) => () => apply(server, { type, data });
const deposit = (account: string, no: string) => ({
  no,
  account,
  market: 'USDT',
  ...onTron('deposit'),
  amount: '25.5',
  confirmations: 1,
  source: 1,
});
const post =
  (path: string, input: object, token = admin) =>
  async () => {
    const answer = await call<{ id: number }>(server, 'POST', path, input, { token });
    expect([200, 202, 409]).toContain(answer.code);
    return answer.data;
  };

const reviewer = (options: { parent?: string; abilities?: number[] } = {}): Promise<TestOperator> =>
  makeOperator(server, admin, {
    abilities: [ABILITY.assets, ABILITY.withdraw, ABILITY.platform, ABILITY.approval],
    ...options,
  });

test('counts cover the own scope and the viewer’s abilities', async () => {
  const [own, idle, other] = [await reviewer(), await makeOperator(server, admin), await reviewer()];
  const child = await reviewer({ parent: own.account });
  const user = await makeUser(server, { agent: child.account, amount: '50000' });
  await makeWithdraw(server, admin, user);
  const large = await makeWithdraw(server, admin, user, { amount: '20000' });
  await apply(server, { type: 'recharge.detected', data: deposit(user, unique('R')) });
  const nothing = Object.fromEntries(Object.keys(await counts(own.token)).map((key) => [key, 0]));
  const waiting = { ...nothing, withdrawReview: 2, rechargeWaiting: 1 };
  expect(await counts(own.token)).toEqual(waiting);
  expect(await counts(child.token)).toEqual(waiting);
  expect(await counts(other.token)).toEqual(nothing);
  expect(await counts(idle.token)).toEqual({});
  // The maker does not count its own approval.
  await post('withdraw/pass', { id: large.id }, child.token)();
  const afterRequest = { ...waiting, withdrawReview: 1, withdrawSecond: 1 };
  expect(await counts(child.token)).toEqual(afterRequest);
  expect(await counts(own.token)).toEqual({ ...afterRequest, approvalOpen: 1 });
  server.clock.move(25 * 3_600_000);
  admin = await login(server);
  expect((await counts(await login(server, own.account, 'operator-password')))['approvalOpen']).toBe(0);
});

test('a withdrawal creates a notification for every state', async () => {
  const user = await makeUser(server, { amount: '100000' });
  const no = unique('W');
  const request = { no, account: user, market: 'USDT', ...onTron('to'), amount: '100', fee: '1' };
  expect(await notificationsDuring(event('withdraw.requested', request))).toEqual(['withdraw.requested']);
  const { list } = await fetchLatest();
  expect(list[0]).toMatchObject({ type: 'withdraw.requested', noun: 'withdraw', refType: 'withdraw', account: user });
  expect(list[0]).toMatchObject({ agent: 'admin', marketName: 'USDT', amount: '100', state: 0, own: false });
  const id = list[0]?.refId ?? 0;
  await setPolicy(server, 'withdraw.refund', 0);
  expect(await notificationsDuring(post('withdraw/pass', { id }))).toEqual(['withdraw.queued']);
  expect(await notificationsDuring(event('withdraw.paying', { no }))).toEqual(['withdraw.paying']);
  expect(await notificationsDuring(event('withdraw.failed', { no, reason: 'rejected' }))).toEqual(['withdraw.failed']);
  expect(await notificationsDuring(post('withdraw/refund', { id, reason: 'because' }))).toEqual(['withdraw.refunded']);
  // A payment after the refund keeps the state and raises an alarm.
  expect(await notificationsDuring(event('withdraw.paid', { no, txHash: '0x1' }))).toEqual(['alarm.raised']);
  expect((await fetchLatest()).list[0]).toMatchObject({
    refType: 'alarm',
    account: user,
    detail: 'withdraw.paidAfterRefund',
  });
  expect((await counts(admin)).alarmOpen).toBe(1);
  const next = await makeWithdraw(server, admin, user);
  expect(await notificationsDuring(post('withdraw/reject', { id: next.id, reason: 'because' }))).toEqual([
    'withdraw.rejected',
  ]);
  // A refused call creates no notification.
  expect(await notificationsDuring(post('withdraw/reject', { id: next.id, reason: 'because' }))).toEqual([]);
  const poor = { ...request, no: unique('W'), amount: '9999999' };
  expect(await notificationsDuring(() => send(server, { type: 'withdraw.requested', data: poor }))).toEqual([]);
});

test('a deposit creates a notification for every state, and a new user creates one', async () => {
  const account = unique('newcomer');
  expect(await notificationsDuring(event('user.registered', { account }))).toEqual(['user.registered']);
  const [no, heldNo, creditedNo] = [unique('R'), unique('R'), unique('R')];
  expect(await notificationsDuring(event('recharge.detected', deposit(account, no)))).toEqual(['recharge.detected']);
  expect(await notificationsDuring(event('recharge.credited', { no, confirmations: 20 }))).toEqual([
    'recharge.credited',
  ]);
  expect(await notificationsDuring(event('recharge.reversed', { no }))).toEqual(['recharge.reversed']);
  await event('recharge.detected', deposit(account, heldNo))();
  const id = (await fetchLatest()).list[0]?.refId ?? 0;
  expect(await notificationsDuring(post('recharge/hold', { id }))).toEqual(['recharge.held']);
  expect((await counts(admin)).rechargeHeld).toBe(1);
  expect(await notificationsDuring(post('recharge/release', { id }))).toEqual(['recharge.released']);
  expect(await notificationsDuring(event('recharge.failed', { no: heldNo }))).toEqual(['recharge.failed']);
  expect(await notificationsDuring(event('recharge.credited', deposit(account, creditedNo)))).toEqual([
    'recharge.detected',
    'recharge.credited',
  ]);
});

test('an approval notifies its possible checkers and its maker, and no other operator', async () => {
  const head = await reviewer();
  const [maker, idle] = [
    await reviewer({ parent: head.account, abilities: [ABILITY.withdraw] }),
    await makeOperator(server, admin, { parent: head.account }),
  ];
  const user = await makeUser(server, { agent: maker.account, amount: '50000' });
  const row = await makeWithdraw(server, admin, user, { amount: '20000' });
  const since = (await fetchLatest()).last;
  const approval = await post('withdraw/pass', { id: row.id }, maker.token)();
  const all = await fetchLatest(head.token, { after: since });
  expect(all.list.map(({ type, own }) => [type, own])).toEqual([
    ['withdraw.second', false],
    ['approval.asked', false],
  ]);
  expect(all.list[1]).toMatchObject({
    refType: 'approval',
    refId: approval.id,
    account: user,
    detail: 'withdraw.pass',
  });
  expect((await fetchLatest(maker.token, { after: since })).list.map(({ type, own }) => [type, own])).toEqual([
    ['withdraw.second', false],
    ['approval.asked', true],
  ]);
  expect((await fetchLatest(idle.token, { after: since })).list).toEqual([]);
  const decided = await notificationsDuring(
    post('approval/reject', { id: approval.id, reason: 'because' }, head.token),
    maker.token,
  );
  expect(decided).toEqual(['approval.rejected', 'withdraw.returned']);
});

test('an unanswered command about no user notifies operators with full scope only', async () => {
  const able = await reviewer();
  const [command] = await server.query(sql<{ id: number }>`
    insert into command (type, ref_type, ref_id, data, state, created_at, recorded_at)
    values ('order.cancel', 'trade', 7, '{}', 1, 1, 1) returning id`);
  const unknown = () =>
    inTransaction(server.app.system, (db) => finishCommand(db, command?.id ?? 0, 4, 'silence', server.clock.now()));
  expect(await notificationsDuring(unknown)).toEqual(['command.unknown']);
  expect((await counts(admin)).commandUnknown).toBe(1);
  expect((await counts(able.token)).commandUnknown).toBe(0);
  expect((await fetchLatest(able.token)).list).toEqual([]);
});

test('old events create no notifications', async () => {
  const at = server.clock.now() - (NOTIFICATION_HOURS * 3_600_000 + 60_000);
  const account = unique('old');
  const types = await notificationsDuring(() =>
    apply(
      server,
      { type: 'user.registered', data: { account }, at },
      { type: 'recharge.credited', data: deposit(account, unique('R')), at },
    ),
  );
  expect(types).toEqual([]);
});

test('finds the latest notifications of a scope behind many of other scopes', async () => {
  const quiet = await reviewer();
  const user = await makeUser(server, { agent: quiet.account });
  const busy = await makeUser(server);
  for (let index = 0; index < 12; index += 1) await recharge(server, busy, '1');
  const { list, last } = await fetchLatest(quiet.token, { size: 5 });
  expect(list.map(({ type, account }) => [type, account])).toEqual([['user.registered', user]]);
  expect(last).toBeGreaterThan((list[0]?.id ?? 0) + 12);
  expect((await fetchLatest(admin, { size: 3 })).list).toHaveLength(3);
});

test('notifications are deleted after their retention time', async () => {
  await makeUser(server);
  const { last } = await fetchLatest();
  server.clock.move((NOTIFICATION_DAYS * 24 - 1) * 3_600_000);
  await sweep(server.app);
  admin = await login(server);
  expect((await fetchLatest()).list[0]?.id).toBe(last);
  server.clock.move(2 * 3_600_000);
  await sweep(server.app);
  admin = await login(server);
  expect(await fetchLatest()).toEqual({ list: [], last });
});
