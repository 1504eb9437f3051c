import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchHouseBalance, makeMarket, expectRejection, setUserState } from '../../../../test/book.ts';
import { fetchRequestEntries } from '../../../../test/inspect.ts';
import { type TestServer, apply, login, send, testServer, unique } from '../../../../test/server.ts';
import {
  orderFilled,
  findSpotOrder,
  makeTrader,
  placeOrder,
  orderPlaced,
  fetchSpotBalances,
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

const row = (no: string) => findSpotOrder(server, admin, no);

describe('order.placed', () => {
  test('a limit purchase freezes price times amount, a purchase for funds its funds, a sale its amount', async () => {
    const account = await makeTrader(server, { USDT: '100', BTC: '5' });
    const limit = await placeOrder(server, account, { price: '10.25', amount: '2' });
    expect(await fetchSpotBalances(server, account)).toEqual({
      'USDT active': '79.5',
      'USDT frozen': '20.5',
      'BTC active': '5',
    });
    const market = await placeOrder(server, account, { type: 2, funds: '30' });
    const sale = await placeOrder(server, account, { side: 2, price: '90', amount: '1.5' });
    const marketSale = await placeOrder(server, account, { side: 2, type: 2, amount: '2' });
    expect(await fetchSpotBalances(server, account)).toEqual({
      'USDT active': '49.5',
      'USDT frozen': '50.5',
      'BTC active': '1.5',
      'BTC frozen': '3.5',
    });
    expect(await row(limit)).toMatchObject({ state: 0, price: '10.25', amount: '2', funds: null, frozen: '20.5' });
    expect(await row(market)).toMatchObject({ price: null, amount: null, funds: '30', frozen: '30', feeMarket: 'BTC' });
    expect(await row(sale)).toMatchObject({ side: 2, frozen: '1.5', feeMarket: 'USDT', avgPrice: null });
    expect(await row(marketSale)).toMatchObject({ type: 2, price: null, amount: '2' });
  });

  test.each([
    ['without a price', { type: 1, price: undefined, amount: '1' }, 'invalid: price'],
    ['at market price with a price', { type: 2, price: '10', funds: '1' }, 'invalid: price'],
    ['for funds at a limit', { type: 1, price: '10', amount: '1', funds: '10' }, 'invalid: funds'],
    ['at market price without funds', { type: 2, amount: '1' }, 'invalid: funds'],
    ['for an amount and funds', { type: 2, amount: '1', funds: '10' }, 'invalid: amount'],
    ['to sell without an amount', { side: 2, type: 2 }, 'invalid: amount'],
    ['with more price decimals than the market', { price: '10.001', amount: '1' }, 'invalid: price'],
    ['with more amount decimals than the market', { price: '10', amount: '0.123456789' }, 'invalid: amount'],
    ['beyond the USDT balance', { price: '101', amount: '1' }, 'insufficient'],
    ['beyond the coin balance', { side: 2, amount: '1', price: '1' }, 'insufficient'],
    ['in an unknown market', { market: 'NOPE' }, 'unknown: market'],
    ['of the settlement asset', { market: 'USDT' }, 'closed'],
    ['beyond the range of amounts', { price: '999999999999999999', amount: '999999999999999999' }, 'invalid: amount'],
  ] as const)('rejects an order %s', async (_name, fields, reason) => {
    const account = await makeTrader(server, { USDT: '100' });
    const event = orderPlaced(account, fields as object);
    expect(await expectRejection(server, JSON.parse(JSON.stringify(event)))).toBe(reason);
  });

  test('rejects orders of unknown or frozen users and users without trading', async () => {
    expect(await expectRejection(server, orderPlaced('nobody-here'))).toBe('unknown: account');
    const account = await makeTrader(server, { USDT: '100' });
    await setUserState(server, account, 0);
    expect(await expectRejection(server, orderPlaced(account))).toBe('frozen');
    await setUserState(server, account, 1);
    await server.query(sql`update users set trade = 0 where account = ${account}`);
    expect(await expectRejection(server, orderPlaced(account))).toBe('trading closed');
  });

  test('only users with ieo_sell may sell a subscription token', async () => {
    const market = await makeMarket(server);
    await server.query(sql`
      update market set spot = 1, ieo = 1, price_precision = 2, amount_precision = 4 where market_name = ${market}`);
    const account = await makeTrader(server, { USDT: '100', [market]: '5' });
    const sale = { market, side: 2 as const, price: '10', amount: '1' };
    await placeOrder(server, account, sale);
    await server.query(sql`update users set ieo_sell = 0 where account = ${account}`);
    expect(await expectRejection(server, orderPlaced(account, sale))).toBe('trading closed');
    await placeOrder(server, account, { market, price: '10', amount: '1' });
    await server.query(sql`update market set ieo = 0 where market_name = ${market}`);
    await placeOrder(server, account, sale);
  });

  test.each([
    ['suspended', sql`state = 2`, 'closed'],
    ['without spot trading', sql`spot = 0`, 'closed'],
    ['halted', sql`halted_at = 1`, 'halted'],
    ['with a smallest order', sql`min_amount = 2`, 'below min'],
    ['with a largest order', sql`max_amount = 0.5`, 'above max'],
  ])('a market %s rejects the order', async (_name, change, reason) => {
    const market = await makeMarket(server);
    await server.query(
      sql`update market set spot = 1, price_precision = 2, amount_precision = 4 where market_name = ${market}`,
    );
    const account = await makeTrader(server, { USDT: '100' });
    await placeOrder(server, account, { market });
    await server.query(sql`update market set ${change} where market_name = ${market}`);
    expect(await expectRejection(server, orderPlaced(account, { market }))).toBe(reason);
  });

  test('rejects a repeated order number and ignores a repeated event', async () => {
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account);
    expect(await expectRejection(server, orderPlaced(account, { no }))).toBe('exists');
    const event = { ...orderPlaced(account), eventId: unique('again-') };
    expect((await send(server, event, event)).map(({ result }) => result)).toEqual(['applied', 'duplicate']);
    expect((await fetchSpotBalances(server, account))['USDT frozen']).toBe('20');
  });
});

describe('fees', () => {
  const balance = async (account: string) => fetchSpotBalances(server, account);

  test('in a third coin is taken from that coin, and a rebate is paid by the fee account', async () => {
    const before = await fetchHouseBalance(server, 'fee', 'ETH');
    const account = await makeTrader(server, { USDT: '100', ETH: '0.5' });
    const no = await placeOrder(server, account, { price: '10', amount: '3' });
    await apply(
      server,
      orderFilled(no, '1', '10', '0.000000000000000003', undefined, 'ETH'),
      orderFilled(no, '1', '10', '0.1'),
      orderFilled(no, '0.5', '10', '-0.000000000000000001', undefined, 'ETH'),
      orderFilled(no, '0.5', '10', '-0.02'),
    );
    expect(await row(no)).toMatchObject({
      state: 2,
      fee: '0.08',
      feeMarket: 'BTC',
      otherFees: [{ marketName: 'ETH', amount: '0.000000000000000002' }],
    });
    expect(await balance(account)).toEqual({
      'USDT active': '70',
      'BTC active': '2.92',
      'ETH active': '0.499999999999999998',
    });
    expect(new Decimal(await fetchHouseBalance(server, 'fee', 'ETH')).minus(before).toFixed()).toBe(
      '0.000000000000000002',
    );
    const types = await server.query(sql<{ type: number; amount: string }>`
      select e.type, e.amount from entry e join users u on u.id = e.user_id join market m on m.id = e.market_id
      where u.account = ${account} and m.market_name = 'ETH' and e.ref_type = 'trade' order by e.id`);
    expect(types.map(({ type }) => type)).toEqual([13, 26]);
  });

  test('in the spent coin is paid by what the fill refunds as well', async () => {
    const account = await makeTrader(server, { USDT: '20' });
    const no = await placeOrder(server, account, { price: '10', amount: '2' });
    expect(await expectRejection(server, orderFilled(no, '2', '9.5', '1.01', undefined, 'USDT'))).toBe('insufficient');
    await apply(server, orderFilled(no, '2', '9.5', '1', undefined, 'USDT'));
    expect(await balance(account)).toEqual({ 'BTC active': '2' });
  });

  test('is rejected in an unknown coin, without the balance, and beyond what is received', async () => {
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account, { price: '10', amount: '3' });
    const rejections = [
      [orderFilled(no, '1', '10', '1', undefined, 'NOPE'), 'unknown: feeCoin'],
      [orderFilled(no, '1', '10', '1', undefined, 'ETH'), 'insufficient'],
      [orderFilled(no, '1', '10', '1.1', undefined, 'BTC'), 'fee'],
      [orderFilled(no, '1', '10', '-1.1'), 'fee'],
    ] as const;
    for (const [event, reason] of rejections) expect(await expectRejection(server, event)).toBe(reason);
    expect(await balance(account)).toEqual({ 'USDT active': '70', 'USDT frozen': '30' });
  });
});

describe('order.filled', () => {
  test('a purchase pays USDT, receives coins less the fee, and refunds the saving of a better price', async () => {
    const [house, fees] = [
      await fetchHouseBalance(server, 'trading', 'BTC'),
      await fetchHouseBalance(server, 'fee', 'BTC'),
    ];
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account, { price: '10', amount: '3' });
    await apply(server, orderFilled(no, '1', '9.99', '0.001'));
    expect(await row(no)).toMatchObject({ state: 1, filled: '1', turnover: '9.99', fee: '0.001', frozen: '20' });
    expect(await fetchSpotBalances(server, account)).toEqual({
      'USDT active': '70.01',
      'USDT frozen': '20',
      'BTC active': '0.999',
    });
    await apply(server, orderFilled(no, '2', '10', '0.002'));
    const done = await row(no);
    expect(done).toMatchObject({ state: 2, filled: '3', turnover: '29.99', fee: '0.003', frozen: '0' });
    expect(done.avgPrice).toBe('9.996666666666666667');
    expect(await fetchSpotBalances(server, account)).toEqual({ 'USDT active': '70.01', 'BTC active': '2.997' });
    expect(Number(await fetchHouseBalance(server, 'trading', 'BTC'))).toBe(Number(house) - 3);
    expect(Number(await fetchHouseBalance(server, 'fee', 'BTC'))).toBeCloseTo(Number(fees) + 0.003, 12);
    const moves = (await fetchRequestEntries(server, done.id, 'trade')).map(
      ({ owner, bucket, type, amount }) => `${owner} ${bucket} ${type} ${amount}`,
    );
    expect(moves.slice(0, 10)).toEqual([
      'user active 9 -30',
      'user frozen 9 30',
      'user frozen 11 -9.99',
      'trading active 11 9.99',
      'trading active 11 -1',
      'user active 11 1',
      'user active 13 -0.001',
      'fee active 13 0.001',
      'user frozen 10 -0.01',
      'user active 10 0.01',
    ]);
  });

  test('a sale pays coins and receives USDT less the fee', async () => {
    const account = await makeTrader(server, { BTC: '2' });
    const no = await placeOrder(server, account, { side: 2, price: '10', amount: '1.5' });
    await apply(server, orderFilled(no, '0.5', '10.5', '0.01'), orderFilled(no, '1', '10', '0.02'));
    expect(await row(no)).toMatchObject({ state: 2, filled: '1.5', turnover: '15.25', fee: '0.03', frozen: '0' });
    expect(await fetchSpotBalances(server, account)).toEqual({ 'BTC active': '0.5', 'USDT active': '15.22' });
  });

  test('a purchase for funds is filled when the remaining funds buy nothing', async () => {
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account, { type: 2, funds: '50' });
    await apply(server, orderFilled(no, '4', '12'));
    expect(await row(no)).toMatchObject({ state: 1, frozen: '2' });
    await apply(server, orderFilled(no, '0.16666666', '12'));
    expect(await row(no)).toMatchObject({ state: 2, frozen: '0', turnover: '49.99999992' });
    expect(await fetchSpotBalances(server, account)).toEqual({
      'USDT active': '50.00000008',
      'BTC active': '4.16666666',
    });
  });

  test('loses nothing to rounding at 18 decimals', async () => {
    const market = await makeMarket(server);
    await server.query(
      sql`update market set spot = 1, price_precision = 18, amount_precision = 18 where market_name = ${market}`,
    );
    const account = await makeTrader(server, { USDT: '1' });
    const no = await placeOrder(server, account, {
      market,
      price: '0.333333333333333333',
      amount: '0.999999999999999999',
    });
    expect((await row(no)).frozen).toBe('0.333333333333333333');
    for (let n = 0; n < 3; n += 1) await apply(server, orderFilled(no, '0.333333333333333333', '0.333333333333333333'));
    expect(await row(no)).toMatchObject({ state: 2, frozen: '0', turnover: '0.33333333333333333' });
    expect((await fetchSpotBalances(server, account))['USDT active']).toBe('0.66666666666666667');
  });

  test.each([
    ['more than the open amount', { amount: '1.1' }, 'beyond the order'],
    ['a worse price', { price: '10.01' }, 'beyond the limit'],
    ['a fee above the received amount', { amount: '0.5', fee: '0.6' }, 'fee'],
  ])('rejects %s', async (_name, change, reason) => {
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account);
    const event = orderFilled(no, '1');
    expect(await expectRejection(server, { ...event, data: { ...event.data, ...change } })).toBe(reason);
  });

  test('rejects a sale below its limit and a purchase beyond its funds', async () => {
    const account = await makeTrader(server, { USDT: '100', BTC: '1' });
    const sale = await placeOrder(server, account, { side: 2 });
    expect(await expectRejection(server, orderFilled(sale, '1', '9.99'))).toBe('beyond the limit');
    const funds = await placeOrder(server, account, { type: 2, funds: '50' });
    expect(await expectRejection(server, orderFilled(funds, '5.1', '10'))).toBe('beyond the order');
  });

  test('rejects a repeated trade number, also for another order or an ended one', async () => {
    const account = await makeTrader(server, { USDT: '100' });
    const [one, two] = [await placeOrder(server, account), await placeOrder(server, account)];
    await apply(server, orderFilled(one, '1', '10', '0', 'the-trade'));
    expect(await expectRejection(server, orderFilled(one, '1', '10', '0', 'the-trade'))).toBe('exists');
    expect(await expectRejection(server, orderFilled(two, '1', '10', '0', 'the-trade'))).toBe('exists');
    expect(await expectRejection(server, orderFilled(one, '1'))).toBe('state');
    expect(await expectRejection(server, orderFilled('no-such-order', '1'))).toBe('unknown: no');
  });

  test('applies fills and cancels while the market is halted and the user frozen', async () => {
    const market = await makeMarket(server);
    await server.query(
      sql`update market set spot = 1, price_precision = 2, amount_precision = 4 where market_name = ${market}`,
    );
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account, { market });
    await server.query(sql`update market set halted_at = 1 where market_name = ${market}`);
    await setUserState(server, account, 0);
    await apply(server, orderFilled(no, '0.5'), { type: 'order.cancelled', data: { no } });
    expect(await row(no)).toMatchObject({ state: 3, filled: '0.5' });
  });
});

describe('order.cancelled', () => {
  test('releases the remaining hold, once', async () => {
    const account = await makeTrader(server, { USDT: '100' });
    const no = await placeOrder(server, account, { amount: '4' });
    await apply(server, orderFilled(no, '1'), { type: 'order.cancelled', data: { no } });
    expect(await row(no)).toMatchObject({ state: 3, filled: '1', frozen: '0' });
    expect(await fetchSpotBalances(server, account)).toEqual({ 'USDT active': '90', 'BTC active': '1' });
    expect(await expectRejection(server, { type: 'order.cancelled', data: { no } })).toBe('state');
    expect(await expectRejection(server, orderFilled(no, '1'))).toBe('state');
    expect(await expectRejection(server, { type: 'order.cancelled', data: { no: 'none' } })).toBe('unknown: no');
  });

  test('a fill and a cancel race: one is applied, and the balances match it', async () => {
    for (let n = 0; n < 12; n += 1) {
      const account = await makeTrader(server, { USDT: '10' });
      const no = await placeOrder(server, account);
      const [[fill], [cancel]] = await Promise.all([
        send(server, orderFilled(no, '1')),
        send(server, { type: 'order.cancelled', data: { no } }),
      ]);
      const fillWon = fill?.result === 'applied';
      expect(new Set([fill?.result, cancel?.result])).toEqual(new Set(['applied', 'rejected']));
      expect((fillWon ? cancel : fill)?.reason).toBe('state');
      expect(await fetchSpotBalances(server, account)).toEqual(
        fillWon ? { 'BTC active': '1' } : { 'USDT active': '10' },
      );
    }
  });
});
