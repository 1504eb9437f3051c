import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Page } from '@hengtai/contract/wire/list';
import type { SignalChange, SignalRow } from '@hengtai/contract/trading/signal/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import {
  addSignal,
  fetchCommands,
  followSignal,
  makeFollower,
  followClosed,
  fetchSignal,
  signalInput,
} from '../../../../test/follow.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { endOverdue } from './signal.jobs.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let other: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [7] });
  other = await makeOperator(server, admin);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const add = (input: object, token = admin) => call<SignalRow>(server, 'POST', 'signal/add', input, { token });
const change = (input: Partial<SignalChange>, token = admin) =>
  call<SignalRow>(server, 'POST', 'signal/change', input, { token });
const row = (id: number, token = admin) => fetchSignal(server, token, id);
const published = async (id: number) => (await fetchCommands(server, 'signal.published', id)).map(({ data }) => data);
const offered = async () =>
  (await platformCall<{ no: string }[]>(server, 'GET', 'signals')).data.map(({ no }: { no: string }) => no);

describe('signal/add', () => {
  test('stores a draft without notifying the platform', async () => {
    const { code, data } = await add({ ...signalInput(server), leverage: 3 });
    expect(code).toBe(200);
    expect(data).toMatchObject({
      state: 0,
      version: 1,
      by: 'admin',
      marketName: 'BTC',
      leverage: 3,
      no: `S${data.id}`,
    });
    expect(data).toMatchObject({ followCount: 0, followAmount: '0', profit: '0', openCount: 0 });
    expect(await published(data.id)).toEqual([]);
    expect(await offered()).not.toContain(data.no);
    expect(await fetchAuditRows(server, { targetType: 'signal', targetId: data.id })).toMatchObject([
      { action: 'signal.add', result: 200, after: { state: 0, leverage: 3, price: '50000' } },
    ]);
  });

  test('publishes at once with state 1', async () => {
    const { data } = await add({ ...signalInput(server), state: 1 }, agent.token);
    expect(data).toMatchObject({ state: 1, by: agent.account });
    const { no, title, price, startAt, endAt } = data;
    const command = {
      no,
      title,
      market: 'BTC',
      side: 1,
      leverage: 10,
      price,
      takeProfit: '55000',
      state: 1,
      startAt,
      endAt,
    };
    expect(await published(data.id)).toMatchObject([command]);
    expect(await offered()).toContain(no);
    // Operators outside the scope are not named.
    expect((await row(data.id, other.token)).by).toBeNull();
  });

  test.each([
    ['takeProfit', { takeProfit: '50000' }],
    ['stopLoss', { stopLoss: '50000.01' }],
    ['takeProfit', { side: 2, takeProfit: '50001', stopLoss: '51000' }],
    ['stopLoss', { side: 2, takeProfit: '49000', stopLoss: '49999' }],
    ['ratio', { ratio: '100.01' }],
    ['ratio', { ratio: '1.234' }],
    ['ratio', { ratio: '0' }],
    ['maxAmount', { minAmount: '10', maxAmount: '9.99' }],
    ['minAmount', { minAmount: '0' }],
    ['endAt', { startAt: 2_000_000_000_000, endAt: 2_000_000_000_000 }],
    ['price', { price: '50000.001' }],
    ['takeProfit', { takeProfit: '55000.001' }],
    ['leverage', { leverage: 0 }],
    ['leverage', { leverage: 1000 }],
    ['side', { side: 3 }],
    ['marketId', { marketId: 999_999 }],
    ['marketId', { marketId: 1 }],
    ['title', { title: '' }],
    ['title', { title: ' x' }],
    ['state', { state: 2 }],
  ])('refuses %s by %o', async (field, wrong) => {
    const { code, data } = await add({ ...signalInput(server), ...wrong });
    expect(code).toBe(422);
    expect(data).toMatchObject([{ field }]);
  });

  test('refuses to publish an ended signal, and a signal of a suspended market', async () => {
    const ended = { startAt: server.clock.now() - 2, endAt: server.clock.now() - 1 };
    expect(await add({ ...signalInput(server, ended), state: 1 })).toMatchObject({
      code: 422,
      data: [{ field: 'endAt' }],
    });
    expect((await add({ ...signalInput(server, ended) })).code).toBe(200);
    const name = await makeMarket(server);
    const [market] = await server.query(sql<{ id: number }>`
      update market set future = 1, state = 2, max_leverage = 20 where market_name = ${name} returning id`);
    const inSuspended = { marketId: market?.id ?? 0, price: '5', takeProfit: '6', stopLoss: '4' };
    expect(await add(signalInput(server, inSuspended))).toMatchObject({ code: 422, data: [{ field: 'marketId' }] });
  });
});

describe('signal/change', () => {
  test('every field of a draft may change until it is published', async () => {
    const { id } = await addSignal(server, admin, { state: 0 });
    const first = await change({
      id,
      version: 1,
      side: 2,
      takeProfit: '45000',
      stopLoss: null,
      marketId: 3,
      price: '50000.5',
    });
    expect(first.code).toBe(200);
    expect(first.data).toMatchObject({ version: 2, side: 2, stopLoss: null, marketName: 'ETH', state: 0 });
    expect(await published(id)).toEqual([]);
    const { data } = await change({ id, version: 2, state: 1, title: '做空' });
    expect(data).toMatchObject({ version: 3, state: 1, title: '做空' });
    expect(await published(id)).toMatchObject([{ state: 1, title: '做空', market: 'ETH', side: 2 }]);
    expect((await fetchAuditRows(server, { targetType: 'signal', targetId: id })).at(-1)).toMatchObject({
      before: { state: 0 },
      after: { state: 1, title: '做空' },
    });
  });

  test('a published signal keeps its market, side, leverage, price and start; limits and end may change', async () => {
    const { id, endAt } = await addSignal(server, admin);
    for (const fixed of [
      { marketId: 3 },
      { side: 2 as const },
      { leverage: 5 },
      { price: '50001' },
      { startAt: server.clock.now() },
    ]) {
      const { code, data } = await change({ id, version: 1, ...fixed });
      expect([code, data]).toMatchObject([422, [{ field: Object.keys(fixed)[0] }]]);
    }
    const { data } = await change({
      id,
      version: 1,
      price: '50000.00',
      maxAmount: '500',
      endAt: endAt + 1,
      stopLoss: '47000',
    });
    expect(data).toMatchObject({ version: 2, maxAmount: '500', endAt: endAt + 1, stopLoss: '47000', price: '50000' });
    expect(await published(id)).toMatchObject([{ maxAmount: '1000' }, { maxAmount: '500', state: 1 }]);
    expect((await change({ id, version: 2, endAt: server.clock.now() })).code).toBe(422);
    expect((await change({ id, version: 2, stopLoss: '51000' })).code).toBe(422);
    expect(await change({ id, version: 2, state: 0 })).toMatchObject({ code: 422, data: [{ field: 'state' }] });
  });

  test('a signal of a delisted market can still be ended', async () => {
    const name = await makeMarket(server);
    const [market] = await server.query(sql<{ id: number }>`
      update market set future = 1, state = 1, max_leverage = 20 where market_name = ${name} returning id`);
    const there = { marketId: market?.id ?? 0, price: '5', takeProfit: '6', stopLoss: '4' };
    const { id } = await addSignal(server, admin, there);
    const draft = await addSignal(server, admin, { ...there, state: 0 });
    await server.query(sql`update market set state = 0 where id = ${market?.id ?? 0}`);
    expect((await change({ id: draft.id, version: 1, state: 1 })).code).toBe(422);
    expect((await change({ id, version: 1, title: '暂停', state: 2 })).data).toMatchObject({ state: 2, version: 2 });
    expect((await published(id)).at(-1)).toMatchObject({ state: 2 });
    // The platform is not notified of a discarded draft.
    expect((await change({ id: draft.id, version: 1, state: 2 })).code).toBe(200);
    expect(await published(draft.id)).toEqual([]);
    for (const again of [{ title: '再来' }, { state: 1 as const }])
      expect(await change({ id, version: 2, ...again })).toMatchObject({ code: 409, data: { state: 2 } });
  });

  test('of ten concurrent changes of one version one succeeds, the others get 409', async () => {
    const { id } = await addSignal(server, admin, { state: 0 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        change({ id, version: 1, title: `try ${at}` }, at % 2 === 0 ? admin : agent.token),
      ),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 409)).toHaveLength(9);
    expect((await row(id)).version).toBe(2);
    expect(await change({ id, version: 1, title: 'late' })).toMatchObject({ code: 409, data: { state: 0 } });
    expect(await change({ id, title: 'blind' })).toMatchObject({ code: 200, data: { version: 3 } });
    expect((await change({ id, version: 3, title: 'x' }, other.token)).code).toBe(403);
    expect((await change({ id: 999_999_999, version: 1 })).code).toBe(404);
  });
});

describe('a draft', () => {
  const listed = async (token: string, id: number): Promise<[number, number]> => {
    const { data } = await call<Page<SignalRow>>(server, 'GET', 'signal/list', { id }, { token });
    return [data.total, data.list.length];
  };
  const exported = async (token: string): Promise<string> => {
    const payload = { format: 'csv', columns: ['title'] };
    return (await server.server.inject({ method: 'POST', url: `${API_BASE}signal/excel`, headers: { token }, payload }))
      .body;
  };
  const detail = (token: string, id: number) => call(server, 'GET', 'signal/detail', { id }, { token });

  test('is hidden from operators who may not publish it, also when discarded, until it is published', async () => {
    const clerk = await makeOperator(server, admin, { abilities: [10] });
    const keeper = await makeOperator(server, admin, { abilities: [7, 10] });
    const draft = await addSignal(server, admin, { state: 0, title: '未公开甲' });
    const discarded = await addSignal(server, admin, { state: 0, title: '未公开乙' });
    await change({ id: discarded.id, state: 2 });
    for (const { id, title } of [draft, discarded]) {
      expect(await listed(clerk.token, id)).toEqual([0, 0]);
      expect(await detail(clerk.token, id)).toMatchObject({ code: 404, data: null });
      expect(await exported(clerk.token)).not.toContain(title);
      expect(await listed(keeper.token, id)).toEqual([1, 1]);
      expect(await detail(keeper.token, id)).toMatchObject({ code: 200, data: { title } });
      expect(await exported(keeper.token)).toContain(title);
    }
    await change({ id: draft.id, state: 1 });
    expect(await listed(clerk.token, draft.id)).toEqual([1, 1]);
    expect(await exported(clerk.token)).toContain(draft.title);
    await change({ id: draft.id, state: 2 });
    expect(await detail(clerk.token, draft.id)).toMatchObject({ code: 200, data: { state: 2 } });
  });
});

describe('figures', () => {
  test('count follows within the scope, also with concurrent events', async () => {
    const signal = await addSignal(server, admin);
    const mine = await Promise.all(
      Array.from({ length: 6 }, () => makeFollower(server, '1000', { agent: agent.account })),
    );
    const foreign = await makeFollower(server, '1000', { agent: other.account });
    const nos = await Promise.all([...mine, foreign].map((account) => followSignal(server, account, signal, '100.5')));
    await Promise.all(
      ['-0.25', '0.25', '1.25'].map((profit, at) => apply(server, followClosed(nos[at] ?? '', profit))),
    );
    expect(await row(signal.id)).toMatchObject({
      followCount: 7,
      followAmount: '703.5',
      openCount: 4,
      openAmount: '402',
    });
    const scoped = await row(signal.id, agent.token);
    expect(scoped).toMatchObject({ followCount: 6, followAmount: '603', openCount: 3, profit: '1.25' });
    expect(await row(signal.id, other.token)).toMatchObject({ followCount: 1, followAmount: '100.5', profit: '0' });
    const listed = await call<Page<SignalRow>>(server, 'GET', 'signal/list', { id: signal.id }, { token: agent.token });
    expect(listed.data.list).toEqual([scoped]);
  });
});

describe('the end of its time', () => {
  test('ends an overdue signal once and notifies the platform; an extended one keeps running', async () => {
    const overdue = await addSignal(server, admin, { endAt: server.clock.now() + 1_000 });
    const extended = await addSignal(server, admin, { endAt: server.clock.now() + 1_000 });
    await change({ id: extended.id, version: 1, endAt: server.clock.now() + 60_000 });
    server.clock.move(1_000);
    // It is not offered to the platform even before the job ends it.
    expect(await offered()).not.toContain(overdue.no);
    await Promise.all([endOverdue(server.app), endOverdue(server.app)]);
    expect(await row(overdue.id)).toMatchObject({ state: 2, version: 2, by: null });
    expect((await row(extended.id)).state).toBe(1);
    expect((await published(overdue.id)).map(({ state }) => state)).toEqual([1, 2]);
    expect((await fetchAuditRows(server, { targetType: 'signal', targetId: overdue.id })).at(-1)).toMatchObject({
      action: 'signal.ended',
      operator: null,
      after: { state: 2 },
    });
    expect((await change({ id: overdue.id, version: 1, title: 'x' })).code).toBe(409);
  });
});
