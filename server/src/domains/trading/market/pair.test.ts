import type { HomeTrading } from '@hengtai/contract/desk/home/schema';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import type { SpotDetail, SpotPreview } from '@hengtai/contract/trading/spot/schema';
import type { AssetRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRejection, makeMarket, marketSettings } from '../../../../test/book.ts';
import { findUser } from '../../../../test/factories.ts';
import { type TestServer, apply, call, login, platformCall, testServer, unique } from '../../../../test/server.ts';
import {
  fetchSpotBalances,
  findSpotOrder,
  makeTrader,
  orderFilled,
  orderPlaced,
  placeOrder,
} from '../../../../test/spot.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const save = (body: object) => call<MarketRow>(server, 'POST', 'market/save', body, { token: admin });
const settings = { ...marketSettings, rechargeState: 0, withdrawState: 0, pricePrecision: 8, amountPrecision: 8 };

async function makePair(base: string, quote: string): Promise<MarketRow> {
  const { code, data } = await save({ ...settings, marketName: unique(`${base}-`), base, quote });
  expect(code).toBe(200);
  return data;
}

const tick = (market: string, price: string) =>
  apply(server, { type: 'tick', data: { market, price, at: server.clock.now() } });

describe('a pair', () => {
  test('freezes, exchanges and charges its two coins', async () => {
    const { marketName: market, base, quote } = await makePair('ETH', 'BTC');
    expect([base, quote]).toEqual(['ETH', 'BTC']);
    const account = await makeTrader(server, { BTC: '1', ETH: '2' });
    const buy = await placeOrder(server, account, { market, price: '0.05123456', amount: '3' });
    expect(await findSpotOrder(server, admin, buy)).toMatchObject({
      frozen: '0.15370368',
      coinName: 'ETH',
      quoteName: 'BTC',
      feeMarket: 'ETH',
    });
    const sale = await placeOrder(server, account, { market, side: 2, price: '0.05', amount: '1.5' });
    await apply(
      server,
      orderFilled(buy, '1.000000000000000001', '0.05', '0.001'),
      orderFilled(sale, '1.5', '0.06', '0.0000000001'),
    );
    expect(await fetchSpotBalances(server, account)).toEqual({
      // The hold of the rest is rounded up, the turnover down.
      'BTC active': '0.9375308799',
      'BTC frozen': '0.10246912',
      'ETH active': '1.499000000000000001',
    });
    expect(await findSpotOrder(server, admin, sale)).toMatchObject({
      turnover: '0.09',
      fee: '0.0000000001',
      feeMarket: 'BTC',
    });
    await apply(server, { type: 'order.cancelled', data: { no: buy } });
    const { id } = await findSpotOrder(server, admin, sale);
    const { data } = await call<SpotDetail>(server, 'GET', 'trade/order/detail', { id }, { token: admin });
    expect(data.fills.map(({ feeMarket }) => feeMarket)).toEqual(['BTC']);
  });

  test('has no balances', async () => {
    const { id: marketId, marketName: market } = await makePair('ETH', 'BTC');
    const account = await makeTrader(server, { USDT: '10' });
    const { id: userId } = await findUser(server, admin, account);
    const fields = { no: unique('N'), account, market, network: 'X', address: 'A', amount: '1' };
    const events = [
      { type: 'recharge.credited', data: { ...fields, confirmations: 1, source: 1 } },
      { type: 'withdraw.requested', data: { ...fields, fee: '0' } },
      {
        type: 'transfer.made',
        data: { no: unique('T'), account, toAccount: account, market, platform: 1, toPlatform: 2, amount: '1' },
      },
      { type: 'ieo.ordered', data: { no: unique('I'), account, market, price: '1', amount: '1' } },
    ];
    for (const event of events) expect(await expectRejection(server, event)).toBe('invalid: market');
    const body = { userId, marketId, platform: 1, amount: '1', state: 0, reason: 'test' };
    const adjusted = await call(server, 'POST', 'asset/active/add', body, { token: admin });
    expect(adjusted).toMatchObject({ code: 422, data: [{ field: 'marketId' }] });
    const assets = await call<AssetRow[]>(server, 'GET', 'user/asset', { id: userId, platform: 1 }, { token: admin });
    expect(assets.data.map(({ marketName }) => marketName)).not.toContain(market);
    const order = orderPlaced(account, { market, price: '1', amount: '1' });
    expect(await expectRejection(server, order)).toBe('insufficient');
  });

  test.each([
    ['without a quote', { base: 'ETH' }, 'quote'],
    ['of one coin', { base: 'ETH', quote: 'ETH' }, 'quote'],
    ['of an unknown coin', { base: 'NOPE', quote: 'BTC' }, 'base'],
    ['with deposits', { base: 'ETH', quote: 'BTC', rechargeState: 1 }, 'rechargeState'],
    ['with futures in another coin than USDT', { base: 'ETH', quote: 'BTC', future: 1 }, 'future'],
  ])('%s is refused', async (_name, fields, field) => {
    expect(await save({ ...settings, marketName: unique('P'), ...fields })).toMatchObject({
      code: 422,
      data: [{ field }],
    });
  });

  test('of a pair is refused, and its coins cannot be changed', async () => {
    const { id, version, marketName } = await makePair('ETH', 'BTC');
    expect(await save({ ...settings, marketName: unique('P'), base: marketName, quote: 'BTC' })).toMatchObject({
      code: 422,
    });
    expect(await save({ id, version, quote: 'USDT' })).toMatchObject({ code: 422, data: [{ field: 'quote' }] });
    expect(await save({ id, version, quote: 'BTC', takerFee: '0.002' })).toMatchObject({ code: 200 });
    const { data } = await platformCall<Partial<MarketRow>[]>(server, 'GET', 'markets');
    expect(data.find((one) => one.marketName === marketName)).toMatchObject({ base: 'ETH', quote: 'BTC' });
    expect(data.find((one) => one.marketName === 'BTC')).not.toHaveProperty('base');
  });

  test('values its coin over the price of its quote, and a coin without a price has no value', async () => {
    const [coin, quote] = [await makeMarket(server), await makeMarket(server)];
    const { id, marketName: market } = await makePair(coin, quote);
    const account = await makeTrader(server, { [coin]: '4', [quote]: '1' });
    const { id: userId } = await findUser(server, admin, account);
    const valuations = async () => {
      const query = { id: userId, platform: 2 };
      const { data } = await call<AssetRow[]>(server, 'GET', 'user/asset', query, { token: admin });
      return Object.fromEntries(data.map(({ marketName, valuation }) => [marketName, valuation]));
    };
    const spotToday = async () =>
      (await call<HomeTrading>(server, 'GET', 'home/trading', {}, { token: admin })).data.days.at(-1)?.spot;
    const sale = await placeOrder(server, account, { market, side: 2, price: '0.5', amount: '3' });
    await apply(server, orderFilled(sale, '1', '0.5'));
    await tick(market, '0.5');
    expect(await valuations()).toEqual({ [coin]: null, [quote]: null });
    const preview = async () =>
      (await call<SpotPreview>(server, 'GET', 'trade/order/cancel/preview', { marketId: id }, { token: admin })).data;
    expect(await preview()).toMatchObject({ coinName: coin, quoteName: quote, selling: '2', valuation: null });
    const before = await spotToday();
    expect(before?.count).toBeGreaterThan(0);
    expect(before).toEqual({ value: '0', count: before?.count, unpriced: before?.count });
    await tick(quote, '7');
    expect(await valuations()).toEqual({ [coin]: '10.5', [quote]: '10.5' });
    expect(await preview()).toMatchObject({ valuation: '7' });
    // The coin's own price comes first.
    await tick(coin, '2');
    expect(await valuations()).toMatchObject({ [coin]: '6' });
    await server.query(sql`update market set price = null where market_name = ${coin}`);
  });
});
