import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult, MarketCancelled } from '@hengtai/contract/wire/schema';
import type { SpotDetail, SpotPreview, SpotRow, SpotSum } from '@hengtai/contract/trading/spot/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestOperator, findUser, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import {
  type TestServer,
  apply,
  call,
  fetchData,
  login,
  platformCall,
  send,
  testServer,
} from '../../../../test/server.ts';
import {
  type OrderInput,
  fetchCancelCommands,
  orderFilled,
  findSpotOrder,
  makeTrader,
  placeOrder,
  fetchSpotBalances,
} from '../../../../test/spot.ts';
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
  await setPolicy(server, 'trade.cancel', 0);
  await setPolicy(server, 'trade.cancelAll', 0);
});

const row = (no: string, token = admin) => findSpotOrder(server, token, no);
const post = <T = SpotRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', `trade/order/${path}`, input, { token });
const ack = (id: number, state: string, reason?: string) =>
  platformCall(server, 'POST', 'commands/ack', [{ id, state, ...(reason === undefined ? {} : { reason }) }]);

/** An open order of a user of the agent, by default. */
async function open(fields: OrderInput = {}, below: TestOperator | undefined = agent) {
  const account = await makeTrader(server, { USDT: '100' }, below ? { agent: below.account } : {});
  const no = await placeOrder(server, account, fields);
  return { account, no, id: (await row(no)).id };
}

async function spotMarket(): Promise<{ id: number; market: string }> {
  const market = await makeMarket(server);
  const [found] = await server.query(sql<{ id: number }>`
    update market set spot = 1, price_precision = 2, amount_precision = 4 where market_name = ${market} returning id`);
  return { id: found?.id ?? 0, market };
}

describe('trade/order/cancel', () => {
  test('sends a cancel command; the event of the engine releases the hold', async () => {
    const { account, no, id } = await open();
    const { code, data } = await post('cancel', { id, reason: '用户申请' }, agent.token);
    expect(code).toBe(200);
    expect(data).toMatchObject({ state: 4, by: agent.account, reason: '用户申请', command: 0, frozen: '10' });
    expect(await fetchCancelCommands(server, id)).toMatchObject([{ state: 0, data: { no } }]);
    expect((await fetchSpotBalances(server, account))['USDT frozen']).toBe('10');
    await apply(server, { type: 'order.cancelled', data: { no } });
    expect(await row(no)).toMatchObject({ state: 3, frozen: '0', command: 2 });
    expect(await fetchSpotBalances(server, account)).toEqual({ 'USDT active': '100' });
    expect(await fetchAuditRows(server, { targetType: 'trade', targetId: id })).toMatchObject([
      { action: 'trade.cancel', result: 200, before: { state: 0 }, after: { state: 4 }, reason: '用户申请' },
    ]);
  });

  test('fails when a fill completes the order first', async () => {
    const { no, id } = await open();
    await post('cancel', { id });
    await apply(server, orderFilled(no, '0.4'));
    expect(await row(no)).toMatchObject({ state: 4, filled: '0.4', frozen: '6' });
    await apply(server, orderFilled(no, '0.6'));
    expect(await row(no)).toMatchObject({ state: 2, frozen: '0', command: 3 });
    const notifications = await server.query(sql<{ type: string }>`
      select type from notice where ref_type = 'trade' and ref_id = ${id} order by id`);
    expect(notifications.map(({ type }) => type)).toEqual(['trade.cancelling', 'trade.cancelFailed']);
    expect((await post('cancel', { id })).code).toBe(409);
  });

  test.each([
    ['0', 0],
    ['0.3', 1],
  ])('a failed cancel restores the state of an order filled by %s', async (part, state) => {
    const { no, id } = await open();
    if (part !== '0') await apply(server, orderFilled(no, part));
    await post('cancel', { id });
    const [command] = await fetchCancelCommands(server, id);
    await ack(command?.id ?? 0, 'failed', '撮合维护中');
    expect(await row(no)).toMatchObject({ state, command: 3 });
    expect((await post('cancel', { id })).code).toBe(200);
    expect(await fetchCancelCommands(server, id)).toHaveLength(2);
    // A repeated ack of the first command does not fail the second.
    await ack(command?.id ?? 0, 'failed');
    expect(await row(no)).toMatchObject({ state: 4 });
  });

  test('the ack of the command changes neither order nor balance', async () => {
    const { account, no, id } = await open();
    await post('cancel', { id });
    const [command] = await fetchCancelCommands(server, id);
    await ack(command?.id ?? 0, 'done');
    expect(await row(no)).toMatchObject({ state: 4, command: 2 });
    expect((await fetchSpotBalances(server, account))['USDT frozen']).toBe('10');
  });

  test('is refused while a cancel is in progress, and allowed again after it timed out', async () => {
    const { no, id } = await open();
    await post('cancel', { id });
    expect(await post('cancel', { id })).toMatchObject({ code: 409, data: { state: 4, by: 'admin' } });
    await platformCall(server, 'GET', 'commands?limit=500');
    server.clock.move(61_000);
    await timeOutCommands(server.app, platform.answers);
    expect(await row(no)).toMatchObject({ state: 4, command: 4 });
    expect((await post('cancel', { id })).data).toMatchObject({ state: 4, command: 0 });
    expect((await fetchCancelCommands(server, id)).map(({ state }) => state)).toEqual([4, 0]);
    await apply(server, { type: 'order.cancelled', data: { no } });
    expect((await fetchCancelCommands(server, id)).map(({ state }) => state)).toEqual([2, 2]);
  });

  test('ten concurrent calls send one command', async () => {
    const { id } = await open();
    const codes = (await Promise.all(Array.from({ length: 10 }, () => post('cancel', { id })))).map(({ code }) => code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 409)).toHaveLength(9);
    expect(await fetchCancelCommands(server, id)).toHaveLength(1);
  });

  test('requires a checker if the policy says so', async () => {
    await setPolicy(server, 'trade.cancel', 1);
    const { no, id } = await open();
    expect((await call<SpotDetail>(server, 'GET', 'trade/order/detail', { id }, { token: admin })).data.second).toBe(
      true,
    );
    const request = await post<ApprovalRow>('cancel', { id, reason: '风险控制' }, agent.token);
    expect(request.code).toBe(202);
    expect((await post('cancel', { id })).code).toBe(409);
    const data = await fetchData<ApprovalDetail>(server, admin, 'approval/detail', { id: request.data.id });
    expect(data.problem).toBeNull();
    expect(data.now).toContainEqual({ label: '撤销后解冻', text: '10', kind: 'amount', unit: 'USDT' });
    const pass = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: admin });
    expect(pass.code).toBe(200);
    expect(await row(no)).toMatchObject({ state: 4, by: agent.account });
  });

  test('the bulk call cancels each order that it can and returns a code for each', async () => {
    const [one, done, foreign] = [await open(), await open(), await open({}, checker)];
    await apply(server, orderFilled(done.no, '1'));
    const ids = [one.id, done.id, foreign.id];
    const { data } = await post<BulkResult>('cancel/many', { ids, reason: '市场维护' }, agent.token);
    expect(data.results.map(({ code }) => code)).toEqual([200, 409, 404]);
    expect((await row(foreign.no)).state).toBe(0);
  });
});

describe('trade/order/cancel/all', () => {
  test('the preview counts the orders to cancel within the scope', async () => {
    const { id, market } = await spotMarket();
    const mine = await open({ market, price: '10', amount: '2' });
    const other = await open({ market }, checker);
    const cancelled = await open({ market });
    await apply(server, { type: 'order.cancelled', data: { no: cancelled.no } });
    const preview = async (token: string) =>
      (await call<SpotPreview>(server, 'GET', 'trade/order/cancel/preview', { marketId: id }, { token })).data;
    expect(await preview(agent.token)).toMatchObject({
      orders: 1,
      users: 1,
      buying: '20',
      selling: '0',
      second: false,
    });
    expect(await preview(admin)).toMatchObject({ orders: 2, users: 2, buying: '30' });
    const { data } = await post<MarketCancelled>('cancel/all', { marketId: id, reason: '市场维护' }, agent.token);
    expect(data).toEqual({ marketId: id, marketName: market, orders: 1 });
    expect(await row(mine.no)).toMatchObject({ state: 4, by: agent.account, reason: '市场维护', command: 0 });
    expect((await row(other.no)).state).toBe(0);
    expect((await post('cancel/all', { marketId: id, reason: 'x' }, agent.token)).code).toBe(409);
    expect(await preview(agent.token)).toMatchObject({ orders: 0, cancelling: 1 });
  });

  test('is limited to the scope of the maker, even if the checker sees more', async () => {
    await setPolicy(server, 'trade.cancelAll', 1);
    const { id, market } = await spotMarket();
    const [mine, other] = [await open({ market }), await open({ market }, checker)];
    const request = await post<ApprovalRow>('cancel/all', { marketId: id, reason: '价格异常' }, agent.token);
    expect(request.code).toBe(202);
    const approval = { id: request.data.id };
    const shown = await call<ApprovalDetail>(server, 'GET', 'approval/detail', approval, { token: checker.token });
    expect(shown.data.now).toContainEqual({ label: '委托数', text: '1', kind: 'text' });
    expect((await call(server, 'POST', 'approval/pass', approval, { token: checker.token })).code).toBe(200);
    expect(await row(mine.no)).toMatchObject({ state: 4, by: agent.account });
    expect((await row(other.no)).state).toBe(0);
  });

  test('the approval fails if no order is open any more', async () => {
    await setPolicy(server, 'trade.cancelAll', 1);
    const { id, market } = await spotMarket();
    const { no } = await open({ market });
    const request = await post<ApprovalRow>('cancel/all', { marketId: id, reason: '价格异常' }, agent.token);
    await apply(server, { type: 'order.cancelled', data: { no } });
    const pass = await call<ApprovalRow>(server, 'POST', 'approval/pass', { id: request.data.id }, { token: admin });
    expect(pass).toMatchObject({ code: 409, data: { state: 4 } });
  });

  test('expires approvals about orders that ended meanwhile, and no others', async () => {
    await setPolicy(server, 'trade.cancel', 1);
    const [cancelled, fullyFilled, stillOpen] = [await open(), await open(), await open()];
    const approvalIds = new Map<string, number>();
    for (const { no, id } of [cancelled, fullyFilled, stillOpen]) {
      const { code, data } = await post<ApprovalRow>('cancel', { id, reason: '用户要求' }, agent.token);
      expect(code).toBe(202);
      approvalIds.set(no, data.id);
    }
    await apply(server, { type: 'order.cancelled', data: { no: cancelled.no } });
    await apply(server, orderFilled(fullyFilled.no, '1'));
    await expireOverdue(server.app, approvableActions);
    const approvalState = async (no: string) => {
      const approval = { id: approvalIds.get(no) };
      const { data } = await call<ApprovalDetail>(server, 'GET', 'approval/detail', approval, { token: admin });
      return [data.row.state, data.row.answer];
    };
    expect(await approvalState(cancelled.no)).toEqual([3, '委托已结束']);
    expect(await approvalState(fullyFilled.no)).toEqual([3, '委托已结束']);
    expect(await approvalState(stillOpen.no)).toEqual([0, '']);
  });

  test('checks ability, reason and market', async () => {
    const incapable = await makeOperator(server, admin);
    expect((await post('cancel/all', { marketId: 2, reason: 'x' }, incapable.token)).code).toBe(403);
    expect((await post('cancel/all', { marketId: 2 })).code).toBe(422);
    expect((await post('cancel/all', { marketId: 999_999, reason: 'x' })).code).toBe(404);
    const preview = await call(
      server,
      'GET',
      'trade/order/cancel/preview',
      { marketId: 2 },
      { token: incapable.token },
    );
    expect(preview.code).toBe(403);
  });
});

describe('trade/order/list and detail', () => {
  test('filters, and sums exactly per coin', async () => {
    const { id: marketId, market } = await spotMarket();
    const account = await makeTrader(server, { USDT: '100', BTC: '1' });
    const [buy, other] = [
      await placeOrder(server, account, { market, amount: '2' }),
      await placeOrder(server, account, { market }),
    ];
    await apply(server, orderFilled(buy, '1.5', '9.5', '0.0001'), orderFilled(other, '1', '10', '0.0002'));
    const list = async (input: object) =>
      (await call<Page<SpotRow, SpotSum>>(server, 'GET', 'trade/order/list', { marketId, ...input }, { token: admin }))
        .data;
    expect(await list({})).toMatchObject({
      total: 2,
      summary: [{ marketName: market, count: 2, filled: '2.5', turnover: '24.25', feeCoin: '0.0003', feeUsdt: '0' }],
    });
    expect((await list({ state: 1 })).list.map(({ no }) => no)).toEqual([buy]);
    expect((await list({ unfinished: 0 })).list.map(({ no }) => no)).toEqual([other]);
    expect((await list({ account, side: 2 })).total).toBe(0);
    expect((await list({ account: `${account.slice(0, 4)}*`, type: 1, sort: '-turnover' })).total).toBe(2);
  });

  test('never adds fees of different coins', async () => {
    const { id: marketId, market } = await spotMarket();
    const account = await makeTrader(server, { USDT: '100', ETH: '1', SOL: '1' });
    const no = await placeOrder(server, account, { market, amount: '2' });
    const [third, fourth] = ['ETH', 'SOL'];
    await apply(
      server,
      orderFilled(no, '0.5', '10', '0.25', undefined, third),
      orderFilled(no, '0.5', '10', '0.125', undefined, third),
      orderFilled(no, '0.5', '10', '0.75', undefined, fourth),
      orderFilled(no, '0.5', '10', '0.01'),
    );
    const otherFees = [
      { marketName: 'ETH', amount: '0.375' },
      { marketName: 'SOL', amount: '0.75' },
    ];
    const data = await fetchData<Page<SpotRow, SpotSum>>(server, admin, 'trade/order/list', { marketId });
    expect(data.list).toMatchObject([{ fee: '0.01', otherFees }]);
    expect(data.summary).toMatchObject([{ count: 1, filled: '2', feeCoin: '0.01', feeUsdt: '0', otherFees }]);
    const none = await fetchData<Page<SpotRow, SpotSum>>(server, admin, 'trade/order/list', { marketId, state: 3 });
    expect(none.summary).toEqual([]);
    const { id = 0 } = data.list[0] ?? {};
    const detail = await call<SpotDetail>(server, 'GET', 'trade/order/detail', { id }, { token: admin });
    expect(detail.data.fills.map(({ fee, feeMarket }) => `${fee} ${feeMarket}`)).toEqual([
      `0.01 ${market}`,
      '0.75 SOL',
      '0.125 ETH',
      '0.25 ETH',
    ]);
  });

  test('the detail shows fills, ledger entries and commands', async () => {
    const { no, id } = await open();
    await apply(server, orderFilled(no, '0.5', '9', '0.01', 'shown-trade'));
    await post('cancel', { id });
    const { data } = await call<SpotDetail>(server, 'GET', 'trade/order/detail', { id }, { token: agent.token });
    expect(data.fills).toMatchObject([
      { tradeNo: 'shown-trade', price: '9', amount: '0.5', turnover: '4.5', fee: '0.01' },
    ]);
    expect(data.commands).toMatchObject([{ state: 0 }]);
    expect(data.entries.map(({ bucket, type, amount }) => `${bucket} ${type} ${amount}`)).toEqual([
      'active 10 0.5',
      'frozen 10 -0.5',
      'active 13 -0.01',
      'active 11 0.5',
      'frozen 11 -4.5',
      'frozen 9 10',
      'active 9 -10',
    ]);
    expect((await call(server, 'GET', 'trade/order/detail', { id: 999_999_999 }, { token: admin })).code).toBe(404);
  });

  test('an open order counts on the home page and blocks the deletion of its user', async () => {
    const { account, no } = await open();
    const user = await findUser(server, admin, account);
    const card = async () =>
      (await call<{ text: string; value: string }[]>(server, 'GET', 'state', {}, { token: agent.token })).data.find(
        ({ text }) => text === '现货委托',
      )?.value;
    const before = Number(await card());
    const detail = await fetchData<{ trades: SpotRow[]; open: object[] }>(server, admin, 'user/detail', {
      id: user.id,
    });
    expect(detail.trades).toMatchObject([{ no, state: 0 }]);
    expect(detail.open).toContainEqual({ what: 'trade', text: `现货委托 ${no}（买入 BTC，委托中）` });
    expect((await call(server, 'POST', 'user/del', { id: user.id }, { token: admin })).code).toBe(409);
    const [answer] = await send(server, { type: 'order.cancelled', data: { no } });
    expect(answer?.result).toBe('applied');
    expect(Number(await card())).toBe(before - 1);
  });
});
