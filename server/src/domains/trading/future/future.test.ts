import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type {
  FutureCloseRow,
  FutureCloseSum,
  FutureDetail,
  FutureEndedSum,
  FutureRow,
  FutureSum,
} from '@hengtai/contract/trading/future/schema';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator } from '../../../../test/factories.ts';
import {
  type PositionInput,
  positionCancelled,
  positionClosed,
  findPosition,
  fundingPaid,
  makeFuturesMarket,
  fetchFuturesBalances,
  positionLiquidated,
  makeFuturesUser,
  openPosition,
  positionOpened,
  placePosition,
  fetchPositionCommands,
  fetchPositionDetail,
  sendTick,
} from '../../../../test/future.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, fetchData, login, platformCall, testServer } from '../../../../test/server.ts';
import { expireOverdue } from '../../desk/approval/approval.service.ts';
import { timeOutCommands } from '../../../gateway/publisher.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { approvableActions, platform } from '../../../modules.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let checker: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [6] });
  checker = await makeOperator(server, admin, { abilities: [6, 11, 12, 13] });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});
beforeEach(async () => {
  await setPolicy(server, 'future.cancel', 0);
  await setPolicy(server, 'future.close', 0);
});

const row = (no: string, token = admin) => findPosition(server, token, no);
const post = <T = FutureRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', `future/order/${path}`, input, { token });
const ack = (id: number, state: string, reason?: string) =>
  platformCall(server, 'POST', 'commands/ack', [{ id, state, ...(reason === undefined ? {} : { reason }) }]);
const notificationsOf = (id: number) =>
  server.query<{ type: string; detail: string }>(sql`
    select type, detail from notice where ref_type = 'future' and ref_id = ${id} order by id`);
const notificationTypes = async (id: number) => (await notificationsOf(id)).map(({ type }) => type);

/** A pending order of a user of the agent, by default. */
async function pending(fields: PositionInput = {}, below: TestOperator | undefined = agent) {
  const account = await makeFuturesUser(server, '100', below ? { agent: below.account } : {});
  const no = await placePosition(server, account, fields);
  return { account, no, id: (await row(no)).id };
}
async function open(fields: PositionInput = {}, below: TestOperator | undefined = agent) {
  const order = await pending(fields, below);
  await apply(server, positionOpened(order.no, fields.price ?? '10'));
  return order;
}
/** Lets the pending commands time out without an answer. */
async function timeOut(): Promise<void> {
  await platformCall(server, 'GET', 'commands?limit=500');
  server.clock.move(61_000);
  await timeOutCommands(server.app, platform.answers);
}

describe('future/order/cancel', () => {
  test('sends a cancel command; the event of the engine releases the margin', async () => {
    const { account, no, id } = await pending();
    const { code, data } = await post('cancel', { id, reason: '用户申请' }, agent.token);
    expect(code).toBe(200);
    expect(data).toMatchObject({ state: 5, by: agent.account, reason: '用户申请', command: 0, held: '10' });
    expect(await fetchPositionCommands(server, id)).toMatchObject([
      { type: 'position.cancel', state: 0, data: { no } },
    ]);
    expect((await fetchFuturesBalances(server, account))['frozen']).toBe('10');
    await apply(server, positionCancelled(no));
    expect(await row(no)).toMatchObject({ state: 3, held: '0', command: 2 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '100' });
    expect(await notificationTypes(id)).toEqual(['future.cancelling', 'future.cancelled']);
    expect(await fetchAuditRows(server, { targetType: 'future', targetId: id })).toMatchObject([
      { action: 'future.cancel', result: 200, before: { state: 0 }, after: { state: 5 }, reason: '用户申请' },
    ]);
  });

  test('fails when the opening comes first', async () => {
    const { no, id } = await pending();
    await post('cancel', { id });
    await apply(server, positionOpened(no));
    expect(await row(no)).toMatchObject({ state: 1, command: 3 });
    expect(await notificationsOf(id)).toMatchObject([{}, { type: 'future.cancelFailed', detail: '委托已成交' }]);
    expect(await post('cancel', { id })).toMatchObject({ code: 409, data: { state: 1, by: 'admin' } });
  });

  test('a failed cancel restores the order; a repeated ack does not fail the next cancel', async () => {
    const { no, id } = await pending();
    await post('cancel', { id });
    const [command] = await fetchPositionCommands(server, id);
    await ack(command?.id ?? 0, 'failed', '撮合维护中');
    expect(await row(no)).toMatchObject({ state: 0, command: 3 });
    expect((await notificationsOf(id)).at(-1)).toMatchObject({ type: 'future.cancelFailed', detail: '撮合维护中' });
    expect((await post('cancel', { id })).code).toBe(200);
    await ack(command?.id ?? 0, 'failed');
    expect(await row(no)).toMatchObject({ state: 5 });
  });

  test('is refused while a cancel is in progress, and allowed again after it timed out', async () => {
    const { no, id } = await pending();
    await post('cancel', { id });
    expect(await post('cancel', { id })).toMatchObject({ code: 409, data: { state: 5 } });
    await timeOut();
    expect(await row(no)).toMatchObject({ state: 5, command: 4 });
    expect((await post('cancel', { id })).data).toMatchObject({ state: 5, command: 0 });
    await apply(server, positionCancelled(no));
    expect((await fetchPositionCommands(server, id)).map(({ state }) => state)).toEqual([2, 2]);
  });

  test('ten concurrent calls send one command; the policy requires a checker', async () => {
    const { id } = await pending();
    const codes = (await Promise.all(Array.from({ length: 10 }, () => post('cancel', { id })))).map(({ code }) => code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 409)).toHaveLength(9);
    expect(await fetchPositionCommands(server, id)).toHaveLength(1);
    await setPolicy(server, 'future.cancel', 2, '9');
    const two = await pending();
    const request = await post<ApprovalRow>('cancel', { id: two.id, reason: '风险控制' }, agent.token);
    expect(request).toMatchObject({ code: 202, data: { amount: '10' } });
    const demo = await pending({ demo: 1, margin: '5000' });
    expect((await post('cancel', { id: demo.id }, agent.token)).code).toBe(200);
    const approval = { id: request.data.id };
    const shown = await call<ApprovalDetail>(server, 'GET', 'approval/detail', approval, { token: checker.token });
    expect(shown.data.problem).toBeNull();
    expect(shown.data.now).toContainEqual({ label: '撤销后释放保证金', text: '10', kind: 'amount', unit: 'USDT' });
    expect((await call(server, 'POST', 'approval/pass', approval, { token: checker.token })).code).toBe(200);
    expect(await row(two.no)).toMatchObject({ state: 5, by: agent.account });
  });

  test('the bulk call cancels each order that it can and returns a code for each', async () => {
    const [one, done, foreign] = [await pending(), await open(), await pending({}, checker)];
    const { data } = await post<BulkResult>('cancel/many', { ids: [one.id, done.id, foreign.id] }, agent.token);
    expect(data.results.map(({ code }) => code)).toEqual([200, 409, 404]);
  });
});

describe('future/order/close', () => {
  test('sends a close command for a part; the event of the engine books the result', async () => {
    const { account, no, id } = await open();
    const { code, data } = await post('close', { id, closeAmount: '4', reason: '风险控制' }, agent.token);
    expect(code).toBe(200);
    expect(data).toMatchObject({ state: 6, closing: '4', left: '10', by: agent.account, command: 0 });
    const [command] = await fetchPositionCommands(server, id);
    expect(command).toMatchObject({ type: 'position.close', data: { no, amount: '4' } });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '90', frozen: '10' });
    await ack(command?.id ?? 0, 'done');
    expect(await row(no)).toMatchObject({ state: 6, command: 2 });
    await apply(server, positionClosed(no, '4', '11', '0', 5));
    expect(await row(no)).toMatchObject({ state: 1, closing: null, left: '6', closeType: 5, command: 2 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '98', frozen: '6' });
    expect(await notificationTypes(id)).toEqual(['future.closing', 'future.closed']);
    expect(await fetchAuditRows(server, { targetType: 'future', targetId: id })).toMatchObject([
      { action: 'future.close', result: 200, before: { state: 1, left: '10' }, after: { state: 6, closing: '4' } },
    ]);
  });

  test('stays in progress until the commanded amount is closed', async () => {
    const { no, id } = await open();
    await post('close', { id, closeAmount: '7' });
    await apply(server, positionClosed(no, '2', '10', '0', 5));
    expect(await row(no)).toMatchObject({ state: 6, closing: '5', left: '8', command: 0 });
    // A close by the user does not count for the command, but the command never exceeds the open amount.
    await apply(server, positionClosed(no, '5', '10', '0', 1));
    expect(await row(no)).toMatchObject({ state: 6, closing: '3', left: '3' });
    await apply(server, positionClosed(no, '3', '10', '0', 5));
    expect(await row(no)).toMatchObject({ state: 2, closing: null, command: 2 });
  });

  test.each([
    ['the user', (no: string) => positionClosed(no, '10', '10', '0', 1), 2, '仓位已全部平掉'],
    ['the take-profit', (no: string) => positionClosed(no, '10', '12', '0', 2), 2, '仓位已全部平掉'],
    ['the liquidation', (no: string) => positionLiquidated(no, '9.1'), 4, '仓位已强平'],
  ])('fails when %s comes first', async (_name, event, state, detail) => {
    const { no, id } = await open();
    await post('close', { id, closeAmount: '4' });
    await apply(server, event(no));
    expect(await row(no)).toMatchObject({ state, command: 3, closing: null, held: '0' });
    expect((await notificationsOf(id)).at(-1)).toEqual({ type: 'future.closeFailed', detail });
    expect((await post('close', { id, closeAmount: '1' })).code).toBe(409);
  });

  test('a failed close restores the position; a timed-out close may be repeated', async () => {
    const { no, id } = await open();
    await post('close', { id, closeAmount: '4' });
    const [command] = await fetchPositionCommands(server, id);
    await ack(command?.id ?? 0, 'failed', '撮合维护中');
    expect(await row(no)).toMatchObject({ state: 1, closing: null, command: 3 });
    await post('close', { id, closeAmount: '5' });
    await timeOut();
    expect(await row(no)).toMatchObject({ state: 6, command: 4 });
    const [, second] = await fetchPositionCommands(server, id);
    const unknown = sql`select 1 from notice where type = 'command.unknown' and ref_id = ${second?.id ?? 0}`;
    expect(await server.query(unknown)).toHaveLength(1);
    expect((await post('close', { id, closeAmount: '10' })).data).toMatchObject({
      state: 6,
      closing: '10',
      command: 0,
    });
    // The second ack concerns the second command only.
    await ack(second?.id ?? 0, 'failed');
    expect(await row(no)).toMatchObject({ state: 6 });
  });

  test('checks ability, scope, amount and state', async () => {
    const { no, id } = await open();
    const [incapable, other] = [
      await makeOperator(server, admin),
      await makeOperator(server, admin, { abilities: [6] }),
    ];
    const input = { id, closeAmount: '1' };
    expect((await post('close', input, incapable.token)).code).toBe(403);
    expect((await post('close', input, other.token)).code).toBe(404);
    for (const closeAmount of [undefined, '0', '-1', '1e3', 'x', '10.00000001']) {
      const { code, data } = await post<{ field: string }[]>('close', { ...input, closeAmount });
      expect([code, data[0]?.field]).toEqual([422, 'closeAmount']);
    }
    await apply(server, positionClosed(no, '3'));
    expect((await post('close', { id, closeAmount: '7.1' })).msg).toContain('不能超过未平数量 7');
    expect((await post('close', { id: (await pending()).id, closeAmount: '1' })).code).toBe(409);
    expect(await fetchPositionCommands(server, id)).toEqual([]);
  });

  test('of two concurrent calls one sends a command, the other gets 409', async () => {
    const { id } = await open();
    const answers = await Promise.all(['6', '7'].map((closeAmount) => post('close', { id, closeAmount })));
    expect(answers.map(({ code }) => String(code)).toSorted()).toEqual(['200', '409']);
    expect(await fetchPositionCommands(server, id)).toHaveLength(1);
  });

  test('a race with closes by the user never commands more than the open amount', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { account, no, id } = await open();
      const [request] = await Promise.all([
        post('close', { id, closeAmount: '8' }),
        apply(server, positionClosed(no, '6', '11')),
        apply(server, positionClosed(no, '4', '9')),
      ]);
      const after = await row(no);
      expect(after).toMatchObject({ state: 2, held: '0', left: '0', realized: '2' });
      expect(await fetchFuturesBalances(server, account)).toEqual({ active: '102' });
      expect([200, 409, 422]).toContain(request.code);
      const commands = await fetchPositionCommands(server, id);
      expect(commands.map(({ state }) => state)).toEqual(request.code === 200 ? [3] : []);
    }
  });

  test('the bulk call closes the full open amount; the policy compares the notional value', async () => {
    const { market } = await makeFuturesMarket(server, { price: '20' });
    const [one, other] = [await open({ market }), await pending()];
    await apply(server, positionClosed(one.no, '4'));
    const { data } = await post<BulkResult>('close/many', { ids: [one.id, other.id] }, agent.token);
    expect(data.results.map(({ code }) => code)).toEqual([200, 409]);
    expect(await row(one.no)).toMatchObject({ state: 6, closing: '6' });
    await setPolicy(server, 'future.close', 2, '100');
    const two = await open({ market });
    const small = await post('close', { id: two.id, closeAmount: '4' }, agent.token);
    expect(small.code).toBe(200);
    await ack((await fetchPositionCommands(server, two.id))[0]?.id ?? 0, 'failed');
    // The policy sums the amounts of the day.
    const request = await post<ApprovalRow>('close', { id: two.id, closeAmount: '6' }, agent.token);
    expect(request.code).toBe(202);
    await apply(server, positionClosed(two.no, '5'));
    const approval = { id: request.data.id };
    const shown = await call<ApprovalDetail>(server, 'GET', 'approval/detail', approval, { token: checker.token });
    expect(shown.data.problem).toContain('不能超过未平数量 5');
    const pass = await call<ApprovalRow>(server, 'POST', 'approval/pass', approval, { token: checker.token });
    expect(pass).toMatchObject({ code: 409, data: { state: 4 } });
    expect((await row(two.no)).state).toBe(1);
  });
});

test('expires approvals about orders that ended or opened meanwhile, and no others', async () => {
  await setPolicy(server, 'future.cancel', 1);
  await setPolicy(server, 'future.close', 1);
  const [openedOrder, pendingOrder] = [await pending(), await pending()];
  const [liquidatedPosition, partlyClosed] = [await open(), await open()];
  const request = async (path: 'cancel' | 'close', { id }: { id: number }, more: object = {}) => {
    const { code, data } = await post<ApprovalRow>(path, { id, reason: '风险控制', ...more }, agent.token);
    expect(code).toBe(202);
    return data.id;
  };
  const ids = [
    await request('cancel', openedOrder),
    await request('cancel', pendingOrder),
    await request('close', liquidatedPosition, { closeAmount: '1' }),
    await request('close', partlyClosed, { closeAmount: '1' }),
  ];
  await apply(
    server,
    positionOpened(openedOrder.no),
    positionLiquidated(liquidatedPosition.no, '9.2'),
    positionClosed(partlyClosed.no, '1'),
  );
  await expireOverdue(server.app, approvableActions);
  const states = [];
  for (const id of ids) {
    const { data } = await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: admin });
    states.push(data.row.state);
  }
  expect(states).toEqual([3, 0, 3, 0]);
});

describe('future/order/list, histories and detail', () => {
  test('computes liquidation price, profit and margin ratio', async () => {
    const { market } = await makeFuturesMarket(server, { price: '49000' });
    const account = await makeFuturesUser(server, '100000');
    const order = { market, price: '50000', amount: '1', margin: '5000' };
    const long = await openPosition(server, account, order);
    const short = await openPosition(server, account, { ...order, side: 2 });
    expect(await row(long)).toMatchObject({
      liquidationPrice: '45226.13',
      markPrice: '49000',
      notional: '49000',
      unrealized: '-1000',
      roe: '-20',
      marginRatio: '1632.6531',
    });
    expect(await row(short)).toMatchObject({
      liquidationPrice: '54726.37',
      unrealized: '1000',
      marginRatio: '2448.9796',
    });
    await sendTick(server, market, '45226.13');
    expect(Number((await row(long)).marginRatio)).toBeCloseTo(100, 1);
    await apply(server, positionClosed(long, '0.5', '46000'));
    // A partial close releases margin pro rata, so the liquidation price does not change.
    expect(await row(long)).toMatchObject({ liquidationPrice: '45226.13', held: '2500', left: '0.5' });
    // A position whose margin is its full value can never be liquidated.
    const whole = await openPosition(server, account, {
      market,
      price: '45226',
      leverage: 1,
      amount: '0.1',
      margin: '4522.6',
    });
    expect((await row(whole)).liquidationPrice).toBeNull();
  });

  test('has no figures without a price', async () => {
    const { market } = await makeFuturesMarket(server);
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { market });
    expect(await row(no)).toMatchObject({ markPrice: null, unrealized: null, roe: null, marginRatio: null });
    expect((await row(no)).liquidationPrice).toBe('9.05');
  });

  test('filters by stage and state, and never sums demo with real', async () => {
    const { id: marketId, market } = await makeFuturesMarket(server, { price: '11' });
    const account = await makeFuturesUser(server, '1000');
    const [waiting, real] = [
      await placePosition(server, account, { market, margin: '20' }),
      await openPosition(server, account, { market, fee: '1' }),
    ];
    const demo = await openPosition(server, account, { market, demo: 1, margin: '500', side: 2 });
    await post('cancel', { id: (await row(waiting)).id });
    await post('close', { id: (await row(real)).id, closeAmount: '1' });
    const list = async (input: object, token = admin) =>
      (await call<Page<FutureRow, FutureSum>>(server, 'GET', 'future/order/list', { marketId, ...input }, { token }))
        .data;
    const nos = async (input: object) => (await list(input)).list.map(({ no }) => no).toSorted();
    expect(await nos({})).toEqual([waiting, real, demo].toSorted());
    expect(await nos({ state: -1, demo: -1 })).toEqual([waiting, real, demo].toSorted());
    expect(await nos({ state: 0 })).toEqual([waiting]);
    expect(await nos({ state: 1 })).toEqual([real, demo].toSorted());
    expect(await nos({ doing: 6 })).toEqual([real]);
    expect(await nos({ doing: 5 })).toEqual([waiting]);
    expect(await nos({ demo: 1, marketName: market.toLowerCase() })).toEqual([demo]);
    expect((await list({ sort: 'unrealized', state: 1 })).list.map(({ no }) => no)).toEqual([demo, real]);
    expect((await list({ sort: 'marginRatio', state: 1 })).list.map(({ no }) => no)).toEqual([real, demo]);
    expect((await list({})).summary).toEqual([
      {
        marketId: 1,
        marketName: 'USDT',
        demo: 0,
        count: 2,
        notional: '110',
        held: '30',
        unrealized: '10',
        realized: '0',
        fee: '1',
        funding: '0',
      },
      {
        marketId: 1,
        marketName: 'USDT（模拟）',
        demo: 1,
        count: 1,
        notional: '110',
        held: '500',
        unrealized: '-10',
        realized: '0',
        fee: '0',
        funding: '0',
      },
    ]);
    expect((await list({}, agent.token)).total).toBe(0);
    expect((await call(server, 'GET', 'future/order/list', { state: 2 }, { token: admin })).code).toBe(422);
  });

  test('the histories list ended positions and closes, with sums', async () => {
    const { id: marketId, market } = await makeFuturesMarket(server, { price: '11' });
    const account = await makeFuturesUser(server, '1000');
    const [closedPosition, cancelledOrder, liquidatedPosition] = [
      await openPosition(server, account, { market }),
      await placePosition(server, account, { market }),
      await openPosition(server, account, { market, demo: 1 }),
    ];
    await apply(
      server,
      positionClosed(closedPosition, '4', '12', '1', 2),
      positionClosed(closedPosition, '6', '9', '0', 3),
    );
    await apply(server, positionCancelled(cancelledOrder), positionLiquidated(liquidatedPosition, '5', '2'));
    const ended = async (input: object = {}) =>
      await fetchData<Page<FutureRow, FutureEndedSum>>(server, admin, 'future/open/history', { marketId, ...input });
    expect((await ended()).list.map(({ no }) => no)).toEqual([liquidatedPosition, cancelledOrder, closedPosition]);
    expect((await ended({ state: 4 })).list).toMatchObject([
      { no: liquidatedPosition, markPrice: null, closeType: 4, insured: '40' },
    ]);
    expect((await ended({ closeType: 3 })).list.map(({ no }) => no)).toEqual([closedPosition]);
    expect((await ended()).summary).toEqual([
      {
        marketId: 1,
        marketName: 'USDT',
        demo: 0,
        count: 2,
        margin: '20',
        realized: '2',
        fee: '1',
        funding: '0',
        insured: '0',
      },
      {
        marketId: 1,
        marketName: 'USDT（模拟）',
        demo: 1,
        count: 1,
        margin: '10',
        realized: '-50',
        fee: '2',
        funding: '0',
        insured: '40',
      },
    ]);
    const closes = async (input: object = {}) =>
      await fetchData<Page<FutureCloseRow, FutureCloseSum>>(server, admin, 'future/close/history', {
        marketId,
        ...input,
      });
    expect((await closes({ demo: 0 })).list).toMatchObject([
      { closeAmount: '6', openPrice: '10', closePrice: '9', realized: '-6', released: '6', closeType: 3, roe: '-100' },
      { closeAmount: '4', closePrice: '12', realized: '8', released: '4', fee: '1', closeType: 2, roe: '200' },
    ]);
    expect((await closes()).summary?.map(({ marketName, realized }) => [marketName, realized])).toEqual([
      ['USDT', '2'],
      ['USDT（模拟）', '-50'],
    ]);
    expect((await closes({ closeType: 4 })).total).toBe(1);
  });

  test('the detail shows closes, fundings, ledger entries and commands', async () => {
    const { no, id } = await open();
    await apply(server, positionClosed(no, '4', '11', '0.5', 1, `${no}-c`), fundingPaid(no, '-1', `${no}-f`));
    await post('close', { id, closeAmount: '6' });
    const detail = await fetchPositionDetail(server, agent.token, no);
    expect(detail).toMatchObject({ maintenanceRate: '0.005', secondCancel: false, secondClose: false });
    expect(detail.closes).toMatchObject([{ closeNo: `${no}-c`, closeAmount: '4', realized: '4' }]);
    expect(detail.fundings).toMatchObject([{ no: `${no}-f`, amount: '-1', fromMargin: '0', insured: '0' }]);
    expect(detail.commands).toMatchObject([{ type: 'position.close', amount: '6', state: 0, doneAt: null }]);
    expect(detail.entries.map(({ bucket, type, amount }) => `${bucket} ${type} ${amount}`)).toEqual([
      'active 16 -1',
      'active 13 -0.5',
      'active 15 4',
      'active 14 4',
      'frozen 14 -4',
      'frozen 14 10',
      'active 14 -10',
    ]);
    const demo = await open({ demo: 1 });
    expect((await fetchPositionDetail(server, admin, demo.no)).entries).toEqual([]);
    await setPolicy(server, 'future.close', 1);
    expect((await fetchPositionDetail(server, agent.token, no)).secondClose).toBe(true);
    const absent = await call<FutureDetail>(
      server,
      'GET',
      'future/order/detail',
      { id: 999_999_999 },
      { token: admin },
    );
    expect(absent.code).toBe(404);
  });

  test('an open position counts on the home page and blocks the deletion of its user', async () => {
    const { account, no } = await open();
    const user = await findUser(server, admin, account);
    const card = async () =>
      Number(
        (await call<{ text: string; value: string }[]>(server, 'GET', 'state', {}, { token: agent.token })).data.find(
          ({ text }) => text === '合约持仓',
        )?.value,
      );
    const before = await card();
    await open({ demo: 1 });
    await pending();
    expect(await card()).toBe(before);
    const detail = await fetchData<{ futures: FutureRow[]; open: object[] }>(server, admin, 'user/detail', {
      id: user.id,
    });
    expect(detail.futures).toMatchObject([{ no, state: 1 }]);
    expect(detail.open).toContainEqual({ what: 'future', text: `合约订单 ${no}（实盘 做多 BTC，持仓中）` });
    await apply(server, positionClosed(no, '10'));
    expect(await card()).toBe(before - 1);
  });
});
