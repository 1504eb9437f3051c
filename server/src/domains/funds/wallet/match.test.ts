import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressOf, tronAddress } from '../../../../test/address.ts';
import { pull } from '../../../../test/commands.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs, makeKey } from '../../../../test/gateway-key.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import { matchOpenMoves } from './match.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;
beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});

/** Matches all moves that wait, also those that were tried a moment ago. */
async function matchAll(): Promise<void> {
  server.clock.move(60_000);
  while (await matchOpenMoves(server.app));
}

const matchesOf = (move: string) =>
  server.query(sql<{ no: string; by: string; differences: string[] }>`
    select coalesce(w.no, r.no) as no, c.found_by as by, c.differences, c.ended_at is null as open
    from chain_match c join chain_move m on m.id = c.move_id
    left join withdraw w on w.id = c.record_id and c.record_type = 'withdraw'
    left join recharge r on r.id = c.record_id and c.record_type = 'recharge'
    where m.no = ${move} order by c.id`);

const isWaiting = async (move: string): Promise<boolean> =>
  (await server.query(sql`select from chain_move_open o join chain_move m on m.id = o.move_id where m.no = ${move}`))
    .length === 1;

async function saveWallet(more: object = {}): Promise<string> {
  const wallet = unique('wallet-');
  const data = {
    wallet,
    kind: 'hot',
    market: 'USDT',
    network: 'TRC20',
    address: tronAddress('own'),
    state: 1,
    ...more,
  };
  await apply(server, { type: 'wallet.saved', data });
  return wallet;
}

/** Reports a move and returns its number. */
async function report(wallet: string, more: object): Promise<string> {
  const no = unique('move-');
  await apply(server, { type: 'chain.moved', data: { no, wallet, txHash: unique('0xmove'), ...more } });
  return no;
}

/** A withdrawal of 9 net that was ordered. */
async function makePayout(): Promise<{ no: string; address: string }> {
  const address = tronAddress(unique('payee'));
  const user = await makeUser(server, { amount: '100' });
  const { id, no } = await makeWithdraw(server, admin, user, { amount: '10', fee: '1', address });
  expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: admin })).code).toBe(200);
  await pull(server);
  return { no, address };
}
const pay = (no: string, txHash: string, more: object = {}): Promise<void> =>
  apply(server, { type: 'withdraw.paid', data: { no, txHash, ...more } });

/** A credited recharge of 5. */
async function credit(more: object = {}): Promise<string> {
  const no = unique('R');
  const chain = { market: 'USDT', network: 'TRC20', address: tronAddress('own'), confirmations: 9, source: 1 };
  const data = { no, account: await makeUser(server), ...chain, amount: '5', ...more };
  await apply(server, { type: 'recharge.credited', data });
  return no;
}

describe('a payout', () => {
  const payout = { kind: 'payout', amount: '-9' };

  test.each(['the move first', 'the payment first'])('is matched by its number, %s', async (order) => {
    const wallet = await saveWallet();
    const { no, address } = await makePayout();
    const txHash = unique('0x');
    if (order === 'the payment first') await pay(no, txHash);
    const move = await report(wallet, { ...payout, record: no, attempt: 1, address, txHash });
    await matchAll();
    if (order === 'the move first') {
      expect(await matchesOf(move)).toEqual([]);
      await pay(no, txHash);
      await matchAll();
    }
    expect(await matchesOf(move)).toEqual([{ no, by: 'number', differences: [], open: true }]);
    expect(await isWaiting(move)).toBe(false);
  });

  test('names what differs: another account, one unit too much, another coin and network', async () => {
    const { no } = await makePayout();
    await pay(no, unique('0x'), { index: 0 });
    const wallet = await saveWallet({ market: 'ETH', network: 'ERC20', address: addressOf('ETH', 'own') });
    const amount = '-9.000000000000000001';
    const more = { amount, record: no, index: 1, address: addressOf('ETH', 'x'), attempt: 2 };
    const move = await report(wallet, { ...payout, ...more });
    await matchAll();
    const differences = ['market', 'network', 'account', 'amount', 'txHash', 'index', 'attempt'];
    expect(await matchesOf(move)).toEqual([{ no, by: 'number', differences, open: true }]);
  });

  test('is matched by hash and index without a number', async () => {
    const wallet = await saveWallet();
    const [one, two] = [await makePayout(), await makePayout()];
    const txHash = unique('0x');
    await pay(one.no, txHash, { index: 0 });
    await pay(two.no, txHash, { index: 1 });
    const move = await report(wallet, { ...payout, txHash, index: 1 });
    await matchAll();
    expect(await matchesOf(move)).toEqual([{ no: two.no, by: 'output', differences: [], open: true }]);
  });

  test('that was paid twice leaves the second move waiting', async () => {
    const wallet = await saveWallet();
    const { no, address } = await makePayout();
    const txHash = unique('0x');
    await pay(no, txHash);
    const first = await report(wallet, { ...payout, record: no, address, txHash });
    const second = await report(wallet, { ...payout, record: no, address });
    await matchAll();
    expect(await matchesOf(first)).toHaveLength(1);
    expect(await matchesOf(second)).toEqual([]);
    expect(await isWaiting(second)).toBe(true);
  });

  test('that is not paid has no move', async () => {
    const { no } = await makePayout();
    const move = await report(await saveWallet(), { ...payout, record: no });
    await matchAll();
    expect(await matchesOf(move)).toEqual([]);
  });
});

describe('a deposit', () => {
  const deposit = { kind: 'deposit', amount: '5' };

  test('is matched by account and amount if its recharge has no hash', async () => {
    const address = tronAddress(unique('deposit'));
    const wallet = await saveWallet({ kind: 'deposit', address });
    const [no] = [await credit({ address }), await credit({ address, amount: '6' })];
    const move = await report(wallet, { ...deposit, address: tronAddress('sender') });
    await matchAll();
    expect(await matchesOf(move)).toEqual([{ no, by: 'fields', differences: [], open: true }]);
  });

  test('to a shared address is told apart by its memo', async () => {
    const address = addressOf('XRP', unique('shared'));
    const place = { market: 'XRP', network: 'XRPL', address };
    const wallet = await saveWallet({ kind: 'deposit', ...place });
    const [, no] = [await credit({ ...place, memo: '1' }), await credit({ ...place, memo: '2' })];
    const move = await report(wallet, { ...deposit, memo: '02' });
    await matchAll();
    expect(await matchesOf(move)).toEqual([{ no, by: 'fields', differences: [], open: true }]);
  });

  test('waits while its recharge is not credited', async () => {
    const wallet = await saveWallet();
    const no = unique('R');
    const chain = { market: 'USDT', network: 'TRC20', address: tronAddress('own'), confirmations: 0, source: 1 };
    const data = { no, account: await makeUser(server), ...chain, amount: '5' };
    await apply(server, { type: 'recharge.detected', data });
    const move = await report(wallet, { ...deposit, record: no });
    await matchAll();
    expect(await matchesOf(move)).toEqual([]);
    await apply(server, { type: 'recharge.credited', data: { no } });
    await matchAll();
    expect(await matchesOf(move)).toEqual([{ no, by: 'number', differences: [], open: true }]);
  });

  test('that is reverted gives its recharge back to a later move', async () => {
    const wallet = await saveWallet();
    const no = await credit();
    const move = await report(wallet, { ...deposit, record: no });
    await matchAll();
    await apply(server, { type: 'chain.reverted', data: { no: move } });
    const again = await report(wallet, { ...deposit, record: no });
    await matchAll();
    expect(await matchesOf(move)).toEqual([{ no, by: 'number', differences: [], open: false }]);
    expect(await matchesOf(again)).toEqual([{ no, by: 'number', differences: [], open: true }]);
  });

  test('that is reverted before it is matched waits no longer', async () => {
    const move = await report(await saveWallet(), deposit);
    await apply(server, { type: 'chain.reverted', data: { no: move } });
    expect(await isWaiting(move)).toBe(false);
  });
});

test('what moved before its wallet was saved, and a fee, does not wait', async () => {
  const wallet = await saveWallet();
  const other = await report(wallet, { kind: 'fee', amount: '-5' });
  const data = { no: unique('move-'), wallet, kind: 'deposit', amount: '5', txHash: '0xold' };
  await apply(server, { type: 'chain.moved', data, at: server.clock.now() - 3_600_000 });
  expect([await isWaiting(other), await isWaiting(data.no)]).toEqual([false, false]);
});

test('two servers match each move once', async () => {
  const wallet = await saveWallet();
  const numbers = [];
  for (let n = 0; n < 5; n += 1) numbers.push(await credit());
  const moves = [];
  for (const record of numbers) moves.push(await report(wallet, { kind: 'deposit', amount: '5', record }));
  server.clock.move(60_000);
  await Promise.all([1, 2, 3].map(() => matchOpenMoves(server.app)));
  await matchAll();
  for (const [n, move] of moves.entries()) expect(await matchesOf(move)).toMatchObject([{ no: numbers[n] }]);
});

test('a platform takes no record of another one', async () => {
  const named = { name: unique('second '), markets: ['BTC'] };
  const { data } = await call<GatewayPlatform>(server, 'POST', 'gateway_key/platform_save', named, { token: admin });
  const key = await makeKey(server, admin, { platformId: data.id });
  const no = await credit();
  const place = { kind: 'deposit', market: 'USDT', network: 'TRC20', state: 1 };
  const move = { no: unique('move-'), wallet: 'w', kind: 'deposit', amount: '5', txHash: '0x1', record: no };
  const body = [
    { eventId: unique('e-'), type: 'wallet.saved', at: server.clock.now(), data: { wallet: 'w', ...place } },
    { eventId: unique('e-'), type: 'chain.moved', at: server.clock.now(), data: move },
  ];
  expect((await callAs(server, key, { method: 'POST', path: 'events', body })).data).toMatchObject([
    { result: 'applied' },
    { result: 'applied' },
  ]);
  await matchAll();
  expect(await matchesOf(move.no)).toEqual([]);
});
