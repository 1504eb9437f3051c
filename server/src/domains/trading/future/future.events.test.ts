import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchHouseBalance, expectRejection, setUserState } from '../../../../test/book.ts';
import {
  positionCancelled,
  positionClosed,
  findPosition,
  fundingPaid,
  makeFuturesMarket,
  fetchFuturesBalances,
  positionLiquidated,
  makeFuturesUser,
  openPosition,
  positionOpened,
  placePosition,
  positionPlaced,
} from '../../../../test/future.ts';
import { type TestServer, apply, login, send, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const row = (no: string) => findPosition(server, admin, no);
const house = async () => ({
  trading: await fetchHouseBalance(server, 'trading', 'USDT'),
  fee: await fetchHouseBalance(server, 'fee', 'USDT'),
  insurance: await fetchHouseBalance(server, 'insurance', 'USDT'),
});
/** How much each house account changed during the work. */
async function houseChange(work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await house();
  await work();
  const after = await house();
  return Object.fromEntries(
    Object.entries(after).map(([name, has]) => [
      name,
      Number(new Decimal(has).minus(before[name as keyof typeof before])),
    ]),
  );
}

describe('position.placed', () => {
  test('freezes the margin; a demo order freezes nothing', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await placePosition(server, account, { margin: '12.5' });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '87.5', frozen: '12.5' });
    expect(await row(no)).toMatchObject({
      state: 0,
      demo: 0,
      side: 1,
      type: 1,
      leverage: 10,
      price: '10',
      amount: '10',
      left: '10',
      closeAmount: '0',
      margin: '12.5',
      held: '12.5',
      openPrice: null,
      unrealized: null,
      roe: null,
      marginRatio: null,
      liquidationPrice: null,
      notional: null,
      openedAt: null,
      endedAt: null,
      command: null,
    });
    const demo = await placePosition(server, account, { demo: 1, type: 2, margin: '999999' });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '87.5', frozen: '12.5' });
    expect(await row(demo)).toMatchObject({ demo: 1, price: null, held: '999999' });
  });

  test.each([
    ['without a price', { price: undefined }, 'invalid: price'],
    ['at market price with a price', { type: 2, price: '10' }, 'invalid: price'],
    ['with more price decimals than the market', { price: '10.001' }, 'invalid: price'],
    ['with more amount decimals than the market', { amount: '0.123456789' }, 'invalid: amount'],
    ['with more leverage than the market allows', { leverage: 101 }, 'invalid: leverage'],
    ['without leverage', { leverage: 0 }, 'invalid: leverage'],
    ['without margin', { margin: '0' }, 'invalid: margin'],
    ['that is neither real nor a demo', { demo: 2 }, 'invalid: demo'],
    ['with an unknown side', { side: 3 }, 'invalid: side'],
    ['with more margin than the balance', { margin: '100.000000000000000001' }, 'insufficient'],
    ['in an unknown market', { market: 'NOPE' }, 'unknown: market'],
    ['of the settlement asset', { market: 'USDT', leverage: 1 }, 'closed'],
  ] as const)('rejects an order %s', async (_name, fields, reason) => {
    const account = await makeFuturesUser(server, '100');
    const event = positionPlaced(account, fields as object);
    expect(await expectRejection(server, JSON.parse(JSON.stringify(event)))).toBe(reason);
  });

  test('rejects orders of unknown or frozen users and users without trading, demo included', async () => {
    expect(await expectRejection(server, positionPlaced('nobody-here'))).toBe('unknown: account');
    const account = await makeFuturesUser(server, '100');
    await setUserState(server, account, 0);
    expect(await expectRejection(server, positionPlaced(account, { demo: 1 }))).toBe('frozen');
    await setUserState(server, account, 1);
    await server.query(sql`update users set trade = 0 where account = ${account}`);
    expect(await expectRejection(server, positionPlaced(account))).toBe('trading closed');
    expect(await expectRejection(server, positionPlaced(account, { demo: 1 }))).toBe('trading closed');
  });

  test('rejects orders in a closed or halted market and outside its limits', async () => {
    const account = await makeFuturesUser(server, '100');
    const { market } = await makeFuturesMarket(server);
    const set = (column: string, value: unknown) =>
      server.query(sql`update market set ${sql.ref(column)} = ${value} where market_name = ${market}`);
    const order = { market, price: '10', amount: '2' };
    await set('future', 0);
    expect(await expectRejection(server, positionPlaced(account, order))).toBe('closed');
    await set('future', 1);
    await set('state', 2);
    expect(await expectRejection(server, positionPlaced(account, order))).toBe('closed');
    await set('state', 1);
    await set('future_halted_at', 1);
    expect(await expectRejection(server, positionPlaced(account, order))).toBe('halted');
    await set('future_halted_at', null);
    // A halt of spot trading does not halt futures.
    await set('halted_at', 1);
    await set('min_amount', '3');
    expect(await expectRejection(server, positionPlaced(account, order))).toBe('below min');
    await set('min_amount', '0');
    await set('max_amount', '1');
    expect(await expectRejection(server, positionPlaced(account, order))).toBe('above max');
    await set('max_amount', '0');
    const no = await placePosition(server, account, order);
    expect(await expectRejection(server, positionPlaced(account, { ...order, no }))).toBe('exists');
    // Events about existing positions are applied during a halt.
    await set('future_halted_at', 1);
    await apply(server, positionOpened(no), positionClosed(no, '2', '11'));
  });
});

describe('position.opened, changed and cancelled', () => {
  test('opens a position at its limit or better and charges the fee', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await placePosition(server, account);
    expect(await expectRejection(server, positionOpened(no, '10.01'))).toBe('beyond the limit');
    const got = await houseChange(() => apply(server, positionOpened(no, '9.99', '0.123456789012345678')));
    expect(got['fee']).toBeCloseTo(0.123456789, 8);
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '89.876543210987654322', frozen: '10' });
    expect(await row(no)).toMatchObject({ state: 1, openPrice: '9.99', fee: '0.123456789012345678', held: '10' });
    expect(await expectRejection(server, positionOpened(no, '9'))).toBe('state');
    const short = await placePosition(server, account, { side: 2 });
    expect(await expectRejection(server, positionOpened(short, '9.99'))).toBe('beyond the limit');
    await apply(server, positionOpened(short, '12'));
    expect(await expectRejection(server, positionOpened('nothing'))).toBe('unknown: no');
  });

  test('takes a fee beyond the active balance from the margin, then from the insurance account', async () => {
    const account = await makeFuturesUser(server, '15');
    const no = await placePosition(server, account);
    const got = await houseChange(() => apply(server, positionOpened(no, '10', '17')));
    expect(got).toEqual({ trading: 0, fee: 17, insurance: -2 });
    expect(await fetchFuturesBalances(server, account)).toEqual({});
    expect(await row(no)).toMatchObject({ state: 1, held: '0', margin: '10', fee: '17', insured: '2', roe: null });
  });

  test('adds and withdraws margin, sets and removes take-profit and stop-loss', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const change = (data: object) => ({ type: 'position.changed', data: { no, ...data } });
    await apply(server, change({ margin: '30', takeProfit: '12', stopLoss: '9' }));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '70', frozen: '30' });
    expect(await row(no)).toMatchObject({ held: '30', margin: '30', takeProfit: '12', stopLoss: '9' });
    await apply(server, change({ margin: '7.5', stopLoss: '0' }));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '92.5', frozen: '7.5' });
    expect(await row(no)).toMatchObject({ held: '7.5', margin: '7.5', takeProfit: '12', stopLoss: null });
    await apply(server, change({ margin: '7.5' }), change({}));
    expect(await expectRejection(server, change({ margin: '100.5' }))).toBe('insufficient');
    expect(await expectRejection(server, change({ margin: '0' }))).toBe('invalid: margin');
    await apply(server, positionClosed(no, '10'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '100' });
    expect(await expectRejection(server, change({ takeProfit: '12' }))).toBe('state');
  });

  test('a cancel releases the margin of a pending order and is rejected for an open position', async () => {
    const account = await makeFuturesUser(server, '100');
    const [no, other] = [await placePosition(server, account), await openPosition(server, account)];
    await apply(server, positionCancelled(no));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '90', frozen: '10' });
    expect(await row(no)).toMatchObject({ state: 3, held: '0', left: '0', margin: '10', realized: '0', roe: null });
    for (const event of [positionCancelled(no), positionOpened(no), positionCancelled(other)])
      expect(await expectRejection(server, event)).toBe('state');
    expect(await expectRejection(server, positionClosed(no, '1'))).toBe('state');
    expect(await expectRejection(server, positionLiquidated(no, '1'))).toBe('state');
  });
});

describe('position.closed', () => {
  test('partial closes release margin pro rata and book exact profit and loss', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { fee: '1' });
    const first = await houseChange(() => apply(server, positionClosed(no, '3', '12', '0.5', 2)));
    expect(first).toEqual({ trading: -6, fee: 0.5, insurance: 0 });
    // 100 - 1 fee - 10 margin + 3 of the margin + 6 profit - 0.5 fee
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '97.5', frozen: '7' });
    expect(await row(no)).toMatchObject({
      state: 1,
      closeAmount: '3',
      left: '7',
      held: '7',
      realized: '6',
      fee: '1.5',
      closePrice: '12',
      closeType: 2,
    });
    const second = await houseChange(() => apply(server, positionClosed(no, '7', '9.5', '0', 3)));
    expect(second).toEqual({ trading: 3.5, fee: 0, insurance: 0 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '101' });
    expect(await row(no)).toMatchObject({
      state: 2,
      closeAmount: '10',
      left: '0',
      held: '0',
      realized: '2.5',
      closePrice: '10.25',
      roe: '25',
      closeType: 3,
      margin: '10',
      insured: '0',
    });
  });

  test('rounds the released margin down; the last close releases the remainder', async () => {
    const { market } = await makeFuturesMarket(server);
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { market, amount: '3', margin: '10' });
    await apply(server, positionClosed(no, '1'));
    expect(await fetchFuturesBalances(server, account)).toEqual({
      active: '93.333333333333333333',
      frozen: '6.666666666666666667',
    });
    await apply(server, positionClosed(no, '1'), positionClosed(no, '1'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '100' });
  });

  test('pays a loss from the margin, then from the insurance account, never from the active balance', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const half = await houseChange(() => apply(server, positionClosed(no, '5', '8.5', '1')));
    // The loss of 7.5 takes the released margin of 5 and 2.5 of the remaining margin.
    expect(half).toEqual({ trading: 7.5, fee: 1, insurance: 0 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '89', frozen: '2.5' });
    const rest = await houseChange(() => apply(server, positionClosed(no, '5', '8', '0', 3)));
    expect(rest).toEqual({ trading: 10, fee: 0, insurance: -7.5 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '89' });
    expect(await row(no)).toMatchObject({ state: 2, realized: '-17.5', insured: '7.5', roe: '-175' });
  });

  test('a short position wins when the price falls', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { side: 2 });
    await apply(server, positionClosed(no, '4', '9', '0.25'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '97.75', frozen: '6' });
    await apply(server, positionClosed(no, '6', '10.5'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '100.75' });
  });

  test('rounds results beyond 18 decimals against the customer', async () => {
    const { market } = await makeFuturesMarket(server, { digits: 18 });
    const account = await makeFuturesUser(server, '100');
    const order = { market, amount: '0.0001', price: '1' };
    const [won, lost] = [await openPosition(server, account, order), await openPosition(server, account, order)];
    await apply(server, positionClosed(won, '0.0001', '1.000000000000000001'));
    expect((await row(won)).realized).toBe('0');
    await apply(server, positionClosed(lost, '0.0001', '0.999999999999999999'));
    expect((await row(lost)).realized).toBe('-0.000000000000000001');
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '99.999999999999999999' });
  });

  test('rejects more than the open amount and a repeated close number', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const event = positionClosed(no, '6');
    await apply(server, event);
    expect(await expectRejection(server, positionClosed(no, '4.00000001'))).toBe('beyond the order');
    expect(await expectRejection(server, positionClosed(no, '1', '10', '0', 1, event.data.closeNo))).toBe('exists');
    expect(await expectRejection(server, positionClosed(no, '5', '10', '0', 1, event.data.closeNo))).toBe('exists');
    expect(await expectRejection(server, positionClosed(no, '0'))).toBe('invalid: amount');
    expect(await expectRejection(server, positionClosed(no, '1', '10', '0', 4))).toBe('invalid: closeType');
    await apply(server, positionClosed(no, '4'));
    expect(await expectRejection(server, positionClosed(no, '4', '10', '0', 1, event.data.closeNo))).toBe('exists');
    expect(await expectRejection(server, positionClosed(no, '1'))).toBe('state');
    expect(await expectRejection(server, positionClosed('nothing', '1'))).toBe('unknown: no');
  });
});

describe('position.liquidated', () => {
  test('closes the open amount; the insurance account pays the loss beyond the margin', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    await apply(server, positionClosed(no, '4', '10.5'));
    const got = await houseChange(() => apply(server, positionLiquidated(no, '8.5', '0.3')));
    expect(got['trading']).toBeCloseTo(9, 10);
    expect(got['insurance']).toBeCloseTo(-3, 10);
    expect(await row(no)).toMatchObject({
      state: 4,
      closeType: 4,
      closeAmount: '10',
      held: '0',
      realized: '-7',
      insured: '3',
      fee: '0.3',
    });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '95.7' });
    const entries = await server.query(sql<{ type: number }>`
      select e.type from entry e join users u on u.id = e.user_id where u.account = ${account} order by e.id`);
    expect(entries.map(({ type }) => type).slice(-2)).toEqual([17, 13]);
    expect(await expectRejection(server, positionLiquidated(no, '8'))).toBe('state');
  });

  test('returns the remaining margin to the user', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { side: 2 });
    await apply(server, positionLiquidated(no, '10.9', '0.5'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '90.5' });
  });
});

describe('funding.paid', () => {
  test('is paid from and to the trading account', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    expect(await houseChange(() => apply(server, fundingPaid(no, '1.25')))).toEqual({
      trading: -1.25,
      fee: 0,
      insurance: 0,
    });
    expect(await houseChange(() => apply(server, fundingPaid(no, '-2')))).toEqual({ trading: 2, fee: 0, insurance: 0 });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: '89.25', frozen: '10' });
    expect(await row(no)).toMatchObject({ funding: '-0.75', held: '10', insured: '0' });
  });

  test('is never rejected for lack of money: charges active, then margin, then insurance', async () => {
    const account = await makeFuturesUser(server, '11');
    const no = await openPosition(server, account);
    await apply(server, fundingPaid(no, '-4'));
    expect(await fetchFuturesBalances(server, account)).toEqual({ frozen: '7' });
    const got = await houseChange(() => apply(server, fundingPaid(no, '-9.5')));
    expect(got).toEqual({ trading: 9.5, fee: 0, insurance: -2.5 });
    expect(await fetchFuturesBalances(server, account)).toEqual({});
    expect(await row(no)).toMatchObject({ state: 1, held: '0', funding: '-13.5', insured: '2.5' });
    await apply(server, fundingPaid(no, '-1'), positionLiquidated(no, '10'));
    expect(await row(no)).toMatchObject({ state: 4, insured: '3.5' });
  });

  test('is applied once, to an open position only', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const event = fundingPaid(no, '-1');
    await apply(server, event);
    expect(await expectRejection(server, fundingPaid(no, '-1', event.data.no))).toBe('exists');
    expect(await expectRejection(server, fundingPaid(no, '0'))).toBe('invalid: amount');
    expect(await expectRejection(server, fundingPaid('nothing', '1'))).toBe('unknown: position');
    const waiting = await placePosition(server, account);
    expect(await expectRejection(server, fundingPaid(waiting, '1'))).toBe('state');
    await apply(server, positionClosed(no, '10'));
    expect(await expectRejection(server, fundingPaid(no, '1'))).toBe('state');
    expect(await expectRejection(server, fundingPaid(no, '1', event.data.no))).toBe('exists');
  });
});

test('a demo position goes through every event without changing an account', async () => {
  const account = await makeFuturesUser(server, '100');
  const before = await server.query(sql`select id, balance from account order by id`);
  const count = () => server.query(sql`select (select count(*) from entry) as e, (select count(*) from hold) as h`);
  const counted = await count();
  const no = await openPosition(server, account, { demo: 1, margin: '5000', fee: '3' });
  await apply(
    server,
    { type: 'position.changed', data: { no, margin: '6000' } },
    fundingPaid(no, '-20'),
    fundingPaid(no, '5'),
    positionClosed(no, '4', '11', '1'),
  );
  expect(await row(no)).toMatchObject({ held: '3600', realized: '4', fee: '4', funding: '-15', insured: '0' });
  await apply(server, positionLiquidated(no, '1', '2'));
  expect(await row(no)).toMatchObject({ state: 4, held: '0' });
  const gone = await placePosition(server, account, { demo: 1 });
  await apply(server, positionCancelled(gone));
  expect(await server.query(sql`select id, balance from account order by id`)).toEqual(before);
  expect(await count()).toEqual(counted);
});

test('applies a repeated event once', async () => {
  const account = await makeFuturesUser(server, '100');
  const no = await openPosition(server, account);
  const event = { ...positionClosed(no, '4', '11'), eventId: `twice-${no}`, at: server.clock.now() };
  const answers = await send(server, event, event);
  expect(answers.map(({ result }) => result)).toEqual(['applied', 'duplicate']);
  expect(await fetchFuturesBalances(server, account)).toEqual({ active: '98', frozen: '6' });
});
