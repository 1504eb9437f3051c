import type { WalletCoinDetail, WalletCoinRow } from '@hengtai/contract/funds/wallet-coin/schema';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { Network } from '@hengtai/contract/trading/market/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { addressOf } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { pull } from '../../../../test/commands.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs, makeKey } from '../../../../test/gateway-key.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { compactFundDays } from '../../desk/report/fund-day.store.ts';
import { judgeWallets } from '../wallet/reading.jobs.ts';
import { matchOpenMoves } from '../wallet/match.jobs.ts';
import { compareWallets } from './wallet-coin.jobs.ts';

const BOUND_MS = 30 * 60_000;
const NETWORK = 'ERC20';
const server = provideServer({ jobs: false });
let admin: string;
beforeEach(async () => {
  server.clock.move(3_600_000);
  admin = await login(server);
  for (const policy of ['withdraw.pass', 'house.transfer'] as const) await setPolicy(server, policy, 0);
});

/** A coin of its own, whose books no other test moves. */
const makeCoin = (more: Partial<Network> = {}): Promise<string> =>
  makeMarket(server, { networks: [{ network: NETWORK, recharge: 1, withdraw: 1, fee: '0', explorer: '', ...more }] });

async function saveWallet(market: string, more: object = {}): Promise<string> {
  const wallet = unique('wallet-');
  await apply(server, {
    type: 'wallet.saved',
    data: { wallet, kind: 'hot', market, network: NETWORK, state: 1, ...more },
  });
  return wallet;
}

/** A wallet with a reading. */
async function connect(market: string, amount: string, more: object = {}): Promise<string> {
  const wallet = await saveWallet(market, more);
  await apply(server, { type: 'wallet.balance', data: { wallet, amount } });
  return wallet;
}

async function move(wallet: string, amount: string, more: object): Promise<string> {
  const no = unique('move-');
  await apply(server, { type: 'chain.moved', data: { no, wallet, amount, txHash: unique('0x'), ...more } });
  return no;
}

/** A user with a credited recharge, whose number is that of a move unless it is `null`. */
async function deposit(market: string, amount: string, wallet: string | null): Promise<string> {
  const no = unique('R');
  const account = await makeUser(server);
  const chain = { market, network: NETWORK, address: addressOf('ETH', 'own'), confirmations: 9, source: 1 };
  await apply(server, { type: 'recharge.credited', data: { no, account, ...chain, amount } });
  if (wallet !== null) await move(wallet, amount, { kind: 'deposit', record: no });
  return account;
}

/** A withdrawal that the wallet was told to pay. */
async function orderPayout(market: string, account: string, amount: string): Promise<{ no: string; address: string }> {
  const address = addressOf('ETH', unique('payee'));
  const { id, no } = await makeWithdraw(server, admin, account, {
    market,
    network: NETWORK,
    amount,
    fee: '0',
    address,
  });
  expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: admin })).code).toBe(200);
  await pull(server);
  return { no, address };
}

/** A paid withdrawal; returns its number and its address. */
async function payOut(market: string, account: string, amount: string): Promise<{ no: string; address: string }> {
  const ordered = await orderPayout(market, account, amount);
  await apply(server, { type: 'withdraw.paid', data: { no: ordered.no, txHash: unique('0xpaid') } });
  return ordered;
}

/** Runs the jobs but does not let time pass. */
async function settle(): Promise<void> {
  while (await matchOpenMoves(server.app));
  while (await judgeWallets(server.app));
  await compareWallets(server.app);
}

const findCoin = async (market: string): Promise<WalletCoinRow | undefined> =>
  (await fetchData<Page<WalletCoinRow>>(server, admin, 'wallet/coin/list', { size: 200 })).list.find(
    ({ marketName }) => marketName === market,
  );
async function coinOf(market: string): Promise<WalletCoinRow> {
  await settle();
  const row = await findCoin(market);
  if (!row) throw new Error(`no row of ${market}`);
  return row;
}
const detailOf = async (market: string): Promise<WalletCoinDetail> =>
  fetchData<WalletCoinDetail>(server, admin, 'wallet/coin/detail', { id: (await coinOf(market)).id });

describe('a coin', () => {
  test('without balances and wallets has no row and no detail', async () => {
    const market = await makeCoin();
    await settle();
    expect(await findCoin(market)).toBeUndefined();
    const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
    expect((await call(server, 'GET', 'wallet/coin/detail', { id: row?.id }, { token: admin })).code).toBe(404);
  });

  test('with balances and no reading is not connected, never zero', async () => {
    const market = await makeCoin();
    await deposit(market, '10', null);
    const unknown = { wallets: null, underWay: null, difference: null, hot: null, days: null, readAt: null };
    expect(await coinOf(market)).toMatchObject({ state: 0, liabilities: '10', custody: '10', ...unknown });
    expect((await detailOf(market)).missing).toEqual(['默认平台']);
    await saveWallet(market);
    expect(await coinOf(market)).toMatchObject({ state: 0, ...unknown });
  });

  test('is equal when wallets hold what the ledger says, and hot wallets in use count as available', async () => {
    const market = await makeCoin();
    await deposit(market, '10', null);
    server.clock.move(BOUND_MS);
    await connect(market, '4');
    await connect(market, '5', { kind: 'cold' });
    await connect(market, '1', { state: 0 });
    expect(await coinOf(market)).toMatchObject({
      state: 1,
      liabilities: '10',
      custody: '10',
      wallets: '10',
      underWay: '0',
      difference: '0',
      hot: '4',
    });
  });

  test('differs by one unit of the last digit, which the bell counts with full scope only', async () => {
    const market = await makeCoin();
    await connect(market, '0.000000000000000001');
    expect(await coinOf(market)).toMatchObject({ state: 2, difference: '0.000000000000000001' });
    const counts = await fetchData<Counts>(server, admin, 'notify/counts');
    const { total } = await fetchData<Page<WalletCoinRow>>(server, admin, 'wallet/coin/list', { state: 2 });
    expect(counts.walletDifferent).toBe(total);
  });

  test("counts the owner's capital as custody, and not as liabilities", async () => {
    const market = await makeCoin();
    await connect(market, '7');
    const { marketId } = await coinOf(market);
    const input = { marketId, from: 'custody', to: 'capital', amount: '7', txHash: '0x1', reason: '注资' };
    expect((await call(server, 'POST', 'house/transfer', input, { token: admin })).code).toBe(200);
    expect(await coinOf(market)).toMatchObject({ state: 1, liabilities: '0', custody: '7', difference: '0' });
  });

  test('of two platforms is connected when both have a reading', async () => {
    const { data } = await call<GatewayPlatform>(
      server,
      'POST',
      'gateway_key/platform_save',
      { name: unique('乙'), markets: null },
      { token: admin },
    );
    const key = await makeKey(server, admin, { platformId: data.id });
    const say = async (type: string, event: object): Promise<void> => {
      const body = [{ eventId: unique('e'), type, at: server.clock.now(), data: event }];
      const answer = await callAs(server, key, { method: 'POST', path: 'events', body });
      expect(answer).toMatchObject({ data: [{ result: 'applied' }] });
    };
    const market = await makeCoin();
    await connect(market, '0');
    expect(await coinOf(market)).toMatchObject({ state: 1 });
    const account = unique('user-b');
    await say('user.registered', { account });
    const chain = { market, network: NETWORK, address: addressOf('ETH', 'b'), confirmations: 9, source: 1 };
    await say('recharge.credited', { no: unique('R'), account, ...chain, amount: '3' });
    expect(await coinOf(market)).toMatchObject({ state: 0, wallets: null, custody: '3' });
    expect((await detailOf(market)).missing).toEqual([data.name]);
    const wallet = unique('wallet-b');
    await say('wallet.saved', { wallet, kind: 'hot', market, network: NETWORK, state: 1 });
    await say('wallet.balance', { wallet, amount: '3' });
    server.clock.move(BOUND_MS);
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '3', difference: '0' });
    expect((await detailOf(market)).missing).toEqual([]);
  });
});

describe('under way', () => {
  test('is what only one side counts, each named, until the bound; then it differs', async () => {
    const market = await makeCoin();
    const wallet = await connect(market, '0');
    const account = await deposit(market, '100', wallet);
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '100', underWay: '0' });
    await payOut(market, account, '5');
    await deposit(market, '20', null);
    await move(wallet, '40', { kind: 'deposit', record: 'comes later' });
    const { no: record, address } = await orderPayout(market, account, '3');
    await move(wallet, '-3', { kind: 'payout', record, address, attempt: 1 });
    const row = { wallets: '137', underWay: '-22', custody: '115', liabilities: '115' };
    expect(await coinOf(market)).toMatchObject({ state: 1, difference: '0', ...row });
    const { underWay, underWayCount } = await detailOf(market);
    expect(
      underWay.map(({ kind, amount }) => ({ kind, amount })).toSorted((a, b) => a.kind.localeCompare(b.kind)),
    ).toEqual([
      { kind: 'deposit', amount: '-40' },
      { kind: 'payout', amount: '3' },
      { kind: 'recharge', amount: '20' },
      { kind: 'withdraw', amount: '-5' },
    ]);
    expect(underWayCount).toBe(4);
    server.clock.move(BOUND_MS);
    expect(await coinOf(market)).toMatchObject({ state: 2, underWay: '0', difference: '22' });
    expect((await detailOf(market)).underWay).toEqual([]);
  });

  test('lasts until the bound of its network', async () => {
    const [slow, quick] = [await makeCoin({ matchMinutes: 120 }), await makeCoin()];
    for (const market of [slow, quick]) {
      const wallet = await connect(market, '0');
      await deposit(market, '100', null);
      await move(wallet, '40', { kind: 'deposit', record: 'comes later' });
    }
    const [waits, differs] = [
      { state: 1, underWay: '60', difference: '0' },
      { state: 2, underWay: '0', difference: '-60' },
    ];
    for (const market of [slow, quick]) expect(await coinOf(market)).toMatchObject(waits);
    server.clock.move(BOUND_MS);
    expect([await coinOf(slow), await coinOf(quick)]).toMatchObject([waits, differs]);
    server.clock.move(3 * BOUND_MS);
    expect(await coinOf(slow)).toMatchObject(differs);
  });

  test('ends with the record or the move', async () => {
    const market = await makeCoin();
    const wallet = await connect(market, '0');
    const account = await deposit(market, '100', wallet);
    const { no: record, address } = await payOut(market, account, '5');
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '100', underWay: '-5' });
    await move(wallet, '-5', { kind: 'payout', record, address });
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '95', underWay: '0' });
  });

  test('is one side of a transfer between wallets, and what was reverted is not', async () => {
    const market = await makeCoin();
    const [hot, cold] = [await connect(market, '0'), await connect(market, '0', { kind: 'cold' })];
    await deposit(market, '100', hot);
    const txHash = unique('0x');
    await move(hot, '-60', { kind: 'move', txHash });
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '40', underWay: '60', hot: '40' });
    expect((await detailOf(market)).underWay).toMatchObject([{ kind: 'move', amount: '60', txHash }]);
    await move(cold, '60', { kind: 'move', txHash });
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '100', underWay: '0', hot: '40' });
    const no = await move(hot, '-7', { kind: 'other' });
    expect(await coinOf(market)).toMatchObject({ state: 1, underWay: '7' });
    await apply(server, { type: 'chain.reverted', data: { no } });
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '100', underWay: '0' });
  });

  test('names a fee without a wallet, and a fee of a wallet is none', async () => {
    const market = await makeCoin();
    const wallet = await connect(market, '0');
    await deposit(market, '100', wallet);
    const txHash = unique('0x');
    await move(wallet, '-10', { kind: 'move', txHash, fee: '1' });
    await move(await connect(market, '0'), '10', { kind: 'move', txHash });
    expect(await coinOf(market)).toMatchObject({ state: 1, wallets: '99', custody: '99', underWay: '0' });
    const gas = await makeCoin();
    await deposit(gas, '50', await connect(gas, '0', { address: addressOf('ETH', unique('other')) }));
    await move(wallet, '-1', { kind: 'other', txHash: `${txHash}2`, fee: '0.5', feeMarket: gas });
    expect(await coinOf(gas)).toMatchObject({ state: 1, wallets: '50', custody: '49.5', underWay: '-0.5' });
    expect((await detailOf(gas)).underWay).toMatchObject([{ kind: 'fee', amount: '-0.5', txHash: `${txHash}2` }]);
  });

  test('is no move from before its wallet was saved', async () => {
    const market = await makeCoin();
    const wallet = await saveWallet(market);
    const data = { no: unique('move-'), wallet, kind: 'deposit', amount: '5', txHash: '0xold' };
    await apply(server, { type: 'chain.moved', at: server.clock.now() - 600_000, data });
    await apply(server, { type: 'wallet.balance', data: { wallet, amount: '5' } });
    expect(await coinOf(market)).toMatchObject({ wallets: '5', underWay: '0', difference: '5' });
    expect((await detailOf(market)).wallets).toMatchObject([{ no: wallet, amount: '5', difference: '0' }]);
  });
});

describe('what hot wallets cover', () => {
  test('is days of the second largest daily net outflow of 30 complete days; nothing without outflow', async () => {
    const market = await makeCoin();
    const account = await deposit(market, '1000', null);
    await connect(market, '45');
    expect(await coinOf(market)).toMatchObject({ hot: '45', outflow: null, days: null });
    for (const amount of ['90', '20', '7']) {
      server.clock.move(24 * 3_600_000);
      admin = await login(server);
      await payOut(market, account, amount);
    }
    await compactFundDays(server.app);
    // The last day is not complete, and the first one has the deposit.
    expect(await coinOf(market)).toMatchObject({ outflow: '20', days: '2.2' });
  });
});

test('wallet/coin/list filters by coin and state', async () => {
  const market = await makeCoin();
  await connect(market, '1');
  const { marketId } = await coinOf(market);
  const find = async (input: object) =>
    (await fetchData<Page<WalletCoinRow>>(server, admin, 'wallet/coin/list', input)).list.map((row) => row.marketName);
  expect(await find({ marketId })).toEqual([market]);
  expect(await find({ marketId, state: 2 })).toEqual([market]);
  expect(await find({ marketId, state: 1 })).toEqual([]);
});

test('an outflow that nobody ordered is not under way, but missing at once', async () => {
  const market = await makeCoin();
  const wallet = await connect(market, '0');
  await deposit(market, '100', wallet);
  await move(wallet, '-30', { kind: 'payout', address: addressOf('ETH', unique('thief')) });
  expect(await coinOf(market)).toMatchObject({ state: 2, wallets: '70', underWay: '0', difference: '-30' });
});
