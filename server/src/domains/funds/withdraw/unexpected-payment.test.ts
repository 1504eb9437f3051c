import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { UNEXPLAINED, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { ALARM } from '@hengtai/contract/house/alarm/facts';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchBalances } from '../../../../test/book.ts';
import { finishAll, lease, pull } from '../../../../test/commands.ts';
import { type TestOperator, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, fetchPayouts, setPolicy, waitUntilBlocked } from '../../../../test/inspect.ts';
import {
  type TestServer,
  apply,
  call,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { causeOf } from './payout-statement.store.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { findHoldDiscrepancies } from '../../../books/ledger/hold-check.ts';

let server: TestServer;
let admin: string;
let checker: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  checker = await makeOperator(server, admin, { abilities: [3, 11, 13] });
});
beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 0);
  await setPolicy(server, 'withdraw.refund', 0);
  await setPolicy(server, 'withdraw.resolve', 0);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  expect(await findHoldDiscrepancies(server.owner)).toEqual([]);
  await server.stop();
});

const act = <T = WithdrawRow>(action: string, input: object) =>
  call<T>(server, 'POST', `withdraw/${action}`, input, { token: admin });
const mustAct = async (action: string, input: object): Promise<void> => {
  const { code, msg } = await act(action, input);
  if (code !== 200) throw new Error(`withdraw/${action}: ${code} ${msg}`);
};
const say = (event: string, no: string, more: object = {}) =>
  send(server, { type: `withdraw.${event}`, data: { no, ...more } });
const find = ({ no }: WithdrawRow): Promise<WithdrawRow> => findWithdraw(server, admin, no);
const alarmsOf = async ({ id }: WithdrawRow): Promise<AlarmRow[]> => {
  const { data } = await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { targetId: id }, { token: admin });
  return data.list.filter(({ targetType }) => targetType === 'withdraw');
};
const alarmDetail = async (id = 0): Promise<AlarmDetail> =>
  (await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id }, { token: admin })).data;
const openAlarm = async (row: WithdrawRow): Promise<AlarmRow | undefined> =>
  (await alarmsOf(row)).find(({ state }) => state === ALARM.open);

/** A withdrawal of 100 with a fee of 1, out of 150. */
async function requested(): Promise<WithdrawRow> {
  return makeWithdraw(server, admin, await makeUser(server, { amount: '150' }), { amount: '100', fee: '1' });
}

/** A withdrawal whose payout failed. */
async function failed(): Promise<WithdrawRow> {
  const row = await requested();
  await mustAct('pass', { id: row.id });
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  return find(row);
}

/** A withdrawal whose first payout failed and whose second one is ordered. */
async function retried({ isHandedOver }: { isHandedOver: boolean }): Promise<WithdrawRow> {
  const row = await requested();
  await mustAct('pass', { id: row.id });
  await pull(server);
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  // A lease waits for the earlier commands of a record.
  await finishAll(server);
  await mustAct('retry', { id: row.id });
  if (isHandedOver) await pull(server);
  return find(row);
}

/** A withdrawal in review that the wallet reported as paid. */
async function unexplained(state: 0 | 1 = 0): Promise<WithdrawRow> {
  const row = await requested();
  if (state === 1) {
    await setPolicy(server, 'withdraw.pass', 2);
    expect((await act('pass', { id: row.id })).code).toBe(202);
  }
  expect(await say('paid', row.no, { txHash: '0xpaid' })).toMatchObject([{ result: 'rejected', reason: 'state' }]);
  return find(row);
}

describe('a late statement about the first payout', () => {
  test('paid, then paid of the second: both hashes are known, and an alarm names them', async () => {
    const row = await retried({ isHandedOver: true });
    const before = await fetchBalances(server, row.account);
    expect(await say('paid', row.no, { attempt: 1, txHash: '0xfirst' })).toMatchObject([{ result: 'applied' }]);
    expect(await find(row)).toMatchObject({ state: WITHDRAW.paid, txHash: '0xfirst' });
    // The platform has the second command, so the alarm comes before it can be paid.
    const alarm = await openAlarm(row);
    expect(alarm).toMatchObject({ kind: 'withdraw.unexpected', amount: '99', marketName: 'USDT' });
    expect(await say('paid', row.no, { attempt: 2, txHash: '0xsecond' })).toMatchObject([{ reason: 'state' }]);
    const { occurrences, detail } = await alarmDetail(alarm?.id);
    expect(detail).toMatchObject({ recorded: '0xfirst' });
    expect(occurrences.list.map((one) => one.detail)).toEqual([
      { attempt: 2, txHash: '0xsecond' },
      { attempt: 2, command: '已交给钱包' },
    ]);
    expect(await alarmsOf(row)).toHaveLength(1);
    // The money left once, in the books.
    expect(before).toEqual({ 'USDT 1 active': '50', 'USDT 1 frozen': '100' });
    expect(await fetchBalances(server, row.account)).toEqual({ 'USDT 1 active': '50' });
  });

  test('paid, while nobody has the second command: it is withdrawn and never delivered', async () => {
    const row = await retried({ isHandedOver: false });
    // Without an attempt the one that was handed over is meant.
    expect(await say('paid', row.no, { txHash: '0xfirst' })).toMatchObject([{ result: 'applied' }]);
    expect(await find(row)).toMatchObject({ state: WITHDRAW.paid, txHash: '0xfirst', attempt: 2 });
    expect(await alarmsOf(row)).toEqual([]);
    const payouts = await server.query<{ state: number; reason: string }>(sql`
      select state, reason from command where type = 'withdraw.payout' and ref_id = ${row.id} order by id`);
    expect(payouts.at(-1)).toEqual({ state: 3, reason: '前一次打款已到账' });
    expect((await pull(server)).filter(({ type, data }) => type === 'withdraw.payout' && data.no === row.no)).toEqual(
      [],
    );
  });

  test('paid, while a lease holds the second command: it may be paid as well, so it raises an alarm', async () => {
    const row = await retried({ isHandedOver: false });
    await lease(server);
    await say('paid', row.no, { attempt: 1, txHash: '0xfirst' });
    expect(await openAlarm(row)).toMatchObject({ kind: 'withdraw.unexpected' });
  });

  test.each(['failed', 'unknown', 'paying'])('%s changes nothing and is kept', async (event) => {
    for (const [isHandedOver, attempt] of [
      [true, { attempt: 1 }],
      [false, {}],
    ] as const) {
      const row = await retried({ isHandedOver });
      expect(await say(event, row.no, attempt)).toMatchObject([{ result: 'applied' }]);
      expect(await find(row)).toEqual(row);
      const { data } = await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id: row.id }, { token: admin });
      expect(data.statements).toMatchObject([{ type: event, attempt: 1, effect: 'none' }]);
      expect(await fetchPayouts(server, row.id)).toHaveLength(2);
    }
  });

  test('an attempt that was never ordered is a fault of its field', async () => {
    const row = await retried({ isHandedOver: true });
    expect(await say('failed', row.no, { attempt: 3 })).toMatchObject([
      { reason: 'invalid: attempt', detail: '/0/data/attempt: an attempt that was ordered, at most 2, expected' },
    ]);
    expect(await find(row)).toEqual(row);
  });
});

test('a payment keeps what the wallet says about it', async () => {
  const row = await requested();
  await mustAct('pass', { id: row.id });
  const more = { txHash: '0xone', index: 3, chainFee: '0.0021', feeMarket: 'USDT' };
  await apply(server, { type: 'withdraw.paid', data: { no: row.no, attempt: 1, ...more } });
  const { data } = await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id: row.id }, { token: admin });
  expect(data.statements).toMatchObject([{ type: 'paid', attempt: 1, effect: 'applied', ...more }]);
});

describe('a payment that nobody expected', () => {
  test('raises one alarm, however often it is reported', async () => {
    const row = await requested();
    const paid = { type: 'withdraw.paid', data: { no: row.no, txHash: '0xsame' } };
    const calls = Array.from({ length: 10 }, () => send(server, ...Array.from({ length: 10 }, () => paid)));
    const answers = (await Promise.all(calls)).flat();
    expect(answers.map(({ reason }) => reason)).toEqual(Array.from({ length: 100 }, () => 'state'));
    const [alarm, ...others] = await alarmsOf(row);
    expect(others).toEqual([]);
    expect((await alarmDetail(alarm?.id)).occurrences.total).toBe(1);
    // Closing it explains the payment: the same statement is no news.
    await call(server, 'POST', 'alarm/close', { id: alarm?.id, reason: '没有打款' }, { token: admin });
    await send(server, paid);
    expect(await openAlarm(row)).toBeUndefined();
    expect((await act('pass', { id: row.id })).code).toBe(200);
  });

  test('holds every decision about the withdrawal, until its alarm is closed', async () => {
    const row = await unexplained();
    expect(row.unexplained).toBe(true);
    for (const action of ['pass', 'reject'])
      expect(await act(action, { id: row.id, reason: 'because' })).toMatchObject({ code: 409, msg: UNEXPLAINED });
    for (const action of ['pass/many', 'reject/many']) {
      const { data } = await act<BulkResult>(action, { ids: [row.id], reason: 'because' });
      expect(data.results).toMatchObject([{ code: 409, msg: UNEXPLAINED }]);
    }
    expect(await say('cancelled', row.no)).toMatchObject([{ reason: 'state' }]);
    expect(await find(row)).toMatchObject({ state: WITHDRAW.review });
    const { data: detail } = await call<WithdrawDetail>(
      server,
      'GET',
      'withdraw/detail',
      { id: row.id },
      { token: admin },
    );
    expect(detail.statements).toMatchObject([{ type: 'paid', attempt: 0, txHash: '0xpaid', effect: 'unexpected' }]);
    await call(server, 'POST', 'alarm/close', { id: (await openAlarm(row))?.id, reason: '没有打款' }, { token: admin });
    expect(await say('cancelled', row.no)).toMatchObject([{ result: 'applied' }]);
  });

  test('holds retry and refund, if the wallet names an attempt that was never ordered', async () => {
    const row = await failed();
    await say('paid', row.no, { attempt: 2, txHash: '0xnever' });
    for (const action of ['retry', 'refund'])
      expect(await act(action, { id: row.id, reason: 'because' })).toMatchObject({ code: 409, msg: UNEXPLAINED });
  });

  test.each([0, 1] as const)('in state %i is resolved as paid with its hash', async (state) => {
    const row = await unexplained(state);
    expect(await act('resolve', { id: row.id, paid: true, reason: 'seen' })).toMatchObject({ code: 422 });
    expect(await act('resolve', { id: row.id, paid: true, txHash: '0xpaid', reason: 'seen' })).toMatchObject({
      code: 200,
      data: { state: WITHDRAW.paid, txHash: '0xpaid', attempt: 0, unexplained: false },
    });
    expect(await fetchBalances(server, row.account)).toEqual({ 'USDT 1 active': '50' });
    expect(await alarmsOf(row)).toMatchObject([{ state: ALARM.closed, by: 'admin', reason: 'seen' }]);
    const approvals = await server.query(sql`select state from approval where target_id = ${row.id}
      and target_type = 'withdraw'`);
    expect(approvals).toEqual(state === 1 ? [{ state: 3 }] : []);
  });

  test.each([0, 1] as const)('in state %i is resolved as not paid, which leaves the withdrawal', async (state) => {
    const row = await unexplained(state);
    expect(await act('resolve', { id: row.id, paid: false, reason: 'not on the chain' })).toMatchObject({
      code: 200,
      data: { state, unexplained: false },
    });
    expect(await alarmsOf(row)).toMatchObject([{ state: ALARM.closed, reason: 'not on the chain' }]);
    expect(await fetchBalances(server, row.account)).toEqual({ 'USDT 1 active': '50', 'USDT 1 frozen': '100' });
    expect(await act('resolve', { id: row.id, paid: false, reason: 'again' })).toMatchObject({ code: 409 });
    expect(await act('reject', { id: row.id, reason: 'no' })).toMatchObject({ code: 200 });
  });

  test('stays open for the other hash, if one of two is resolved as paid', async () => {
    const row = await unexplained();
    await say('paid', row.no, { txHash: '0xother' });
    const { occurrences } = await alarmDetail((await openAlarm(row))?.id);
    expect(occurrences.list.map(({ detail }) => detail['txHash'])).toEqual(['0xother', '0xpaid']);
    await mustAct('resolve', { id: row.id, paid: true, txHash: '0xother', reason: 'seen' });
    expect(await openAlarm(row)).toBeDefined();
  });

  test('follows the policy of resolving, alone and in bulk', async () => {
    await setPolicy(server, 'withdraw.resolve', 2);
    const rows = [await unexplained(), await unexplained()];
    const [one, other] = rows as [WithdrawRow, WithdrawRow];
    const outcome = { paid: true, txHash: '0xpaid', reason: 'seen' };
    const { data: approval, code } = await act<ApprovalRow>('resolve', { id: one.id, ...outcome });
    expect(code).toBe(202);
    const { data } = await act<BulkResult>('resolve/many', { ids: [other.id], ...outcome });
    expect(data.results).toMatchObject([{ code: 202 }]);
    expect(await find(one)).toMatchObject({ state: WITHDRAW.review, unexplained: true });
    const passed = await call(server, 'POST', 'approval/pass', { id: approval.id }, { token: checker.token });
    expect(passed.code).toBe(200);
    expect(await find(one)).toMatchObject({ state: WITHDRAW.paid, by: 'admin', secondBy: checker.account });
    await setPolicy(server, 'withdraw.resolve', 0);
    const third = await unexplained();
    const many = await act<BulkResult>('resolve/many', { ids: [third.id], ...outcome });
    expect(many.data.results).toMatchObject([{ code: 200 }]);
    expect(await fetchAuditRows(server, { targetType: 'withdraw', targetId: third.id })).toMatchObject([
      { action: 'withdraw.resolve', before: { state: 0 }, after: { state: 4, txHash: '0xpaid' } },
    ]);
  });

  test.each([
    ['pass', requested],
    ['reject', requested],
    ['retry', failed],
    ['refund', failed],
  ])('%s sees one that is reported while it waits for the withdrawal', async (action, make) => {
    const row = await make();
    const { answer } = await inTransaction(server.owner, async (db) => {
      await sql`select 1 from withdraw where id = ${row.id} for update`.execute(db);
      const waiting = act(action, { id: row.id, reason: 'because' });
      await waitUntilBlocked(server);
      const about = { refType: 'withdraw', refId: row.id, agentId: 1, userId: row.userId };
      await raiseAlarm(db, { ...causeOf(row.id), ...about, detail: {}, now: server.clock.now() });
      return { answer: waiting };
    });
    expect(await answer).toMatchObject({ code: 409, msg: UNEXPLAINED });
    const { state, attempt } = row;
    expect(await find(row)).toMatchObject({ state, attempt });
  });

  test('of an unknown number is an occurrence of one alarm of the platform, and stops nothing', async () => {
    const numbers = [unique('none'), unique('none')];
    for (const no of numbers)
      expect(await say('paid', no, { txHash: '0xlost' })).toMatchObject([{ reason: 'unknown: no' }]);
    await say('paid', numbers[0] ?? '', { txHash: '0xlost' });
    const openAlarms = async (): Promise<AlarmRow[]> => {
      const filter = { kind: 'withdraw.unexpected', state: 0, size: 100 };
      const { data } = await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', filter, { token: admin });
      return data.list.filter(({ targetType }) => targetType === 'installation');
    };
    const [alarm, ...others] = await openAlarms();
    expect(others).toEqual([]);
    const { occurrences } = await alarmDetail(alarm?.id);
    expect(occurrences.list.map(({ detail }) => detail)).toEqual(
      numbers.toReversed().map((no) => ({ no, attempt: 0, txHash: '0xlost' })),
    );
    // Closing it explains the payments: the same statement is no news, another one is.
    await call(server, 'POST', 'alarm/close', { id: alarm?.id, reason: '没有打款' }, { token: admin });
    await say('paid', numbers[0] ?? '', { txHash: '0xlost' });
    expect(await openAlarms()).toEqual([]);
    await say('paid', numbers[0] ?? '', { txHash: '0xmore' });
    expect(await openAlarms()).toHaveLength(1);
  });

  test.each(['events?dryRun=1', 'events'])('holds what follows in the same call (%s)', async (path) => {
    const row = await requested();
    const events = [
      { type: 'withdraw.paid', data: { no: row.no, txHash: '0x' } },
      { type: 'withdraw.cancelled', data: { no: row.no } },
    ].map((event) => ({ ...event, eventId: unique('event'), at: server.clock.now() }));
    const { data } = await platformCall<EventAnswer[]>(server, 'POST', path, events);
    expect(data.map(({ reason }) => reason)).toEqual(['state', 'state']);
  });

  test('of a dry run is not kept', async () => {
    const row = await requested();
    const event = {
      eventId: unique('event'),
      type: 'withdraw.paid',
      at: server.clock.now(),
      data: { no: row.no, txHash: '0x' },
    };
    expect((await platformCall(server, 'POST', 'events?dryRun=1', [event])).code).toBe(200);
    expect(await find(row)).toMatchObject({ unexplained: false });
    expect(await alarmsOf(row)).toEqual([]);
  });
});
