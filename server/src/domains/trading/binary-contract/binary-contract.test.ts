import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type {
  BinaryContractConfigDetail,
  BinaryContractConfigRow,
  BinaryContractDetail,
  BinaryContractEvidence,
  BinaryContractRisk,
  BinaryContractRow,
} from '@hengtai/contract/trading/binary-contract/schema';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freezeClock } from '../../../../test/book.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows, countDeadlocks, fetchRequestEntries, setPolicy } from '../../../../test/inspect.ts';
import {
  findBinaryContract,
  makeContractUser,
  makeBinaryContractMarket,
  openContract,
  settleAll,
  fetchContractBalances,
  sendTicks,
  fetchContractCommands,
} from '../../../../test/binary-contract.ts';
import { type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { watchBinaryContracts } from './binary-contract.jobs.ts';

let server: TestServer;
let admin: string;
let checker: TestOperator;
let user: string;
let market: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  checker = await makeOperator(server, admin, { abilities: [6, 11, 13] });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});
beforeEach(async () => {
  user = await makeContractUser(server, '5000');
  market = await makeBinaryContractMarket(server);
});

const post = <T = BinaryContractRow>(path: string, input: object, token = admin, key = unique('k')) =>
  call<T>(server, 'POST', path, input, { token, key });
const get = <T>(path: string, input: object = {}, token = admin) => call<T>(server, 'GET', path, input, { token });
const voidInput = (id: number, over: object = {}) => ({ id, state: 0, type: 1, reason: '行情异常', ...over });
const openRunning = async (terms: Parameters<typeof openContract>[2] = {}): Promise<BinaryContractRow> =>
  findBinaryContract(server, admin, await openContract(server, user, { market, seconds: 300, ...terms }));

describe('second/config', () => {
  const setting = (over: object = {}) => ({
    marketId: 0,
    seconds: 7_000,
    payoutRate: '80.50',
    minAmount: '1',
    maxAmount: '100',
    sort: 3,
    state: 1,
    ...over,
  });
  const save = (input: object, token = admin) => post<BinaryContractConfigRow>('second/config/save', input, token);

  test('a new installation has four settings for all markets', async () => {
    const { data } = await get<{ list: BinaryContractConfigRow[] }>('second/config/list', {
      marketId: 0,
      sort: 'seconds',
    });
    expect(data.list.slice(0, 4)).toMatchObject(
      [30, 60, 120, 300].map((seconds) => ({ marketId: 0, marketName: '全部市场', seconds, state: 1, by: null })),
    );
  });

  test('adds, changes and deletes a setting, with commands to the platform and audit rows', async () => {
    const added = await save(setting({ reason: '新时长' }));
    expect(added).toMatchObject({ code: 200, data: { payoutRate: '80.5', version: 1, by: 'admin', running: 0 } });
    const { id } = added.data;
    const changed = await save(setting({ id, version: 1, payoutRate: '70' }));
    expect(changed).toMatchObject({ code: 200, data: { payoutRate: '70', version: 2 } });
    expect(await fetchAuditRows(server, { requestId: changed.requestId })).toMatchObject([
      { action: 'second.configSave', before: { payoutRate: '80.5' }, after: { payoutRate: '70' } },
    ]);
    expect(await post('second/config/del', { id })).toMatchObject({ code: 200 });
    expect(await post('second/config/del', { id })).toMatchObject({ code: 404 });
    const commands = await server.query(sql<{ data: object }>`
      select data from command where type = 'config.updated' and ref_type = 'secondConfig' and ref_id = ${id} order by id`);
    expect(commands.map(({ data }) => data)).toMatchObject([
      { key: 'second.config', str: '*:7000', num: '80.5', state: 1 },
      { num: '70', state: 1 },
      { num: '70', state: 0 },
    ]);
  });

  test('every version stays, also after the setting was deleted, because contracts name it', async () => {
    const detail = (id: number, token = admin) =>
      get<BinaryContractConfigDetail>('second/config/detail', { id }, token);
    const { id } = (await save(setting({ seconds: 7_010 }))).data;
    await save(setting({ id, seconds: 7_010, version: 1, payoutRate: '70', marketId: 2 }));
    await save(setting({ id, seconds: 7_010, version: 2, payoutRate: '70', marketId: 2 }));
    const versions = [
      {
        version: 2,
        marketId: 2,
        seconds: 7_010,
        payoutRate: '70',
        minAmount: '1',
        maxAmount: '100',
        sort: 3,
        state: 1,
      },
      { version: 1, marketId: 0, marketName: '全部市场', payoutRate: '80.5', by: 'admin' },
    ];
    expect((await detail(id)).data).toMatchObject({ row: { id, version: 2 }, versions });
    const agent = await makeOperator(server, admin);
    expect((await detail(id, agent.token)).data.versions).toMatchObject([{ by: null }, { by: null }]);
    await post('second/config/del', { id });
    expect((await detail(id)).data).toMatchObject({ row: null, versions });
    expect(await detail(999_999)).toMatchObject({ code: 404 });
  });

  test.each<[string, object, string]>([
    ['a zero length', { seconds: 0 }, 'seconds'],
    ['more than a day', { seconds: 86_401 }, 'seconds'],
    ['a zero rate', { payoutRate: '0' }, 'payoutRate'],
    ['a rate above a hundred', { payoutRate: '100.0001' }, 'payoutRate'],
    ['a rate with too many decimals', { payoutRate: '1.00001' }, 'payoutRate'],
    ['a zero minimum stake', { minAmount: '0' }, 'minAmount'],
    ['a stake with more decimals than USDT', { minAmount: '0.0000001' }, 'minAmount'],
    ['a maximum below the minimum', { maxAmount: '0.9' }, 'maxAmount'],
    ['the settlement asset', { marketId: 1 }, 'marketId'],
    ['an unknown market', { marketId: 99_999 }, 'marketId'],
    ['version 0', { id: 1, version: 0 }, 'version'],
    ['a win', { win: 1 }, 'win'],
  ])('refuses %s', async (_what, over, field) => {
    expect(await save(setting({ seconds: 7_001, ...over }))).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('keeps lengths unique per market, even with concurrent saves', async () => {
    const twins = await Promise.all([save(setting({ seconds: 7_002 })), save(setting({ seconds: 7_002 }))]);
    expect(twins.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect((await save(setting({ seconds: 7_002, marketId: 2 }))).code).toBe(200);
    const other = await save(setting({ seconds: 7_003 }));
    const moved = setting({ id: other.data.id, version: 1, seconds: 7_002 });
    expect(await save(moved)).toMatchObject({ code: 422, data: [{ field: 'seconds' }] });
  });

  test('refuses an outdated version and names who saved the current one', async () => {
    const { data } = await save(setting({ seconds: 7_004 }));
    await save(setting({ id: data.id, version: 1, seconds: 7_004, payoutRate: '60' }));
    expect(await save(setting({ id: data.id, version: 1, seconds: 7_004 }))).toMatchObject({
      code: 409,
      data: { by: 'admin' },
    });
  });

  test('requires a checker if the policy says so', async () => {
    await setPolicy(server, 'second.configSave', 1);
    const request = await save(setting({ seconds: 7_005 }));
    expect(request.code).toBe(202);
    const { id } = request.data;
    const { data } = await get<{ preview: { asked: { label: string; text: string }[] } }>('approval/detail', { id });
    expect(JSON.stringify(data)).toContain('全部市场');
    expect((await post('approval/pass', { id }, checker.token)).code).toBe(200);
    await setPolicy(server, 'second.configSave', 0);
    const listed = await get<{ total: number }>('second/config/list', { seconds: 7_005 });
    expect(listed.data.total).toBe(1);
  });
});

describe('second/contract/change', () => {
  test('always requires a checker and returns the full stake', async () => {
    const row = await openRunning();
    const request = await post('second/contract/change', voidInput(row.id));
    expect(request.code).toBe(202);
    expect((await fetchContractBalances(server, user)).frozen).toBe('100');
    expect(await post('approval/pass', { id: request.data.id })).toMatchObject({ code: 403 });
    expect(await post('approval/pass', { id: request.data.id }, checker.token)).toMatchObject({ code: 200 });
    expect(await findBinaryContract(server, admin, row.no)).toMatchObject({
      state: 2,
      type: 0,
      profit: null,
      closePrice: null,
      reason: '行情异常',
      by: 'admin',
      secondBy: checker.account,
    });
    expect(await fetchContractBalances(server, user)).toEqual({ active: '5000', frozen: '0' });
    expect((await fetchRequestEntries(server, row.id, 'second')).slice(2)).toMatchObject([
      { bucket: 'frozen', type: 20, amount: '-100' },
      { bucket: 'active', type: 20, amount: '100' },
    ]);
    expect(await fetchContractCommands(server, row.id)).toEqual([
      { type: 'second.voided', data: { no: row.no, reason: '行情异常', reasonCode: 'abnormal_prices' } },
    ]);
  });

  test.each<[string, object, number]>([
    ['a change other than voiding', { type: 2 }, 422],
    ['a win', { type: 0 }, 422],
    ['a price', { closePrice: '1' }, 422],
    ['a result', { result: 1 }, 422],
    ['a state other than its own', { state: 1 }, 409],
  ])('refuses %s', async (_what, over, code) => {
    const row = await openRunning();
    expect((await post('second/contract/change', voidInput(row.id, over))).code).toBe(code);
  });

  test('is refused once the closing tick is recorded, settled or not', async () => {
    const at = server.clock.now() - 400_000;
    const row = await openRunning({ at });
    await sendTicks(server, market, ['100', at]);
    await settleAll(server);
    const request = await post('second/contract/change', voidInput(row.id));
    expect(request.code).toBe(202);
    await sendTicks(server, market, ['101', at + 300_000]);
    // Refused even though the contract is not settled yet.
    expect(await post('second/contract/change', voidInput(row.id))).toMatchObject({ code: 409 });
    const passed = await post('approval/pass', { id: request.data.id }, checker.token);
    expect(passed.code).toBe(409);
    await settleAll(server);
    expect(await findBinaryContract(server, admin, row.no)).toMatchObject({ state: 1, type: 1, profit: '90' });
  });

  test('the settlement expires an open approval', async () => {
    const at = server.clock.now() - 400_000;
    const row = await openRunning({ at });
    const request = await post('second/contract/change', voidInput(row.id));
    await sendTicks(server, market, ['100', at], ['101', at + 300_000]);
    await settleAll(server);
    const settled = await findBinaryContract(server, admin, row.no);
    expect(settled.state).toBe(1);
    const { data } = await get<{ list: ApprovalRow[] }>('approval/list', { type: 'second.void', state: 3 });
    expect(data.list.find(({ id }) => id === request.data.id)).toMatchObject({
      answer: '已结算',
      expiresAt: settled.updatedAt,
      decidedAt: settled.updatedAt,
    });
  });

  test('races the settlement: exactly one of them takes effect', async () => {
    await setPolicy(server, 'second.void', 0);
    const deadlocks = await countDeadlocks(server);
    for (let round = 0; round < 6; round += 1) {
      const own = await makeBinaryContractMarket(server);
      const at = server.clock.now() - 400_000;
      const row = await openRunning({ market: own, at });
      await sendTicks(server, own, ['100', at]);
      const voids = Array.from({ length: 3 }, () => post('second/contract/change', voidInput(row.id)));
      const [, ...answers] = await Promise.all([
        sendTicks(server, own, ['99', at + 300_000]).then(() => Promise.all([settleAll(server), settleAll(server)])),
        ...voids,
      ]);
      await settleAll(server);
      const after = await findBinaryContract(server, admin, row.no);
      const won = answers.filter(({ code }) => code === 200).length;
      expect(answers.every(({ code }) => code === 200 || code === 409)).toBe(true);
      expect([after.state, won]).toEqual(won === 1 ? [2, 1] : [1, 0]);
      expect((await fetchContractCommands(server, row.id)).length).toBe(1);
      expect((await fetchRequestEntries(server, row.id, 'second')).length).toBe(4);
    }
    await setPolicy(server, 'second.void', 1);
    expect(await countDeadlocks(server)).toBe(deadlocks);
  });
});

describe('second/contract/change/many', () => {
  const many = (ids: readonly number[], key = unique('k')) =>
    post<BulkResult>('second/contract/change/many', { ids, state: 0, type: 1, reason: '平台故障' }, admin, key);
  const codes = ({ data }: { data: BulkResult }) => data.results.map(({ id, code }) => [id, code]);

  test('voids each contract that it can, returns a code for each, and is idempotent', async () => {
    await setPolicy(server, 'second.void', 0);
    const own = await makeBinaryContractMarket(server);
    const at = server.clock.now() - 400_000;
    const [first, other] = [await openRunning(), await openRunning()];
    const decided = await openRunning({ market: own, at });
    await sendTicks(server, own, ['100', at], ['101', at + 300_000]);
    const ids = [first.id, decided.id, other.id, 9_999_999];
    const key = unique('k');
    const answer = await many(ids, key);
    const expected = [
      [first.id, 200],
      [decided.id, 409],
      [other.id, 200],
      [9_999_999, 404],
    ];
    expect(codes(answer)).toEqual(expected);
    expect(codes(await many(ids, key))).toEqual(expected);
    expect(codes(await many([first.id]))).toEqual([[first.id, 409]]);
    await setPolicy(server, 'second.void', 1);
    await settleAll(server);
    // The decided contract won 90.
    expect(await fetchContractBalances(server, user)).toEqual({ active: '5090', frozen: '0' });
    for (const { id, no } of [first, other]) {
      expect(await findBinaryContract(server, admin, no)).toMatchObject({
        state: 2,
        profit: null,
        reason: '平台故障',
        by: 'admin',
      });
      expect((await fetchRequestEntries(server, id, 'second')).length).toBe(4);
      expect((await fetchContractCommands(server, id)).map(({ type }) => type)).toEqual(['second.voided']);
    }
  });

  test('creates an approval per contract if the policy says so', async () => {
    const [one, two] = [await openRunning(), await openRunning()];
    expect(codes(await many([one.id, two.id]))).toEqual([
      [one.id, 202],
      [two.id, 202],
    ]);
    expect((await fetchContractBalances(server, user)).frozen).toBe('200');
    const open = await server.query(sql<{ id: number }>`
      select id from approval where target_type = 'second' and target_id = ${two.id} and state = 0`);
    expect(open.length).toBe(1);
    expect((await post('approval/pass', { id: open[0]?.id }, checker.token)).code).toBe(200);
    expect((await findBinaryContract(server, admin, one.no)).state).toBe(0);
    expect((await findBinaryContract(server, admin, two.no)).state).toBe(2);
  });

  test.each<[string, object]>([
    ['a win', { type: 0 }],
    ['no ids', { ids: [] }],
    ['a result', { result: 1 }],
  ])('refuses the whole call for %s', async (_what, over) => {
    const row = await openRunning();
    const input = { ids: [row.id], state: 0, type: 1, reason: '平台故障', ...over };
    expect((await post('second/contract/change/many', input)).code).toBe(422);
    expect((await findBinaryContract(server, admin, row.no)).state).toBe(0);
  });
});

describe('second/contract/detail and evidence', () => {
  test('show the deciding ticks with the ticks before them, and a file from which the outcome can be recomputed', async () => {
    const at = server.clock.now() - 400_000;
    const row = await openRunning({ at, side: 2 });
    await sendTicks(
      server,
      market,
      ['101', at - 1],
      ['100', at + 5],
      ['98', at + 299_999],
      ['99', at + 300_010],
      ['1', at + 300_011],
    );
    await settleAll(server);
    const { data } = await get<BinaryContractDetail>('second/contract/detail', { id: row.id });
    expect(data).toMatchObject({
      row: { state: 1, type: 1, profit: '90', openPrice: '100', closePrice: '99' },
      terms: { rule: 1, toleranceMs: 30_000, configVersion: 1 },
      ticks: {
        beforeOpen: { price: '101', at: at - 1 },
        open: { price: '100', at: at + 5 },
        beforeClose: { price: '98', at: at + 299_999 },
        close: { price: '99', at: at + 300_010 },
      },
      preview: [],
      closing: false,
    });
    expect(data.entries.map(({ type }) => type)).toEqual([18, 18, 19, 19, 19]);
    const evidence = await post<BinaryContractEvidence>('second/contract/evidence', { id: row.id });
    const { sha256, ...body } = evidence.data;
    expect(createHash('sha256').update(JSON.stringify(body)).digest('hex')).toBe(sha256);
    expect(body.ticks.map(({ price }) => price)).toEqual(['101', '100', '98', '99']);
    expect(body.recomputed).toMatchObject({ state: 1, type: 1, profit: '90', matches: true });
    expect(body.ticksLeftOut).toBe(0);
    expect(await fetchAuditRows(server, { requestId: evidence.requestId })).toMatchObject([
      { action: 'second.evidence', result: 200, targetId: row.id, after: { sha256 } },
    ]);
  });

  test('of a running contract previews the entries of voiding it', async () => {
    const row = await openRunning();
    const { data } = await get<BinaryContractDetail>('second/contract/detail', { id: row.id });
    expect(data).toMatchObject({ closing: false, approval: { needed: true, openId: null } });
    expect(data.preview.map(({ amount, type }) => [amount, type])).toEqual([
      ['-100', 20],
      ['100', 20],
    ]);
  });
});

describe('second/contract/risk', () => {
  test('sums both sides per market and second, and notifies once per exceeded threshold', async () => {
    const clock = freezeClock(server);
    const at = clock.at - (clock.at % 1_000);
    // 300 s pay 90 %: rising prices cost 1,800 and win the 500 of the down side.
    await openRunning({ at, amount: '2000' });
    await openRunning({ at, amount: '500', side: 2 });
    await openRunning({ at: at - 5_000, amount: '100', side: 2 });
    const own = async () => {
      const { data } = await get<BinaryContractRisk>('second/contract/risk');
      return {
        ...data,
        markets: data.markets.filter(({ marketName }) => marketName === market),
        expiries: data.expiries.filter(({ marketName }) => marketName === market),
      };
    };
    const initial = await own();
    expect(initial.now).toBe(clock.at);
    expect(initial.thresholds).toEqual({ expiry: '50000', market: '200000' });
    expect(initial.markets).toMatchObject([
      {
        up: { count: 1, amount: '2000', payout: '1800' },
        down: { count: 2, amount: '600', payout: '540' },
        risk: '1200',
        alert: false,
        overdue: 0,
        price: null,
      },
    ]);
    expect(initial.expiries).toMatchObject([
      { settleAt: at + 300_000, risk: '1300', alert: false },
      { settleAt: at + 295_000, risk: '90' },
    ]);
    const set = (key: string, num: number) => server.query(sql`update config set num = ${num} where key = ${key}`);
    const notifications = () =>
      server.query(sql<{ type: string; detail: string }>`
        select n.type, n.detail from notice n join market m on m.id = n.market_id
        where m.market_name = ${market} and n.type like 'second.%' order by n.id`);
    await watchBinaryContracts(server.app);
    expect(await notifications()).toEqual([]);
    await set('second.riskExpiry', 1_300);
    await set('second.riskMarket', 1_200);
    expect((await own()).expiries.map(({ alert }) => alert)).toEqual([true, false]);
    await watchBinaryContracts(server.app);
    await watchBinaryContracts(server.app);
    expect(await notifications()).toEqual([
      { type: 'second.risk', detail: '市场合计 1200 USDT' },
      { type: 'second.risk', detail: '同秒到期 1300 USDT' },
    ]);
    // Falling below and exceeding it again raises a new alert for the market, but not for the expiry second.
    await set('second.riskMarket', 5_000);
    await watchBinaryContracts(server.app);
    await set('second.riskMarket', 1_000);
    await watchBinaryContracts(server.app);
    expect((await notifications()).length).toBe(3);
    // Without a tick, contracts count as overdue after expiry, tolerance and 30 s.
    clock.move(361_000);
    expect((await own()).markets).toMatchObject([{ overdue: 3 }]);
    await watchBinaryContracts(server.app);
    expect((await notifications()).at(-1)).toEqual({ type: 'second.stuck', detail: '3 笔到期未结' });
    await set('second.riskExpiry', 50_000);
    await set('second.riskMarket', 200_000);
    clock.release();
  });

  test('is limited to the scope', async () => {
    const agent = await makeOperator(server, admin, { abilities: [6] });
    user = await makeContractUser(server, '1000', { agent: agent.account });
    await openRunning({ amount: '200' });
    const { data } = await get<BinaryContractRisk>('second/contract/risk', {}, agent.token);
    expect(data.markets).toMatchObject([{ marketName: market, up: { count: 1, amount: '200' } }]);
  });
});
