import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { binaryContractVoidCauses } from '@hengtai/contract/trading/binary-contract/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchRequestEntries } from '../../../../test/inspect.ts';
import {
  findBinaryContract,
  makeContractUser,
  makeBinaryContractMarket,
  openContract,
  settleAll,
  fetchContractBalances,
  sendTicks,
  tick,
  fetchContractCommands,
} from '../../../../test/binary-contract.ts';
import { type TestServer, login, send, testServer } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { checkBinaryContracts } from './binary-contract-check.store.ts';
import { settleBinaryContracts } from './binary-contract.jobs.ts';

let server: TestServer;
let admin: string;
let user: string;
let market: string;
/** Opening time of the contracts of a test, long enough ago for every tick to be in the past. */
let at: number;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  // Every outcome of these tests must match the recorded ticks.
  expect((await checkBinaryContracts(server.owner)).discrepancies).toEqual([]);
  await server.stop();
});
beforeEach(async () => {
  user = await makeContractUser(server);
  market = await makeBinaryContractMarket(server);
  at = server.clock.now() - 600_000;
});

const openAt = (terms: Parameters<typeof openContract>[2] = {}) => openContract(server, user, { market, at, ...terms });
const found = (no: string) => findBinaryContract(server, admin, no);

describe('the outcome', () => {
  test.each<[string, 1 | 2, string, number, string, string]>([
    ['up, higher', 1, '100.01', 1, '75', '1075'],
    ['up, lower', 1, '99.99', 2, '-100', '900'],
    ['up, the same', 1, '100', 3, '0', '1000'],
    ['down, lower', 2, '99.99', 1, '75', '1075'],
    ['down, higher', 2, '100.000000000000000001', 2, '-100', '900'],
    ['down, the same', 2, '100', 3, '0', '1000'],
  ])('%s', async (_what, side, close, type, profit, active) => {
    const no = await openAt({ side });
    await sendTicks(server, market, ['100', at], ['50', at + 29_999], [close, at + 30_000], ['1', at + 30_000]);
    await settleAll(server);
    const row = await found(no);
    expect(row).toMatchObject({
      state: 1,
      type,
      profit,
      openPrice: '100',
      closePrice: close,
      settledAt: at + 30_000,
      by: null,
      reason: '',
    });
    expect(await fetchContractBalances(server, user)).toEqual({ active, frozen: '0' });
    const entries = await fetchRequestEntries(server, row.id, 'second');
    expect(entries.slice(2).map((entry) => entry.type)).toEqual(entries.slice(2).map(() => 19));
    expect(await fetchContractCommands(server, row.id)).toEqual([
      {
        type: 'second.settled',
        data: {
          no,
          result: type,
          profit,
          openTick: { price: '100', at },
          closeTick: { price: close, at: at + 30_000 },
        },
      },
    ]);
    const [balance] = await server.query(sql<{ data: object; state: number }>`
      select data, state from command where type = 'balance.changed' and data ->> 'account' = ${user} order by id desc limit 1`);
    expect(balance).toMatchObject({
      state: COMMAND.waiting,
      data: { account: user, market: 'USDT', platform: 4, active, frozen: '0' },
    });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('uses the first tick at or after each time, the first of equal times; later ticks change nothing', async () => {
    const no = await openAt();
    await sendTicks(server, market, ['100', at + 7], ['105', at + 7], ['120', at + 30_400]);
    await settleAll(server);
    const row = await found(no);
    expect(row).toMatchObject({ type: 1, openPrice: '100', closePrice: '120' });
    expect((await send(server, tick(market, '1', at + 30_000)))[0]).toMatchObject({ reason: 'late' });
    await sendTicks(server, market, ['1', at + 30_400]);
    await settleAll(server);
    expect(await found(no)).toEqual(row);
  });

  test('a win whose profit rounds to zero is still a win', async () => {
    await server.query(sql`update second_config set min_amount = 0.000001 where seconds = 30`);
    const no = await openAt({ amount: '0.000001' });
    await sendTicks(server, market, ['1', at], ['2', at + 30_000]);
    await settleAll(server);
    await server.query(sql`update second_config set min_amount = 10 where seconds = 30`);
    expect(await found(no)).toMatchObject({ state: 1, type: 1, profit: '0' });
    expect(await fetchContractBalances(server, user)).toEqual({ active: '1000', frozen: '0' });
  });
});

describe('without a tick in time', () => {
  test('at expiry: voids the contract and returns the full stake', async () => {
    const no = await openAt();
    await sendTicks(server, market, ['100', at], ['100', at + 60_001]);
    await settleAll(server);
    const row = await found(no);
    expect(row).toMatchObject({
      state: 2,
      type: 0,
      profit: null,
      openPrice: '100',
      closePrice: null,
      by: null,
      reason: binaryContractVoidCauses.close,
      settledAt: at + 60_001,
    });
    expect(await fetchContractBalances(server, user)).toEqual({ active: '1000', frozen: '0' });
    expect((await fetchRequestEntries(server, row.id, 'second')).slice(2)).toMatchObject([
      { bucket: 'frozen', type: 20, amount: '-100' },
      { bucket: 'active', type: 20, amount: '100' },
    ]);
    expect(await fetchContractCommands(server, row.id)).toEqual([
      { type: 'second.voided', data: { no, reason: binaryContractVoidCauses.close, reasonCode: 'no_close_tick' } },
    ]);
  });

  test('at the opening: voids the contract at once, before its expiry', async () => {
    const no = await openAt({ seconds: 300 });
    await sendTicks(server, market, ['100', at + 30_001]);
    await settleAll(server);
    expect(await found(no)).toMatchObject({ state: 2, openPrice: null, reason: binaryContractVoidCauses.open });
    expect(await fetchContractBalances(server, user)).toEqual({ active: '1000', frozen: '0' });
  });

  test('accepts a tick at the last millisecond of the tolerance, at opening and expiry', async () => {
    const no = await openAt({ seconds: 60 });
    await sendTicks(server, market, ['100', at + 30_000], ['101', at + 90_000]);
    await settleAll(server);
    expect(await found(no)).toMatchObject({ state: 1, type: 1 });
  });

  test('uses the tolerance at the time of opening', async () => {
    const set = (num: number) => server.query(sql`update config set num = ${num} where key = 'second.tolerance'`);
    const [strict, wide] = [await openAt(), await (set(120), await set(120), openAt())];
    await set(30);
    await sendTicks(server, market, ['100', at], ['101', at + 100_000]);
    await settleAll(server);
    expect((await found(strict)).state).toBe(2);
    expect((await found(wide)).state).toBe(1);
  });

  test('waits while no tick is recorded', async () => {
    const no = await openAt();
    await sendTicks(server, market, ['100', at]);
    await settleAll(server);
    expect(await found(no)).toMatchObject({ state: 0, openPrice: '100' });
  });
});

test('concurrent settlements settle each of many contracts exactly once', async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => makeContractUser(server, '3000')));
  const nos: string[] = [];
  for (const [n, player] of players.entries())
    for (let i = 0; i < 30; i += 1)
      nos.push(await openContract(server, player, { market, at, side: (n + i) % 2 ? 1 : 2, amount: String(10 + i) }));
  await sendTicks(server, market, ['100', at], ['101', at + 30_000]);
  await Promise.all(Array.from({ length: 6 }, () => settleAll(server)));
  const rows = await server.query(sql<{ state: number; n: number; transfers: number; commands: number }>`
    select c.state, count(*)::int as n, sum((select count(*) from transfer t where t.ref_type = 'second' and t.ref_id = c.id))::int as transfers,
      sum((select count(*) from command k where k.ref_type = 'second' and k.ref_id = c.id))::int as commands
    from second_contract c where c.no = any(${nos}::text[]) group by c.state`);
  expect(rows).toEqual([{ state: 1, n: 150, transfers: 300, commands: 150 }]);
  for (const player of players) {
    const [sum] = await server.query(sql<{ profit: string }>`
      select sum(c.profit) as profit from second_contract c join users u on u.id = c.user_id where u.account = ${player}`);
    expect(await fetchContractBalances(server, player)).toEqual({
      active: String(3000 + Number(sum?.profit)),
      frozen: '0',
    });
  }
  expect(await checkBook(server.owner)).toEqual([]);
});

test('a settlement that dies before its commit changes nothing, and the next one completes it', async () => {
  const no = await openAt();
  await sendTicks(server, market, ['100', at], ['101', at + 30_000]);
  const row = await found(no);
  const failed = inTransaction(server.app.system, async (db) => {
    await sql`select id from second_contract where id = ${row.id} for no key update`.execute(db);
    await sql`select * from settle_seconds(array[${row.id}::bigint], ${server.clock.now()})`.execute(db);
    // A concurrent settlement skips the locked contract.
    await settleAll(server);
    expect((await found(no)).state).toBe(0);
    throw new Error('killed');
  });
  await expect(failed).rejects.toThrow('killed');
  expect(await fetchContractBalances(server, user)).toEqual({ active: '900', frozen: '100' });
  await settleAll(server);
  expect(await found(no)).toMatchObject({ state: 1, type: 1 });
  expect(await fetchContractBalances(server, user)).toEqual({ active: '1075', frozen: '0' });
});

test('a contract that cannot be posted does not block others', async () => {
  const broken = await openAt();
  const intact = await openAt();
  const { id } = await found(broken);
  await server.query(sql`update hold set released = amount where ref_type = 'second' and ref_id = ${id}`);
  await sendTicks(server, market, ['100', at], ['101', at + 30_000]);
  await settleAll(server);
  expect((await found(broken)).state).toBe(0);
  expect((await found(intact)).state).toBe(1);
  await server.query(sql`update hold set released = 0 where ref_type = 'second' and ref_id = ${id}`);
  // It is skipped for a while, then retried.
  expect(await settleBinaryContracts(server.app)).toBe(false);
  server.clock.move(61_000);
  await settleAll(server);
  server.clock.move(-61_000);
  expect((await found(broken)).state).toBe(1);
  expect(await checkBook(server.owner)).toEqual([]);
});
