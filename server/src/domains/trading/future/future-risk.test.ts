import type { FutureAccountRisk, FutureExposure, FutureHeat, FutureRow } from '@hengtai/contract/trading/future/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { Decimal } from '@hengtai/contract/values/decimal';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator } from '../../../../test/factories.ts';
import {
  positionClosed,
  findPosition,
  fundingPaid,
  makeFuturesMarket,
  makeFuturesUser,
  openPosition,
  placePosition,
  sendTick,
} from '../../../../test/future.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import { profitOf } from './future.rules.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  agent = await makeOperator(server, admin);
});

const get = async <T>(path: string, input: object, token = admin) =>
  (await call<T>(server, 'GET', `future/${path}`, input, { token })).data;
const expectInfo = async (userId: number[], token = admin) =>
  (await call<FutureAccountRisk[]>(server, 'POST', 'future/expect_info', { userId }, { token })).data;

describe('future/expect_info', () => {
  test('returns equity, margin and positions of a user, from real positions only', async () => {
    const { market } = await makeFuturesMarket(server, { price: '9.5' });
    const account = await makeFuturesUser(server, '100', { agent: agent.account });
    const { id } = await findUser(server, admin, account);
    const long = await openPosition(server, account, { market });
    const short = await openPosition(server, account, { market, side: 2, amount: '4', margin: '8', leverage: 5 });
    await openPosition(server, account, { market, demo: 1, margin: '500' });
    await placePosition(server, account, { market, margin: '5' });
    const [found] = await expectInfo([id], agent.token);
    // 23 of 100 are frozen, 5 of them by a pending order; unrealized: long -5, short +2.
    expect(found).toMatchObject({
      userId: id,
      account,
      equity: '97',
      margin: '18',
      available: '77',
      unrealized: '-3',
      // 15 by 0.005 · 14 · 9.5
      marginRatio: '2255.6391',
    });
    const [first, second] = [await findPosition(server, admin, long), await findPosition(server, admin, short)];
    const expectedPosition = (row: FutureRow) => ({
      id: row.id,
      marketName: market,
      side: row.side,
      amount: row.left,
      openPrice: '10',
      markPrice: '9.5',
      margin: row.held,
      unrealized: row.unrealized,
      marginRatio: row.marginRatio,
      expectLiquidation: row.liquidationPrice,
    });
    // Ordered by margin ratio, lowest first.
    expect(found?.positions).toMatchObject([expectedPosition(first), expectedPosition(second)]);
  });

  test('returns zeros for a user without money and omits unknown users and users outside the scope', async () => {
    const [mine, other] = [
      await makeFuturesUser(server, '0', { agent: agent.account }),
      await makeFuturesUser(server, '5'),
    ];
    const ids = await Promise.all([mine, other].map(async (account) => (await findUser(server, admin, account)).id));
    const found = await expectInfo([...ids, 999_999_999], agent.token);
    expect(found).toEqual([
      {
        userId: ids[0],
        account: mine,
        equity: '0',
        margin: '0',
        available: '0',
        unrealized: '0',
        marginRatio: null,
        positions: [],
      },
    ]);
    expect((await expectInfo(ids)).map(({ account, equity }) => [account, equity])).toEqual([
      [mine, '0'],
      [other, '5'],
    ]);
    for (const userId of [[], [0], [1, 1], 5, Array.from({ length: 201 }, (_, n) => n + 1)]) {
      const { code } = await call(server, 'POST', 'future/expect_info', { userId }, { token: admin });
      expect(code).toBe(422);
    }
  });
});

describe('future/exposure and future/heat', () => {
  test('exposure sums open positions per market and side within the scope, real or demo', async () => {
    const { id: marketId, market } = await makeFuturesMarket(server, { price: '12' });
    const [mine, other] = [
      await makeFuturesUser(server, '100', { agent: agent.account }),
      await makeFuturesUser(server, '100'),
    ];
    await openPosition(server, mine, { market });
    await openPosition(server, mine, { market, amount: '2', margin: '4' });
    await openPosition(server, mine, { market, demo: 1, margin: '77', side: 2 });
    const part = await openPosition(server, other, { market, side: 2, amount: '9', margin: '9' });
    await apply(server, positionClosed(part, '2'));
    await placePosition(server, other, { market });
    const exposure = async (input: object, token = admin) =>
      (await get<FutureExposure[]>('exposure', input, token)).find((one) => one.marketId === marketId);
    expect(await exposure({})).toEqual({
      marketId,
      marketName: market,
      demo: 0,
      markPrice: '12',
      net: '5',
      netNotional: '60',
      long: { positions: 2, users: 1, amount: '12', notional: '144', held: '14', unrealized: '24' },
      short: { positions: 1, users: 1, amount: '7', notional: '84', held: '7', unrealized: '-14' },
    });
    expect(await exposure({ demo: 1 })).toMatchObject({
      demo: 1,
      net: '-10',
      netNotional: '-120',
      long: { positions: 0, amount: '0', notional: '0' },
      short: { positions: 1, held: '77' },
    });
    expect(await exposure({}, agent.token)).toMatchObject({ net: '12', short: { positions: 0 } });
    expect((await call(server, 'GET', 'future/exposure', { demo: -1 }, { token: admin })).code).toBe(422);
    expect((await call(server, 'GET', 'future/exposure', { demo: 2 }, { token: admin })).code).toBe(422);
  });

  test('heat groups positions by liquidation price', async () => {
    const { id: marketId, market } = await makeFuturesMarket(server, { price: '10' });
    const account = await makeFuturesUser(server, '1000', { agent: agent.account });
    const at = async (side: 1 | 2, margin: string, amount = '10', demo: 0 | 1 = 0) => {
      const no = await openPosition(server, account, { market, side, margin, amount, demo });
      return (await findPosition(server, admin, no)).liquidationPrice;
    };
    expect(await at(1, '10')).toBe('9.05');
    expect(await at(1, '10', '11')).toBe('9.14');
    expect(await at(2, '10')).toBe('10.95');
    expect(await at(1, '90')).toBe('1.01');
    expect(await at(2, '90')).toBe('18.91');
    expect(await at(1, '100')).toBeNull();
    expect(await at(1, '10', '10', 1)).toBe('9.05');
    const heat = await get<FutureHeat>('heat', { marketId }, agent.token);
    expect(heat).toMatchObject({ marketName: market, demo: 0, range: 20, markPrice: '10', never: 1 });
    expect(heat.bands).toHaveLength(40);
    expect(heat.bands[0]).toMatchObject({ from: '8', to: '8.1' });
    expect(heat.bands.at(-1)).toMatchObject({ from: '11.9', to: '12' });
    const filled = heat.bands.filter(({ long, short }) => long.positions + short.positions > 0);
    const none = { positions: 0, amount: '0', notional: '0' };
    expect(filled).toEqual([
      { from: '9', to: '9.1', long: { positions: 1, amount: '10', notional: '90.5' }, short: none },
      { from: '9.1', to: '9.2', long: { positions: 1, amount: '11', notional: '100.54' }, short: none },
      { from: '10.9', to: '11', long: none, short: { positions: 1, amount: '10', notional: '109.5' } },
    ]);
    expect(heat.below).toEqual({ long: { positions: 1, amount: '10', notional: '10.1' }, short: none });
    expect(heat.above).toEqual({ long: none, short: { positions: 1, amount: '10', notional: '189.1' } });
    const demo = await get<FutureHeat>('heat', { marketId, demo: 1, range: 50 });
    expect(demo.bands.reduce((sum, { long }) => sum + long.positions, 0)).toBe(1);
    expect((await call(server, 'GET', 'future/heat', { marketId, range: 7 }, { token: admin })).code).toBe(422);
    const foreign = await makeOperator(server, admin);
    const theirs = await get<FutureHeat>('heat', { marketId }, foreign.token);
    expect([theirs.never, theirs.below.long.positions]).toEqual([0, 0]);
  });

  test('a market without a price has no bands, a coarse price precision has fewer, an unknown market is not found', async () => {
    const { id: marketId } = await makeFuturesMarket(server);
    expect(await get<FutureHeat>('heat', { marketId })).toMatchObject({ markPrice: null, bands: [], never: 0 });
    const coarse = await makeFuturesMarket(server, { price: '0.04' });
    const { bands } = await get<FutureHeat>('heat', { marketId: coarse.id });
    expect(bands.map(({ from, to }) => [from, to])).toEqual([
      ['0.03', '0.04'],
      ['0.04', '0.05'],
    ]);
    expect((await call(server, 'GET', 'future/heat', { marketId: 999_999 }, { token: admin })).code).toBe(404);
  });
});

const units = (low: number, high: number) => fc.integer({ min: low, max: high });

test('the figures of the database equal the formulas, and unrealized equals the profit of a close', async () => {
  const { market } = await makeFuturesMarket(server, { price: '1', rate: '0.0125', digits: 4 });
  const account = await makeFuturesUser(server, '100000000');
  const randomPosition = fc.record({
    side: fc.constantFrom<1 | 2>(1, 2),
    amount: units(1, 99_999_999),
    open: units(1, 9_999_999),
    mark: units(1, 9_999_999),
    margin: units(1, 99_999_999),
    paid: units(0, 9_999),
  });
  await fc.assert(
    fc.asyncProperty(randomPosition, async ({ side, amount, open, mark, margin, paid }) => {
      const [q, e, p] = [amount, open, mark].map((one) => new Decimal(one).div(10_000));
      const m = new Decimal(margin).div(1_000_000);
      if (!q || !e || !p) throw new Error('three numbers');
      const tag = unique('fig');
      const position = { market, side, amount: q.toFixed(), price: e.toFixed(), margin: m.toFixed(), no: tag };
      await openPosition(server, account, position);
      if (paid > 0) await apply(server, fundingPaid(tag, new Decimal(paid).div(-100).toFixed()));
      await sendTick(server, market, p.toFixed());
      const { data } = await call<Page<FutureRow>>(server, 'GET', 'future/order/list', { no: tag }, { token: admin });
      const row = data.list[0];
      const [held, r] = [new Decimal(row?.held ?? 0), new Decimal('0.0125')];
      const profit = (side === 1 ? p.minus(e) : e.minus(p)).mul(q);
      const ratio = held.plus(profit).mul(100).div(r.mul(q).mul(p));
      const raw =
        side === 1
          ? e.minus(held.div(q)).div(new Decimal(1).minus(r))
          : e.plus(held.div(q)).div(new Decimal(1).plus(r));
      const liquidation = raw.toDecimalPlaces(4, Decimal.ROUND_HALF_UP);
      expect(row).toMatchObject({
        unrealized: profit.toFixed(),
        notional: q.mul(p).toFixed(),
        roe: profit.mul(100).div(held).toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(),
        marginRatio: ratio.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(),
        liquidationPrice: liquidation.gt(0) ? liquidation.toFixed() : null,
      });
      expect(profitOf(side, q.toFixed(), e.toFixed(), p.toFixed())).toBe(row?.unrealized);
    }),
    { numRuns: 40 },
  );
}, 120_000);
