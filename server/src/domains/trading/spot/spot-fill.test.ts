import type { Page } from '@hengtai/contract/wire/list';
import type { SpotDetail, SpotFill, SpotFillSum, SpotRow, SpotSum } from '@hengtai/contract/trading/spot/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { parseCsv } from '../../../../test/csv.ts';
import { exportFile } from '../../../../test/export.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import { findSpotOrder, makeTrader, orderFilled, placeOrder } from '../../../../test/spot.ts';
import { readXlsx, valuesOf } from '../../../../test/xlsx.ts';

type Fills = Page<SpotFill, SpotFillSum>;

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;
let other: TestOperator;
/** A coin quoted in USDT, and a pair of that coin quoted in BTC. */
const markets = { coin: { id: 0, name: '' }, pair: { id: 0, name: '' } };
/** A purchase and a sale of the coin, and a purchase of the pair below another agent. */
const orders = { buy: { id: 0, no: '' }, sell: { id: 0, no: '' }, pair: { id: 0, no: '' } };
const traders = { agent: '', other: '' };
const tradeNo = unique('F');

beforeAll(async () => {
  admin = await login(server);
  [agent, other] = [await makeOperator(server, admin), await makeOperator(server, admin)];
  const name = await makeMarket(server);
  markets.coin = { id: await openSpot(name), name };
  const pair = await makeMarket(server);
  markets.pair = { id: await openSpot(pair), name: pair };
  await server.query(sql`
    update market set base_id = ${markets.coin.id}, quote_id = (select id from market where market_name = 'BTC')
    where id = ${markets.pair.id}`);
  traders.agent = await makeTrader(server, { USDT: '1000', [name]: '10', ETH: '1' }, { agent: agent.account });
  traders.other = await makeTrader(server, { BTC: '10' }, { agent: other.account });
  orders.buy = await place(traders.agent, { market: name, amount: '5' });
  orders.sell = await place(traders.agent, { market: name, side: 2, amount: '2' });
  orders.pair = await place(traders.other, { market: pair, price: '0.5', amount: '4' });
  await apply(
    server,
    orderFilled(orders.buy.no, '1.5', '9.5', '0.01', tradeNo),
    orderFilled(orders.buy.no, '2', '10', '0.25', undefined, 'ETH'),
    orderFilled(orders.sell.no, '0.5', '11', '0.02'),
    orderFilled(orders.sell.no, '0.25', '12', '-0.01'),
    orderFilled(orders.pair.no, '4', '0.5', '0.001'),
  );
});

async function openSpot(name: string): Promise<number> {
  const [found] = await server.query(sql<{ id: number }>`
    update market set spot = 1, price_precision = 2, amount_precision = 4 where market_name = ${name} returning id`);
  return found?.id ?? 0;
}

async function place(account: string, input: Parameters<typeof placeOrder>[2]) {
  const no = await placeOrder(server, account, input);
  return { id: (await findSpotOrder(server, admin, no)).id, no };
}

const get = <T = Fills>(path: string, input: object, token = admin) => call<T>(server, 'GET', path, input, { token });
const fills = async (input: object, token = admin): Promise<Fills> => {
  const answer = await get('trade/fill/list', { size: 200, ...input }, token);
  expect([input, answer.code, answer.msg]).toEqual([input, 200, 'ok']);
  return answer.data;
};
const amounts = ({ list }: Fills): string[] => list.map(({ amount }) => amount);

test('each fill names its order, market, coins and the coin of its fee, newest first', async () => {
  const both = await fills({});
  expect(both.total).toBe(5);
  expect(both.list).toMatchObject([
    { orderId: orders.pair.id, marketName: markets.pair.name, coinName: markets.coin.name, quoteName: 'BTC' },
    { orderId: orders.sell.id, side: 2, price: '12', amount: '0.25', turnover: '3', fee: '-0.01', feeMarket: 'USDT' },
    { orderId: orders.sell.id, side: 2, price: '11', amount: '0.5', turnover: '5.5', fee: '0.02', feeMarket: 'USDT' },
    { orderId: orders.buy.id, side: 1, amount: '2', turnover: '20', fee: '0.25', feeMarket: 'ETH' },
    { tradeNo, account: traders.agent, agent: agent.account, marketId: markets.coin.id, feeMarket: markets.coin.name },
  ]);
  // The received coin of a purchase of a pair is its base.
  expect(both.list[0]).toMatchObject({ turnover: '2', fee: '0.001', feeMarket: markets.coin.name });
  expect(amounts(await fills({ sort: 'turnover' }))).toEqual(['4', '0.25', '0.5', '1.5', '2']);
  expect(amounts(await fills({ sort: 'id', size: 2, page: 2 }))).toEqual(['0.5', '0.25']);
});

test('filters by user, market, side, order, number, agent, amount and time', async () => {
  const { list } = await fills({});
  const first = list.at(-1);
  if (!first) throw new Error('no fill');
  const cases: [object, string[]][] = [
    [{ account: `=${traders.other}` }, ['4']],
    [{ userId: first.userId }, ['0.25', '0.5', '2', '1.5']],
    [{ marketId: markets.pair.id }, ['4']],
    [{ side: 2 }, ['0.25', '0.5']],
    [{ orderId: orders.buy.id }, ['2', '1.5']],
    [{ id: first.id }, ['1.5']],
    [{ tradeNo }, ['1.5']],
    [{ tradeNo: tradeNo.slice(0, -1) }, []],
    [{ agent: other.account }, ['4']],
    [{ agentRoot: agent.account, side: 1 }, ['2', '1.5']],
    [{ amountFrom: '0.5', amountTo: '1.5' }, ['0.5', '1.5']],
    [{ to: first.createdAt - 1 }, []],
    [{ from: first.createdAt, orderId: orders.sell.id }, ['0.25', '0.5']],
  ];
  for (const [input, expected] of cases) {
    const found = await fills(input);
    expect([input, amounts(found), found.total]).toEqual([input, expected, expected.length]);
  }
  expect((await get('trade/fill/list', { side: 3 })).code).toBe(422);
  expect((await get('trade/fill/list', { state: 1 })).code).toBe(422);
});

test('shows an operator the fills of its own tree only', async () => {
  expect(amounts(await fills({}, agent.token))).toEqual(['0.25', '0.5', '2', '1.5']);
  const foreign = await fills({}, other.token);
  expect([amounts(foreign), foreign.summary?.map(({ marketName }) => marketName)]).toEqual([
    ['4'],
    [markets.pair.name],
  ]);
  expect(await fills({ orderId: orders.buy.id }, other.token)).toMatchObject({ total: 0, list: [] });
  expect(await fills({ agentRoot: agent.account }, other.token)).toMatchObject({ total: 0 });
});

test('sums per market equal those of the orders, with each fee in its own coin', async () => {
  const { summary = [] } = await fills({});
  const ordered = await call<Page<SpotRow, SpotSum>>(server, 'GET', 'trade/order/list', {}, { token: admin });
  expect(summary.map(({ marketName, amount, turnover }) => [marketName, amount, turnover])).toEqual(
    ordered.data.summary?.map(({ marketName, filled, turnover }) => [marketName, filled, turnover]),
  );
  const feesOf = (market: string) =>
    Object.fromEntries(
      summary
        .filter(({ marketName }) => marketName === market)
        .flatMap(({ fee = [] }) => fee.map((one) => [one.marketName, one.amount])),
    );
  const coins = ordered.data.summary?.find(({ marketName }) => marketName === markets.coin.name);
  expect(feesOf(markets.coin.name)).toEqual({ [markets.coin.name]: coins?.feeCoin, USDT: coins?.feeUsdt, ETH: '0.25' });
  expect([coins?.feeCoin, coins?.feeUsdt, coins?.otherFees]).toEqual([
    '0.01',
    '0.01',
    [{ marketName: 'ETH', amount: '0.25' }],
  ]);
  expect(feesOf(markets.pair.name)).toEqual({ [markets.coin.name]: '0.001' });
});

test('an export has the rows of the filters, and in Excel the fees by coin', async () => {
  const filters = { orderId: orders.buy.id, columns: ['id', 'orderId', 'turnover', 'fee', 'feeMarket', 'tradeNo'] };
  const { list } = await fills({ orderId: orders.buy.id });
  const { text } = await exportFile(server, 'trade/fill/excel', { ...filters, format: 'csv' }, admin);
  const [head, ...rows] = parseCsv(text);
  expect(head).toEqual(['编号', '委托编号', '成交额', '手续费', '手续费币种', '成交编号']);
  expect(rows.slice(0, 2).map(([id, orderId, , fee, coin, no]) => [id, orderId, fee, coin, no])).toEqual(
    list.map(({ id, orderId, fee, feeMarket, tradeNo: no }) => [String(id), String(orderId), fee, feeMarket, no]),
  );
  const { bytes } = await exportFile(server, 'trade/fill/excel', filters, admin);
  const [sheet, notes] = readXlsx(bytes);
  if (!sheet || !notes) throw new Error('no sheets');
  const sums = valuesOf(sheet).at(-1);
  expect(sums).toEqual(expect.arrayContaining([`合计 ${markets.coin.name}`, '34.25']));
  for (const cells of [sums, valuesOf(notes).at(-1)]) {
    const fees = cells?.find((cell) => cell.includes('；'));
    expect(fees?.split('；').toSorted()).toEqual(['0.25 ETH', `0.01 ${markets.coin.name}`].toSorted());
  }
});

test('the detail of an order shows the same fills, and only to who sees the order', async () => {
  const { list } = await fills({ orderId: orders.sell.id });
  const detail = await get<SpotDetail>('trade/order/detail', { id: orders.sell.id }, agent.token);
  expect(detail.data.fills).toEqual(list);
  expect((await get('trade/order/detail', { id: orders.sell.id }, other.token)).code).toBe(404);
});
