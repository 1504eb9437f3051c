import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { MarketAffected, MarketRow } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket, marketSettings } from '../../../../test/book.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { makeFuturesMarket, makeFuturesUser, openPosition, placePosition } from '../../../../test/future.ts';
import { addSignal, makeFollower } from '../../../../test/follow.ts';
import { makeContractUser, makeBinaryContractMarket, openContract } from '../../../../test/binary-contract.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let keeper: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  keeper = await makeOperator(server, admin, { abilities: [7] });
});
afterAll(() => server.stop());
afterEach(() => setPolicy(server, 'market.save', 0));

const post = <T = MarketRow>(path: string, input: object, token = admin): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token });
const save = (input: object, token = admin) => post('market/save', input, token);
const settings = {
  ...marketSettings,
  networks: [{ network: 'TRC20', recharge: 1, withdraw: 0, fee: '1', explorer: '' }],
};
const network = (more: object) => ({ networks: [{ ...settings.networks[0], ...more }] });

async function makeListedMarket(): Promise<MarketRow> {
  const name = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
  return (await post('market/detail', { id: row?.id ?? 0 })).data;
}
const change = (row: MarketRow, more: object) => ({
  ...settings,
  id: row.id,
  version: row.version,
  marketName: row.marketName,
  ...more,
});
const commandsOf = (id: number) =>
  server.query(
    sql<{ data: object }>`select data from command where type = 'market.updated' and ref_id = ${id} order by id`,
  );

describe('market/save', () => {
  test('adds a market without a price, with a command to the platform and an audit row', async () => {
    const marketName = unique('N');
    const answer = await save({ ...settings, marketName, makerFee: '0.0020', reason: '上新' });
    expect(answer).toMatchObject({
      code: 200,
      data: {
        marketName,
        makerFee: '0.002',
        price: null,
        pricedAt: null,
        change24h: null,
        version: 1,
        updatedBy: 'admin',
        networks: settings.networks,
      },
    });
    expect(await commandsOf(answer.data.id)).toMatchObject([{ data: { marketName, makerFee: '0.002', state: 1 } }]);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'market.save', targetType: 'market', targetId: answer.data.id, reason: '上新', after: { marketName } },
    ]);
    await apply(server, { type: 'tick', data: { market: marketName, price: '2', at: server.clock.now() } });
    expect((await post('market/detail', { id: answer.data.id })).data.price).toBe('2');
  });

  test('changes a market; the audit row has only the changed fields', async () => {
    const row = await makeListedMarket();
    await save(change(row, {}));
    const answer = await save(
      change({ ...row, version: 2 }, { takerFee: '0.0050', withdrawState: 0, ...network({ withdraw: 1 }) }),
      keeper.token,
    );
    expect(answer).toMatchObject({
      code: 200,
      data: { takerFee: '0.005', withdrawState: 0, version: 3, updatedBy: keeper.account },
    });
    const [auditRow] = await fetchAuditRows(server, { requestId: answer.requestId });
    expect(auditRow).toMatchObject({
      before: { takerFee: '0.001', withdrawState: 1 },
      after: { takerFee: '0.005', withdrawState: 0 },
    });
    expect(Object.keys((auditRow as { after: object }).after).toSorted()).toEqual([
      'networks',
      'takerFee',
      'withdrawState',
    ]);
  });

  test('refuses an outdated version and names who saved the current one', async () => {
    const row = await makeListedMarket();
    await save(change(row, { sort: 5 }), keeper.token);
    const outdated = await save(change(row, { sort: 6 }));
    expect(outdated).toMatchObject({ code: 409, data: { by: keeper.account } });
    expect((await post('market/detail', { id: row.id })).data).toMatchObject({ sort: 5, version: 2 });
  });

  test('of concurrent saves of one version one succeeds', async () => {
    const row = await makeListedMarket();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => save(change(row, { sort: n + 1 }))));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await commandsOf(row.id)).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['a price', { price: '1' }, 'price'],
    ['the time of a price', { priceAt: 1 }, 'priceAt'],
    ['a halt', { haltedAt: 1 }, 'haltedAt'],
    ['a changed name', { marketName: 'OTHER' }, 'marketName'],
    ['a version below 0', { version: -1 }, 'version'],
    ['a fee above a tenth', { makerFee: '0.11' }, 'makerFee'],
    ['a maximum below the minimum', { minAmount: '2', maxAmount: '1' }, 'maxAmount'],
    ['a maximum withdrawal below the minimum', { withdrawMin: '2', withdrawMax: '1' }, 'withdrawMax'],
    ['a fee above the minimum withdrawal', { withdrawMin: '1', withdrawFee: '1.1' }, 'withdrawFee'],
    ['an amount with too many decimals', { amountPrecision: 2, minAmount: '0.001' }, 'minAmount'],
    ['a network fee with too many decimals', { amountPrecision: 2, ...network({ fee: '0.001' }) }, 'networks'],
    [
      'a maintenance rate too high for the leverage',
      { future: 1, maxLeverage: 100, maintenanceRate: '0.01' },
      'maintenanceRate',
    ],
    ['a maintenance rate of 1', { maintenanceRate: '1' }, 'maintenanceRate'],
    [
      'two networks with one name',
      { networks: [settings.networks[0], { ...settings.networks[0], network: 'trc20' }] },
      'networks',
    ],
    ['a fraction of a minute', network({ payingMinutes: 0.5 }), 'networks/0/payingMinutes'],
    ['no minute to match in', network({ matchMinutes: 0 }), 'networks/0/matchMinutes'],
    ['a script as explorer URL', network({ explorer: 'javascript:alert(1)' }), 'networks/0/explorer'],
    ['an external icon', { icon: 'https://example.org/a.png' }, 'icon'],
    ['an SVG icon', { icon: 'data:image/svg+xml;base64,AAAA' }, 'icon'],
    ['an unknown state', { state: 3 }, 'state'],
    ['nineteen decimals', { pricePrecision: 19 }, 'pricePrecision'],
  ])('refuses %s', async (_name, more, field) => {
    const row = await makeListedMarket();
    expect(await save(change(row, more))).toMatchObject({ code: 422, data: [{ field }] });
    expect((await post('market/detail', { id: row.id })).data.version).toBe(1);
  });

  test.each([
    [{ explorer: 'javascript:alert(1)' }, '区块浏览器'],
    [{ family: 'none' }, '地址格式'],
    [{ payingMinutes: 10_081 }, '打款无回应时限(分钟)'],
    [{ matchMinutes: 10_081 }, '链上核对时限(分钟)'],
  ])('names the field of a network: %j', async (field, label) => {
    const row = await makeListedMarket();
    expect(await save(change(row, network(field)))).toMatchObject({
      msg: expect.stringContaining(`网络第 1 项的${label}`) as string,
    });
  });

  test('refuses a taken name, ignoring case', async () => {
    for (const marketName of ['BTC', 'btc'])
      expect(await save({ ...settings, marketName })).toMatchObject({ code: 422, data: [{ field: 'marketName' }] });
    const marketName = unique('N');
    const answers = await Promise.all(Array.from({ length: 4 }, () => save({ ...settings, marketName })));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422]);
  });

  test.each<[object, string]>([
    [{ spot: 1 }, 'spot'],
    [{ spot: 0, ieo: 1 }, 'ieo'],
    [{ spot: 0, state: 0 }, 'state'],
  ])('the settlement asset cannot be traded or delisted: %j', async (more, field) => {
    const { data } = await post('market/detail', { id: 1 });
    expect(await save(change(data, more))).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('requires a checker for changes and new markets if the policy says so', async () => {
    const row = await makeListedMarket();
    await setPolicy(server, 'market.save', 1);
    const request = await post<ApprovalRow>('market/save', change(row, { sort: 9 }), keeper.token);
    expect(request).toMatchObject({ code: 202, data: { targetType: 'market', targetId: row.id } });
    expect((await post('market/detail', { id: row.id })).data.sort).toBe(0);
    const { id, hash } = request.data;
    const seen = await call<{ asked: { label: string; text: string }[] }>(
      server,
      'GET',
      'approval/detail',
      { id },
      { token: admin },
    );
    expect(JSON.stringify(seen.data)).toContain('排序');
    expect(await post('approval/pass', { id, hash })).toMatchObject({ code: 200 });
    expect((await post('market/detail', { id: row.id })).data).toMatchObject({ sort: 9, updatedBy: keeper.account });

    const marketName = unique('N');
    const added = await post<ApprovalRow>('market/save', { ...settings, marketName }, keeper.token);
    expect(added).toMatchObject({ code: 202, data: { targetType: 'market', targetId: 0 } });
    expect(await post('approval/pass', { id: added.data.id, hash: added.data.hash })).toMatchObject({ code: 200 });
    expect(await server.query(sql`select from market where market_name = ${marketName}`)).toHaveLength(1);
  });
});

describe('market/affected', () => {
  test('counts open records within the scope', async () => {
    const own = await makeOperator(server, admin, { abilities: [7] });
    const { id: marketId, marketName } = await makeListedMarket();
    const account = await makeUser(server, { agent: own.account, amount: '100', market: marketName });
    const figures = async (token: string): Promise<Record<string, string>> => {
      const { data } = await call<MarketAffected>(server, 'GET', 'market/affected', { id: marketId }, { token });
      return Object.fromEntries(data.items.map(({ what, count, amount }) => [what, `${count} ${amount}`]));
    };
    expect(await figures(own.token)).toEqual({
      withdraw: '0 null',
      recharge: '0 null',
      trade: '0 null',
      future: '0 null',
      second: '0 null',
      signal: '0 null',
      follow: '0 null',
      hold: '0 null',
    });
    await makeWithdraw(server, admin, account, { amount: '10', market: marketName });
    const stranger = await makeUser(server, { amount: '100', market: marketName });
    await makeWithdraw(server, admin, stranger, { amount: '30', market: marketName });
    expect(await figures(own.token)).toEqual({
      withdraw: '1 10',
      recharge: '0 null',
      trade: '0 null',
      future: '0 null',
      second: '0 null',
      signal: '0 null',
      follow: '0 null',
      hold: '1 10',
    });
    expect(await figures(admin)).toMatchObject({ withdraw: '2 40', hold: '2 40' });

    const { id, market } = await makeFuturesMarket(server);
    const holder = await makeFuturesUser(server, '100', { agent: own.account });
    await placePosition(server, holder, { market });
    await openPosition(server, holder, { market, amount: '5' });
    await openPosition(server, holder, { market, demo: 1 });
    await openPosition(server, await makeFuturesUser(server, '100'), { market });
    const { data } = await call<MarketAffected>(server, 'GET', 'market/affected', { id }, { token: own.token });
    expect(data.items.find(({ what }) => what === 'future')).toMatchObject({ count: 2, amount: '15' });
  });

  test('counts binary contracts, signals and follows within the scope', async () => {
    const marketName = await makeBinaryContractMarket(server);
    const [found] = await server.query(
      sql<{ id: number }>`update market set future = 1 where market_name = ${marketName} returning id`,
    );
    const id = found?.id ?? 0;
    const draft = await addSignal(server, admin, { marketId: id, leverage: 1, state: 0 });
    const signal = await addSignal(server, admin, { marketId: id, leverage: 1 });
    for (const agent of [keeper.account, 'admin']) {
      await openContract(server, await makeContractUser(server, '1000', { agent }), {
        market: marketName,
        amount: '25',
      });
      const account = await makeFollower(server, '1000', { agent });
      const data = { no: unique('K'), account, signal: signal.no, amount: '40' };
      await apply(server, { type: 'follow.opened', data });
    }
    const figures = async (token: string) => {
      const { data } = await call<MarketAffected>(server, 'GET', 'market/affected', { id }, { token });
      return data.items.filter(({ count }) => count > 0).map(({ what, count, amount }) => [what, count, amount]);
    };
    expect(draft.state).toBe(0);
    expect(await figures(keeper.token)).toEqual([
      ['second', 1, '25'],
      ['signal', 1, null],
      ['follow', 1, '40'],
    ]);
    expect(await figures(admin)).toEqual([
      ['second', 2, '50'],
      ['signal', 1, null],
      ['follow', 2, '80'],
    ]);
  });
});
