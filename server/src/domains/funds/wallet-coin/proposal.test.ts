import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { SWEEP_DAYS, TOP_UP_DAYS } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletCoinDetail, WalletCoinRow, WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { addressOf } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { pull } from '../../../../test/commands.ts';
import { makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs, makeKey } from '../../../../test/gateway-key.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { compactFundDays } from '../../desk/report/fund-day.store.ts';
import { judgeWallets } from '../wallet/reading.jobs.ts';
import { compareWallets } from './wallet-coin.jobs.ts';

const DAY_MS = 24 * 3_600_000;
const NETWORKS = ['ERC20', 'TRC20', 'BEP20'].map((network) => ({
  network,
  recharge: 1,
  withdraw: 1,
  fee: '0',
  explorer: '',
}));
const server = provideServer({ jobs: false });
let admin: string;

const act = <T>(path: string, input: object, token = admin) => call<T>(server, 'POST', path, input, { token });

async function setDays(key: string, num: string) {
  const settings = await fetchData<ConfigRow[]>(server, admin, 'config/list');
  return act('config/save', { id: settings.find((one) => one.key === key)?.id, num });
}

beforeEach(async () => {
  admin = await login(server);
  for (const policy of ['withdraw.pass', 'walletTransfer.request'] as const) await setPolicy(server, policy, 0);
  await setDays(SWEEP_DAYS, '14');
  await setDays(TOP_UP_DAYS, '3');
});

/** A coin with a daily net outflow of 10, and nothing but a user's balance of 980. */
async function makeCoin(): Promise<string> {
  const market = await makeMarket(server, { networks: NETWORKS });
  const account = await makeUser(server);
  const chain = { market, network: 'ERC20', address: addressOf('ETH', 'own'), confirmations: 9, source: 1 };
  await apply(server, { type: 'recharge.credited', data: { no: unique('R'), account, ...chain, amount: '1000' } });
  for (const txHash of [unique('0xpaid'), unique('0xpaid')]) {
    await nextDay();
    const payout = { market, network: 'ERC20', amount: '10', fee: '0', address: addressOf('ETH', unique('payee')) };
    const { id, no } = await makeWithdraw(server, admin, account, payout);
    expect((await act('withdraw/pass', { id })).code).toBe(200);
    await pull(server);
    await apply(server, { type: 'withdraw.paid', data: { no, txHash } });
  }
  await nextDay();
  await compactFundDays(server.app);
  return market;
}

async function nextDay(): Promise<void> {
  server.clock.move(DAY_MS);
  admin = await login(server);
}

type Say = (type: string, data: object) => Promise<void>;
const say: Say = async (type, data) => {
  await apply(server, { type, data });
};

async function makePlatform(): Promise<Say> {
  const { data } = await act<GatewayPlatform>('gateway_key/platform_save', { name: unique('乙'), markets: null });
  const key = await makeKey(server, admin, { platformId: data.id });
  return async (type, event) => {
    const body = [{ eventId: unique('e'), type, at: server.clock.now(), data: event }];
    const answer = await callAs(server, key, { method: 'POST', path: 'events', body });
    expect(answer).toMatchObject({ data: [{ result: 'applied' }] });
  };
}

/** A wallet, with a reading unless `amount` is `null`; returns its id at the platform, which is also its name. */
async function makeWallet(market: string, kind: string, amount: string | null, { network = 'ERC20', tell = say } = {}) {
  const wallet = unique(`${kind}-`);
  await tell('wallet.saved', { wallet, kind, market, network, state: 1 });
  if (amount !== null) await tell('wallet.balance', { wallet, amount });
  return wallet;
}

async function proposalOf(market: string): Promise<WalletProposal | null> {
  while (await judgeWallets(server.app));
  await compareWallets(server.app);
  return proposalNow(market);
}

/** Before the jobs have run. */
async function proposalNow(market: string): Promise<WalletProposal | null> {
  const { list } = await fetchData<Page<WalletCoinRow>>(server, admin, 'wallet/coin/list', { size: 200 });
  const row = list.find(({ marketName }) => marketName === market);
  if (!row) throw new Error(`no row of ${market}`);
  const detail = await fetchData<WalletCoinDetail>(server, admin, 'wallet/coin/detail', { id: row.id });
  expect(detail.row.proposal).toEqual(row.proposal);
  return row.proposal;
}

const inShort = (found: WalletProposal | null): string | null =>
  found && `${found.kind} ${found.amount} ${found.from.name} > ${found.to.name}`;

const order = (proposal: WalletProposal | null, more: object = {}) =>
  act<WalletTransferRow & ApprovalRow>('wallet/transfer', {
    fromId: proposal?.from.id,
    toId: proposal?.to.id,
    amount: proposal?.amount,
    reason: '补充热钱包',
    ...more,
  });

test('a top-up is proposed with its figures, can be ordered as it is, and is not proposed again', async () => {
  const market = await makeCoin();
  const [hot, cold] = [await makeWallet(market, 'hot', '12'), await makeWallet(market, 'cold', '500')];
  const proposal = await proposalOf(market);
  expect(proposal).toMatchObject({
    kind: 'topUp',
    from: { name: cold, kind: 'cold', network: 'ERC20', platformId: 1, marketName: market },
    to: { name: hot, kind: 'hot' },
    amount: '73',
    missing: '0',
    ordered: '0',
    days: '1.2',
    boundDays: '3',
    targetDays: '8.5',
  });
  const { data: transfer } = await order(proposal);
  expect(await proposalNow(market)).toBeNull();
  await pull(server);
  const move = { kind: 'move', txHash: unique('0x'), record: transfer.no };
  await say('chain.moved', { no: unique('m'), wallet: cold, amount: '-73', ...move });
  expect(await proposalNow(market)).toBeNull();
  await say('chain.moved', { no: unique('m'), wallet: hot, amount: '73', ...move });
  expect(await proposalNow(market)).toBeNull();
  expect(await proposalOf(market)).toBeNull();
});

test('of what is ordered only the rest is proposed, and all of it after a cancellation', async () => {
  const market = await makeCoin();
  const [hot, cold] = [await makeWallet(market, 'hot', '0'), await makeWallet(market, 'cold', '60')];
  const proposal = await proposalOf(market);
  expect(proposal).toMatchObject({ amount: '60', missing: '25' });
  const { data: transfer } = await order(proposal, { amount: '20' });
  expect(await proposalNow(market)).toMatchObject({ amount: '40', missing: '25', ordered: '20', days: '2' });
  await act('wallet/transfer/cancel', { id: transfer.id });
  expect(inShort(await proposalNow(market))).toBe(`topUp 60 ${cold} > ${hot}`);
});

test('what waits for a second person is ordered, until it is taken back', async () => {
  const market = await makeCoin();
  await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.approval, ABILITY.headquarters] });
  await setPolicy(server, 'walletTransfer.request', 1);
  await makeWallet(market, 'hot', '12');
  await makeWallet(market, 'cold', '500');
  const proposal = await proposalOf(market);
  const { code, data } = await order(proposal);
  expect(code).toBe(202);
  expect(await proposalNow(market)).toBeNull();
  expect((await act('approval/cancel', { id: data.id })).code).toBe(200);
  expect(await proposalNow(market)).toEqual(proposal);
});

test('a sweep is proposed out of the fullest hot wallet, and is not proposed again', async () => {
  const market = await makeCoin();
  await makeWallet(market, 'hot', '60');
  const [hot, cold] = [await makeWallet(market, 'hot', '400'), await makeWallet(market, 'cold', null)];
  const proposal = await proposalOf(market);
  expect(proposal).toMatchObject({ kind: 'sweep', days: '46', boundDays: '14', targetDays: '8.5' });
  expect(inShort(proposal)).toBe(`sweep 357.5 ${hot} > ${cold}`);
  const { data: transfer } = await order(proposal, { reason: '归集到冷钱包' });
  expect(await proposalNow(market)).toBeNull();
  await pull(server);
  // The reading may come before the move.
  await say('wallet.balance', { wallet: hot, amount: '42.5' });
  expect(await proposalOf(market)).toBeNull();
  const move = { kind: 'move', txHash: unique('0x'), record: transfer.no };
  await say('chain.moved', { no: unique('m'), wallet: hot, amount: '-357.5', ...move });
  await say('chain.moved', { no: unique('m'), wallet: cold, amount: '357.5', ...move });
  await say('wallet.balance', { wallet: hot, amount: '42.5' });
  expect(await proposalOf(market)).toBeNull();
});

test('a transfer between hot wallets changes nothing', async () => {
  const market = await makeCoin();
  const [first, second] = [await makeWallet(market, 'hot', '20'), await makeWallet(market, 'hot', '0')];
  await makeWallet(market, 'cold', '500');
  const before = await proposalOf(market);
  const { data } = await order(before, { amount: '9' });
  await act('wallet/transfer/cancel', { id: data.id });
  const ids = await server.query(
    sql<{ id: number }>`select id from wallet where no in (${first}, ${second}) order by id`,
  );
  expect((await order(null, { fromId: ids[0]?.id, toId: ids[1]?.id, amount: '15' })).code).toBe(200);
  expect(await proposalNow(market)).toEqual(before);
});

test('wallets of other networks and platforms count for the days, and give nothing', async () => {
  const market = await makeCoin();
  const tell = await makePlatform();
  const hot = await makeWallet(market, 'hot', '5');
  await makeWallet(market, 'cold', '500', { network: 'TRC20' });
  await makeWallet(market, 'cold', '500', { tell });
  expect(await proposalOf(market)).toBeNull();
  const cold = await makeWallet(market, 'cold', '30');
  expect(inShort(await proposalOf(market))).toBe(`topUp 30 ${cold} > ${hot}`);
  const other = await makeWallet(market, 'hot', '10', { tell });
  expect(await proposalOf(market)).toMatchObject({ kind: 'topUp', amount: '70', days: '1.5', to: { name: other } });
  await makeWallet(market, 'hot', '200', { network: 'BEP20' });
  expect(await proposalOf(market)).toBeNull();
});

test('amounts have the decimals of the coin', async () => {
  const market = await makeCoin();
  await server.query(sql`update market set amount_precision = 2 where market_name = ${market}`);
  await makeWallet(market, 'hot', '12.3456789');
  await makeWallet(market, 'cold', '500');
  expect(await proposalOf(market)).toMatchObject({ amount: '72.65' });
});

test('a wallet gives what its last reading and its moves leave, and nothing out of use', async () => {
  const market = await makeCoin();
  await makeWallet(market, 'hot', '5');
  const cold = await makeWallet(market, 'cold', '50');
  await say('chain.moved', { no: unique('m'), wallet: cold, amount: '-20', kind: 'other', txHash: unique('0x') });
  expect(await proposalOf(market)).toMatchObject({ amount: '30', missing: '50' });
  await say('chain.moved', { no: unique('m'), wallet: cold, amount: '90', kind: 'other', txHash: unique('0x') });
  // The server accepts no more than the last reading.
  expect(await proposalOf(market)).toMatchObject({ amount: '50', missing: '30' });
  await say('wallet.saved', { wallet: cold, kind: 'cold', market, network: 'ERC20', state: 0 });
  expect(await proposalOf(market)).toBeNull();
});

test('0 days are off, and hot wallets are never swept below what they are to cover', async () => {
  const market = await makeCoin();
  const hot = await makeWallet(market, 'hot', '12');
  await makeWallet(market, 'cold', '500');
  expect((await setDays(TOP_UP_DAYS, '0')).code).toBe(200);
  expect(await proposalOf(market)).toBeNull();
  await say('wallet.balance', { wallet: hot, amount: '200' });
  expect(await proposalOf(market)).toMatchObject({ kind: 'sweep', targetDays: '7', amount: '130' });
  expect((await setDays(SWEEP_DAYS, '0')).code).toBe(200);
  expect(await proposalOf(market)).toBeNull();
  expect((await setDays(TOP_UP_DAYS, '30')).code).toBe(200);
  expect(await proposalOf(market)).toMatchObject({ kind: 'topUp', targetDays: '60', amount: '400' });
});

test('a coin without net outflow or without a reading has no proposal', async () => {
  const market = await makeMarket(server, { networks: NETWORKS });
  await makeWallet(market, 'hot', '1000');
  await makeWallet(market, 'cold', '0');
  expect(await proposalOf(market)).toBeNull();
  const unread = await makeCoin();
  await makeWallet(unread, 'hot', null);
  expect(await proposalOf(unread)).toBeNull();
});
