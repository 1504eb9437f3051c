import type { Page } from '@hengtai/contract/wire/list';
import type { AssetRow, NoteRow, UserDetail, UserRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { findUser, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../../../test/server.ts';
import { LOGIN_DAYS, sweep } from '../../../jobs/sweep.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

const newUser = async (options: Parameters<typeof makeUser>[1] = {}): Promise<UserRow> =>
  findUser(server, admin, await makeUser(server, options));
const detail = async (id: number, token = admin): Promise<UserDetail> =>
  (await call<UserDetail>(server, 'GET', 'user/detail', { id }, { token })).data;
const loggedIn = (account: string, at: number, more: object = {}) => ({
  type: 'user.login',
  data: { account, ip: '203.0.113.7', ...more },
  at,
});

describe('user/detail', () => {
  test('is empty for a new user, who may be deleted', async () => {
    const user = await newUser();
    const found = await detail(user.id);
    expect(found).toMatchObject({
      row: user,
      totals: { recharge: '0', rechargeCount: 0, withdraw: '0', withdrawCount: 0, net: '0' },
      auditsShown: true,
      deletable: true,
    });
    expect(Object.keys(found.row)).toEqual(Object.keys(user));
    expect(found.assets.length).toBeGreaterThan(0);
    const { deposits, recharges, withdraws, funds, transfers, logins, devices, credentials, notes, audits, open } =
      found;
    for (const list of [
      deposits,
      recharges,
      withdraws,
      funds,
      transfers,
      logins,
      devices,
      credentials,
      notes,
      audits,
      open,
    ])
      expect(list).toEqual([]);
  });

  test('shows balances, latest records, notes and audit rows', async () => {
    const user = await newUser({ amount: '100' });
    const { account } = user;
    await recharge(server, account, '50');
    const paid = await makeWithdraw(server, admin, account, { amount: '40', fee: '1' });
    await call(server, 'POST', 'withdraw/pass', { id: paid.id }, { token: admin });
    await apply(server, { type: 'withdraw.paid', data: { no: paid.no, txHash: '0x1' } });
    const open = await makeWithdraw(server, admin, account, { amount: '10' });
    const other = await makeUser(server, { amount: '9' });
    const move = (from: string, to: string) => ({
      type: 'transfer.made',
      data: { no: unique('T'), account: from, toAccount: to, market: 'USDT', platform: 1, toPlatform: 1, amount: '3' },
    });
    await apply(server, move(account, other), move(other, account), {
      type: 'user.credential',
      data: { account, kind: 'otp' },
    });
    await call(server, 'POST', 'user/note/add', { id: user.id, text: '已电话核实' }, { token: admin });
    const found = await detail(user.id);
    expect(found).toMatchObject({
      totals: { recharge: '150', rechargeCount: 2, withdraw: '40', withdrawCount: 1, net: '110' },
      deposits: [{ marketName: 'USDT', recharge: '150', withdraw: '40', net: '110' }],
      recharges: [{ amount: '50', state: 1 }, { amount: '100' }],
      withdraws: [
        { no: open.no, state: 0 },
        { no: paid.no, state: 4 },
      ],
      transfers: [
        { account: other, toAccount: account },
        { account, toAccount: other },
      ],
      credentials: [{ kind: 'otp' }],
      notes: [{ text: '已电话核实', by: 'admin' }],
      deletable: false,
    });
    expect(found.assets[0]).toMatchObject({ marketName: 'USDT', active: '100', frozen: '10', total: '110' });
    expect(found.funds[0]).toMatchObject({ account, type: 5, amount: '3' });
    expect(found.audits.map(({ action }) => action)).toEqual(['user.noteAdd', 'withdraw.pass']);
  });

  test('has no totals for a coin without a price', async () => {
    const market = await makeMarket(server);
    const user = await newUser({ amount: '5', market });
    expect(await detail(user.id)).toMatchObject({
      totals: { recharge: null, rechargeCount: 1, withdraw: '0', withdrawCount: 0, net: null },
    });
  });

  test('shows the last ten logins', async () => {
    const user = await newUser();
    const now = server.clock.now();
    await apply(server, ...Array.from({ length: 12 }, (_, index) => loggedIn(user.account, now - index * 1_000)));
    const { logins } = await detail(user.id);
    expect(logins.map(({ at }) => at)).toEqual(Array.from({ length: 10 }, (_, index) => now - index * 1_000));
  });

  test('shows audit rows only to operators who may read the audit log', async () => {
    const agent = await makeOperator(server, admin, { abilities: [1] });
    const user = await newUser({ agent: agent.account });
    await call(server, 'POST', 'user/remark', { id: user.id, remark: 'x' }, { token: agent.token });
    expect(await detail(user.id, agent.token)).toMatchObject({ auditsShown: false, audits: [] });
    expect(await detail(user.id)).toMatchObject({ auditsShown: true, audits: [{ action: 'user.remark' }] });
  });
});

describe('user/balance', () => {
  const balanceAt = async (id: number, at: number, platform?: number): Promise<AssetRow[]> => {
    const input = { id, at, ...(platform === undefined ? {} : { platform }) };
    return (await call<AssetRow[]>(server, 'GET', 'user/balance', input, { token: admin })).data;
  };

  test('follows the business time of the events and the price of that time', async () => {
    const market = await makeMarket(server);
    const user = await newUser();
    const t = server.clock.now() - 3_600_000;
    const credited = (when: number, amount: string) => ({
      type: 'recharge.credited',
      at: when,
      data: {
        no: unique('R'),
        account: user.account,
        market,
        network: 'N',
        address: 'A',
        amount,
        confirmations: 1,
        source: 1,
      },
    });
    const tick = (when: number, price: string) => ({ type: 'tick', at: when, data: { market, price, at: when } });
    await apply(server, credited(t, '2'), tick(t + 2_000, '10'), tick(t + 4_000, '30'), credited(t + 3_000, '1'));
    // Arrives last but counts from its own time.
    await apply(server, credited(t + 1_000, '4'));
    expect(await balanceAt(user.id, t - 1)).toEqual([]);
    expect(await balanceAt(user.id, t)).toMatchObject([{ marketName: market, total: '2', valuation: null }]);
    expect(await balanceAt(user.id, t + 1_999)).toMatchObject([{ total: '6', valuation: null }]);
    expect(await balanceAt(user.id, t + 2_000)).toMatchObject([{ total: '6', valuation: '60' }]);
    expect(await balanceAt(user.id, t + 3_999)).toMatchObject([
      { active: '7', frozen: '0', total: '7', valuation: '70' },
    ]);
    expect(await balanceAt(user.id, server.clock.now())).toMatchObject([{ total: '7', valuation: '210' }]);
  });

  test('includes frozen balances and filters by account type', async () => {
    const user = await newUser({ amount: '20' });
    await makeWithdraw(server, admin, user.account, { amount: '8' });
    const now = server.clock.now();
    const expected = [{ platform: 1, active: '12', frozen: '8', total: '20', valuation: '20' }];
    expect(await balanceAt(user.id, now)).toMatchObject(expected);
    expect(await balanceAt(user.id, now, 1)).toMatchObject(expected);
    expect(await balanceAt(user.id, now, -1)).toMatchObject(expected);
    expect(await balanceAt(user.id, now, 2)).toEqual([]);
  });
});

test('the value of a user is exact, and unknown while one of its coins has no price', async () => {
  const user = await newUser({ amount: '20.5' });
  const [priced, unpriced] = [await makeMarket(server), await makeMarket(server)];
  const tick = (market: string, price: string) =>
    apply(server, { type: 'tick', data: { market, price, at: server.clock.now() } });
  const valuation = async () => (await findUser(server, admin, user.account)).valuation;
  await tick(priced, '0.000000000000000003');
  await recharge(server, user.account, '0.5', priced);
  // Each amount is rounded to 18 decimals, as everywhere.
  expect(await valuation()).toBe('20.500000000000000002');
  await recharge(server, user.account, '2', unpriced);
  expect(await valuation()).toBeNull();
  // More than an amount can hold.
  await tick(unpriced, '999999999999999999');
  expect(await valuation()).toBeNull();
  await tick(unpriced, '2');
  expect(await valuation()).toBe('24.500000000000000002');
});

describe('user/note', () => {
  const add = (id: number, text: string, token = admin) =>
    call<NoteRow>(server, 'POST', 'user/note/add', { id, text }, { token });
  const list = async (input: object, token = admin) =>
    (await call<Page<NoteRow>>(server, 'GET', 'user/note/list', input, { token })).data;

  test('is stored with its author and listed newest first', async () => {
    const agent = await makeOperator(server, admin, { abilities: [1] });
    const user = await newUser({ agent: agent.account });
    const first = await add(user.id, '第一条\n两行', agent.token);
    expect(first).toMatchObject({
      code: 200,
      data: { userId: user.id, account: user.account, text: '第一条\n两行', by: agent.account },
    });
    const second = await add(user.id, '第二条');
    expect(await list({ id: user.id })).toMatchObject({
      total: 2,
      list: [{ id: second.data.id, by: 'admin' }, { id: first.data.id }],
    });
    // The name of an operator above the reader is hidden.
    expect((await list({ id: user.id }, agent.token)).list[0]).toMatchObject({ text: '第二条', by: '--' });
    expect(await list({ id: user.id, page: 2, size: 1 })).toMatchObject({ total: 2, list: [{ id: first.data.id }] });
    expect(await fetchAuditRows(server, { requestId: second.requestId })).toMatchObject([
      { action: 'user.noteAdd', targetId: user.id, after: { text: '第二条' } },
    ]);
  });

  test.each(['', ' \n', 'x'.repeat(501)])('answers 422 for an empty or too long text', async (text) => {
    const user = await newUser();
    expect(await add(user.id, text)).toMatchObject({ code: 422, data: [{ field: 'text' }] });
  });
});

describe('logins', () => {
  test('are all stored with their device, also when they arrive out of order', async () => {
    const user = await newUser();
    const now = server.clock.now();
    await apply(
      server,
      loggedIn(user.account, now - 1_000, { device: 'iPhone 17' }),
      loggedIn(user.account, now - 5_000),
      loggedIn(user.account, now - 9_000, { device: 'iPhone 17', ip: '203.0.113.9' }),
    );
    const found = await detail(user.id);
    expect(found.logins.map(({ ip, device }) => [ip, device])).toEqual([
      ['203.0.113.7', 'iPhone 17'],
      ['203.0.113.7', null],
      ['203.0.113.9', 'iPhone 17'],
    ]);
    expect(found.devices).toEqual([
      { device: 'iPhone 17', times: 2, firstAt: now - 9_000, lastAt: now - 1_000, lastIp: '203.0.113.7' },
      { device: null, times: 1, firstAt: now - 5_000, lastAt: now - 5_000, lastIp: '203.0.113.7' },
    ]);
    expect(found.row).toMatchObject({ lastLoginAt: now - 1_000 });
  });

  test.each(['', 'x'.repeat(65), 'a\nb'])('are rejected with the device %j', async (device) => {
    const user = await newUser();
    const [answer] = await send(server, loggedIn(user.account, 1, { device }));
    expect(answer).toMatchObject({ result: 'rejected', reason: 'invalid: device' });
  });

  test('are deleted after their retention, as expired support links are', async () => {
    const user = await newUser();
    const day = 86_400_000;
    const now = server.clock.now();
    await apply(
      server,
      loggedIn(user.account, now - (LOGIN_DAYS - 1) * day),
      loggedIn(user.account, now - (LOGIN_DAYS + 1) * day),
    );
    await call(server, 'POST', 'user/token', { id: user.id }, { token: admin });
    const countRows = async () => [
      (await server.query(sql`select 1 from user_login where user_id = ${user.id}`)).length,
      (await server.query(sql`select 1 from support_link where user_id = ${user.id}`)).length,
    ];
    await sweep(server.app);
    expect(await countRows()).toEqual([1, 1]);
    server.clock.move(2 * day);
    await sweep(server.app);
    server.clock.move(-2 * day);
    expect(await countRows()).toEqual([0, 0]);
  });
});
