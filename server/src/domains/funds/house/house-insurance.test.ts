import { ABILITY } from '@hengtai/contract/authority/ability';
import { alarmText } from '@hengtai/contract/house/alarm/calls';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { HouseList } from '@hengtai/contract/funds/house/schema';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { makeOperator } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { call, fetchData, login, provideServer } from '../../../../test/server.ts';
import { watchInsurance } from './house.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'house.transfer', 0);
});
beforeEach(async () => {
  await setBound('0');
  await server.query(sql`update alarm set closed_at = 1, closed_by = 'admin' where closed_at is null`);
});

const setBound = (num: string) =>
  server.query(sql`update config set num = ${num}::numeric where key = 'house.insuranceBound'`);

/** A coin whose insurance has an amount; without a price its value is unknown. */
async function makeInsured(amount: string, price: string | null): Promise<number> {
  const name = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`
    update market set price = ${price}::numeric, price_at = 1 where market_name = ${name} returning id`);
  if (!row) throw new Error('no market');
  await fund(row.id, amount);
  return row.id;
}

const fund = (marketId: number, amount: string) =>
  call(
    server,
    'POST',
    'house/transfer',
    { marketId, from: 'fee', to: 'insurance', amount, reason: '测试' },
    { token: admin },
  );

/** The open alarms about the insurance of a coin. */
const alarmsOf = async (targetId: number): Promise<AlarmRow[]> =>
  (await fetchData<Page<AlarmRow>>(server, admin, 'alarm/list', { kind: 'house.insuranceLow', state: 0, targetId }))
    .list;

const close = (id: number, token = admin) => call(server, 'POST', 'alarm/close', { id, reason: '已补足' }, { token });

test('without a bound there is no alarm', async () => {
  const id = await makeInsured('1', '2');
  await watchInsurance(server.app);
  expect(await alarmsOf(id)).toEqual([]);
  expect(await alarmsOf(1)).toEqual([]);
  expect((await fetchData<HouseList>(server, admin, 'house/list', {})).bound).toBe('0');
  const spent = { marketId: id, from: 'insurance', to: 'fee', amount: '2', reason: '测试' };
  expect((await call(server, 'POST', 'house/transfer', spent, { token: admin })).code).toBe(200);
  await watchInsurance(server.app);
  expect(await alarmsOf(id)).toEqual([]);
});

test('a coin below the bound has one alarm, which says what happened, until people close it', async () => {
  const [low, enough, unpriced] = [
    await makeInsured('49.999', '2'),
    await makeInsured('50', '2'),
    await makeInsured('1', null),
  ];
  await setBound('100');
  for (let minute = 0; minute < 3; minute++) await watchInsurance(server.app);
  const alarms = await alarmsOf(low);
  expect(alarms).toMatchObject([{ targetType: 'house', targetId: low, amount: '49.999', userId: null }]);
  expect(alarms[0]?.marketName).toBeTruthy();
  expect(await alarmsOf(enough)).toEqual([]);
  expect(await alarmsOf(unpriced)).toEqual([]);
  const { id } = alarms[0] ?? { id: 0 };
  const detail = await fetchData<AlarmDetail>(server, admin, 'alarm/detail', { id });
  expect(detail).toMatchObject({ ...alarmText('house.insuranceLow'), detail: { value: '99.998', bound: '100' } });
  expect((await close(id)).code).toBe(200);
  await watchInsurance(server.app);
  const [again] = await alarmsOf(low);
  expect(again?.id).toBeGreaterThan(id);
  await fund(low, '0.001');
  await close(again?.id ?? 0);
  await watchInsurance(server.app);
  expect(await alarmsOf(low)).toEqual([]);
});

test('the settlement coin needs its insurance before it was ever used; other coins do not', async () => {
  const name = await makeMarket(server);
  await server.query(sql`update market set price = 1, price_at = 1 where market_name = ${name}`);
  await setBound('100');
  await watchInsurance(server.app);
  expect(await alarmsOf(1)).toMatchObject([{ marketName: 'USDT', amount: '0' }]);
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
  expect(await alarmsOf(row?.id ?? 0)).toEqual([]);
});

test('two servers at once raise one alarm', async () => {
  const id = await makeInsured('1', '1');
  await setBound('100');
  await Promise.all([watchInsurance(server.app), watchInsurance(server.app)]);
  expect(await alarmsOf(id)).toHaveLength(1);
});

test('the alarm stops no automatic payouts, and needs 资产调整 to be closed', async () => {
  const id = await makeInsured('1', '1');
  await setBound('100');
  await watchInsurance(server.app);
  const most = { userDayAmount: '1', largestUnverified: '1', largestBasic: '1', largestAdvanced: '1' };
  const budget = { marketId: id, on: true, dayAmount: '1', dayCount: 1, ...most, firstByHand: true, reviewPercent: 1 };
  expect((await call(server, 'POST', 'withdraw/auto/save', budget, { token: admin })).code).toBe(200);
  const coins = await fetchData<AutoCoin[]>(server, admin, 'withdraw/auto/list', {});
  expect(coins.find(({ marketId }) => marketId === id)).toMatchObject({ openAlarms: 0 });
  const [alarm] = await alarmsOf(id);
  const unable = await makeOperator(server, admin, { abilities: [ABILITY.platform, ABILITY.headquarters] });
  const able = await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.headquarters] });
  expect((await close(alarm?.id ?? 0, unable.token)).code).toBe(403);
  expect((await close(alarm?.id ?? 0, able.token)).code).toBe(200);
});
