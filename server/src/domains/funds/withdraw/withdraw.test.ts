import type { StateConflict } from '@hengtai/contract/wire/envelope';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import {
  type WithdrawAction,
  type WithdrawState,
  withdrawActionStates,
  withdrawEventStates,
} from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchBalance, findWithdraw, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import {
  fetchAuditRows,
  countDeadlocks,
  hashMoneyState,
  describeEntries,
  fetchPayouts,
  setPolicy,
} from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, send, testServer } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(() => server.stop());

beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 2, '10000');
  await setPolicy(server, 'withdraw.refund', 0);
  await setPolicy(server, 'withdraw.resolve', 0);
});

const operation = (action: WithdrawAction, row: Pick<WithdrawRow, 'id'>) =>
  call<WithdrawRow>(server, 'POST', `withdraw/${action}`, inputs[action](row.id), { token: admin });

const inputs: Record<WithdrawAction, (id: number) => object> = {
  pass: (id) => ({ id }),
  reject: (id) => ({ id, reason: '地址有风险' }),
  retry: (id) => ({ id }),
  recall: (id) => ({ id, reason: '地址有误' }),
  refund: (id) => ({ id, reason: '钱包无法打款' }),
  resolve: (id) => ({ id, paid: true, txHash: '0xfound', reason: '链上已查到' }),
};

/** The actions and events that move a requested withdrawal to each state. */
const moveTo: Record<WithdrawState, (row: WithdrawRow) => Promise<unknown>> = {
  0: async () => undefined,
  1: async (row) => {
    await setPolicy(server, 'withdraw.pass', 1);
    await operation('pass', row);
  },
  2: (row) => operation('pass', row),
  3: async (row) => {
    await moveTo[2](row);
    await apply(server, { type: 'withdraw.paying', data: { no: row.no } });
  },
  4: async (row) => {
    await moveTo[2](row);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xabc' } });
  },
  5: (row) => operation('reject', row),
  6: (row) => apply(server, { type: 'withdraw.cancelled', data: { no: row.no } }),
  7: async (row) => {
    await moveTo[2](row);
    await apply(server, { type: 'withdraw.failed', data: { no: row.no, reason: 'no gas' } });
  },
  8: async (row) => {
    await moveTo[2](row);
    await apply(server, { type: 'withdraw.unknown', data: { no: row.no } });
  },
  9: async (row) => {
    await moveTo[7](row);
    await operation('refund', row);
  },
};

async function makeInState(state: WithdrawState): Promise<WithdrawRow> {
  const user = await makeUser(server, { amount: '500' });
  const row = await makeWithdraw(server, admin, user, { amount: '100', fee: '1' });
  await moveTo[state](row);
  const moved = await findWithdraw(server, admin, row.no);
  expect(moved.state).toBe(state);
  return moved;
}

const states = Object.keys(withdrawStates).map((state) => Number(state) as WithdrawState);
const actions = Object.keys(withdrawActionStates) as WithdrawAction[];
const resultStates: Record<WithdrawAction, WithdrawState> = {
  pass: 2,
  reject: 5,
  retry: 2,
  recall: 7,
  refund: 9,
  resolve: 4,
};
/** States in which the row names the operator who decided. */
const statesWithReviewer: readonly WithdrawState[] = [2, 3, 4, 5, 7, 8, 9];

describe('every action in every state', () => {
  const cases = states.flatMap((state) => actions.map((action) => ({ state, label: withdrawStates[state], action })));
  // Once for all of them, because it reads the whole book.
  afterAll(async () => expect(await checkBook(server.owner)).toEqual([]));

  test.each(cases)('$action in $state $label', async ({ state, label, action }) => {
    const row = await makeInState(state);
    await setPolicy(server, 'withdraw.pass', 0);
    const before = await hashMoneyState(server);
    const answer = await operation(action, row);
    const open: readonly number[] = withdrawActionStates[action];
    if (open.includes(state)) {
      expect(answer).toMatchObject({
        status: 200,
        code: 200,
        msg: '操作成功',
        data: { id: row.id, state: resultStates[action] },
      });
      expect(await findWithdraw(server, admin, row.no)).toEqual(answer.data);
    } else {
      const conflict: StateConflict = {
        state,
        by: statesWithReviewer.includes(state) ? 'admin' : null,
        at: row.updatedAt,
      };
      expect(answer).toMatchObject({ status: 200, code: 409, msg: `记录已被处理，当前状态：${label}`, data: conflict });
      expect(await hashMoneyState(server)).toBe(before);
    }
  });
});

describe('the ledger entries of each state', () => {
  const frozen = ['user active 9 -100', 'user frozen 9 100'];
  const paid = ['user frozen 2 -99', 'custody active 2 99', 'user frozen 13 -1', 'fee active 13 1'];
  const released = ['user frozen 10 -100', 'user active 10 100'];
  const refunded = ['user frozen 3 -100', 'user active 3 100'];

  test.each<{ state: WithdrawState; moves: string[]; balance: { active: string; frozen: string } }>([
    { state: 0, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 1, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 2, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 3, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 4, moves: [...frozen, ...paid], balance: { active: '400', frozen: '0' } },
    { state: 5, moves: [...frozen, ...released], balance: { active: '500', frozen: '0' } },
    { state: 6, moves: [...frozen, ...released], balance: { active: '500', frozen: '0' } },
    { state: 7, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 8, moves: frozen, balance: { active: '400', frozen: '100' } },
    { state: 9, moves: [...frozen, ...refunded], balance: { active: '500', frozen: '0' } },
  ])('state $state', async ({ state, moves, balance }) => {
    const row = await makeInState(state);
    expect(await describeEntries(server, row.id)).toEqual(moves);
    expect(await fetchBalance(server, admin, row.account)).toEqual(balance);
  });

  test('resolve as paid posts a payment, resolve as unpaid posts nothing', async () => {
    const resolved = await makeInState(8);
    expect(await operation('resolve', resolved)).toMatchObject({ code: 200, data: { state: 4, txHash: '0xfound' } });
    expect(await describeEntries(server, resolved.id)).toEqual([...frozen, ...paid]);
    expect(await fetchPayouts(server, resolved.id)).toMatchObject([{ state: 2 }]);
    const unpaid = await makeInState(8);
    const input = { id: unpaid.id, paid: false, reason: '链上没有' };
    expect(await call(server, 'POST', 'withdraw/resolve', input, { token: admin })).toMatchObject({
      data: { state: 7 },
    });
    expect(await describeEntries(server, unpaid.id)).toEqual(frozen);
    expect(await fetchPayouts(server, unpaid.id)).toMatchObject([{ state: 3 }]);
  });

  test('a retry orders a second attempt, and its payment is posted once', async () => {
    const row = await makeInState(7);
    expect(await operation('retry', row)).toMatchObject({ code: 200, data: { state: 2, attempt: 2 } });
    const attempts = await fetchPayouts(server, row.id);
    expect(attempts.map(({ data }) => [data.attempt, data.amount])).toEqual([
      [1, '99'],
      [2, '99'],
    ]);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x2' } });
    expect(await describeEntries(server, row.id)).toEqual([...frozen, ...paid]);
    const again = await send(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x2' } });
    expect(again).toMatchObject([{ result: 'rejected', reason: 'state' }]);
    expect(await describeEntries(server, row.id)).toHaveLength(6);
  });

  test('a payment reported after the refund posts nothing and raises an alarm', async () => {
    const row = await makeInState(9);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xlate' } });
    expect(await describeEntries(server, row.id)).toEqual([...frozen, ...refunded]);
    const alarms = await server.query(sql<{ kind: string; detail: object }>`
      select kind, detail from alarm where ref_type = 'withdraw' and ref_id = ${row.id}`);
    expect(alarms).toEqual([
      { kind: 'withdraw.paidAfterRefund', detail: { txHash: '0xlate', amount: '99', market: 'USDT' } },
    ]);
  });

  test('the payment of a withdrawal without a fee posts one leg', async () => {
    const user = await makeUser(server, { amount: '10' });
    const row = await makeWithdraw(server, admin, user, { amount: '10', fee: '0' });
    await operation('pass', row);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x0' } });
    expect((await describeEntries(server, row.id)).slice(2)).toEqual(['user frozen 2 -10', 'custody active 2 10']);
  });

  test('keeps all 18 decimals', async () => {
    const user = await makeUser(server, { amount: '900000000000.000000000000000009' });
    const row = await makeWithdraw(server, admin, user, {
      amount: '800000000000.000000000000000005',
      fee: '0.000000000000000003',
    });
    expect(row.received).toBe('800000000000.000000000000000002');
    await setPolicy(server, 'withdraw.pass', 0);
    await operation('pass', row);
    expect(await fetchPayouts(server, row.id)).toMatchObject([{ data: { amount: '800000000000.000000000000000002' } }]);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x18' } });
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '100000000000.000000000000000004', frozen: '0' });
    expect(await checkBook(server.owner)).toEqual([]);
  });
});

describe('simultaneous decisions', () => {
  /** The errors that a race left behind. The control test uses the same check on a wrong implementation. */
  async function findRaceErrors(row: WithdrawRow, codes: readonly number[]): Promise<string[]> {
    const errors: string[] = [];
    const won = codes.filter((code) => code === 200).length;
    if (won !== 1) errors.push(`${won} decisions had an effect`);
    if (codes.some((code) => code !== 200 && code !== 409)) errors.push(`codes ${[...new Set(codes)].join(' ')}`);
    const { state } = await findWithdraw(server, admin, row.no);
    const payouts = (await fetchPayouts(server, row.id)).length;
    if (payouts !== (state === WITHDRAW.queued ? 1 : 0)) errors.push(`${payouts} payouts in state ${state}`);
    const balance = await fetchBalance(server, admin, row.account);
    const expected = state === WITHDRAW.queued ? { active: '400', frozen: '100' } : { active: '500', frozen: '0' };
    if (JSON.stringify(balance) !== JSON.stringify(expected))
      errors.push(`balance ${JSON.stringify(balance)} in state ${state}`);
    return [...errors, ...(await checkBook(server.owner))];
  }

  test.each([1, 2, 3, 4, 5, 6])('30 passes and rejects of one withdrawal have one effect (%i)', async (round) => {
    const row = await makeInState(0);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => operation((n + round) % 2 === 0 ? 'pass' : 'reject', row)),
    );
    expect(
      await findRaceErrors(
        row,
        answers.map((answer) => answer.code),
      ),
    ).toEqual([]);
    const { state, by } = await findWithdraw(server, admin, row.no);
    for (const { code, data } of answers) if (code === 409) expect(data).toMatchObject({ state, by });
    const done = (await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id })).filter(
      ({ result }) => result === 200,
    );
    expect(done).toHaveLength(1);
  });

  test('a cancellation by the user that races with decisions has one effect in total', async () => {
    for (let round = 0; round < 4; round += 1) {
      const row = await makeInState(0);
      const [cancelled, ...answers] = await Promise.all([
        send(server, { type: 'withdraw.cancelled', data: { no: row.no } }),
        ...Array.from({ length: 12 }, (_, n) => operation(n % 2 === 0 ? 'pass' : 'reject', row)),
      ]);
      const codes = answers.map((answer) => answer.code);
      expect(await findRaceErrors(row, [...codes, cancelled[0]?.result === 'applied' ? 200 : 409])).toEqual([]);
    }
  });

  test('30 retries and refunds of a failed payout have one effect', async () => {
    for (let round = 0; round < 3; round += 1) {
      const row = await makeInState(7);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => operation(n % 2 === 0 ? 'retry' : 'refund', row)),
      );
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === 409)).toHaveLength(29);
      const { state } = await findWithdraw(server, admin, row.no);
      expect(await fetchPayouts(server, row.id)).toHaveLength(state === 2 ? 2 : 1);
      expect(await checkBook(server.owner)).toEqual([]);
    }
  });

  test("the wallet's answer and its report of the payment can arrive concurrently", async () => {
    for (let round = 0; round < 12; round += 1) {
      const row = await makeInState(2);
      const [payout] = await fetchPayouts(server, row.id);
      const acks = [{ id: payout?.id, state: 'done' }];
      const [, reported] = await Promise.all([
        platformCall(server, 'POST', 'commands/ack', acks),
        send(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xboth' } }),
      ]);
      expect(reported).toMatchObject([{ result: 'applied' }]);
      expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 4, txHash: '0xboth' });
      expect(await fetchPayouts(server, row.id)).toMatchObject([{ state: 2 }]);
      expect(await checkBook(server.owner)).toEqual([]);
    }
    expect(await countDeadlocks(server)).toBe(0);
  });

  test('control: the check detects a decision that reads and then writes without a condition', async () => {
    const row = await makeInState(0);
    let ready = 0;
    let release: () => void = () => undefined;
    const allRead = new Promise<void>((resolve) => (release = resolve));
    const contenders = 4;
    const wrongPass = (): Promise<number> =>
      inTransaction(server.app.system, async (db) => {
        const { rows } = await sql<{ state: number }>`select state from withdraw where id = ${row.id}`.execute(db);
        ready += 1;
        if (ready === contenders) release();
        await allRead;
        if (rows[0]?.state !== WITHDRAW.review) return 409;
        await sql`update withdraw set state = ${WITHDRAW.queued} where id = ${row.id}`.execute(db);
        await sql`insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
          values ('withdraw.payout', 'withdraw', ${row.id}, '{}'::jsonb, 0, 0)`.execute(db);
        return 200;
      });
    const codes = await Promise.all(Array.from({ length: contenders }, wrongPass));
    expect(await findRaceErrors(row, codes)).toEqual(['4 decisions had an effect', '4 payouts in state 2']);
    await server.query(sql`delete from command where data = '{}'::jsonb`);
  });
});

describe('events of the wallet', () => {
  test.each<{ event: keyof typeof withdrawEventStates; data: object; to: WithdrawState }>([
    { event: 'cancelled', data: {}, to: 6 },
    { event: 'paying', data: { txHash: '0x1' }, to: 3 },
    { event: 'paid', data: { txHash: '0x2' }, to: 4 },
    { event: 'failed', data: { reason: 'no gas' }, to: 7 },
    { event: 'unknown', data: {}, to: 8 },
  ])('withdraw.$event in every state', async ({ event, data, to }) => {
    const from: readonly number[] = withdrawEventStates[event];
    for (const state of states) {
      await setPolicy(server, 'withdraw.pass', 2, '10000');
      const row = await makeInState(state);
      const before = await hashMoneyState(server);
      const [answer] = await send(server, { type: `withdraw.${event}`, data: { no: row.no, ...data } });
      if (from.includes(state)) {
        expect(answer).toMatchObject({ result: 'applied' });
        expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: to });
      } else if (event === 'paid' && state === WITHDRAW.refunded) {
        expect(answer).toMatchObject({ result: 'applied' });
      } else {
        expect(answer).toMatchObject({ result: 'rejected', reason: 'state' });
        expect(await hashMoneyState(server)).toBe(before);
      }
    }
    expect(await checkBook(server.owner)).toEqual([]);
  });
});

describe('bulk', () => {
  const decideMany = (action: 'pass' | 'reject', ids: number[], more: object = {}, key?: string) =>
    call<BulkResult>(
      server,
      'POST',
      `withdraw/${action}/many`,
      { ids, ...more },
      { token: admin, ...(key ? { key } : {}) },
    );

  test('commits what succeeds and returns each refusal with its id', async () => {
    const [open, other, done] = [await makeInState(0), await makeInState(0), await makeInState(5)];
    const rich = await makeUser(server, { amount: '20000' });
    const large = await makeWithdraw(server, admin, rich, { amount: '15000' });
    const answer = await decideMany('pass', [open.id, done.id, 999_999, large.id, other.id]);
    expect(answer).toMatchObject({ code: 200, msg: '操作成功' });
    expect(answer.data.results).toEqual([
      { id: open.id, code: 200, msg: '操作成功' },
      { id: done.id, code: 409, msg: '记录已被处理，当前状态：已驳回' },
      { id: 999_999, code: 404, msg: '记录不存在' },
      { id: large.id, code: 202, msg: '已提交复核' },
      { id: other.id, code: 200, msg: '操作成功' },
    ]);
    const now = await Promise.all([open, done, large, other].map(({ no }) => findWithdraw(server, admin, no)));
    expect(now.map(({ state }) => state)).toEqual([2, 5, 1, 2]);
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('the same key returns the same results and repeats nothing', async () => {
    const rows = [await makeInState(0), await makeInState(0)];
    const ids = rows.map(({ id }) => id);
    const first = await decideMany('reject', ids, { reason: '流水不足' }, 'bulk-key');
    const before = await hashMoneyState(server);
    const again = await decideMany('reject', ids, { reason: '流水不足' }, 'bulk-key');
    expect(again.data).toEqual(first.data);
    expect(await hashMoneyState(server)).toBe(before);
  });

  test.each([
    ['none', []],
    ['twice the same', [1, 1]],
    ['more than 200', Array.from({ length: 201 }, (_, n) => n + 1)],
  ])('answers 422 for ids: %s', async (_name, ids) => {
    expect(await decideMany('pass', ids)).toMatchObject({ code: 422, data: [{ field: 'ids' }] });
  });
});

describe('reasons', () => {
  test.each<{ action: WithdrawAction; state: WithdrawState }>([
    { action: 'reject', state: 0 },
    { action: 'refund', state: 7 },
    { action: 'resolve', state: 8 },
  ])('$action refuses an invalid reason', async ({ action, state }) => {
    const row = await makeInState(state);
    // A rejection needs no reason; only a too long one is refused.
    const missing = action === 'reject' ? [] : [undefined, '', '   '];
    for (const reason of [...missing, 'x'.repeat(201)]) {
      const input = { ...inputs[action](row.id), reason };
      const answer = await call(server, 'POST', `withdraw/${action}`, input, { token: admin });
      expect(answer).toMatchObject({ code: 422, data: [{ field: 'reason' }] });
    }
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state });
  });

  test('stores the reason in the row and the audit row and sends it to the platform', async () => {
    const row = await makeInState(0);
    const answer = await operation('reject', row);
    expect(answer.data).toMatchObject({ reason: '地址有风险', by: 'admin' });
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      {
        action: 'withdraw.reject',
        result: 200,
        operator: 'admin',
        reason: '地址有风险',
        before: { state: 0 },
        after: { state: 5 },
      },
    ]);
    const commands = await server.query(sql<{ data: object }>`
      select data from command where type = 'withdraw.reviewed' and ref_id = ${row.id}`);
    expect(commands).toEqual([{ data: { no: row.no, state: 5, reason: '地址有风险', reasonCode: 'risky_address' } }]);
  });

  test('resolve as paid answers 422 without a transaction hash', async () => {
    const row = await makeInState(8);
    const input = { id: row.id, paid: true, reason: '链上已查到' };
    const answer = await call(server, 'POST', 'withdraw/resolve', input, { token: admin });
    expect(answer).toMatchObject({ code: 422, msg: '交易哈希不能为空', data: [{ field: 'txHash' }] });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 8 });
  });
});
