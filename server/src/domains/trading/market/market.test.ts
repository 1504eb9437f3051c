import type { Page } from '@hengtai/contract/wire/list';
import type { MarketName, MarketRow } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestServer, apply, call, login, testServer } from '../../../../test/server.ts';

const HOUR = 3_600_000;
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

const list = (query: object = {}) =>
  call<Page<MarketRow>>(server, 'GET', 'market/list', { size: 200, ...query }, { token: admin });

async function findByName(marketName: string): Promise<MarketRow> {
  const { data } = await list({ marketName });
  const row = data.list[0];
  if (!row) throw new Error(`no market ${marketName}`);
  expect(data.total).toBe(1);
  return row;
}

const tick = (market: string, price: string, ago: number) =>
  apply(server, { type: 'tick', data: { market, price, at: server.clock.now() - ago } });

describe('market/list', () => {
  test('a new installation lists every field in display order, without prices', async () => {
    const { list: rows } = (await list()).data;
    const first = rows.filter(({ id }) => id <= 6);
    expect(first.map(({ marketName }) => marketName)).toEqual(['USDT', 'BTC', 'ETH', 'SOL', 'XRP', 'HTT']);
    expect(first[1]).toMatchObject({
      id: 2,
      icon: '',
      spot: 1,
      future: 1,
      second: 1,
      ieo: 0,
      pricePrecision: 2,
      amountPrecision: 8,
      minAmount: '0',
      maxAmount: '0',
      makerFee: '0.001',
      takerFee: '0.001',
      maxLeverage: 100,
      maintenanceRate: '0.005',
      withdrawFee: '0.0002',
      withdrawMin: '0.001',
      withdrawMax: '0',
      rechargeState: 1,
      withdrawState: 1,
      networks: [
        { network: 'Bitcoin', fee: '0.0002', recharge: 1, withdraw: 1, explorer: 'https://mempool.space/tx/{tx}' },
      ],
      sort: 1,
      state: 1,
      price: null,
      change24h: null,
      version: 1,
    });
  });

  test('filters by part of the name ignoring case, by prefix, by the whole name and by state', async () => {
    const names = async (query: object) => (await list(query)).data.list.map(({ marketName }) => marketName);
    expect(await names({ marketName: 'btc' })).toEqual(['BTC']);
    expect(await names({ marketName: 'Tc' })).toEqual(['BTC']);
    expect(await names({ marketName: '=B' })).toEqual([]);
    expect(await names({ marketName: '=btc' })).toEqual(['BTC']);
    expect(await names({ marketName: 'x*' })).toEqual(['XRP']);
    const delisted = await makeMarket(server, { state: 0 });
    const suspended = await makeMarket(server, { state: 2 });
    expect(await names({ state: 0 })).toEqual([delisted]);
    expect(await names({ state: 2 })).toEqual([suspended]);
    expect(await names({ state: 1, marketName: delisted })).toEqual([]);
  });

  test('refuses an unknown state', async () => {
    expect(await list({ state: 9 })).toMatchObject({ code: 422, data: [{ field: 'state' }] });
  });

  test('sorts by the given field; markets without a price come last', async () => {
    await tick('SOL', '150', 5_000);
    await tick('XRP', '0.5', 5_000);
    const own = ['USDT', 'SOL', 'XRP', 'HTT'];
    const names = async (sort: string) =>
      (await list({ sort })).data.list.map(({ marketName }) => marketName).filter((name) => own.includes(name));
    expect(await names('-price')).toEqual(['SOL', 'XRP', 'HTT', 'USDT']);
    expect(await names('price')).toEqual(['XRP', 'SOL', 'USDT', 'HTT']);
    expect(await names('id')).toEqual(['USDT', 'SOL', 'XRP', 'HTT']);
    expect((await names('-sort'))[0]).toBe('HTT');
  });
});

describe('change24h', () => {
  test.each<{ name: string; ticks: [string, number][]; change: string }>([
    { name: 'a single tick has not changed', ticks: [['10', HOUR]], change: '0' },
    {
      name: 'compares a market younger than a day with its first price',
      ticks: [
        ['10', 3 * HOUR],
        ['7', 2 * HOUR],
        ['12.5', HOUR],
      ],
      change: '25',
    },
    {
      name: 'compares with the last tick that is at least a day old',
      ticks: [
        ['1000', 40 * HOUR],
        ['80', 25 * HOUR],
        ['500', 23 * HOUR],
        ['60', HOUR],
      ],
      change: '-25',
    },
    {
      name: 'is rounded to four decimals',
      ticks: [
        ['3', 30 * HOUR],
        ['4', HOUR],
      ],
      change: '33.3333',
    },
    {
      name: 'is exact for the smallest prices',
      ticks: [
        ['0.000000000000000003', 30 * HOUR],
        ['0.000000000000000002', HOUR],
      ],
      change: '-33.3333',
    },
  ])('$name', async ({ ticks, change }) => {
    const market = await makeMarket(server);
    for (const [price, ago] of ticks) await tick(market, price, ago);
    expect(await findByName(market)).toMatchObject({ price: ticks.at(-1)?.[0], change24h: change });
  });
});

test('market/filter returns every market name', async () => {
  const { data } = await call<MarketName[]>(server, 'GET', 'market/filter', {}, { token: admin });
  for (const row of [
    { id: 1, marketName: 'USDT' },
    { id: 2, marketName: 'BTC' },
  ]) {
    expect(data).toContainEqual(row);
  }
  const [row] = await server.query(sql<{ n: number }>`select count(*) as n from market`);
  expect(data).toHaveLength(row?.n ?? 0);
});
