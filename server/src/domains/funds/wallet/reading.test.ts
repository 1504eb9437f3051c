import { ABILITY } from '@hengtai/contract/authority/ability';
import type { WalletRow, WalletSum } from '@hengtai/contract/funds/wallet/schema';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { addressOf } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { makeOperator } from '../../../../test/factories.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { judgeWallets } from './reading.jobs.ts';

const BOUND_MS = 30 * 60_000;
const server = provideServer({ jobs: false });
let admin: string;
/** Time of the events, below the clock of the server. */
let start: number;
beforeEach(async () => {
  server.clock.move(3_600_000);
  start = server.clock.now() - 1_800_000;
  admin = await login(server);
});

const run = async (): Promise<void> => {
  while (await judgeWallets(server.app));
};

async function save(more: object = {}): Promise<string> {
  const wallet = unique('wallet-');
  const data = { wallet, kind: 'hot', market: 'ETH', network: 'ERC20', state: 1, ...more };
  await apply(server, { type: 'wallet.saved', at: start - 60_000, data });
  return wallet;
}

/** A reading `minute` minutes after the start. */
const read = (wallet: string, amount: string, minute: number, block?: number) =>
  apply(server, {
    type: 'wallet.balance',
    at: start + minute * 60_000,
    data: { wallet, amount, ...(block !== undefined && { block }) },
  });

/** A move `minute` minutes after the start; returns its number. */
async function move(wallet: string, amount: string, minute: number, more: object = {}): Promise<string> {
  const no = unique('move-');
  const data = { no, wallet, kind: 'other', amount, txHash: unique('0x'), ...more };
  await apply(server, { type: 'chain.moved', at: start + minute * 60_000, data });
  return no;
}

const findWallet = async (no: string): Promise<WalletRow> => {
  const { list } = await fetchData<Page<WalletRow>>(server, admin, 'wallet/list', { name: no, size: 200 });
  const row = list.find((one) => one.no === no);
  if (!row) throw new Error(`no wallet ${no}`);
  return row;
};

const balanceOf = async (no: string) => {
  await run();
  const { amount, difference, differs } = await findWallet(no);
  return { amount, difference, differs };
};

const alarmsOf = async (wallet: string): Promise<AlarmRow[]> => {
  const { id } = await findWallet(wallet);
  return (await fetchData<Page<AlarmRow>>(server, admin, 'alarm/list', { kind: 'wallet.differs', targetId: id })).list;
};

describe('a reading', () => {
  test('is the first one and the moves between them, and what moved since is added', async () => {
    const wallet = await save();
    await move(wallet, '1000', -1);
    await read(wallet, '7', 0);
    await move(wallet, '5', 1);
    await move(wallet, '-2.000000000000000001', 2);
    await read(wallet, '9.999999999999999999', 3);
    await move(wallet, '4', 4);
    expect(await balanceOf(wallet)).toEqual({ amount: '13.999999999999999999', difference: '0', differs: 0 });
    expect(await findWallet(wallet)).toMatchObject({
      reading: '9.999999999999999999',
      readAt: start + 180_000,
      block: null,
    });
  });

  test('differs by one unit of the last digit', async () => {
    const wallet = await save();
    await read(wallet, '7', 0);
    await read(wallet, '7.000000000000000001', 1);
    expect(await balanceOf(wallet)).toEqual({
      amount: '7.000000000000000001',
      difference: '0.000000000000000001',
      differs: 1,
    });
  });

  test('without one the balance is what moved, and is compared with nothing', async () => {
    const wallet = await save();
    await move(wallet, '5', 0);
    expect(await balanceOf(wallet)).toEqual({ amount: '5', difference: null, differs: 2 });
    await read(wallet, '6', 1);
    expect(await balanceOf(wallet)).toEqual({ amount: '6', difference: '0', differs: 0 });
  });

  test('contains moves up to its block, whatever their time', async () => {
    const wallet = await save();
    await read(wallet, '7', 0, 100);
    await move(wallet, '1', 5, { block: 101 });
    await move(wallet, '2', 1, { block: 102 });
    await move(wallet, '4', 2);
    await read(wallet, '12', 3, 101);
    expect(await balanceOf(wallet)).toEqual({ amount: '14', difference: '0', differs: 0 });
    await read(wallet, '14', 6, 102);
    expect(await balanceOf(wallet)).toEqual({ amount: '14', difference: '0', differs: 0 });
    await read(wallet, '14', 7);
    expect(await balanceOf(wallet)).toEqual({ amount: '14', difference: '0', differs: 0 });
  });

  test('is judged again when an earlier move or reading arrives', async () => {
    const wallet = await save();
    await read(wallet, '7', 0);
    await read(wallet, '9', 2);
    expect(await balanceOf(wallet)).toMatchObject({ difference: '2' });
    await move(wallet, '2', 1);
    expect(await balanceOf(wallet)).toEqual({ amount: '9', difference: '0', differs: 0 });
    await read(wallet, '4', -1);
    expect(await balanceOf(wallet)).toMatchObject({ amount: '9', difference: '3' });
    await move(wallet, '3', -0.5);
    expect(await balanceOf(wallet)).toEqual({ amount: '9', difference: '0', differs: 0 });
  });

  test('had a move that is reverted later', async () => {
    const wallet = await save();
    await read(wallet, '7', 0);
    const no = await move(wallet, '5', 1);
    await read(wallet, '12', 2);
    await apply(server, { type: 'chain.reverted', at: start + 180_000, data: { no } });
    expect(await balanceOf(wallet)).toEqual({ amount: '7', difference: '0', differs: 0 });
    await read(wallet, '7', 4);
    expect(await balanceOf(wallet)).toEqual({ amount: '7', difference: '0', differs: 0 });
  });
});

describe('a chain fee', () => {
  test('lowers the wallet that it was stated with, once', async () => {
    const wallet = await save();
    const txHash = unique('0x');
    await read(wallet, '7', 0);
    await move(wallet, '-2', 1, { fee: '0.5', txHash });
    await move(wallet, '-0.5', 1, { kind: 'fee', txHash });
    await move(wallet, '-0.25', 2, { kind: 'fee' });
    await read(wallet, '4.25', 3);
    expect(await balanceOf(wallet)).toEqual({ amount: '4.25', difference: '0', differs: 0 });
  });

  test('in another coin lowers the wallet of the same account in this coin, also if it is saved later', async () => {
    const address = addressOf('ETH', unique('own'));
    const token = await save({ market: 'USDT', address });
    await move(token, '-2', 1, { fee: '0.5', feeMarket: 'ETH' });
    await run();
    const coin = await save({ kind: 'gas', address });
    const other = await save({ kind: 'gas', address: addressOf('ETH', unique('other')) });
    server.clock.move(60_000);
    expect(await balanceOf(coin)).toMatchObject({ amount: '-0.5' });
    expect(await balanceOf(token)).toMatchObject({ amount: '-2' });
    expect(await balanceOf(other)).toMatchObject({ amount: '0' });
  });

  test('that an incoming move states lowers the wallet which the money left', async () => {
    const [from, to] = [await save(), await save()];
    const txHash = unique('0x');
    await move(to, '2', 1, { kind: 'move', fee: '0.5', txHash });
    expect(await balanceOf(to)).toMatchObject({ amount: '2' });
    await move(from, '-2', 1, { kind: 'move', txHash });
    server.clock.move(60_000);
    expect(await balanceOf(from)).toMatchObject({ amount: '-2.5' });
    expect(await balanceOf(to)).toMatchObject({ amount: '2' });
  });

  test('waits for no wallet of a platform that has none on the network', async () => {
    const market = await makeMarket(server, { networks: [] });
    const wallet = await save({ market, network: unique('NET') });
    await move(wallet, '2', 1, { fee: '0.5' });
    await run();
    const left = () =>
      server.query(sql`select from wallet_pending p join chain_fee f on f.id = p.ref_id and p.kind = 'fee'
      where f.market = ${market}`);
    expect(await left()).toHaveLength(1);
    await server.query(sql`update wallet set network_key = 'gone' where no = ${wallet}`);
    server.clock.move(60_000);
    await run();
    expect(await left()).toHaveLength(0);
  });
});

describe('an alarm', () => {
  test('comes after the bound only, once while the difference stays, and says each reading', async () => {
    const wallet = await save({ name: '主钱包' });
    await read(wallet, '7', 0);
    await read(wallet, '6', 1);
    await run();
    server.clock.move(BOUND_MS - 60_000);
    await run();
    expect(await alarmsOf(wallet)).toEqual([]);
    server.clock.move(60_000);
    await run();
    const alarms = await alarmsOf(wallet);
    expect(alarms).toMatchObject([
      { targetType: 'wallet', amount: '-1', marketName: 'ETH', state: 0, stops: 'nothing' },
    ]);
    const { id } = alarms[0] ?? { id: 0 };
    expect(await fetchData<AlarmDetail>(server, admin, 'alarm/detail', { id })).toMatchObject({
      detail: { wallet: '主钱包', reading: '6' },
      occurrences: { total: 1 },
    });
    await read(wallet, '6', 2);
    await read(wallet, '5', 3);
    await run();
    server.clock.move(BOUND_MS);
    await run();
    expect(await alarmsOf(wallet)).toHaveLength(1);
    const { occurrences } = await fetchData<AlarmDetail>(server, admin, 'alarm/detail', { id });
    expect(occurrences).toMatchObject({ list: [{ detail: { amount: '-2', reading: '5' } }, {}], total: 2 });
    expect((await call(server, 'POST', 'alarm/close', { id, reason: '已核实' }, { token: admin })).code).toBe(200);
    await read(wallet, '5', 4);
    await run();
    server.clock.move(BOUND_MS);
    await run();
    expect(await alarmsOf(wallet)).toHaveLength(1);
  });

  test('waits for the bound of its network', async () => {
    const listed = { recharge: 1, withdraw: 1, fee: '0', explorer: '' } as const;
    const market = await makeMarket(server, { networks: [{ ...listed, network: 'ERC20', matchMinutes: 60 }] });
    const wallet = await save({ market });
    await read(wallet, '7', 0);
    await read(wallet, '6', 1);
    await run();
    server.clock.move(2 * BOUND_MS - 60_000);
    await run();
    expect(await alarmsOf(wallet)).toEqual([]);
    server.clock.move(60_000);
    await run();
    expect(await alarmsOf(wallet)).toMatchObject([{ amount: '-1', marketName: market }]);
  });

  test('does not come if the move arrives within the bound', async () => {
    const wallet = await save();
    await read(wallet, '7', 0);
    await read(wallet, '6', 2);
    await run();
    await move(wallet, '-1', 1);
    await run();
    server.clock.move(BOUND_MS);
    await run();
    expect(await alarmsOf(wallet)).toEqual([]);
  });

  test('comes for a reading between right ones, and for one that a late move makes wrong', async () => {
    const [lied, late] = [await save(), await save()];
    await read(lied, '7', 0);
    await read(lied, '8', 1);
    await read(lied, '7', 2);
    await read(late, '7', 0);
    await read(late, '7', 1);
    await run();
    server.clock.move(BOUND_MS);
    await run();
    expect(await alarmsOf(lied)).toMatchObject([{ amount: '1' }]);
    expect(await alarmsOf(late)).toEqual([]);
    await move(late, '2', 0.5);
    await run();
    server.clock.move(BOUND_MS);
    await run();
    expect(await alarmsOf(late)).toMatchObject([{ amount: '-2' }]);
  });
});

describe('wallet/list', () => {
  test('filters, and sums the balances of each coin', async () => {
    const market = await makeMarket(server, { networks: [] });
    const [one, two] = [await save({ market, name: '冷钱包甲', kind: 'cold' }), await save({ market, state: 0 })];
    await read(one, '7', 0);
    await read(two, '5', 0);
    await read(two, '6', 1);
    await run();
    const { marketId, id } = await findWallet(two);
    const find = async (input: object) => {
      const page = await fetchData<Page<WalletRow, WalletSum>>(server, admin, 'wallet/list', { marketId, ...input });
      expect(page.total).toBe(page.list.length);
      return page;
    };
    expect(await find({})).toMatchObject({ total: 2, summary: [{ marketName: market, count: 2, amount: '13' }] });
    for (const [input, name] of [
      [{ kind: 'cold' }, '冷钱包甲'],
      [{ name: '钱包甲' }, '冷钱包甲'],
      [{ differs: 0 }, '冷钱包甲'],
      [{ differs: 1 }, two],
      [{ state: 0 }, two],
      [{ id }, two],
      [{ amountTo: '6' }, two],
    ] as const)
      expect((await find(input)).list.map((row) => row.name)).toEqual([name]);
    expect((await find({ differs: 2 })).total).toBe(0);
  });

  test.each([
    ['without full scope', [ABILITY.assets, ABILITY.audit]],
    ['without ability 2 and 12', [ABILITY.withdraw, ABILITY.headquarters]],
  ])('is refused %s', async (_name, abilities) => {
    const { token } = await makeOperator(server, admin, { abilities });
    for (const path of ['wallet/list', 'wallet/coin/list'])
      expect((await call(server, 'GET', path, {}, { token })).code).toBe(403);
    expect((await call(server, 'GET', 'wallet/coin/detail', { id: 1 }, { token })).code).toBe(403);
  });

  test.each([[ABILITY.assets], [ABILITY.audit]])('is open with full scope and ability %i', async (ability) => {
    const { token } = await makeOperator(server, admin, { abilities: [ability, ABILITY.headquarters] });
    for (const path of ['wallet/list', 'wallet/coin/list'])
      expect((await call(server, 'GET', path, {}, { token })).code).toBe(200);
  });
});
