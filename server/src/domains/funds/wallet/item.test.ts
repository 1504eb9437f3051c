import { MATCH_MINUTES } from '@hengtai/contract/funds/wallet/item';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, tronAddress } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { exportFile } from '../../../../test/export.ts';
import { makeOperator } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import {
  creditRecharge,
  fetchItems,
  itemsOf,
  judgeAfter,
  judgeDue,
  orderPayout,
  payOut,
  reportMove,
  saveWallet,
} from '../../../../test/wallet.ts';
import { matchOpenMoves } from './match.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;
let wallet: string;
const own = tronAddress('own');

beforeAll(async () => {
  await setPolicy(server, 'withdraw.pass', 0);
  wallet = await saveWallet(server, { address: own });
});

// Hours pass in the tests, and sessions end.
beforeEach(async () => {
  admin = await login(server);
});

const payout = { kind: 'payout', amount: '-9' };
/** An amount of its own for each test, so that no move finds the record of another test. */
const newAmount = (): string => `${unique('5.0')}1`;
const makeDeposit = () => ({ kind: 'deposit', amount: newAmount() });
const items = (no: string) => itemsOf(server, admin, no);

/** A paid withdrawal without a move. */
async function paid(): Promise<{ no: string; address: string; txHash: string }> {
  const { no, address } = await orderPayout(server, admin);
  const txHash = unique('0x');
  await payOut(server, { no }, txHash);
  return { no, address, txHash };
}

test('the money of a voucher may arrive in any way: its number is enough', async () => {
  const wallet = await saveWallet(server);
  const no = await creditRecharge(server, { source: 2, network: 'Bank', voucher: '/v/1.png' });
  const move = await reportMove(server, wallet, { kind: 'other', amount: '5', record: no });
  const unknown = await reportMove(server, wallet, { kind: 'other', amount: '5', record: unique('R') });
  await judgeAfter(server, 31);
  expect(await itemsOf(server, admin, move)).toEqual([]);
  expect(await itemsOf(server, admin, no)).toEqual([]);
  expect(await itemsOf(server, admin, unknown)).toMatchObject([{ why: 'noRecord' }]);
});

describe('a record without a move', () => {
  test('is an item after the bound: a paid withdrawal, and a credited recharge', async () => {
    const [withdrawal, recharge] = [await paid(), await creditRecharge(server)];
    await judgeAfter(server, 29);
    expect(await items(withdrawal.no)).toEqual([]);
    await judgeAfter(server, 1);
    expect(await items(withdrawal.no)).toMatchObject([
      {
        kind: 'record',
        why: 'noMove',
        state: 0,
        marketName: 'USDT',
        network: 'TRC20',
        amount: '-9',
        excess: '9',
        txHash: withdrawal.txHash,
        move: null,
        record: { type: 'withdraw', amount: '-9', attempt: 1, address: withdrawal.address },
      },
    ]);
    expect(await items(recharge)).toMatchObject([
      { why: 'noMove', state: 0, amount: '5', excess: '-5', record: { type: 'recharge', amount: '5' } },
    ]);
  });

  test('is none where the platform has no wallet of the coin and network', async () => {
    await saveWallet(server, { network: 'ERC20', address: addressOf('ETH', unique('own')) });
    const no = await creditRecharge(server, { network: 'BEP20', address: addressOf('ETH', 'bep') });
    const other = await creditRecharge(server, { market: 'BTC', network: 'BTC', address: addressOf('BTC', 'btc') });
    await judgeAfter(server, 31);
    expect([await items(no), await items(other)]).toEqual([[], []]);
  });

  test('is none if it was settled before the wallet was saved', async () => {
    const place = { market: 'ETH', network: 'ERC20' };
    const before = server.clock.now() - 1;
    await saveWallet(server, { ...place, address: addressOf('ETH', unique('own')) });
    const [old, fresh] = [
      await creditRecharge(server, { ...place, address: addressOf('ETH', 'old') }, before),
      await creditRecharge(server, { ...place, address: addressOf('ETH', 'fresh') }),
    ];
    await judgeAfter(server, 31);
    expect([(await items(old)).length, (await items(fresh)).length]).toEqual([0, 1]);
  });

  test('is closed by its move when that comes late', async () => {
    const { no, address, txHash } = await paid();
    await judgeAfter(server, 31);
    expect(await items(no)).toMatchObject([{ state: 0 }]);
    await reportMove(server, wallet, { ...payout, record: no, address, txHash });
    await judgeDue(server);
    expect(await items(no)).toMatchObject([{ state: 1, excess: '0' }]);
  });

  test('is one again after its move was reverted', async () => {
    const { no, address, txHash } = await paid();
    const move = await reportMove(server, wallet, { ...payout, record: no, address, txHash });
    await judgeAfter(server, 31);
    expect(await items(no)).toEqual([]);
    await apply(server, { type: 'chain.reverted', data: { no: move } });
    await judgeAfter(server, 31);
    expect(await items(no)).toMatchObject([{ kind: 'record', why: 'noMove', state: 0 }]);
  });

  test('has the bound of its network, else that of the setting', async () => {
    const listed = { recharge: 1, withdraw: 1, fee: '0', explorer: '' };
    const market = await makeMarket(server, {
      networks: [
        { ...listed, network: 'TRC20', matchMinutes: 5 },
        { ...listed, network: 'ERC20' },
      ],
    });
    await saveWallet(server, { market });
    await saveWallet(server, { market, network: 'ERC20', address: addressOf('ETH', unique('own')) });
    const short = await creditRecharge(server, { market, network: 'tron (trc-20)' });
    const usual = await creditRecharge(server, { market, network: 'ERC20', address: addressOf('ETH', 'usual') });
    await judgeAfter(server, 5);
    expect([(await items(short)).length, (await items(usual)).length]).toEqual([1, 0]);
    await server.query(sql`update config set num = 10 where key = ${MATCH_MINUTES}`);
    const later = await creditRecharge(server, { market, network: 'ERC20', address: addressOf('ETH', 'later') });
    await judgeAfter(server, 10);
    await server.query(sql`update config set num = 30 where key = ${MATCH_MINUTES}`);
    expect(await items(later)).toHaveLength(1);
  });

  test('that was read late has a minute for its move to be read', async () => {
    const { no, address, txHash } = await paid();
    server.clock.move(60 * 60_000);
    await reportMove(server, wallet, { ...payout, record: no, address, txHash });
    await judgeAfter(server, 2);
    expect(await items(no)).toEqual([]);
  });
});

describe('a move without a record', () => {
  test('is an item after the bound, and is matched when the record comes later', async () => {
    const address = tronAddress(unique('deposit'));
    const shared = await saveWallet(server, { kind: 'deposit', address });
    const move = await reportMove(server, shared, { kind: 'deposit', amount: '5' });
    await judgeAfter(server, 29);
    expect(await items(move)).toEqual([]);
    await judgeAfter(server, 1);
    expect(await items(move)).toMatchObject([
      { kind: 'move', why: 'noRecord', state: 0, amount: '5', excess: '5', record: null, move: { wallet: shared } },
    ]);
    // The record wakes the move, which would be tried again in an hour.
    await judgeAfter(server, 50);
    await creditRecharge(server, { address });
    await judgeDue(server);
    expect(await items(move)).toMatchObject([{ state: 1, excess: '0' }]);
  });

  test('is tried ever more rarely', async () => {
    const move = await reportMove(server, wallet, makeDeposit());
    const nextIn = async (): Promise<number> => {
      await judgeDue(server);
      const [row] = await server.query(sql<{ at: number }>`select o.next_at as at from chain_move_open o
        join chain_move m on m.id = o.move_id where m.no = ${move}`);
      const pause = (row?.at ?? 0) - server.clock.now();
      server.clock.move(pause);
      return Math.round(pause / 1_000);
    };
    const release = server.clock.freeze();
    const pauses = [];
    for (let n = 0; n < 12; n += 1) pauses.push(await nextIn());
    release();
    // The seventh would end after the bound of 30 minutes, which is not missed.
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 855, 1_920, 3_600, 3_600, 3_600, 3_600]);
  });

  test('is one after its recharge was reversed', async () => {
    const deposit = makeDeposit();
    const no = await creditRecharge(server, { amount: deposit.amount });
    const move = await reportMove(server, wallet, { ...deposit, record: no });
    await judgeAfter(server, 31);
    expect(await items(move)).toEqual([]);
    await apply(server, { type: 'recharge.reversed', data: { no } });
    await judgeAfter(server, 29);
    expect(await items(move)).toEqual([]);
    await judgeAfter(server, 2);
    expect(await items(move)).toMatchObject([{ why: 'noRecord', state: 0, record: null, excess: deposit.amount }]);
  });

  test('is none if chain and recharge were both reverted', async () => {
    const deposit = makeDeposit();
    const no = await creditRecharge(server, { amount: deposit.amount });
    const move = await reportMove(server, wallet, { ...deposit, record: no });
    await judgeDue(server);
    await apply(server, { type: 'chain.reverted', data: { no: move } }, { type: 'recharge.reversed', data: { no } });
    await judgeAfter(server, 62);
    expect([await items(move), await items(no)]).toEqual([[], []]);
  });

  test('needs no explanation once it is reverted', async () => {
    const move = await reportMove(server, wallet, makeDeposit());
    await judgeAfter(server, 31);
    await apply(server, { type: 'chain.reverted', data: { no: move } });
    expect(await items(move)).toMatchObject([
      { state: 4, excess: '0', move: { revertedAt: expect.any(Number) as number } },
    ]);
  });

  test('a recharge that is reversed while its move is matched keeps no match', async () => {
    const deposit = makeDeposit();
    const no = await creditRecharge(server, { amount: deposit.amount });
    const move = await reportMove(server, wallet, { ...deposit, record: no });
    const [reversed] = await Promise.all([
      apply(server, { type: 'recharge.reversed', data: { no } }),
      matchOpenMoves(server.app),
    ]);
    expect(reversed).toBeUndefined();
    await judgeAfter(server, 62);
    expect(await items(move)).toMatchObject([{ why: 'noRecord', state: 0 }]);
  });
});

describe('a difference', () => {
  test('names the fields and both sides, at once', async () => {
    const { no, address } = await paid();
    const move = await reportMove(server, wallet, { ...payout, amount: '-9.5', record: no, address, attempt: 2 });
    await judgeDue(server);
    expect(await items(move)).toMatchObject([
      {
        kind: 'move',
        state: 2,
        // It was an outflow that nobody ordered before it was matched.
        why: 'unordered',
        differs: ['amount', 'txHash', 'attempt'],
        amount: '-9.5',
        excess: '-0.5',
        move: { no: move, amount: '-9.5', attempt: 2 },
        record: { no, amount: '-9', attempt: 1 },
      },
    ]);
  });

  test('of a recharge is what arrived above what was credited', async () => {
    const no = await creditRecharge(server);
    const more = { kind: 'deposit', amount: '5.000000000000000001' };
    const move = await reportMove(server, wallet, { ...more, record: no });
    await judgeDue(server);
    expect(await items(move)).toMatchObject([
      { why: 'differs', state: 2, differs: ['amount'], excess: '0.000000000000000001' },
    ]);
    await apply(server, { type: 'recharge.reversed', data: { no } });
    expect(await items(move)).toMatchObject([
      { why: 'noRecord', state: 0, differs: [], excess: '5.000000000000000001' },
    ]);
  });

  test('between two statements about the fee of a chain is one, and so is a fee of an unknown coin', async () => {
    const txHash = unique('0x');
    await reportMove(server, wallet, { kind: 'fee', amount: '-1', txHash });
    await reportMove(server, wallet, { kind: 'fee', amount: '-2', txHash });
    const unlisted = await reportMove(server, wallet, { kind: 'fee', amount: '-1', txHash });
    const fee = { fee: '3', feeMarket: 'NOCOIN' };
    const unknown = await reportMove(server, wallet, { kind: 'move', amount: '-1', address: tronAddress('x'), ...fee });
    await judgeDue(server);
    await judgeDue(server);
    const fees = await fetchItems(server, admin, { kind: 'fee' });
    expect(fees.filter(({ txHash: hash }) => hash === txHash)).toMatchObject([
      { why: 'feeDiffers', state: 2, marketName: 'USDT', amount: '-2', excess: '0' },
    ]);
    expect(fees.filter(({ move }) => move?.no === unknown)).toMatchObject([
      { why: 'feeUnlisted', state: 0, marketId: null, marketName: 'NOCOIN', amount: '-3' },
    ]);
    expect(fees.filter(({ move }) => move?.no === unlisted)).toEqual([]);
  });
});

describe('the list', () => {
  test('is filtered, paged, ordered and exported', async () => {
    const market = await makeMarket(server);
    const listed = await saveWallet(server, { market, address: tronAddress('listed') });
    for (const amount of ['1', '2', '3']) await reportMove(server, listed, { kind: 'deposit', amount });
    await reportMove(server, listed, { kind: 'other', amount: '4', address: tronAddress('z') });
    await judgeAfter(server, 31);
    const all = await fetchItems(server, admin);
    const ofMarket = all.filter(({ marketName }) => marketName === market);
    expect(ofMarket.map(({ amount }) => amount).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
    const { marketId, platformId } = ofMarket[0] ?? {};
    const amounts = async (filters: object) =>
      (await fetchItems(server, admin, { marketId, ...filters })).map(({ amount }) => amount).toSorted();
    expect(await amounts({ why: 'foreign' })).toEqual(['4']);
    expect(await amounts({ amountFrom: '2', why: 'noRecord', states: '0,2' })).toEqual(['2', '3']);
    expect(await amounts({ platformId, kind: 'record' })).toEqual([]);
    expect(await amounts({ platformId: 999 })).toEqual([]);
    expect(await amounts({ state: 3 })).toEqual([]);
    expect(await amounts({ page: 2, size: 3 })).toHaveLength(1);
    const file = await exportFile(server, 'wallet/item/excel', { marketId, format: 'csv' }, admin);
    expect(file.text.trim().split('\n')).toHaveLength(5);
  });

  test('needs full scope', async () => {
    const abilities = [ABILITY.assets, ABILITY.audit];
    const { token } = await makeOperator(server, admin, { abilities });
    expect(await call(server, 'GET', 'wallet/item/list', {}, { token })).toMatchObject({ code: 403 });
    const input = { id: 1, own: false, reason: '核对' };
    expect(await call(server, 'POST', 'wallet/item/explain', input, { token })).toMatchObject({ code: 403 });
  });
});
