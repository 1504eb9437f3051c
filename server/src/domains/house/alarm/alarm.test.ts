import { ABILITY } from '@hengtai/contract/authority/ability';
import { alarmText } from '@hengtai/contract/house/alarm/calls';
import { ALARM } from '@hengtai/contract/house/alarm/facts';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Counts, NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { onTron } from '../../../../test/address.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import { type OpenStream, openStream } from '../../../../test/stream.ts';
import { inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from './alarm.store.ts';
import { watchHolds } from './holds.jobs.ts';

const server = provideServer();
let url: string;
let admin: string;
const openStreams: OpenStream[] = [];

beforeAll(async () => {
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  admin = await login(server);
  await setPolicy(server, 'withdraw.refund', 0);
});
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.abort();
});

const operator = (abilities: number[], parent?: string): Promise<TestOperator> =>
  makeOperator(server, admin, { abilities, ...(parent !== undefined && { parent }) });
const list = async (token: string, input: object = {}): Promise<AlarmRow[]> =>
  (await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { state: 0, ...input }, { token })).data.list;
const counts = async (token: string): Promise<Counts> =>
  (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data;
const close = (token: string, id: number, reason?: string) =>
  call<AlarmRow>(server, 'POST', 'alarm/close', { id, ...(reason !== undefined && { reason }) }, { token });

async function listen(token: string): Promise<OpenStream> {
  const stream = await openStream(url, token);
  openStreams.push(stream);
  return stream;
}

/** A withdrawal that was refunded and then reported as paid. */
async function paidAfterRefund(agent: string): Promise<{ alarm: AlarmRow; withdrawId: number; account: string }> {
  const account = await makeUser(server, { agent, amount: '150' });
  const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '1' });
  await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  await call(server, 'POST', 'withdraw/refund', { id: row.id, reason: 'because' }, { token: admin });
  await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xlate' } });
  const [alarm] = await list(admin, { account });
  if (!alarm) throw new Error('no alarm');
  return { alarm, withdrawId: row.id, account };
}

/** A credited recharge that was reversed after its user had spent some of it. */
async function reversedAfterSpending(agent: string): Promise<{ alarm: AlarmRow; account: string }> {
  const account = await makeUser(server, { agent });
  const no = unique('R');
  const data = { no, account, market: 'USDT', ...onTron('any'), txHash: '0xgone', amount: '50' };
  await apply(server, { type: 'recharge.credited', data: { ...data, confirmations: 9, source: 1 } });
  const input = { userId: 0, marketId: 1, platform: 1, amount: '20', state: 0, reason: 'spent' };
  const users = await call<Page<{ id: number }>>(server, 'GET', 'user/list', { account }, { token: admin });
  const spent = await call(
    server,
    'POST',
    'asset/active/sub',
    { ...input, userId: users.data.list[0]?.id },
    { token: admin },
  );
  expect(spent.code).toBe(200);
  await apply(server, { type: 'recharge.reversed', data: { no } });
  const [alarm] = await list(admin, { account });
  if (!alarm) throw new Error('no alarm');
  return { alarm, account };
}

test('shows what happened, the record, the amount, the transaction and what to do next', async () => {
  const own = await operator([ABILITY.withdraw]);
  const { alarm, withdrawId, account } = await paidAfterRefund(own.account);
  const { data } = await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id: alarm.id }, { token: own.token });
  expect(data).toMatchObject({ kind: 'withdraw.paidAfterRefund', state: ALARM.open, agent: own.account, account });
  expect(data).toMatchObject({ targetType: 'withdraw', targetId: withdrawId, txHash: '0xlate' });
  expect(data).toMatchObject({ amount: '99', marketName: 'USDT', by: null, closedAt: null });
  expect(data).toMatchObject(alarmText('withdraw.paidAfterRefund'));
  const reversal = await reversedAfterSpending(own.account);
  expect(reversal.alarm).toMatchObject({ targetType: 'recharge', amount: '20', marketName: 'USDT', txHash: '0xgone' });
});

test('closing requires a reason, is audited, and updates the counts of all operators at once', async () => {
  const own = await operator([ABILITY.withdraw]);
  const below = await operator([ABILITY.withdraw], own.account);
  const { alarm } = await paidAfterRefund(below.account);
  const streams = [await listen(own.token), await listen(below.token), await listen(admin)];
  for (const stream of streams) await stream.until(() => (stream.counts()?.alarmOpen ?? 0) > 0);
  const before = streams.map((stream) => stream.counts()?.alarmOpen ?? 0);
  expect((await close(below.token, alarm.id)).code).toBe(422);
  expect((await close(below.token, alarm.id, ' ')).code).toBe(422);
  const closed = await close(below.token, alarm.id, ' 已向用户追回 ');
  expect(closed.data).toMatchObject({ state: ALARM.closed, by: below.account, reason: '已向用户追回' });
  for (const [index, stream] of streams.entries()) {
    await stream.until(() => stream.counts()?.alarmOpen === (before[index] ?? 0) - 1);
  }
  expect(await fetchAuditRows(server, { targetType: 'alarm', targetId: alarm.id })).toMatchObject([
    {
      action: 'alarm.close',
      operator: below.account,
      result: 200,
      reason: '已向用户追回',
      before: { state: ALARM.open },
      after: { state: ALARM.closed, reason: '已向用户追回' },
    },
  ]);
  // A job numbers the notification, later than the counts.
  await expect
    .poll(async () => {
      const { data } = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: own.token });
      return data.list[0];
    })
    .toMatchObject({ type: 'alarm.closed', refType: 'alarm', refId: alarm.id });
  expect(await list(own.token, { id: alarm.id })).toEqual([]);
  expect(await list(own.token, { id: alarm.id, state: 1 })).toHaveLength(1);
});

test('one of two parallel closes wins, and the other is refused with the name of the winner', async () => {
  const own = await operator([ABILITY.withdraw]);
  const { alarm } = await paidAfterRefund(own.account);
  const answers = await Promise.all([close(own.token, alarm.id, 'one'), close(admin, alarm.id, 'two')]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const winner = answers.find(({ code }) => code === 200)?.data;
  expect(answers.find(({ code }) => code === 409)?.data).toMatchObject({ state: ALARM.closed, by: winner?.by });
});

test('requires the ability of its record to close and to count an alarm', async () => {
  const parent = await operator([]);
  const money = await operator([ABILITY.assets], parent.account);
  const payouts = await operator([ABILITY.withdraw], money.account);
  const { alarm: paid } = await paidAfterRefund(payouts.account);
  const { alarm: reversed } = await reversedAfterSpending(payouts.account);
  expect(await counts(parent.token)).toEqual({});
  expect((await counts(money.token)).alarmOpen).toBe(1);
  expect((await counts(payouts.token)).alarmOpen).toBe(1);
  // Operators above see both.
  for (const { token } of [parent, money]) expect(await list(token)).toHaveLength(2);
  expect((await close(money.token, paid.id, 'no')).code).toBe(403);
  expect((await close(payouts.token, reversed.id, 'no')).code).toBe(403);
  expect((await close(money.token, reversed.id, 'yes')).code).toBe(200);
  expect((await close(payouts.token, paid.id, 'yes')).code).toBe(200);
  expect([await counts(money.token), await counts(payouts.token)]).toMatchObject([{ alarmOpen: 0 }, { alarmOpen: 0 }]);
  const stranger = await operator([ABILITY.withdraw]);
  expect((await close(stranger.token, paid.id, 'no')).code).toBe(404);
});

test('the hourly check of holds raises an alarm, which an operator with the assets ability closes', async () => {
  const own = await operator([ABILITY.assets]);
  const account = await makeUser(server, { agent: own.account, amount: '150' });
  const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '1' });
  await server.query(sql`update hold set released = 0.5 where ref_type = 'withdraw' and ref_id = ${row.id}`);
  await sql`update job_lease set until = 0 where name = 'holds'`.execute(server.owner);
  await watchHolds(server.app);
  const [alarm] = await list(own.token, { account });
  expect(alarm).toMatchObject({ kind: 'holds.differ', targetType: 'withdraw', targetId: row.id, agent: own.account });
  expect(alarm).toMatchObject({ amount: '-0.5', marketName: 'USDT', account });
  const { data } = await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id: alarm?.id }, { token: own.token });
  expect(data).toMatchObject({ ...alarmText('holds.differ'), detail: { frozen: '100', platform: 1, no: row.no } });
  expect((await counts(own.token)).alarmOpen).toBe(1);
  await server.query(sql`update hold set released = 0 where ref_type = 'withdraw' and ref_id = ${row.id}`);
  expect((await close(own.token, alarm?.id ?? 0, '已更正')).code).toBe(200);
  expect((await counts(own.token)).alarmOpen).toBe(0);
});

/** Raises the alarm of a cause about the root agent once more. */
const raise = (agentId: number, cause: string, number: number): Promise<number> =>
  inTransaction(server.app.system, (db) =>
    raiseAlarm(db, {
      kind: 'event.conflict',
      refType: 'installation',
      refId: 1,
      agentId,
      cause,
      detail: { eventId: 'first' },
      occurrence: { key: `key ${number}`, detail: { eventId: `number ${number}` } },
      now: server.clock.now(),
    }),
  );
const detailOf = async (token: string, id: number): Promise<AlarmDetail> =>
  (await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id }, { token })).data;

test('of a cause one alarm is open, which keeps each occurrence once and notifies once', async () => {
  const own = await operator([ABILITY.platform]);
  const cause = unique('cause');
  const ids = await Promise.all(Array.from({ length: 12 }, (_, number) => raise(own.id, cause, number % 4)));
  const [id = 0] = ids;
  expect(new Set(ids).size).toBe(1);
  const { occurrences, ...alarm } = await detailOf(own.token, id);
  expect(alarm).toMatchObject({ state: ALARM.open, detail: { eventId: 'first' } });
  expect(occurrences.total).toBe(4);
  const kept = new Set(occurrences.list.map(({ detail }) => detail.eventId));
  expect(kept).toEqual(new Set([0, 1, 2, 3].map((n) => `number ${n}`)));
  const notices = await server.query(sql`select id from notice where type = 'alarm.raised' and ref_id = ${id}`);
  expect(notices).toHaveLength(1);
  expect(await raise(own.id, unique('cause'), 0)).not.toBe(id);
  const stranger = await operator([ABILITY.platform]);
  expect((await call(server, 'GET', 'alarm/detail', { id }, { token: stranger.token })).code).toBe(404);
});

test('a cause whose alarm was closed raises another one', async () => {
  const own = await operator([ABILITY.platform]);
  const cause = unique('cause');
  const first = await raise(own.id, cause, 1);
  expect((await close(own.token, first, '已核实')).code).toBe(200);
  const second = await raise(own.id, cause, 1);
  expect(second).not.toBe(first);
  expect((await detailOf(own.token, first)).occurrences.total).toBe(1);
  expect((await detailOf(own.token, second)).occurrences.total).toBe(1);
});

test('the details show the latest hundred occurrences and how many there are', async () => {
  const own = await operator([ABILITY.platform]);
  const cause = unique('cause');
  let id = 0;
  for (let number = 1; number <= 101; number += 1) id = await raise(own.id, cause, number);
  const { occurrences } = await detailOf(own.token, id);
  expect(occurrences.total).toBe(101);
  expect(occurrences.list).toHaveLength(100);
  expect(occurrences.list[0]?.detail).toEqual({ eventId: 'number 101' });
  expect(occurrences.list.at(-1)?.detail).toEqual({ eventId: 'number 2' });
});
