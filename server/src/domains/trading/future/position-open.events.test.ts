import type { HomeTrading } from '@hengtai/contract/desk/home/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRejection, fetchHouseBalance } from '../../../../test/book.ts';
import {
  fetchFuturesBalances,
  fetchPositionDetail,
  findPosition,
  makeFuturesUser,
  openPosition,
  placePosition,
  positionCancelled,
  positionClosed,
  positionLiquidated,
  positionOpened,
} from '../../../../test/future.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';
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
const balances = (account: string) => fetchFuturesBalances(server, account);
const opened = (no: string, price: string, amount?: string, fee = '0', entryPrice?: string) => ({
  type: 'position.opened',
  data: { no, price, fee, ...(amount !== undefined && { amount }), ...(entryPrice !== undefined && { entryPrice }) },
});
const increased = (no: string, amount: string, price: string, margin: string, more: object = {}) => ({
  type: 'position.increased',
  data: { no, tradeNo: unique('I'), amount, price, fee: '0', margin, ...more },
});
const flipped = (no: string, newNo: string, amount: string, price: string, margin: string, more: object = {}) => ({
  type: 'position.flipped',
  data: { no, closeNo: unique('C'), newNo, amount, price, fee: '0', margin, ...more },
});

describe('an order that is filled in parts', () => {
  test('opens in parts with its share of the margin and the average price', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await placePosition(server, account, { price: '10', amount: '3', margin: '10' });
    await apply(server, opened(no, '9', '1', '0.5'));
    expect(await row(no)).toMatchObject({
      state: 1,
      amount: '1',
      left: '1',
      openPrice: '9',
      held: '3.333333333333333333',
      unopened: '2',
      pendingMargin: '6.666666666666666667',
    });
    expect(await balances(account)).toEqual({ active: '89.5', frozen: '10' });
    // (9 · 1 + 10 · 2) / 3, rounded half up.
    expect(await expectRejection(server, opened(no, '10', undefined, '0', '9.67'))).toBe('invalid: entryPrice');
    await apply(server, opened(no, '10', undefined, '0', '9.666666666666666667'));
    expect(await row(no)).toMatchObject({ amount: '3', openPrice: '9.666666666666666667', held: '10', unopened: '0' });
    const { openings } = await fetchPositionDetail(server, admin, no);
    expect(openings?.map(({ amount, price, margin, fee }) => [amount, price, margin, fee])).toEqual([
      ['2', '10', '6.666666666666666667', '0'],
      ['1', '9', '3.333333333333333333', '0.5'],
    ]);
    expect(await expectRejection(server, opened(no, '9', '1'))).toBe('state');
    await apply(server, positionClosed(no, '3', '10'));
    expect(await balances(account)).toEqual({ active: '100.499999999999999999' });
  });

  test('what waits can be cancelled, is not closed, and ends with the position', async () => {
    const account = await makeFuturesUser(server, '100');
    const no = await placePosition(server, account, { amount: '10', margin: '10' });
    await apply(server, opened(no, '10', '4'));
    expect(await expectRejection(server, opened(no, '10', '6.1'))).toBe('beyond the order');
    expect(await expectRejection(server, positionClosed(no, '4.1'))).toBe('beyond the order');
    await apply(server, positionCancelled(no));
    expect(await balances(account)).toEqual({ active: '96', frozen: '4' });
    expect(await expectRejection(server, positionCancelled(no))).toBe('state');
    await apply(server, positionClosed(no, '4'));
    expect(await row(no)).toMatchObject({ state: 2 });

    const other = await placePosition(server, account, { amount: '10', margin: '10' });
    await apply(server, opened(other, '10', '4'), positionLiquidated(other, '9'));
    expect(await row(other)).toMatchObject({ state: 4, realized: '-4', unopened: '0', pendingMargin: '0', held: '0' });
    expect(await balances(account)).toEqual({ active: '96' });
  });

  test('a demo order opens in parts without money', async () => {
    const account = await makeFuturesUser(server, '0');
    const no = await placePosition(server, account, { demo: 1, amount: '10', margin: '10' });
    await apply(server, opened(no, '10', '4', '1'), increased(no, '1', '12', '5'), positionCancelled(no));
    expect(await row(no)).toMatchObject({ amount: '5', openPrice: '10.4', unopened: '0', held: '9' });
    expect(await balances(account)).toEqual({});
  });
});

describe('a netted position', () => {
  test('grows, shrinks and turns to the other side', async () => {
    const trading = await fetchHouseBalance(server, 'trading', 'USDT');
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account, { price: '10', amount: '1', margin: '2', fee: '0.25' });
    const volume = async () =>
      (await call<HomeTrading>(server, 'GET', 'home/trading', {}, { token: admin })).data.days.at(-1)?.future;
    await apply(server, increased(no, '2', '13', '3.5', { fee: '0.1', entryPrice: '12' }));
    expect(await row(no)).toMatchObject({ amount: '3', openPrice: '12', held: '5.5', margin: '5.5', fee: '0.35' });
    expect(await balances(account)).toEqual({ active: '94.15', frozen: '5.5' });
    await apply(server, positionClosed(no, '1', '14'));
    // (12 · 2 + 15 · 1) / 3: what was closed does not count.
    await apply(server, increased(no, '1', '15', '0', { entryPrice: '13' }));
    const newNo = unique('P');
    expect(await expectRejection(server, flipped(no, newNo, '2', '12', '4', { realized: '3' }))).toBe(
      'invalid: realized',
    );
    await apply(server, flipped(no, newNo, '2', '12', '4', { fee: '0.05', realized: '-3' }));
    expect(await row(no)).toMatchObject({ state: 2, realized: '-1', closeAmount: '4', amount: '4' });
    expect(await row(newNo)).toMatchObject({
      state: 1,
      side: 2,
      amount: '2',
      openPrice: '12',
      held: '4',
      leverage: 10,
    });
    expect(await balances(account)).toEqual({ active: '94.6', frozen: '4' });
    await apply(server, positionClosed(newNo, '2', '11'));
    expect(await balances(account)).toEqual({ active: '100.6' });
    expect(Number(await fetchHouseBalance(server, 'trading', 'USDT')) - Number(trading)).toBeCloseTo(-1, 9);
    const { openings } = await fetchPositionDetail(server, admin, no);
    expect(openings?.map(({ amount, price, fee }) => [amount, price, fee])).toEqual([
      ['1', '15', '0'],
      ['2', '13', '0.1'],
      ['1', '10', '0.25'],
    ]);
    expect(Number((await volume())?.value)).toBeGreaterThanOrEqual(10 + 26 + 14 + 15 + 36 + 24 + 22);
  });

  test('rejects what the books contradict', async () => {
    const account = await makeFuturesUser(server, '10');
    const no = await openPosition(server, account, { amount: '1', margin: '2' });
    const first = increased(no, '1', '10', '1');
    await apply(server, first);
    expect(await expectRejection(server, first)).toBe('exists');
    expect(await expectRejection(server, increased(no, '1', '10', '7.1'))).toBe('insufficient');
    expect(await expectRejection(server, increased('none', '1', '10', '1'))).toBe('unknown: no');
    expect(await expectRejection(server, flipped(no, no, '1', '10', '1'))).toBe('exists');
    expect(await expectRejection(server, flipped(no, unique('P'), '1', '10', '11'))).toBe('insufficient');
    const waiting = await placePosition(server, account, { amount: '1', margin: '1' });
    expect(await expectRejection(server, increased(waiting, '1', '10', '1'))).toBe('state');
    expect(await expectRejection(server, flipped(waiting, unique('P'), '1', '10', '1'))).toBe('state');
    expect(await row(no)).toMatchObject({ state: 1, amount: '2', held: '3' });
    await apply(server, positionOpened(waiting));
    expect(await balances(account)).toEqual({ active: '6', frozen: '4' });
  });
});
