import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchBalances, makeMarket } from '../../../../test/book.ts';
import { type OtpOperator, makeOtpOperator } from '../../../../test/codes.ts';
import { makeUser } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let house: Approvers;
let maker: OtpOperator;

async function start(): Promise<void> {
  server = await testServer({ jobs: false });
  house = await makeApprovers(server);
  const abilities = [ABILITY.assets, ABILITY.headquarters];
  maker = await makeOtpOperator(server, house.admin.token, { abilities });
}
beforeAll(start);
afterAll(() => server.stop());
beforeEach(() => setPolicy(server, 'recharge.release', 2, '100'));

const find = async (no: string): Promise<RechargeRow> => {
  const { data } = await call<Page<RechargeRow>>(server, 'GET', 'recharge/list', { no }, { token: house.admin.token });
  const [row] = data.list;
  if (!row) throw new Error(`no recharge ${no}`);
  return row;
};

const reported = (account: string, more: object) => {
  const chain = { market: 'USDT', network: 'TON', address: 'T-in', amount: '60', confirmations: 1, source: 1 };
  return { no: unique('R'), account, ...chain, ...more };
};

/** A recharge that the server holds, because USDT does not list its network. */
async function held(account: string, more: object = {}): Promise<RechargeRow> {
  const data = reported(account, more);
  await apply(server, { type: 'recharge.credited', data });
  return find(data.no);
}

async function heldBy(operator: OtpOperator, account: string, more: object = {}): Promise<RechargeRow> {
  const data = reported(account, more);
  await apply(server, { type: 'recharge.detected', data });
  const { id } = await find(data.no);
  expect(await callAs(server, operator, 'recharge/hold', { id, reason: 'looked at' })).toMatchObject({ code: 200 });
  await apply(server, { type: 'recharge.credited', data: { no: data.no } });
  return find(data.no);
}

const release = ({ id }: RechargeRow, by = maker, more: object = {}) =>
  callAs<ApprovalRow & RechargeRow>(server, by, 'recharge/release', { id, ...more });
const releaseMany = async (rows: readonly { id: number }[]) =>
  (await callAs<BulkResult>(server, maker, 'recharge/release/many', { ids: rows.map(({ id }) => id) })).data.results;
const codesOf = (results: BulkResult['results']) => results.map(({ code }) => code);

describe('recharge/release/many', () => {
  test('releases each recharge that it can, and says why not', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)];
    const [first, second] = [await held(user), await held(other)];
    const done = await held(await makeUser(server));
    await release(done);
    const results = await releaseMany([first, done, { id: 999_999 }, second]);
    expect(results.map(({ id }) => id)).toEqual([first.id, done.id, 999_999, second.id]);
    expect(codesOf(results)).toEqual([200, 409, 404, 200]);
    for (const account of [user, other])
      expect(await fetchBalances(server, account)).toEqual({ 'USDT 1 active': '60' });
    const rows = await server.query(sql<{ id: number }>`
      select target_id as id from audit where action = 'recharge.release' and result = 200
        and target_id in (${first.id}, ${second.id}) order by id`);
    expect(rows).toHaveLength(2);
  });

  test('asks for a checker for what is above the amount of a user', async () => {
    const user = await makeUser(server);
    const [first, second] = [await held(user), await held(user)];
    expect(codesOf(await releaseMany([first, second]))).toEqual([200, 202]);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '60' });
  });
});

describe('recharge/release', () => {
  test('ends the cause with the hold, and tells the platform the words of the operator only', async () => {
    for (const [more, remark] of [
      [{}, ''],
      [{ reason: '来源已核实' }, '来源已核实'],
    ] as const) {
      const row = await held(await makeUser(server));
      expect(row).toMatchObject({ state: 3, remark: '网络未开放' });
      expect(await release(row, maker, more)).toMatchObject({ code: 200, data: { state: 1, remark } });
      const [last] = await server.query(sql<{ data: object }>`
        select data from command where type = 'recharge.reviewed' and ref_id = ${row.id} order by id desc limit 1`);
      const words = remark === '' ? {} : { reason: remark, reasonCode: 'other' };
      expect(last?.data).toEqual({ no: row.no, state: 1, ...words });
    }
  });

  test('needs a second person above the amount, by its value now', async () => {
    const market = await makeMarket(server, { networks: [{ network: 'A', recharge: 1, withdraw: 1 }] });
    const row = await held(await makeUser(server), { market, amount: '1' });
    const priced = (price: string) => apply(server, { type: 'tick', data: { market, price, at: server.clock.now() } });
    await priced('101');
    const asked = await release(row);
    expect(asked).toMatchObject({ code: 202, data: { amount: '101', targetType: 'recharge', targetId: row.id } });
    const { data } = await call<ApprovalDetail>(
      server,
      'GET',
      'approval/detail',
      { id: asked.data.id },
      { token: house.second.token },
    );
    expect(data).toMatchObject({ problem: null, lines: [expect.anything(), expect.anything()] });
    const passed = await callAs(server, house.second, 'approval/pass', { id: asked.data.id });
    expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await find(row.no)).toMatchObject({ state: 1 });
  });

  test('counts nothing before the arrival', async () => {
    const data = reported(await makeUser(server), { amount: '1000' });
    await apply(server, { type: 'recharge.detected', data });
    const row = await find(data.no);
    await callAs(server, maker, 'recharge/hold', { id: row.id });
    expect(await release(row)).toMatchObject({ code: 200, data: { state: 0 } });
  });
});

describe('while four-eyes are locked', () => {
  beforeAll(async () => {
    const open = { server, house, maker };
    await start();
    await lockFourEyes(server, house);
    return async () => {
      await server.stop();
      ({ server, house, maker } = open);
    };
  });

  test('what nobody holds needs a second person above the amount only', async () => {
    const user = await makeUser(server);
    expect(await release(await held(user))).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await release(await held(user))).toMatchObject({ code: 202 });
  });

  test('what another person holds always needs one, the own hold as what nobody holds', async () => {
    const user = await makeUser(server);
    expect(await release(await heldBy(house.admin, user, { amount: '1' }))).toMatchObject({ code: 202 });
    expect(await release(await heldBy(maker, user, { amount: '100' }))).toMatchObject({ code: 200 });
    expect(await release(await heldBy(maker, user, { amount: '1' }))).toMatchObject({ code: 202 });
  });
});
