import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { FutureCancelPreview } from '@hengtai/contract/trading/future/schema';
import type { MarketCancelled } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import {
  type PositionInput,
  fetchFuturesBalances,
  fetchPositionCommands,
  findPosition,
  makeFuturesMarket,
  makeFuturesUser,
  placePosition,
  positionCancelled,
  positionOpened,
} from '../../../../test/future.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

// Cancelling all orders of a market that wait to be filled.

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
beforeEach(() => setPolicy(server, 'future.cancelAll', 0));

const row = (no: string) => findPosition(server, admin, no);
const stateOf = async (no: string) => (await row(no)).state;
const preview = (marketId: number, token: string) =>
  call<FutureCancelPreview>(server, 'GET', 'future/cancel/preview', { marketId }, { token });
const cancelAll = <T = MarketCancelled>(marketId: number, token: string, reason = '市场维护') =>
  call<T>(server, 'POST', 'future/cancel/all', { marketId, reason }, { token });
const shown = async (id: number) =>
  (await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: checker.token })).data;
const pass = (id: number, token = admin) => call<ApprovalRow>(server, 'POST', 'approval/pass', { id }, { token });

const notificationsOf = (marketId: number) =>
  server.query(sql`
    select type, agent_id as agent, detail from notice where ref_type = 'market' and ref_id = ${marketId}`);

/** A pending order of a user of the agent, by default. */
async function place(fields: PositionInput, below: TestOperator = agent) {
  const account = await makeFuturesUser(server, '100', { agent: below.account });
  const no = await placePosition(server, account, fields);
  return { account, no, id: (await row(no)).id };
}

test('cancels the pending orders of the own tree and of this market; the engine ends each', async () => {
  const [{ id: marketId, market }, { market: otherMarket }] = [
    await makeFuturesMarket(server),
    await makeFuturesMarket(server),
  ];
  const mine = await place({ market, margin: '20' });
  const second = await place({ market });
  const [foreign, elsewhere] = [await place({ market }, checker), await place({ market: otherMarket })];
  const [opened, partly, ended] = [await place({ market }), await place({ market }), await place({ market })];
  await apply(server, positionOpened(opened.no), positionCancelled(ended.no), {
    type: 'position.opened',
    data: { no: partly.no, price: '10', fee: '0', amount: '4' },
  });

  const counts = { marketId, marketName: market, orders: 2, users: 2, cancelling: 0, demoOrders: 0, held: '30' };
  expect((await preview(marketId, agent.token)).data).toEqual({ ...counts, second: false });
  expect((await preview(marketId, admin)).data).toMatchObject({ orders: 3, users: 3, held: '40' });
  const { data } = await cancelAll(marketId, agent.token);
  expect(data).toEqual({ marketId, marketName: market, orders: 2 });

  expect(await row(mine.no)).toMatchObject({ state: 5, by: agent.account, reason: '市场维护', command: 0, held: '20' });
  expect(await fetchPositionCommands(server, mine.id)).toMatchObject([
    { type: 'position.cancel', state: 0, data: { no: mine.no } },
  ]);
  expect(await Promise.all([foreign, elsewhere, opened, partly, ended].map(({ no }) => stateOf(no)))).toEqual([
    0, 0, 1, 1, 3,
  ]);
  expect(await fetchPositionCommands(server, partly.id)).toEqual([]);
  expect((await cancelAll(marketId, agent.token)).code).toBe(409);
  expect((await preview(marketId, agent.token)).data).toMatchObject({ orders: 0, cancelling: 2, held: '0' });

  expect((await fetchFuturesBalances(server, mine.account))['frozen']).toBe('20');
  await apply(server, positionCancelled(mine.no));
  expect(await row(mine.no)).toMatchObject({ state: 3, held: '0', command: 2 });
  expect(await fetchFuturesBalances(server, mine.account)).toEqual({ active: '100' });
  const [command] = await fetchPositionCommands(server, second.id);
  await platformCall(server, 'POST', 'commands/ack', [{ id: command?.id, state: 'failed', reason: '撮合维护中' }]);
  expect(await row(second.no)).toMatchObject({ state: 0, command: 3 });

  expect(await fetchAuditRows(server, { targetType: 'market', targetId: marketId })).toMatchObject([
    { action: 'future.cancelAll', result: 200, after: { marketName: market, orders: 2 }, reason: '市场维护' },
  ]);
  expect(await notificationsOf(marketId)).toEqual([{ type: 'future.cancelling', agent: agent.id, detail: market }]);
});

test('cancels demo orders too, which hold no money: they are counted apart and worth nothing to the policy', async () => {
  await setPolicy(server, 'future.cancelAll', 2, '15');
  const { id: marketId, market } = await makeFuturesMarket(server);
  // The policy adds up what an operator cancelled before.
  const fresh = await makeOperator(server, admin, { abilities: [6] });
  const [real, demo] = [await place({ market }, fresh), await place({ market, demo: 1, margin: '5000' }, fresh)];
  expect((await preview(marketId, fresh.token)).data).toMatchObject({
    orders: 2,
    users: 2,
    demoOrders: 1,
    held: '10',
    second: false,
  });
  expect((await cancelAll(marketId, fresh.token)).data).toMatchObject({ orders: 2 });
  expect(await Promise.all([real, demo].map(({ no }) => stateOf(no)))).toEqual([5, 5]);
  await apply(server, positionCancelled(demo.no));
  expect(await stateOf(demo.no)).toBe(3);
  expect(await fetchFuturesBalances(server, demo.account)).toEqual({ active: '100' });
});

test('is limited to the scope of the maker and to what the policy says, even if the checker sees more', async () => {
  await setPolicy(server, 'future.cancelAll', 2, '9');
  const { id: marketId, market } = await makeFuturesMarket(server);
  const [mine, demo, foreign] = [
    await place({ market }),
    await place({ market, demo: 1 }),
    await place({ market }, checker),
  ];
  expect((await preview(marketId, agent.token)).data.second).toBe(true);
  const request = await cancelAll<ApprovalRow>(marketId, agent.token, '价格异常');
  expect(request).toMatchObject({ code: 202, data: { amount: '10' } });
  const { now, problem } = await shown(request.data.id);
  expect(problem).toBeNull();
  expect(now).toEqual([
    { label: '委托数', text: '2', kind: 'text' },
    { label: '涉及用户', text: '2', kind: 'text' },
    { label: '其中模拟委托', text: '1', kind: 'text' },
    { label: '撤销后释放保证金', text: '10', kind: 'amount', unit: 'USDT' },
  ]);
  // An order that is placed meanwhile is cancelled as well.
  const later = await place({ market });
  expect((await pass(request.data.id, checker.token)).code).toBe(200);
  for (const { no } of [mine, demo, later]) expect(await row(no)).toMatchObject({ state: 5, by: agent.account });
  expect(await stateOf(foreign.no)).toBe(0);
  expect(await notificationsOf(marketId)).toMatchObject([{ agent: agent.id }]);
});

test('the approval fails if no order waits any more', async () => {
  await setPolicy(server, 'future.cancelAll', 1);
  const { id: marketId, market } = await makeFuturesMarket(server);
  const [cancelled, opened] = [await place({ market }), await place({ market })];
  const request = await cancelAll<ApprovalRow>(marketId, agent.token);
  await apply(server, positionCancelled(cancelled.no), positionOpened(opened.no));
  expect((await shown(request.data.id)).problem).toBe('该市场没有可撤销的委托');
  expect(await pass(request.data.id)).toMatchObject({ code: 409, data: { state: 4 } });
  expect(await stateOf(opened.no)).toBe(1);
  // Nothing is submitted for approval that would do nothing.
  expect((await cancelAll(marketId, agent.token)).code).toBe(409);
});

test('checks ability, reason and market', async () => {
  const incapable = await makeOperator(server, admin);
  expect((await cancelAll(2, incapable.token)).code).toBe(403);
  expect((await preview(2, incapable.token)).code).toBe(403);
  expect((await cancelAll(2, admin, ' ')).code).toBe(422);
  expect((await cancelAll(999_999, admin)).code).toBe(404);
  expect((await preview(999_999, admin)).code).toBe(404);
});
