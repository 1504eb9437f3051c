import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { FollowDetail, FollowRow, FollowSum } from '@hengtai/contract/trading/follow/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMarket, expectRejection, setUserState } from '../../../../test/book.ts';
import { type TestOperator, findUser, makeOperator } from '../../../../test/factories.ts';
import {
  addSignal,
  followClosed,
  fetchCommands,
  findFollow,
  followSignal,
  fetchFuturesBalances,
  makeFollower,
  followOpened,
} from '../../../../test/follow.ts';
import { positionClosed, openPosition } from '../../../../test/future.ts';
import { fetchAuditRows, fetchRequestEntries, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, send, testServer } from '../../../../test/server.ts';
import { timeOutCommands } from '../../../gateway/publisher.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { platform } from '../../../modules.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let checker: TestOperator;
let signal: SignalRow;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [6] });
  checker = await makeOperator(server, admin, { abilities: [6, 11, 12, 13] });
  signal = await addSignal(server, admin, { endAt: server.clock.now() + 86_400_000 });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});
beforeEach(() => setPolicy(server, 'follow.close', 0));

const row = (no: string, token = admin) => findFollow(server, token, no);
const post = <T = FollowRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', `follow/${path}`, input, { token });
const ack = (id: number, state: string, reason?: string) =>
  platformCall(server, 'POST', 'commands/ack', [{ id, state, ...(reason === undefined ? {} : { reason }) }]);
const closesOf = (id: number) => fetchCommands(server, 'follow.close', id);

/** A follow with 100 USDT by a user of the agent, by default. */
async function follow(below: TestOperator = agent) {
  const account = await makeFollower(server, '1000', { agent: below.account });
  const no = await followSignal(server, account, signal);
  return { account, no, id: (await row(no)).id };
}

describe('follow.opened', () => {
  test('freezes the stake on the futures account', async () => {
    const { account, no, id } = await follow();
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '900', frozen: '100' });
    expect(await row(no)).toMatchObject({
      state: 1,
      amount: '100',
      profit: null,
      auto: 0,
      signalId: signal.id,
      signalTitle: signal.title,
      marketName: 'BTC',
      side: 1,
      agent: agent.account,
      closedAt: null,
      command: null,
    });
    expect(
      (await fetchRequestEntries(server, id, 'follow')).map(({ bucket, type, amount }) => [bucket, type, amount]),
    ).toEqual([
      ['active', 24, '-100'],
      ['frozen', 24, '100'],
    ]);
  });

  test.each([
    ['below the minimum', { amount: '9.99' }, 'below min'],
    ['above the maximum', { amount: '1000.01' }, 'above max'],
    ['beyond the balance', { amount: '1000' }, 'insufficient'],
    ['unknown signal', { signal: 'S999999999' }, 'unknown: signal'],
    ['unknown account', { account: 'nobody-here' }, 'unknown: account'],
    ['zero amount', { amount: '0' }, 'invalid: amount'],
    ['automatic without the consent of the user', { auto: true }, 'trading closed'],
  ])('is rejected: %s', async (_name, other, reason) => {
    const account = await makeFollower(server, '500');
    const event = followOpened(account, signal.no);
    expect(await expectRejection(server, { ...event, data: { ...event.data, ...other } })).toBe(reason);
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '500' });
  });

  test('accepts an automatic follow with the consent of the user', async () => {
    const account = await makeFollower(server);
    await server.query(sql`update users set ai = 1 where account = ${account}`);
    const event = followOpened(account, signal.no, '50', undefined, true);
    await apply(server, event);
    expect((await row(event.data.no)).auto).toBe(1);
  });

  test('is rejected for a frozen user, a user without trading and a repeated number', async () => {
    const { account, no } = await follow();
    expect(await expectRejection(server, followOpened(account, signal.no, '100', no))).toBe('exists');
    await setUserState(server, account, 0);
    expect(await expectRejection(server, followOpened(account, signal.no))).toBe('frozen');
    await setUserState(server, account, 1);
    await server.query(sql`update users set trade = 0 where account = ${account}`);
    expect(await expectRejection(server, followOpened(account, signal.no))).toBe('trading closed');
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '900', frozen: '100' });
  });

  test('is rejected outside the time of the signal, for drafts and ended signals, and in a closed or halted market', async () => {
    const account = await makeFollower(server);
    const now = server.clock.now();
    const tomorrow = await addSignal(server, admin, { startAt: now + 60_000, endAt: now + 120_000 });
    expect(await expectRejection(server, followOpened(account, tomorrow.no))).toBe('closed');
    const draft = await addSignal(server, admin, { state: 0 });
    expect(await expectRejection(server, followOpened(account, draft.no))).toBe('unknown: signal');
    const ended = await addSignal(server, admin);
    await call(server, 'POST', 'signal/change', { id: ended.id, version: 1, state: 2 }, { token: admin });
    expect(await expectRejection(server, followOpened(account, ended.no))).toBe('closed');
    const over = await addSignal(server, admin, { endAt: server.clock.now() + 60_000 });
    server.clock.move(60_000);
    expect(await expectRejection(server, followOpened(account, over.no))).toBe('closed');
    const name = await makeMarket(server);
    await server.query(sql`update market set future = 1, state = 1, max_leverage = 20 where market_name = ${name}`);
    const [market] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
    const inHalted = await addSignal(server, admin, {
      marketId: market?.id ?? 0,
      price: '5',
      takeProfit: '6',
      stopLoss: '4',
    });
    await server.query(sql`update market set future_halted_at = 1 where market_name = ${name}`);
    expect(await expectRejection(server, followOpened(account, inHalted.no))).toBe('halted');
    await server.query(sql`update market set future_halted_at = null, future = 0 where market_name = ${name}`);
    expect(await expectRejection(server, followOpened(account, inHalted.no))).toBe('closed');
  });

  test('is serialized with the end of its signal', async () => {
    const own = await addSignal(server, admin);
    const accounts = await Promise.all(Array.from({ length: 8 }, () => makeFollower(server)));
    const [answers, end] = await Promise.all([
      Promise.all(accounts.map(async (account) => (await send(server, followOpened(account, own.no)))[0]?.result)),
      call(server, 'POST', 'signal/change', { id: own.id, version: 1, state: 2 }, { token: admin }),
    ]);
    expect(end.code).toBe(200);
    const { data } = await call<SignalRow>(server, 'GET', 'signal/detail', { id: own.id }, { token: admin });
    expect(data).toMatchObject({ state: 2, openCount: answers.filter((result) => result === 'applied').length });
    expect(await expectRejection(server, followOpened(accounts[0] ?? '', own.no))).toBe('closed');
  });
});

describe('follow.closed', () => {
  test.each([
    ['12.345678901234567891', { active: '1012.345678901234567891' }, '12.345678901234567891'],
    ['0', { active: '1000' }, '0'],
    ['-0', { active: '1000' }, '0'],
    ['-30.5', { active: '969.5' }, '-30.5'],
    ['-100', { active: '900' }, '-100'],
  ])('returns the stake with a profit of %s', async (profit, has, shown) => {
    const { account, no, id } = await follow();
    expect(await expectRejection(server, followClosed(no, '0.1234567890123456789'))).toBe('invalid: profit');
    await apply(server, followClosed(no, profit));
    expect(await fetchFuturesBalances(server, account)).toEqual(has);
    expect(await row(no)).toMatchObject({ state: 2, profit: shown, closedAt: expect.any(Number) });
    const [hold] = await server.query(sql<{ left: string }>`
      select amount - released as left from hold where ref_type = 'follow' and ref_id = ${id}`);
    expect(hold?.left).toBe('0');
    const moves = await fetchRequestEntries(server, id, 'follow');
    expect(new Set(moves.map(({ type }) => type))).toEqual(new Set([24]));
  });

  test('is exact to 18 decimals and leaves nothing frozen', async () => {
    const own = await addSignal(server, admin, { maxAmount: '1000000' });
    const account = await makeFollower(server, '100000.000000000000000004');
    const no = await followSignal(server, account, own, '100000.000000000000000004');
    await apply(server, followClosed(no, '-1'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '99999.000000000000000004' });
  });

  test('never releases the hold of a position of the same account', async () => {
    const own = await addSignal(server, admin, { maxAmount: '1000000' });
    const account = await makeFollower(server, '1010.999999999999999999');
    const no = await followSignal(server, account, own, '1000.999999999999999999');
    const position = await openPosition(server, account, { margin: '10' });
    await apply(server, followClosed(no, '-1'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '999.999999999999999999', frozen: '10' });
    await apply(server, positionClosed(position, '10'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '1009.999999999999999999' });
  });

  test('never loses more than the stake, and is applied once', async () => {
    const { account, no } = await follow();
    expect(await expectRejection(server, followClosed(no, '-100.000000000000000001'))).toBe('beyond the stake');
    expect(await expectRejection(server, followClosed('nobody', '1'))).toBe('unknown: no');
    await apply(server, followClosed(no, '-100'));
    expect(await expectRejection(server, followClosed(no, '500'))).toBe('state');
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '900' });
  });

  test('is applied once with ten concurrent events', async () => {
    const { account, no } = await follow();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await send(server, followClosed(no, '7')))[0]),
    );
    expect(answers.filter((answer) => answer?.result === 'applied')).toHaveLength(1);
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '1007' });
  });

  test('is applied after the signal has ended', async () => {
    const own = await addSignal(server, admin);
    const account = await makeFollower(server);
    const no = await followSignal(server, account, own);
    await call(server, 'POST', 'signal/change', { id: own.id, version: 1, state: 2 }, { token: admin });
    await apply(server, followClosed(no, '3'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '1003' });
  });
});

describe('follow/close', () => {
  test('sends a close command; the event of the platform releases the stake', async () => {
    const { account, no, id } = await follow();
    const { code, data } = await post('close', { id, reason: '用户申请' }, agent.token);
    expect(code).toBe(200);
    expect(data).toMatchObject({ state: 3, by: agent.account, reason: '用户申请', command: 0 });
    expect(await closesOf(id)).toMatchObject([{ state: 0, data: { no } }]);
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '900', frozen: '100' });
    await apply(server, followClosed(no, '-5'));
    expect(await row(no)).toMatchObject({ state: 2, profit: '-5', command: 2 });
    expect(await fetchAuditRows(server, { targetType: 'follow', targetId: id })).toMatchObject([
      { action: 'follow.close', result: 200, before: { state: 1 }, after: { state: 3 }, reason: '用户申请' },
    ]);
    const notifications = await server.query(sql<{ type: string }>`
      select type from notice where ref_type = 'follow' and ref_id = ${id} order by id`);
    expect(notifications.map(({ type }) => type)).toEqual(['follow.closing', 'follow.closed']);
    const detail = await call<FollowDetail>(server, 'GET', 'follow/detail', { id }, { token: agent.token });
    expect(detail.data).toMatchObject({
      row: { id },
      signal: { id: signal.id },
      commands: [{ state: 2 }],
      second: false,
    });
    expect(detail.data.entries).toHaveLength(5);
  });

  test('a failed close restores the follow', async () => {
    const { no, id } = await follow();
    await post('close', { id });
    const [command] = await closesOf(id);
    await ack(command?.id ?? 0, 'failed', '撮合维护中');
    expect(await row(no)).toMatchObject({ state: 1, command: 3 });
    expect((await post('close', { id })).code).toBe(200);
    // A repeated ack of the first command does not fail the second.
    await ack(command?.id ?? 0, 'failed');
    expect((await row(no)).state).toBe(3);
  });

  test('the ack of the command changes neither follow nor balance', async () => {
    const { account, no, id } = await follow();
    await post('close', { id });
    const [command] = await closesOf(id);
    await ack(command?.id ?? 0, 'done');
    expect(await row(no)).toMatchObject({ state: 3, command: 2 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '900', frozen: '100' });
  });

  test('is refused while a close is in progress, and allowed again after it timed out', async () => {
    const { no, id } = await follow();
    await post('close', { id });
    expect(await post('close', { id })).toMatchObject({ code: 409, data: { state: 3, by: 'admin' } });
    await platformCall(server, 'GET', 'commands?limit=500');
    server.clock.move(61_000);
    await timeOutCommands(server.app, platform.answers);
    expect(await row(no)).toMatchObject({ state: 3, command: 4 });
    expect((await post('close', { id })).data).toMatchObject({ state: 3, command: 0 });
    await apply(server, followClosed(no, '1'));
    expect((await closesOf(id)).map(({ state }) => state)).toEqual([2, 2]);
  });

  test('ten concurrent calls send one command', async () => {
    const { id } = await follow();
    const codes = (await Promise.all(Array.from({ length: 10 }, () => post('close', { id })))).map(({ code }) => code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(await closesOf(id)).toHaveLength(1);
  });

  test('races follow.closed: the follow ends once, with the right balance', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { account, no, id } = await follow();
      const [close] = await Promise.all([post('close', { id }), apply(server, followClosed(no, '2'))]);
      expect([200, 409]).toContain(close.code);
      expect(await row(no)).toMatchObject({ state: 2, command: close.code === 200 ? 2 : null });
      expect(await fetchFuturesBalances(server, account)).toEqual({ active: '1002' });
    }
  });

  test('requires a checker if the policy says so', async () => {
    await setPolicy(server, 'follow.close', 2, '99');
    const { no, id } = await follow();
    const request = await post<ApprovalRow>('close', { id, reason: '风险控制' }, agent.token);
    expect(request.code).toBe(202);
    const approval = { id: request.data.id };
    const shown = await call<ApprovalDetail>(server, 'GET', 'approval/detail', approval, { token: checker.token });
    expect(shown.data.problem).toBeNull();
    expect(shown.data.now).toContainEqual({ label: '跟单金额', text: '100', kind: 'amount', unit: 'USDT' });
    expect((await call(server, 'POST', 'approval/pass', approval, { token: checker.token })).code).toBe(200);
    expect(await row(no)).toMatchObject({ state: 3, by: agent.account });
  });

  test('the bulk call closes each follow that it can and returns a code for each', async () => {
    const [one, done, foreign] = [await follow(), await follow(), await follow(checker)];
    await apply(server, followClosed(done.no));
    const ids = [one.id, done.id, foreign.id];
    const { data } = await post<BulkResult>('close/many', { ids, reason: '市场维护' }, agent.token);
    expect(data.results.map(({ code }) => code)).toEqual([200, 409, 404]);
    expect((await row(foreign.no)).state).toBe(1);
  });
});

test('the list sums stakes and profits', async () => {
  const account = await makeFollower(server);
  const [one, two] = [
    await followSignal(server, account, signal, '100'),
    await followSignal(server, account, signal, '50'),
  ];
  await apply(server, followClosed(one, '-12.5'));
  const { data } = await call<Page<FollowRow, FollowSum>>(server, 'GET', 'follow/list', { account }, { token: admin });
  expect(data.total).toBe(2);
  expect(data.summary).toEqual([{ marketId: 1, marketName: 'USDT', count: 2, amount: '150', profit: '-12.5' }]);
  const { id } = await findUser(server, admin, account);
  const refused = await call(server, 'POST', 'user/del', { id }, { token: admin });
  expect(JSON.stringify(refused.data)).toContain(`跟单 ${two}`);
});
