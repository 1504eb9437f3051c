import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, tronAddress } from '../../../../test/address.ts';
import { fetchCoin, fetchDecision, saveBudget, startCoin } from '../../../../test/auto-payout.ts';
import { pull } from '../../../../test/commands.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs, makeKey } from '../../../../test/gateway-key.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import {
  itemsOf,
  judgeAfter,
  judgeDue,
  orderPayout,
  passPayout,
  payOut,
  reportMove,
  saveWallet,
} from '../../../../test/wallet.ts';
import { decideCandidates, stopCoins } from '../../risk/auto-payout/auto-payout.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;
let wallet: string;

beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 2, '1000000');
  await makeRule(server, admin, { actions: { points: 1 } });
  await saveBudget(server, admin);
  wallet = await saveWallet(server);
});

beforeEach(async () => {
  await server.query(sql`update alarm set closed_at = 1, closed_by = 'admin' where closed_at is null`);
  if ((await fetchCoin(server, admin))?.stopped) expect(await startCoin(server, admin)).toMatchObject({ code: 200 });
});

const payout = { kind: 'payout', amount: '-9' };
const order = (more: object = {}) => orderPayout(server, admin, more);
const report = (more: object, from = wallet) => reportMove(server, from, more);
const pay = (no: string, txHash = unique('0x')) => payOut(server, { no }, txHash);

const openAlarms = async (): Promise<AlarmRow[]> =>
  (await fetchData<Page<AlarmRow>>(server, admin, 'alarm/list', { state: 0, kind: 'chain.unordered' })).list;
const detailOf = (id: number): Promise<AlarmDetail> => fetchData(server, admin, 'alarm/detail', { id });

/** Why the system left a new withdrawal to people; null if it passed it. */
async function whyLeft(): Promise<string | null> {
  const user = await makeUser(server, { amount: '1000' });
  const row = await makeWithdraw(server, admin, user, { amount: '100' });
  await decideCandidates(server.app);
  const decision = await fetchDecision(server, admin, row.id);
  if (!decision) throw new Error(`The system decided nothing about the withdrawal ${row.id}.`);
  return decision.why;
}

/** Judges the moves that were reported, and expects an alarm about each of these. */
async function expectAlarms(...moves: string[]): Promise<void> {
  await judgeDue(server);
  const alarms = await Promise.all((await openAlarms()).map(({ id }) => detailOf(id)));
  const named = alarms.flatMap(({ occurrences }) => occurrences.list.map(({ detail }) => String(detail.move)));
  expect(named.toSorted()).toEqual(moves.toSorted());
}

test('a payout that was paid before it was imported orders one move', async () => {
  const [account, no, address] = [await makeUser(server), unique('old'), tronAddress(unique('old'))];
  const place = { market: 'USDT', network: 'TRC20', address, amount: '10', fee: '1' };
  await apply(server, { type: 'withdraw.imported', data: { no, account, ...place, state: 4, txHash: unique('0x') } });
  await report({ ...payout, record: no, address });
  await expectAlarms();
  const again = await report({ ...payout, record: no, address });
  await expectAlarms(again);
});

describe('a payout that was handed over', () => {
  test.each(['its number', 'its account only', 'its number only'])('is ordered: the move says %s', async (says) => {
    const { no, address } = await order();
    await report({
      ...payout,
      ...(says !== 'its account only' && { record: no }),
      ...(says !== 'its number only' && { address }),
    });
    await expectAlarms();
    expect(await whyLeft()).toBeNull();
  });

  test('is ordered if only its payment says the hash that the move says', async () => {
    const { no } = await order();
    const txHash = unique('0x');
    await pay(no, txHash);
    await report({ ...payout, txHash });
    await expectAlarms();
  });

  test('is ordered on a network that the wallet spells otherwise', async () => {
    const other = await saveWallet(server, { network: 'tron (trc-20)', address: tronAddress('spelled') });
    const { no, address } = await order();
    await report({ ...payout, record: no, address }, other);
    await expectAlarms();
  });

  test('once: the second move to the same account is an alarm, whatever number it names', async () => {
    const { no, address } = await order();
    await report({ ...payout, record: no, address });
    const second = await report({ ...payout, record: no, address });
    const third = await report({ ...payout, record: unique('W'), address });
    await expectAlarms(second, third);
  });

  test('once, also after its payment was matched', async () => {
    const { no, address } = await order();
    const txHash = unique('0x');
    await pay(no, txHash);
    await report({ ...payout, record: no, address, txHash });
    await judgeAfter(server, 1);
    const second = await report({ ...payout, record: no, address });
    await expectAlarms(second);
  });

  test('a second time is ordered a second time', async () => {
    const { id, no, address } = await order();
    await apply(server, { type: 'withdraw.failed', data: { no } });
    expect((await call(server, 'POST', 'withdraw/retry', { id }, { token: admin })).code).toBe(200);
    await pull(server);
    await report({ ...payout, record: no, address, attempt: 1 });
    await report({ ...payout, record: no, address, attempt: 2 });
    await expectAlarms();
    const third = await report({ ...payout, record: no, address });
    await expectAlarms(third);
  });

  test('orders another move after its own was reverted', async () => {
    const { no, address } = await order();
    const first = await report({ ...payout, record: no, address });
    await expectAlarms();
    await apply(server, { type: 'chain.reverted', data: { no: first } });
    await report({ ...payout, record: no, address });
    await expectAlarms();
  });

  test('is enough if the move is judged with others that name it better', async () => {
    const [one, two] = [await order(), await order()];
    const moves = [
      { ...payout, txHash: unique('0x') },
      { ...payout, record: one.no },
    ];
    for (const move of moves) await report(move);
    await report({ ...payout, address: two.address });
    await judgeDue(server);
    expect(await openAlarms()).toHaveLength(1);
  });
});

describe('an outflow that nobody ordered', () => {
  const stranger = tronAddress('stranger');

  test('stops the coin on the platform and names the key, the hash and each move', async () => {
    const { data: platform } = await call<GatewayPlatform>(
      server,
      'POST',
      'gateway_key/platform_save',
      { name: unique('second '), markets: null },
      { token: admin },
    );
    const key = await makeKey(server, admin, { name: 'wallet of second', platformId: platform.id });
    const at = server.clock.now();
    const txHash = unique('0x');
    const theirs = { wallet: 'w', kind: 'hot', market: 'USDT', network: 'TRC20', address: tronAddress('theirs') };
    const moved = { wallet: 'w', ...payout, address: stranger, txHash };
    const body = [
      { eventId: unique('e-'), type: 'wallet.saved', at, data: { ...theirs, state: 1 } },
      { eventId: unique('e-'), type: 'chain.moved', at, data: { ...moved, no: 'm-1', index: 0 } },
      { eventId: unique('e-'), type: 'chain.moved', at, data: { ...moved, no: 'm-2', index: 1 } },
    ];
    await callAs(server, key, { method: 'POST', path: 'events', body });
    await expectAlarms('m-1', 'm-2');
    const [alarm] = await openAlarms();
    if (!alarm) throw new Error('No alarm is open.');
    expect(alarm).toMatchObject({ amount: '9', marketName: 'USDT', txHash, stops: 'coin', targetType: 'chainMove' });
    await stopCoins(server.app);
    expect(await fetchCoin(server, admin)).toMatchObject({
      stopped: { why: 'alarm', platforms: [platform.name] },
      openAlarms: 1,
      causes: [{ withdrawId: null, alarmId: alarm.id, platform: { id: platform.id }, key: { id: key.id } }],
    });
    // Those of the first platform go on.
    expect(await whyLeft()).toBeNull();
  });

  test('leaves the next withdrawal to people, until its cause was looked at', async () => {
    await report({ ...payout, address: stranger });
    await judgeDue(server);
    expect(await whyLeft()).toBe('stopped');
    expect(await startCoin(server, admin, 1, [])).toMatchObject({ code: 409 });
    expect(await startCoin(server, admin)).toMatchObject({ code: 200 });
    expect(await whyLeft()).toBeNull();
    // A further move of the transaction is a cause of its own; that of another transaction is an alarm of its own.
    await report({ ...payout, address: stranger });
    await judgeDue(server);
    expect(await openAlarms()).toHaveLength(2);
    expect(await whyLeft()).toBe('stopped');
  });

  test.each<[string, object, object]>([
    ['another account', {}, { address: stranger }],
    ['one unit more', {}, { amount: '-9.000000000000000001' }],
    ['one unit less', {}, { amount: '-8.999999999999999999' }],
  ])('is one that differs: %s', async (_name, terms, differs) => {
    const { no, address } = await order(terms);
    const move = await report({ ...payout, record: no, address, ...differs });
    await expectAlarms(move);
    expect(await itemsOf(server, admin, move)).toMatchObject([{ why: 'unordered', state: 0, record: null }]);
  });

  test('is one of another network', async () => {
    const other = await saveWallet(server, { network: 'ERC20', address: addressOf('ETH', 'own') });
    const { no } = await order();
    await expectAlarms(await report({ ...payout, record: no }, other));
  });

  test('is one of another coin', async () => {
    const other = await saveWallet(server, { market: 'ETH', network: 'ERC20', address: addressOf('ETH', 'own') });
    const { no } = await order();
    await expectAlarms(await report({ ...payout, record: no }, other));
  });

  test('is one of another memo', async () => {
    const place = { market: 'XRP', network: 'XRPL' };
    const own = await saveWallet(server, { ...place, address: addressOf('XRP', 'own') });
    const address = addressOf('XRP', unique('shared'));
    const user = await makeUser(server, { amount: '200', market: 'XRP' });
    const { id, no } = await makeWithdraw(server, admin, user, {
      ...place,
      amount: '100',
      fee: '1',
      address,
      memo: '7',
    });
    // The coin has no price.
    await setPolicy(server, 'withdraw.pass', 0);
    expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: admin })).code).toBe(200);
    await setPolicy(server, 'withdraw.pass', 2, '1000000');
    await pull(server);
    const wrong = await report({ ...payout, amount: '-99', record: no, address, memo: '8' }, own);
    await expectAlarms(wrong);
    await report({ ...payout, amount: '-99', record: no, address, memo: '7' }, own);
    await expectAlarms(wrong);
  });

  test('is one that was passed and not handed over', async () => {
    const { no, address } = await passPayout(server, admin);
    await expectAlarms(await report({ ...payout, record: no, address }));
  });

  test('is one that is not judged if it moved before the wallet was saved', async () => {
    const no = await reportMove(server, wallet, { ...payout, address: stranger }, server.clock.now() - 3_600_000 * 24);
    await judgeAfter(server, 31);
    expect(await openAlarms()).toEqual([]);
    expect(await itemsOf(server, admin, no)).toEqual([]);
  });
});

describe('a move out of a wallet', () => {
  const to = (address: string) => ({ kind: 'move', amount: '-3', address });

  test.each(['move', 'other'])('to a stranger is an alarm after the bound: %s', async (kind) => {
    const no = await report({ ...to(tronAddress('stranger')), kind });
    await judgeAfter(server, 29);
    expect(await openAlarms()).toEqual([]);
    expect(await itemsOf(server, admin, no)).toEqual([]);
    server.clock.move(60_000);
    await expectAlarms(no);
    expect(await itemsOf(server, admin, no)).toMatchObject([{ why: 'foreign', state: 0, amount: '-3', excess: '-3' }]);
    expect(await whyLeft()).toBe('stopped');
  });

  test('to a wallet of the platform is none, also if that is saved later', async () => {
    const [known, later] = [tronAddress('known'), tronAddress('later')];
    await saveWallet(server, { kind: 'cold', address: known });
    const moves = [await report(to(known)), await report(to(later))];
    await judgeDue(server);
    await saveWallet(server, { kind: 'cold', address: later });
    await judgeAfter(server, 31);
    expect(await openAlarms()).toEqual([]);
    for (const no of moves) expect(await itemsOf(server, admin, no)).toEqual([]);
  });

  test('without an address is none if the other wallet reports the same transaction', async () => {
    const cold = await saveWallet(server, { kind: 'cold' });
    const [txHash, lost] = [unique('0x'), unique('0x')];
    await report({ kind: 'move', amount: '-3', txHash });
    await report({ kind: 'move', amount: '3', txHash }, cold);
    const more = await report({ kind: 'move', amount: '-3', txHash: lost });
    const less = await report({ kind: 'move', amount: '2', txHash: lost }, cold);
    await judgeAfter(server, 31);
    await expectAlarms(more);
    expect(await itemsOf(server, admin, less)).toMatchObject([{ why: 'foreign', alarmId: null }]);
  });

  test('that is reverted before the bound is none', async () => {
    const no = await report(to(tronAddress('stranger')));
    await judgeAfter(server, 1);
    await apply(server, { type: 'chain.reverted', data: { no } });
    await judgeAfter(server, 31);
    expect(await openAlarms()).toEqual([]);
  });
});
