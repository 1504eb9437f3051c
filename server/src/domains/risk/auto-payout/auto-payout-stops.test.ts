import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { type AlarmStop, alarmStops } from '@hengtai/contract/house/alarm/stops';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { AutoCause, AutoCoin, AutoCoinDetail } from '@hengtai/contract/risk/auto-payout/schema';
import { AUTO_SILENT_COUNT, AUTO_SILENT_VALUE } from '@hengtai/contract/risk/auto-payout/facts';
import { PAYING_MINUTES } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { AlarmKind } from '@hengtai/contract/house/alarm/facts';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { budgetInput, fetchCoin, fetchDecision, saveBudget, startCoin } from '../../../../test/auto-payout.ts';
import { findUser, findWithdraw, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../../../test/gateway-key.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { makeRule, moveRule } from '../../../../test/rules.ts';
import { apply, call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { watchPaying } from '../../funds/withdraw/payout-bound.jobs.ts';
import { decideCandidates, stopCoins } from './auto-payout.jobs.ts';

const server = provideServer({ jobs: false });
let token: string;
/** A program of the second platform. */
let other: ProgramKey;
/** A user of the second platform. */
let bea: string;

beforeAll(async () => {
  token = await login(server);
  await makeRule(server, token, { actions: { points: 1 } });
  await setPolicy(server, 'withdraw.pass', 2, '1000000');
  await saveBudget(server, token);
  const named = { name: 'second', markets: null };
  const { data } = await call<GatewayPlatform>(server, 'POST', 'gateway_key/platform_save', named, { token });
  other = await makeKey(server, token, { name: 'wallet of second', platformId: data.id });
  bea = unique('bea');
  await report('user.registered', { account: bea });
  const chain = { network: 'TRC20', address: tronAddress('bea'), confirmations: 20, source: 1 };
  await report('recharge.credited', { no: unique('R'), account: bea, market: 'USDT', amount: '100000', ...chain });
});

beforeEach(async () => {
  await server.query(sql`update alarm set closed_at = 1, closed_by = 'admin' where closed_at is null`);
  if ((await fetchCoin(server, token))?.stopped) expect(await startCoin(server, token)).toMatchObject({ code: 200 });
});

/** Reports an event as the second platform. */
async function report(type: string, data: object): Promise<string> {
  const body = [{ eventId: unique('e-'), type, at: server.clock.now(), data }];
  const answer = await callAs(server, other, { method: 'POST', path: 'events', body });
  return (answer.data as { result: string }[])[0]?.result ?? answer.msg;
}

const request = async (): Promise<WithdrawRow> =>
  makeWithdraw(server, token, await makeUser(server, { amount: '1000' }), { amount: '100' });

/** A withdrawal of the user of the second platform. */
async function requestOther(): Promise<WithdrawRow> {
  const no = unique('W');
  const payee = { network: 'TRC20', address: tronAddress(no) };
  const data = { no, account: bea, market: 'USDT', ...payee, amount: '10', fee: '1' };
  expect(await report('withdraw.requested', data)).toBe('applied');
  return findWithdraw(server, token, no);
}

/** Why the system left a new withdrawal to people; null if it passed it. */
async function whyLeft(row: WithdrawRow): Promise<string | null> {
  await decideCandidates(server.app);
  const decision = await fetchDecision(server, token, row.id);
  if (!decision) throw new Error(`The system decided nothing about the withdrawal ${row.id}.`);
  return decision.why;
}

const coin = async (): Promise<AutoCoin> => {
  const found = await fetchCoin(server, token);
  if (!found) throw new Error('The coin has no budget.');
  return found;
};
const causes = async (): Promise<AutoCause[]> => (await coin()).causes ?? [];

async function start(looked?: readonly AutoCause[]) {
  const { updatedAt: seen } = await coin();
  const input = { marketId: 1, seen, reason: '已核实', ...(looked && { causes: looked.map(({ id }) => id) }) };
  return call<AutoCoin>(server, 'POST', 'withdraw/auto/start', input, { token });
}

/** A payment of a withdrawal that was paid before with another hash. */
async function payTwice(): Promise<WithdrawRow> {
  const row = await request();
  expect(await whyLeft(row)).toBeNull();
  await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: `${row.no} first` } });
  await send(server, { type: 'withdraw.paid', data: { no: row.no, txHash: `${row.no} second` } });
  return row;
}

/** A payout that failed, of the user of the second platform. */
async function failOther(): Promise<WithdrawRow> {
  const row = await requestOther();
  expect(await whyLeft(row)).toBeNull();
  expect(await report('withdraw.failed', { no: row.no })).toBe('applied');
  return row;
}

async function fail(): Promise<WithdrawRow> {
  const row = await request();
  expect(await whyLeft(row)).toBeNull();
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  return row;
}

describe('an open alarm', () => {
  const kinds = Object.entries(alarmStops) as [AlarmKind, AlarmStop][];
  const openAlarms = async (): Promise<AlarmRow[]> =>
    (await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { state: 0 }, { token })).data.list;

  test('stops a coin only if the wallet reported an unexpected payment or an outflow that nobody ordered', () => {
    expect(kinds.flatMap(([kind, stops]) => (stops === 'coin' ? [kind] : []))).toEqual([
      'withdraw.unexpected',
      'chain.unordered',
    ]);
  });

  test.each(kinds)('%s about a withdrawal stops: %s', async (kind, stops) => {
    const [own, foreign] = [await request(), await request()];
    const about = { refType: 'withdraw', refId: own.id, userId: own.userId, agentId: 1 };
    await inTransaction(server.app.system, (db) =>
      raiseAlarm(db, { kind, ...about, detail: { market: 'USDT' }, now: server.clock.now() }),
    );
    expect(await whyLeft(foreign)).toBe(stops === 'coin' ? 'stopped' : null);
    expect((await fetchDecision(server, token, own.id))?.why).toBe(
      { coin: 'stopped', user: 'alarm', nothing: null }[stops],
    );
    expect(await whyLeft(await requestOther())).toBeNull();
    expect((await openAlarms()).map((row) => row.stops)).toEqual([stops]);
  });

  test.each(kinds)('%s about no user and no withdrawal stops nothing', async (kind) => {
    const about = { refType: 'installation', refId: 1, agentId: 1 };
    await inTransaction(server.app.system, (db) =>
      raiseAlarm(db, { kind, ...about, detail: { market: 'USDT' }, now: server.clock.now() }),
    );
    await stopCoins(server.app);
    expect(await whyLeft(await request())).toBeNull();
    expect(await coin()).toMatchObject({ stopped: null, causes: [], openAlarms: 0 });
  });

  test('that one customer can cause by its own events stops no other', async () => {
    const account = await makeUser(server, { amount: '100' });
    const output = {
      network: 'TRC20',
      address: tronAddress(account),
      txHash: unique('0x').padEnd(66, '0'),
      index: 0,
      confirmations: 20,
    };
    const credited = { account, market: 'USDT', amount: '50', source: 1, ...output };
    const numbers = [unique('R'), unique('R')];
    for (const no of numbers) await apply(server, { type: 'recharge.credited', data: { no, ...credited } });
    const repeated = { eventId: unique('e-'), type: 'withdraw.requested' };
    const payee = { network: 'TRC20', address: tronAddress('a') };
    const wanted = { no: unique('W'), account, market: 'USDT', ...payee, amount: '10', fee: '1' };
    await apply(server, { ...repeated, data: wanted });
    await send(server, { ...repeated, data: { ...wanted, amount: '11' } });
    const { id: userId } = await findUser(server, token, account);
    const spent = { userId, marketId: 1, platform: 1, amount: '170', state: 0, reason: 'spent' };
    expect((await call(server, 'POST', 'asset/active/sub', spent, { token })).code).toBe(200);
    await apply(server, { type: 'recharge.reversed', data: { no: numbers[0] } });
    expect((await openAlarms()).map(({ kind }) => kind).toSorted()).toEqual([
      'event.conflict',
      'recharge.repeated',
      'recharge.reversed',
    ]);
    await stopCoins(server.app);
    expect(await whyLeft(await request())).toBeNull();
    expect(await coin()).toMatchObject({ stopped: null, causes: [] });
  });

  test('that stops a coin names the key by which its last payment came', async () => {
    const { id, no } = await requestOther();
    await decideCandidates(server.app);
    expect(await report('withdraw.paid', { no, txHash: 'first' })).toBe('applied');
    expect(await report('withdraw.paid', { no, txHash: 'second' })).toBe('rejected');
    await stopCoins(server.app);
    const key = { id: other.id, name: 'wallet of second', revoked: false };
    expect(await causes()).toMatchObject([{ why: 'alarm', withdrawId: id, platform: { name: 'second' }, key }]);
  });

  test('that stops a coin stays open when the coin is resumed, and leaves only its user to people', async () => {
    const { id, userId, account } = await payTwice();
    await stopCoins(server.app);
    expect(await coin()).toMatchObject({ stopped: { why: 'alarm', by: null, platforms: ['默认平台'] }, openAlarms: 1 });
    const [cause] = await causes();
    expect(cause).toMatchObject({ why: 'alarm', withdrawId: id, alarmId: expect.any(Number) as number });
    expect(await start(await causes())).toMatchObject({
      code: 200,
      data: { stopped: null, causes: [], openAlarms: 1 },
    });
    expect(await whyLeft(await request())).toBeNull();
    expect(await whyLeft(await makeWithdraw(server, token, account, { amount: '10' }))).toBe('alarm');
    const { data } = await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id: cause?.alarmId }, { token });
    expect(data).toMatchObject({ state: 0, userId, stops: 'coin' });
    await call(server, 'POST', 'alarm/close', { id: cause?.alarmId, reason: '已核实' }, { token });
    expect(await whyLeft(await makeWithdraw(server, token, account, { amount: '10' }))).toBeNull();
    const rows = await fetchAuditRows(server, { targetType: 'autoPayout', targetId: 1 });
    expect(rows.slice(-2)).toMatchObject([
      {
        operator: null,
        action: 'autoPayout.stopped',
        after: { stopped: '暂停该币种的告警', platformName: '默认平台' },
      },
      { operator: 'admin', action: 'autoPayout.start', after: { causes: [cause?.id] } },
    ]);
  });

  test('stops the coin again when more happens after a look at it, once for each', async () => {
    const { no } = await payTwice();
    await stopCoins(server.app);
    const looked = await causes();
    // It came between the look and the start.
    await send(server, { type: 'withdraw.paid', data: { no, txHash: 'third' } });
    expect(await start(looked)).toMatchObject({ code: 200 });
    await stopCoins(server.app);
    await stopCoins(server.app);
    const again = await causes();
    expect(again).toMatchObject([{ alarmId: looked[0]?.alarmId }]);
    expect(again[0]?.id).not.toBe(looked[0]?.id);
    expect(await start(again)).toMatchObject({ code: 200, data: { stopped: null } });
    // The same statement again is no occurrence.
    await send(server, { type: 'withdraw.paid', data: { no, txHash: 'third' } });
    await stopCoins(server.app);
    expect(await causes()).toEqual([]);
  });

  test('of payments of unknown numbers is one of each platform, and stops nothing', async () => {
    const row = await request();
    await send(server, { type: 'withdraw.paid', data: { no: unique('W'), txHash: 'nobody' } });
    // The number of another platform is as unknown.
    await report('withdraw.paid', { no: row.no, txHash: 'nobody' });
    const alarm = { kind: 'withdraw.unexpected', targetType: 'installation', stops: 'nothing' };
    expect(await openAlarms()).toMatchObject([alarm, alarm]);
    expect(await whyLeft(row)).toBeNull();
  });
});

describe('a stop by what happened', () => {
  test('is of one platform, with the key by which it came', async () => {
    const { id } = await failOther();
    expect(await whyLeft(await requestOther())).toBe('stopped');
    expect(await whyLeft(await request())).toBeNull();
    expect(await coin()).toMatchObject({ stopped: { why: 'failed', platforms: ['second'] } });
    const key = { id: other.id, name: 'wallet of second', revoked: false };
    expect(await causes()).toMatchObject([{ withdrawId: id, platform: { name: 'second' }, key, handledAt: null }]);
    expect(await call(server, 'POST', 'withdraw/auto/stop', { marketId: 1 }, { token })).toMatchObject({ code: 200 });
    expect(await whyLeft(await request())).toBe('stopped');
    expect(await coin()).toMatchObject({ stopped: { why: 'operator', platforms: null } });
    expect(await start(await causes())).toMatchObject({ code: 200, data: { stopped: null } });
  });

  test('names the key of the environment, also for a request whose rule demands the stop', async () => {
    await fail();
    const rule = await makeRule(server, token, { actions: { stopCoin: true } });
    const row = await request();
    await moveRule(server, token, rule, 3);
    const environment = { id: null, name: '', revoked: false };
    expect(await causes()).toMatchObject([
      { why: 'failed', key: environment },
      { why: 'rule', withdrawId: row.id, key: environment },
    ]);
  });

  test('also comes with an ack of the wallet', async () => {
    const row = await requestOther();
    expect(await whyLeft(row)).toBeNull();
    const { data } = await callAs(server, other, { path: 'commands?limit=500' });
    const payout = (data as { id: number; type: string; data: { no: string } }[]).find(
      (command) => command.type === 'withdraw.payout' && command.data.no === row.no,
    );
    const body = [{ id: payout?.id, state: 'failed' }];
    await callAs(server, other, { method: 'POST', path: 'commands/ack', body });
    expect(await causes()).toMatchObject([{ why: 'failed', withdrawId: row.id, key: { id: other.id } }]);
  });

  test('is announced once for each platform', async () => {
    const count = async () =>
      (await fetchAuditRows(server, { targetType: 'autoPayout', targetId: 1 })).filter(
        ({ action }) => action === 'autoPayout.stopped',
      ).length;
    const before = await count();
    const rows = [await request(), await request()];
    for (const row of rows) expect(await whyLeft(row)).toBeNull();
    for (const { no } of rows) {
      await apply(server, { type: 'withdraw.failed', data: { no } });
      await stopCoins(server.app);
      expect(await count()).toBe(before + 1);
    }
    await failOther();
    await stopCoins(server.app);
    expect(await count()).toBe(before + 2);
  });
});

describe('starting', () => {
  test('needs every open cause of the platforms that start', async () => {
    await fail();
    await failOther();
    const [first, second] = await causes();
    if (!first || !second) throw new Error('Two causes are open.');
    const conflict = { code: 409, msg: expect.stringContaining('未核对') as string };
    expect(await start()).toMatchObject(conflict);
    expect(await start([])).toMatchObject(conflict);
    expect(await start([{ ...first, id: first.id + 1_000 }])).toMatchObject(conflict);
    await server.query(sql`insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
      values (1, 'unknown', ${first.withdrawId}, 1)`);
    expect(await start([first])).toMatchObject(conflict);
    expect(await causes()).toHaveLength(3);
    const third = (await causes())[2];
    if (!third) throw new Error('Three causes are open.');
    // The other platform stays stopped.
    expect(await start([first, third])).toMatchObject({ code: 200, data: { stopped: { platforms: ['second'] } } });
    expect(await whyLeft(await request())).toBeNull();
    expect(await whyLeft(await requestOther())).toBe('stopped');
    // Somebody else has looked at these.
    expect(await start([first, second])).toMatchObject(conflict);
    expect(await start([second])).toMatchObject({ code: 200, data: { stopped: null } });
    const { data } = await call<AutoCoinDetail>(server, 'GET', 'withdraw/auto/detail', { id: 1 }, { token });
    const [latest, ...earlier] = data.causes.slice(0, 3);
    expect([latest, ...earlier].map((cause) => cause?.id)).toEqual([third.id, second.id, first.id]);
    expect(data.causes.every(({ handledAt }) => handledAt !== null)).toBe(true);
  });

  test('is refused while nothing stops the coin', async () => {
    expect(await start([])).toMatchObject({ code: 409, msg: expect.stringContaining('没有暂停') as string });
  });

  test('by switching on needs the causes from before the coin was switched off', async () => {
    await fail();
    const looked = (await causes()).map(({ id }) => id);
    await saveBudget(server, token, { on: false });
    // What happens while it is off stops nothing.
    const row = await request();
    await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token });
    await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
    expect((await causes()).map(({ id }) => id)).toEqual(looked);
    expect(await saveBudget(server, token)).toMatchObject({ code: 409 });
    const input = await budgetInput(server, token);
    const answer = await call(server, 'POST', 'withdraw/auto/save', { ...input, causes: looked }, { token });
    expect(answer).toMatchObject({ code: 200, data: { on: true, stopped: null } });
  });

  test('a change of the budget does not start what is stopped', async () => {
    await fail();
    expect(await saveBudget(server, token, { dayCount: 5 })).toMatchObject({
      code: 200,
      data: { stopped: { why: 'failed' } },
    });
    expect(await whyLeft(await request())).toBe('stopped');
    await start(await causes());
    await saveBudget(server, token);
  });
});

describe('payouts of which the wallet says nothing', () => {
  const set = (key: string, num: string) => server.query(sql`update config set num = ${num} where key = ${key}`);
  beforeEach(async () => {
    await server.query(sql`update withdraw set silent_at = null where silent_at is not null`);
    await set(PAYING_MINUTES, '1');
    await set(AUTO_SILENT_COUNT, '3');
    await set(AUTO_SILENT_VALUE, '0');
    await setPolicy(server, 'withdraw.pass', 0);
  });

  /** Lets payouts of the default platform, or of the second one, become unknown by time. */
  async function fallSilent(count: number, isOther = false): Promise<WithdrawRow[]> {
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < count; n += 1) rows.push(isOther ? await requestOther() : await request());
    await decideCandidates(server.app);
    await silence(rows, isOther);
    return rows;
  }

  /** Lets payouts that are ordered become unknown by time. */
  async function silence(rows: readonly WithdrawRow[], isOther = false): Promise<void> {
    for (const { no } of rows)
      await (isOther ? report('withdraw.paying', { no }) : apply(server, { type: 'withdraw.paying', data: { no } }));
    for (let n = 0; n <= 6; n += 1) {
      server.clock.move(10_000);
      await watchPaying(server.app);
    }
    token = await login(server);
    for (const { no } of rows) expect(await findWithdraw(server, token, no)).toMatchObject({ state: 8 });
  }

  /** A coin and withdrawals of it. */
  async function requestNew(count: number): Promise<{ marketId: number; rows: WithdrawRow[] }> {
    const market = await makeMarket(server);
    const account = await makeUser(server, { amount: '1000', market });
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < count; n += 1)
      rows.push(await makeWithdraw(server, token, account, { amount: '10', fee: '1', market }));
    const [coinRow] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
    return { marketId: coinRow?.id ?? 0, rows };
  }

  test('stop the coin from the third on that are unknown at once, on their platform', async () => {
    const [settled] = await fallSilent(2);
    expect(await causes()).toEqual([]);
    await fallSilent(2, true);
    expect(await causes()).toEqual([]);
    await apply(server, { type: 'withdraw.paid', data: { no: settled?.no, txHash: 'late' } });
    await fallSilent(1);
    expect(await causes()).toEqual([]);
    const [third] = await fallSilent(1);
    expect(await causes()).toMatchObject([
      { why: 'silent', withdrawId: third?.id, platform: { name: '默认平台' }, key: null },
    ]);
    expect(await whyLeft(await request())).toBe('stopped');
    expect(await whyLeft(await requestOther())).toBeNull();
  });

  test.each([
    ['one above the value', '99', ['large']],
    ['none that is not', '100', []],
    ['none without a value', '0', []],
  ])('stop the coin: %s', async (_what, value, whys) => {
    await set(AUTO_SILENT_VALUE, value);
    await fallSilent(1);
    expect((await causes()).map(({ why }) => why)).toEqual(whys);
  });

  test('are not counted with those of another coin, nor with those that the wallet called unknown', async () => {
    const { rows } = await requestNew(2);
    for (const { id } of rows)
      expect(await call(server, 'POST', 'withdraw/pass', { id }, { token })).toMatchObject({ code: 200 });
    await silence(rows);
    for (let n = 0; n < 2; n += 1) {
      const row = await request();
      expect(await whyLeft(row)).toBeNull();
      await apply(server, { type: 'withdraw.unknown', data: { no: row.no } });
      expect(await start(await causes())).toMatchObject({ code: 200 });
    }
    await fallSilent(1);
    expect(await causes()).toEqual([]);
  });

  test('count as above the value if theirs is unknown', async () => {
    await set(AUTO_SILENT_VALUE, '1000000');
    const { marketId, rows } = await requestNew(1);
    for (const { id } of rows)
      expect(await call(server, 'POST', 'withdraw/pass', { id }, { token })).toMatchObject({ code: 200 });
    expect(await saveBudget(server, token, {}, marketId)).toMatchObject({ code: 200 });
    await silence(rows);
    expect(await fetchCoin(server, token, marketId)).toMatchObject({ causes: [{ why: 'large' }] });
  });

  test('stop nothing where the number is 0', async () => {
    await set(AUTO_SILENT_COUNT, '0');
    await fallSilent(3);
    expect(await causes()).toEqual([]);
  });
});
