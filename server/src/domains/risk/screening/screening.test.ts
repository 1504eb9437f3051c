import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { ScreenBypassInput, Screening } from '@hengtai/contract/risk/screening/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchDecision, saveBudget } from '../../../../test/auto-payout.ts';
import { tick } from '../../../../test/binary-contract.ts';
import { onTron, tronAddress } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { fetchAuditRows, fetchPayouts, runWhileLocked, setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { answer, fetchNameScreening, fetchScreening, setScreening } from '../../../../test/screening.ts';
import {
  type TestServer,
  apply,
  call,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { requireFound } from '../../../app/refuse.ts';
import type { Db } from '../../../database/connect.ts';
import { decideCandidates } from '../auto-payout/auto-payout.jobs.ts';
import { insertAnswer, lockScreening } from './screening.store.ts';

const hit = { provider: 'chain', result: 'hit', score: null, categories: [], reference: '', at: 1 } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await setScreening(server, { address: 1, name: 1, minimum: '0', exempt: '' });
  await setPolicy(server, 'withdraw.pass', 0);
});

const request = async (options: Parameters<typeof makeWithdraw>[3] = {}): Promise<WithdrawRow> =>
  makeWithdraw(server, token, await makeUser(server, { amount: '1000' }), options);
const screeningOf = ({ id }: { id: number }) => fetchScreening(server, token, id);
const act = <T = WithdrawRow>(path: string, input: object, as = token) =>
  call<T>(server, 'POST', path, input, { token: as });
const pass = ({ id }: { id: number }) => act('withdraw/pass', { id });
const bypass = async (row: { id: number }, fields: Partial<ScreenBypassInput> = {}) => {
  const { seen } = await screeningOf(row);
  return act<Screening>('screening/withdraw/bypass', { id: row.id, seen, reason: '已核实', ...fields });
};
const answerTo = async (row: { id: number }, data: Parameters<typeof answer>[2] = {}) =>
  answer(server, await screeningOf(row), data);
const commandsOf = (refType: string, id: number) =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = ${refType} and ref_id = ${id} order by id`);

async function moveClock(ms: number): Promise<void> {
  server.clock.move(ms);
  token = await login(server);
}

describe('a request', () => {
  test('is ordered with the withdrawal, and its answer lets the withdrawal pass', async () => {
    const row = await request({ amount: '100', address: tronAddress('screened') });
    const before = await screeningOf(row);
    expect(before).toMatchObject({ demanded: true, obstacle: 'pending', bypass: null });
    const { no, createdAt, dueAt } = requireFound(before.requests[0]);
    expect(dueAt).toBe(createdAt + 5 * MINUTE_MS);
    expect(await commandsOf('withdraw', row.id)).toEqual([
      {
        type: 'screen.requested',
        data: {
          no,
          kind: 'address',
          account: row.account,
          dueAt,
          withdraw: row.no,
          market: 'USDT',
          ...onTron('screened'),
          memo: '',
          amount: '100',
        },
      },
    ]);
    expect(await pass(row)).toMatchObject({ code: 409, msg: '未通过筛查：正在等待筛查答复' });
    const details = { score: 3, categories: ['exchange'], reference: 'ref-1' };
    await answerTo(row, details);
    const after = await screeningOf(row);
    const answers = after.requests[0]?.answers;
    expect(answers).toMatchObject([{ provider: 'chain', result: 'clear', ...details, late: false }]);
    expect(after).toMatchObject({ obstacle: null, validUntil: (answers?.[0]?.at ?? 0) + 72 * HOUR_MS });
    expect(await pass(row)).toMatchObject({ code: 200, data: { state: 2 } });
  });

  test('is ordered once if the event comes twice, and an answer counts once', async () => {
    const account = await makeUser(server, { amount: '1000' });
    const no = unique('W');
    const fields = { no, account, market: 'USDT', ...onTron('any'), amount: '10', fee: '1' };
    const event = { type: 'withdraw.requested', data: fields, eventId: unique('twice-'), at: server.clock.now() };
    await send(server, event, event);
    const row = await findWithdraw(server, token, no);
    const { requests } = await screeningOf(row);
    expect(requests).toHaveLength(1);
    const data = { no: requests[0]?.no, provider: 'chain', result: 'clear' };
    const answered = { type: 'screen.answered', data, eventId: unique('twice-'), at: server.clock.now() };
    expect(await send(server, answered, answered)).toMatchObject([{ result: 'applied' }, { result: 'duplicate' }]);
    expect((await screeningOf(row)).requests[0]?.answers).toHaveLength(1);
  });

  test.each([
    ['a value below the minimum', { minimum: '100.01' }],
    ['a coin that is exempt', { exempt: 'BTC， usdt' }],
    ['a setting that is off', { address: 0 }],
  ] as const)('is not ordered for %s', async (_what, settings) => {
    await setScreening(server, settings);
    const row = await request({ amount: '100' });
    expect(await screeningOf(row)).toMatchObject({ demanded: false, obstacle: null, requests: [] });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('is demanded for the minimum itself, and for an unknown value', async () => {
    await setScreening(server, { minimum: '100' });
    const row = await request({ amount: '100' });
    expect(await screeningOf(row)).toMatchObject({ obstacle: 'pending' });
    await setScreening(server, { minimum: '101' });
    await server.query(sql`update withdraw set valuation = null where id = ${row.id}`);
    expect(await pass(row)).toMatchObject({ code: 409 });
  });

  test('is demanded when the price rises above the minimum after the request', async () => {
    await setScreening(server, { minimum: '10000' });
    const market = await makeMarket(server);
    const setPrice = (price: string) => apply(server, tick(market, price, server.clock.now()));
    await setPrice('9000');
    const account = await makeUser(server, { amount: '1', market });
    const row = await makeWithdraw(server, token, account, { amount: '1', fee: '0', market });
    expect(await screeningOf(row)).toMatchObject({ demanded: false });
    await setPrice('90000');
    expect(await pass(row)).toMatchObject({ code: 409, msg: '未通过筛查：尚未筛查' });
    await act<Screening>('screening/withdraw/request', { id: row.id });
    await answerTo(row);
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('is demanded of what was requested before it was switched on', async () => {
    await setScreening(server, { address: 0 });
    const row = await request();
    await setScreening(server, { address: 1 });
    expect(await pass(row)).toMatchObject({ code: 409, msg: '未通过筛查：尚未筛查' });
    const again = await act<Screening>('screening/withdraw/request', { id: row.id });
    expect(again.data).toMatchObject({ obstacle: 'pending', requests: [{ by: 'admin' }] });
    expect(await act('screening/withdraw/request', { id: row.id })).toMatchObject({ code: 409 });
    await answerTo(row);
    expect(await pass(row)).toMatchObject({ code: 200 });
  });
});

describe('a provider that fails', () => {
  test('silent: no payout, not after its time either, and a late answer counts', async () => {
    const row = await request();
    await moveClock(5 * MINUTE_MS);
    expect(await screeningOf(row)).toMatchObject({ obstacle: 'silent' });
    expect(await pass(row)).toMatchObject({ code: 409 });
    await answerTo(row);
    expect(await screeningOf(row)).toMatchObject({ obstacle: null, requests: [{ answers: [{ late: true }] }] });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('an error: the platform refuses the command, and an operator asks again', async () => {
    const row = await request();
    const { requests } = await screeningOf(row);
    const [command] = await server.query(sql<{ id: number }>`
      select id from command where type = 'screen.requested' and ref_id = ${row.id} and ref_type = 'withdraw'`);
    const ack = [{ id: command?.id, state: 'failed', reason: 'HTTP 500' }];
    await platformCall(server, 'GET', 'commands?limit=500');
    expect(await platformCall(server, 'POST', 'commands/ack', ack)).toMatchObject({ data: [{ result: 'applied' }] });
    expect(await screeningOf(row)).toMatchObject({ obstacle: 'silent', requests: [{ failure: 'HTTP 500' }] });
    expect(await pass(row)).toMatchObject({ code: 409 });
    expect(await act('screening/withdraw/request', { id: row.id })).toMatchObject({ code: 200 });
    // The answer to the earlier request counts as well.
    await answerTo(row, { no: requests[0]?.no ?? '' });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('contradicting: a later clear does not undo a hit, not even of another request', async () => {
    const row = await request();
    await answerTo(row, { result: 'hit', categories: ['sanctions'] });
    await answerTo(row, { provider: 'other', result: 'clear' });
    expect(await pass(row)).toMatchObject({ code: 409, msg: '未通过筛查：筛查命中' });
    expect(await act('screening/withdraw/request', { id: row.id })).toMatchObject({ code: 200 });
    await answerTo(row, { result: 'clear' });
    expect(await pass(row)).toMatchObject({ code: 409 });
    // Also while nothing is demanded.
    await setScreening(server, { address: 0 });
    expect(await pass(row)).toMatchObject({ code: 409 });
  });

  test('no conclusion: the worst answer of the latest answered request counts', async () => {
    const row = await request();
    await answerTo(row, { result: 'clear' });
    await answerTo(row, { provider: 'other', result: 'unknown' });
    expect(await screeningOf(row)).toMatchObject({ obstacle: 'unknown' });
    await act('screening/withdraw/request', { id: row.id });
    expect(await screeningOf(row)).toMatchObject({ obstacle: 'pending' });
    await answerTo(row, { result: 'clear' });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('an answer expires by its own time', async () => {
    const row = await request();
    const { requests } = await screeningOf(row);
    await apply(server, {
      type: 'screen.answered',
      data: { no: requests[0]?.no, provider: 'chain', result: 'clear' },
      at: server.clock.now() - 71 * HOUR_MS,
    });
    expect(await screeningOf(row)).toMatchObject({ obstacle: null });
    await moveClock(HOUR_MS);
    expect(await pass(row)).toMatchObject({ code: 409, msg: '未通过筛查：筛查结果已过期' });
  });

  test('answers that name no request, or come too often, are rejected', async () => {
    const row = await request();
    const { requests } = await screeningOf(row);
    const event = (no?: string) => ({ type: 'screen.answered', data: { no, provider: 'chain', result: 'clear' } });
    for (const no of ['S0', 'S999999999', 'x', row.no])
      expect(await send(server, event(no))).toMatchObject([{ result: 'rejected', reason: 'unknown: no' }]);
    const many = Array.from({ length: 21 }, () => event(requests[0]?.no));
    expect((await send(server, ...many)).map(({ result }) => result)).toEqual([
      ...Array.from({ length: 20 }, () => 'applied'),
      'rejected',
    ]);
  });
});

describe('every way to pay', () => {
  test('a bulk pass refuses each withdrawal without an answer', async () => {
    const rows = [await request(), await request()];
    await answerTo(rows[1] as WithdrawRow);
    const { data } = await act<BulkResult>('withdraw/pass/many', { ids: rows.map(({ id }) => id) });
    expect(data.results.map(({ code }) => code)).toEqual([409, 200]);
  });

  test('nothing is submitted to a checker without an answer, and a hit stops an approved pass', async () => {
    await setPolicy(server, 'withdraw.pass', 1);
    const row = await request();
    expect(await pass(row)).toMatchObject({ code: 409 });
    await answerTo(row);
    const asked = await act<{ id: number }>('withdraw/pass', { id: row.id });
    expect(asked).toMatchObject({ code: 202 });
    await answerTo(row, { result: 'hit' });
    const checker = await makeOperator(server, token, { abilities: [ABILITY.approval, ABILITY.headquarters] });
    const passed = await act('approval/pass', { id: asked.data.id }, checker.token);
    expect(passed).toMatchObject({ code: 409 });
    expect(await fetchPayouts(server, row.id)).toEqual([]);
    expect((await findWithdraw(server, token, row.no)).state).toBe(0);
  });

  test('a retry after a failed payout needs it again', async () => {
    const row = await request();
    await answerTo(row);
    await pass(row);
    await apply(server, { type: 'withdraw.failed', data: { no: row.no, reason: 'x' } });
    await answerTo(row, { result: 'hit' });
    expect(await act('withdraw/retry', { id: row.id })).toMatchObject({ code: 409 });
    expect(await act('withdraw/reject', { id: row.id })).toMatchObject({ code: 409 });
    expect(await bypass(row)).toMatchObject({ code: 200 });
    expect(await act('withdraw/retry', { id: row.id })).toMatchObject({ code: 200 });
  });

  test('a pass that waits for an answer sees it', async () => {
    const row = await request();
    await answerTo(row);
    const { requests } = await screeningOf(row);
    const id = Number(requests[0]?.no.slice(1));
    const recordHit = async (db: Db) => {
      await lockScreening(db, id);
      await insertAnswer(db, { ...hit, screeningId: id, now: server.clock.now() });
    };
    expect(await runWhileLocked(server, recordHit, () => pass(row))).toMatchObject([{ code: 409 }]);
    expect(await fetchPayouts(server, row.id)).toEqual([]);
  });

  test('a hit after the payout raises an alarm', async () => {
    const row = await request();
    await answerTo(row);
    await pass(row);
    await answerTo(row, { result: 'hit', categories: ['mixer', 'theft'] });
    const { data } = await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { state: 0 }, { token });
    expect(data.list.filter(({ account }) => account === row.account)).toMatchObject([
      { kind: 'withdraw.screenHit', targetId: row.id },
    ]);
  });
});

describe('automatic payouts', () => {
  // A coin of their own, which failed payouts and alarms of the others do not stop.
  let market: string;
  beforeAll(async () => {
    market = await makeMarket(server);
    await apply(server, tick(market, '1', server.clock.now()));
    await makeRule(server, token, { actions: { points: 1 } });
    const [coin] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
    await saveBudget(server, token, {}, coin?.id);
  });
  const request = async () =>
    makeWithdraw(server, token, await makeUser(server, { amount: '1000', market }), { market });
  const decide = () => decideCandidates(server.app);
  const whyOf = async ({ id }: { id: number }) => (await fetchDecision(server, token, id))?.why;

  test('wait for the answer, and pass with it', async () => {
    const row = await request();
    await decide();
    expect(await whyOf(row)).toBeUndefined();
    await answerTo(row);
    await decide();
    expect(await findWithdraw(server, token, row.no)).toMatchObject({ state: 2, by: '系统' });
    // The second candidate, of the end of the wait, decides nothing.
    await moveClock(6 * MINUTE_MS);
    await decide();
    expect(await fetchPayouts(server, row.id)).toHaveLength(1);
    expect(await server.query(sql`select 1 from auto_candidate where withdraw_id = ${row.id}`)).toEqual([]);
  });

  test.each(['hit', 'unknown'] as const)('leave a withdrawal with the answer %s to people', async (result) => {
    const row = await request();
    await answerTo(row, { result });
    await decide();
    expect(await whyOf(row)).toBe('screenHit');
    expect(await fetchPayouts(server, row.id)).toEqual([]);
  });

  test('leave a withdrawal to people when the time is over', async () => {
    const row = await request();
    await moveClock(5 * MINUTE_MS);
    await decide();
    expect(await whyOf(row)).toBe('screenWait');
    await answerTo(row);
    await decide();
    expect(await fetchPayouts(server, row.id)).toEqual([]);
  });
});

describe('a bypass', () => {
  test('lets a hit pass with a reason, and is audited', async () => {
    const row = await request();
    await answerTo(row, { result: 'hit' });
    expect(await bypass(row, { reason: ' ' })).toMatchObject({ code: 422 });
    expect(await bypass(row)).toMatchObject({
      code: 200,
      data: { obstacle: null, bypass: { by: 'admin', secondBy: null, reason: '已核实' } },
    });
    expect(await bypass(row)).toMatchObject({ code: 409 });
    const audited = await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id });
    const [bypassed] = audited.filter(({ action }) => action === 'screening.bypassWithdraw');
    expect(bypassed).toMatchObject({ result: 200, reason: '已核实', before: { screening: '筛查命中' } });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });

  test('covers what was seen: not a hit that came since, before or after it', async () => {
    const row = await request();
    await answerTo(row, { result: 'hit' });
    const { seen } = await screeningOf(row);
    await answerTo(row, { provider: 'other', result: 'hit' });
    expect(await bypass(row, { seen })).toMatchObject({ code: 409, msg: '筛查结果已变化，请重新查看' });
    expect(await bypass(row)).toMatchObject({ code: 200 });
    await answerTo(row, { provider: 'third', result: 'hit' });
    expect(await pass(row)).toMatchObject({ code: 409 });
  });

  test('lets a withdrawal pass whose provider is silent', async () => {
    const row = await request();
    expect(await bypass(row)).toMatchObject({ code: 200, data: { obstacle: null } });
    expect(await pass(row)).toMatchObject({ code: 200 });
  });
});

describe('the name of an identity review', () => {
  const review = (id: number) => act('auth/review/pass', { id });
  const nameOf = (id: number) => fetchNameScreening(server, token, id);

  test('needs an answer before it passes, alone and in bulk', async () => {
    const account = await makeUser(server);
    const { id } = await submitKyc(server, token, account, { name: '张三', country: 'CN', level: 2 });
    const screening = await nameOf(id);
    const { no, dueAt } = screening.requests[0] ?? {};
    expect(await commandsOf('auth', id)).toEqual([
      { type: 'screen.requested', data: { no, kind: 'name', account, dueAt, level: 2, name: '张三', country: 'CN' } },
    ]);
    expect(await review(id)).toMatchObject({ code: 409, msg: '未通过筛查：正在等待筛查答复' });
    const { data } = await act<BulkResult>('auth/review/pass/many', { ids: [id] });
    expect(data.results).toMatchObject([{ code: 409 }]);
    await answer(server, screening);
    expect(await review(id)).toMatchObject({ code: 200 });
    await answer(server, screening, { result: 'hit' });
    const alarms = await server.query(sql`select kind from alarm where ref_type = 'auth' and ref_id = ${id}`);
    expect(alarms).toEqual([{ kind: 'auth.screenHit' }]);
  });

  test('is bypassed with a reason, rejected without an answer, and asked for again', async () => {
    const { id } = await submitKyc(server, token, await makeUser(server));
    await answer(server, await nameOf(id), { result: 'unknown' });
    expect(await act('screening/auth/request', { id })).toMatchObject({ code: 200 });
    const { seen, obstacle } = await nameOf(id);
    expect(obstacle).toBe('pending');
    expect(await act('screening/auth/bypass', { id, seen, reason: '误报' })).toMatchObject({ code: 200 });
    expect(await review(id)).toMatchObject({ code: 200 });
    const other = await submitKyc(server, token, await makeUser(server));
    expect(await act('auth/review/reject', { id: other.id, reason: '证件照片模糊' })).toMatchObject({ code: 200 });
  });
});
