import { ABILITY } from '@hengtai/contract/authority/ability';
import { type ApprovalType } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult, ActionInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { withdraw as calls } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestOperator, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, countDeadlocks, hashMoneyState, fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, apply, call, login, provideServer, send, testServer } from '../../../../test/server.ts';
import { NO_FACTORS, type Ctx } from '../../../app/context.ts';
import { brokenConstraint, runInScope } from '../../../database/connect.ts';
import { defineAction } from '../../../actions/action.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { freeze } from '../../../books/ledger/hold.ts';
import { refuse } from '../../../app/refuse.ts';
import { approvalPass } from './approval.service.ts';

const server = provideServer({ jobs: false });
let admin: string;
/** Reviews withdrawals and may also approve. */
let maker: TestOperator;
/** A checker with full scope. */
let checker: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  maker = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.approval] });
  checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
});

beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 2, '10000');
  await setPolicy(server, 'withdraw.retry', 0);
  await setPolicy(server, 'withdraw.refund', 1);
  await setPolicy(server, 'withdraw.resolve', 1);
});

const post = <T = ApprovalRow>(path: string, input: object, token: string, key?: string): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token, ...(key ? { key } : {}) });

const approve = (id: number, token: string) => post('approval/pass', { id }, token);
const stateOf = async (row: WithdrawRow): Promise<number> => (await findWithdraw(server, admin, row.no)).state;
const approvalOf = async (id: number): Promise<ApprovalRow> => {
  const { data } = await call<Page<ApprovalRow>>(server, 'GET', 'approval/list', { size: 200 }, { token: admin });
  const found = data.list.find((row) => row.id === id);
  if (!found) throw new Error(`no approval ${id}`);
  return found;
};

async function request(amount: string, agent: string, user?: string): Promise<WithdrawRow> {
  const account = user ?? (await makeUser(server, { agent, amount: '60000' }));
  return makeWithdraw(server, admin, account, { amount });
}

/** A withdrawal with an open approval. */
async function submitWithdrawal(by: TestOperator = maker, amount = '15000'): Promise<{ row: WithdrawRow; id: number }> {
  const row = await request(amount, by.account);
  const submitted = await post('withdraw/pass', { id: row.id }, by.token);
  expect(submitted.code).toBe(202);
  return { row, id: submitted.data.id };
}

async function makeFailed(by: TestOperator): Promise<WithdrawRow> {
  const row = await request('100', by.account);
  await post('withdraw/pass', { id: row.id }, by.token);
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  return row;
}

describe('above the policy', () => {
  test('submits a pass: 202, approval in the answer, state 待复核, an audit row and no payout', async () => {
    const row = await request('15000', maker.account);
    const submitted = await post('withdraw/pass', { id: row.id, reason: '老客户' }, maker.token);
    expect(submitted).toMatchObject({
      status: 200,
      code: 202,
      msg: '已提交复核',
      data: {
        type: 'withdraw.pass',
        title: '通过提现',
        targetType: 'withdraw',
        targetId: row.id,
        userId: row.userId,
        account: row.account,
        agent: maker.account,
        input: { id: row.id, reason: '老客户' },
        amount: '15000',
        maker: maker.account,
        checker: null,
        state: APPROVAL.open,
        reason: '老客户',
        decidedAt: null,
      },
    });
    expect(submitted.data.expiresAt - submitted.data.createdAt).toBe(24 * 3_600_000);
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 1, by: null, attempt: 0 });
    expect(await fetchPayouts(server, row.id)).toEqual([]);
    expect(await fetchAuditRows(server, submitted)).toMatchObject([
      {
        action: 'withdraw.pass',
        result: 202,
        operator: maker.account,
        targetId: row.id,
        approvalId: submitted.data.id,
      },
    ]);
  });

  test('executes the action with maker and checker recorded when the checker passes', async () => {
    const { row, id } = await submitWithdrawal();
    const answer = await approve(id, checker.token);
    expect(answer).toMatchObject({
      code: 200,
      msg: '操作成功',
      data: { state: APPROVAL.passed, checker: checker.account },
    });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({
      state: 2,
      by: maker.account,
      secondBy: checker.account,
      attempt: 1,
    });
    expect(await fetchPayouts(server, row.id)).toMatchObject([{ state: 0, data: { attempt: 1, amount: '14999' } }]);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { action: 'withdraw.pass', result: 200, operator: maker.account, targetId: row.id, approvalId: id },
      { action: 'approval.pass', result: 200, operator: checker.account, targetType: 'approval', targetId: id },
    ]);
  });

  test('returns the same approval for the same key', async () => {
    const row = await request('15000', maker.account);
    const first = await post('withdraw/pass', { id: row.id }, maker.token, 'ask-once');
    const again = await post('withdraw/pass', { id: row.id }, maker.token, 'ask-once');
    expect(again).toMatchObject({ code: 202, data: first.data });
    expect(
      (await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id })).filter(
        ({ result }) => result === 202,
      ),
    ).toHaveLength(1);
  });

  test.each([
    ['10000', 200],
    ['10000.000000000000000001', 202],
  ])('requires a checker only above the limit: %s → %i', async (amount, code) => {
    const row = await request(amount, maker.account);
    expect(await post('withdraw/pass', { id: row.id }, maker.token)).toMatchObject({ code });
  });

  test('a checker below the maker, who cannot see the maker, can pass', async () => {
    const agent = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const row = await request('15000', agent.account);
    const submitted = await post('withdraw/pass', { id: row.id }, admin);
    expect(await approve(submitted.data.id, agent.token)).toMatchObject({
      code: 200,
      data: { maker: '--', checker: agent.account },
    });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 2, by: 'admin', secondBy: agent.account });
  });
});

describe('the maker is never the checker', () => {
  test.each<[string, () => Promise<{ id: number; token: string }>]>([
    ['an operator with the ability', async () => ({ id: (await submitWithdrawal()).id, token: maker.token })],
    [
      'the admin',
      async () => {
        const row = await request('15000', maker.account);
        return { id: (await post('withdraw/pass', { id: row.id }, admin)).data.id, token: admin };
      },
    ],
  ])('%s: 403, audited, nothing changed', async (_who, make) => {
    const { id, token } = await make();
    const before = await hashMoneyState(server);
    const answer = await approve(id, token);
    expect(answer).toMatchObject({ status: 200, code: 403, msg: '不能复核自己提交的申请' });
    expect(await post('approval/reject', { id, reason: '算了' }, token)).toMatchObject({ code: 403 });
    expect(await hashMoneyState(server)).toBe(before);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { action: 'approval.pass', result: 403, targetId: id },
    ]);
    expect(await approve(id, checker.token)).toMatchObject({ code: 200 });
  });

  test('the database refuses a maker as checker', async () => {
    const { id } = await submitWithdrawal();
    const withMaker = await server
      .query(sql`update approval set state = 1, checker_id = maker_id where id = ${id}`)
      .then(() => '', brokenConstraint);
    expect(withMaker).toBe('maker_is_never_checker');
    const withoutChecker = await server
      .query(sql`update approval set state = 1 where id = ${id}`)
      .then(() => '', brokenConstraint);
    expect(withoutChecker).toBe('maker_is_never_checker');
  });
});

describe('simultaneous decisions', () => {
  test('sixteen passes have one effect', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { row, id } = await submitWithdrawal();
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) => approve(id, n % 2 ? checker.token : admin)),
      );
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
      const lost = answers.filter(({ code }) => code === 409);
      expect(lost).toHaveLength(15);
      const { checker: by } = await approvalOf(id);
      for (const { msg, data } of lost) {
        expect(msg).toBe('该申请已处理或已过期');
        expect(data).toMatchObject({ state: APPROVAL.passed, by });
      }
      expect(await fetchPayouts(server, row.id)).toHaveLength(1);
    }
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('passes, rejects and a cancellation have one effect on the withdrawal', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { row, id } = await submitWithdrawal();
      const [cancelled, ...answers] = await Promise.all([
        send(server, { type: 'withdraw.cancelled', data: { no: row.no } }),
        ...Array.from({ length: 8 }, (_, n) =>
          n % 2 ? approve(id, checker.token) : post('approval/reject', { id, reason: '存疑' }, admin),
        ),
      ]);
      expect(answers.every(({ code }) => code === 200 || code === 409)).toBe(true);
      const { state } = await approvalOf(id);
      const now = await stateOf(row);
      const applied = cancelled[0]?.result === 'applied';
      if (state === APPROVAL.passed) expect([now, applied]).toEqual([2, false]);
      // After a rejection the withdrawal is in review again, where the user may still cancel it.
      else expect(now).toBe(applied ? 6 : 0);
      expect(await fetchPayouts(server, row.id)).toHaveLength(state === APPROVAL.passed ? 1 : 0);
      expect(await checkBook(server.owner)).toEqual([]);
    }
    expect(await countDeadlocks(server)).toBe(0);
  });
});

describe('approvals that are not executed', () => {
  test('a rejection returns the withdrawal to review, and it can be submitted again', async () => {
    const { row, id } = await submitWithdrawal();
    expect(await post('approval/reject', { id }, checker.token)).toMatchObject({
      code: 422,
      data: [{ field: 'reason' }],
    });
    const answer = await post('approval/reject', { id, reason: '资料不足' }, checker.token);
    expect(answer).toMatchObject({
      code: 200,
      data: { state: APPROVAL.rejected, checker: checker.account, answer: '资料不足' },
    });
    expect(await stateOf(row)).toBe(0);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { action: 'approval.reject', result: 200, reason: '资料不足' },
    ]);
    const again = await post('withdraw/pass', { id: row.id }, maker.token);
    expect(again.code).toBe(202);
    expect(again.data.id).not.toBe(id);
    expect(await approve(id, checker.token)).toMatchObject({ code: 409 });
    expect(await approve(again.data.id, checker.token)).toMatchObject({ code: 200 });
  });

  test('a cancellation by the user closes the approval', async () => {
    const { row, id } = await submitWithdrawal();
    await apply(server, { type: 'withdraw.cancelled', data: { no: row.no } });
    expect(await approvalOf(id)).toMatchObject({ state: APPROVAL.expired, answer: '用户已撤销' });
    expect(await approve(id, checker.token)).toMatchObject({ code: 409, data: { state: APPROVAL.expired } });
    expect(await stateOf(row)).toBe(6);
  });

  test('rejecting the withdrawal closes the approval', async () => {
    const { row, id } = await submitWithdrawal();
    expect(await post('withdraw/reject', { id: row.id, reason: '地址有风险' }, maker.token)).toMatchObject({
      code: 200,
    });
    expect(await approvalOf(id)).toMatchObject({ state: APPROVAL.rejected, answer: '地址有风险' });
    expect(await approve(id, checker.token)).toMatchObject({ code: 409 });
    expect(await stateOf(row)).toBe(5);
  });

  const switchOff = (id: number, type: number) => post('agent/state', { id, type, state: 0 }, admin);
  test.each<[string, (by: TestOperator) => Promise<unknown>]>([
    ['lost the ability', (by) => switchOff(by.id, ABILITY.withdraw)],
    ['was disabled', (by) => switchOff(by.id, ABILITY.enabled)],
    [
      'no longer has the customer in its tree',
      (by) => server.query(sql`delete from closure where ancestor = ${by.id} and descendant <> ${by.id}`),
    ],
  ])('the maker %s: 409, 执行失败, back in review', async (_what, change) => {
    const by = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const below = await makeOperator(server, admin, { parent: by.account });
    const row = await request('15000', below.account);
    const { id } = (await post('withdraw/pass', { id: row.id }, by.token)).data;
    await change(by);
    const answer = await approve(id, checker.token);
    expect(answer).toMatchObject({
      status: 200,
      code: 409,
      msg: '复核未能执行：提交人已没有此权限',
      data: { id, state: APPROVAL.failed, answer: '提交人已没有此权限', checker: checker.account },
    });
    expect(await approvalOf(id)).toEqual(answer.data);
    expect(await stateOf(row)).toBe(0);
    expect(await fetchPayouts(server, row.id)).toEqual([]);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { action: 'approval.pass', result: 409, after: { state: 4 } },
    ]);
    expect(await approve(id, checker.token)).toMatchObject({ code: 409, msg: '该申请已处理或已过期' });
  });

  test('repeats the checks and refuses when the target changed meanwhile', async () => {
    const row = await makeFailed(maker);
    const submitted = await post('withdraw/refund', { id: row.id, reason: '退回' }, maker.token);
    expect(submitted.code).toBe(202);
    expect(await post('withdraw/retry', { id: row.id }, maker.token)).toMatchObject({ code: 200 });
    const answer = await approve(submitted.data.id, checker.token);
    expect(answer).toMatchObject({
      code: 409,
      data: { state: APPROVAL.failed, answer: '记录已被处理，当前状态：待打款' },
    });
    expect(await stateOf(row)).toBe(2);
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test.each<[string, string]>([
    ['its input', `input = jsonb_set(input, '{reason}', '"other"')`],
    ['its target', 'target_id = target_id + 1'],
    ['its action', `action = 'withdraw.retry'`],
    ['its maker', `maker_id = (select id from agent where account = 'admin')`],
  ])('a request whose %s was changed is not executed', async (_what, change) => {
    const { row, id } = await submitWithdrawal();
    await server.query(sql`update approval set ${sql.raw(change)} where id = ${id}`);
    expect(await approve(id, checker.token)).toMatchObject({
      code: 409,
      data: { state: APPROVAL.failed, answer: '申请内容已被改动' },
    });
    expect(await fetchPayouts(server, row.id)).toEqual([]);
    expect([0, 1]).toContain(await stateOf(row));
  });
});

describe('an action that fails after its first write', () => {
  const failures: [string, string, (ctx: Ctx, target: number) => Promise<void>][] = [
    ['refused', refusals.stateConflict.msg, async () => Promise.reject(refuse(refusals.stateConflict))],
    [
      'out of money',
      '余额不足',
      async (ctx, target) => {
        const [row] = await server.query(sql<{ id: number; agentId: number }>`
          select u.id, u.agent_id as "agentId" from users u join withdraw w on w.user_id = u.id where w.id = ${target}`);
        const owner = { user: row ?? { id: 0, agentId: 0 }, marketId: 1, platform: 1 } as const;
        const head = { refType: 'test', refId: target, at: ctx.now, now: ctx.now };
        await freeze(ctx.db, head, owner, '999999999');
      },
    ],
  ];

  test.each(failures)('%s: rolls back the action and marks the approval as failed', async (_how, answer, fail) => {
    const { row, id } = await submitWithdrawal();
    const halfAction = defineAction<ActionInput, WithdrawRow, number>({
      call: calls.pass,
      load: async (_ctx, input) => input.id,
      execute: async (ctx, _input, target) => {
        await sql`update withdraw set memo = 'half done' where id = ${target}`.execute(ctx.db);
        await fail(ctx, target);
        throw new Error('not reached');
      },
    });
    const operator = { id: checker.id, account: checker.account, top: false, abilities: [ABILITY.approval] };
    const caller = {
      operator,
      scope: { kind: 'all' },
      sessionId: null,
      factors: NO_FACTORS,
      requestId: 'half',
      ip: '',
      userAgent: '',
    } as const;
    const pass = approvalPass(new Map([[halfAction.name, halfAction]]));
    const done = await runInScope(server.app.requests, { kind: 'all' }, operator.id, (db) =>
      pass.perform({ ...caller, app: server.app, db, now: server.clock.now() }, { id }),
    );
    expect(done).toMatchObject({ code: 409, data: { state: APPROVAL.failed, answer } });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ memo: '' });
    expect(await approvalOf(id)).toMatchObject({ state: APPROVAL.failed, answer });
    expect(await checkBook(server.owner)).toEqual([]);
  });
});

describe('the amounts of one user within a day', () => {
  test('requires a checker for the second pass of 6,000, also for another maker, but not for another user', async () => {
    const user = await makeUser(server, { agent: maker.account, amount: '60000' });
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < 3; n += 1) rows.push(await request('6000', maker.account, user));
    const pass = (n: number, token: string) => post('withdraw/pass', { id: rows[n]?.id }, token);
    expect(await pass(0, maker.token)).toMatchObject({ code: 200 });
    expect(await pass(1, maker.token)).toMatchObject({ code: 202 });
    expect(await pass(2, admin)).toMatchObject({ code: 202 });
    const other = await request('6000', maker.account);
    expect(await post('withdraw/pass', { id: other.id }, maker.token)).toMatchObject({ code: 200 });
  });

  test('ignores amounts older than a day', async () => {
    const user = await makeUser(server, { agent: maker.account, amount: '60000' });
    const [first, second] = [await request('6000', maker.account, user), await request('6000', maker.account, user)];
    expect(await post('withdraw/pass', { id: first.id }, maker.token)).toMatchObject({ code: 200 });
    await server.query(
      sql`update policy_use set created_at = created_at - 24 * 3600000 where user_id = ${first.userId}`,
    );
    expect(await post('withdraw/pass', { id: second.id }, maker.token)).toMatchObject({ code: 200 });
  });

  test('counts an approved pass but not a rejected one', async () => {
    const user = await makeUser(server, { agent: maker.account, amount: '60000' });
    const [large, small, last] = [
      await request('15000', maker.account, user),
      await request('10', maker.account, user),
      await request('11', maker.account, user),
    ];
    const submitted = await post('withdraw/pass', { id: large.id }, maker.token);
    await post('approval/reject', { id: submitted.data.id, reason: '再看' }, checker.token);
    expect(await post('withdraw/pass', { id: small.id }, maker.token)).toMatchObject({ code: 200 });
    await approve((await post('withdraw/pass', { id: large.id }, maker.token)).data.id, checker.token);
    expect(await post('withdraw/pass', { id: last.id }, maker.token)).toMatchObject({ code: 202 });
  });

  test('concurrent passes of two operators do not exceed the limit together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await makeUser(server, { agent: maker.account, amount: '60000' });
      const rows = [await request('6000', maker.account, user), await request('6000', maker.account, user)];
      const tokens = [maker.token, admin];
      const answers = await Promise.all(rows.map(({ id }, n) => post('withdraw/pass', { id }, tokens[n] ?? '')));
      expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, 202]);
    }
  });

  test('concurrent passes of one operator do not exceed the limit together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await makeUser(server, { agent: maker.account, amount: '60000' });
      const rows = [await request('6000', maker.account, user), await request('6000', maker.account, user)];
      const answers = await Promise.all(rows.map(({ id }) => post('withdraw/pass', { id }, maker.token)));
      expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, 202]);
    }
  });

  test('one bulk call does not exceed the limit', async () => {
    const user = await makeUser(server, { agent: maker.account, amount: '60000' });
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await request('4000', maker.account, user)).id);
    const answer = await post<BulkResult>('withdraw/pass/many', { ids }, maker.token);
    expect(answer.data.results.map(({ code }) => code)).toEqual([200, 200, 202]);
  });

  test('an amount without a price exceeds the limit, and so does every later amount', async () => {
    const user = await makeUser(server, { agent: maker.account, amount: '60000' });
    await apply(server, {
      type: 'recharge.credited',
      data: {
        no: `R-${user}`,
        account: user,
        market: 'ETH',
        network: 'ERC20',
        address: 'x',
        amount: '1',
        confirmations: 1,
        source: 1,
      },
    });
    const row = await makeWithdraw(server, admin, user, { amount: '0.01', fee: '0.002', market: 'ETH' });
    const submitted = await post('withdraw/pass', { id: row.id }, maker.token);
    expect(submitted).toMatchObject({ code: 202, data: { amount: null } });
    await approve(submitted.data.id, checker.token);
    const small = await request('1.5', maker.account, user);
    expect(await post('withdraw/pass', { id: small.id }, maker.token)).toMatchObject({ code: 202 });
  });
});

describe('policies', () => {
  test.each<[0 | 1 | 2, string, string, number]>([
    [0, '0', '50000', 200],
    [1, '0', '1.5', 202],
    [2, '0', '1.5', 202],
    [2, '40000', '40000', 200],
    [2, '40000', '40001', 202],
  ])('mode %i, limit %s, amount %s → %i', async (mode, limit, amount, code) => {
    await setPolicy(server, 'withdraw.pass', mode, limit);
    const row = await request(amount, maker.account);
    expect(await post('withdraw/pass', { id: row.id }, maker.token)).toMatchObject({ code });
  });

  test('requires a checker when the policy is missing', async () => {
    await server.query(sql`update config set key = 'gone' where key = 'policy.withdraw.pass'`);
    const row = await request('2', maker.account);
    expect(await post('withdraw/pass', { id: row.id }, maker.token)).toMatchObject({ code: 202 });
    await server.query(sql`update config set key = 'policy.withdraw.pass' where key = 'gone'`);
  });

  test('a new installation requires a checker for passes above 10,000, every refund and resolve, and no retry', async () => {
    const newServer = await testServer({ jobs: false });
    const found = await newServer.query(sql<{ key: string; state: number; num: string }>`
      select key, state, num from config where key like 'policy.withdraw.%' order by key`);
    await newServer.stop();
    expect(found).toEqual([
      { key: 'policy.withdraw.pass', state: 2, num: '10000' },
      { key: 'policy.withdraw.refund', state: 1, num: '0' },
      { key: 'policy.withdraw.resolve', state: 1, num: '0' },
      { key: 'policy.withdraw.retry', state: 0, num: '0' },
    ]);
  });

  test('executes an approved refund', async () => {
    const row = await makeFailed(maker);
    const submitted = await post('withdraw/refund', { id: row.id, reason: '无法打款' }, maker.token);
    expect(submitted).toMatchObject({ code: 202, data: { type: 'withdraw.refund' } });
    expect(await stateOf(row)).toBe(7);
    expect(await approve(submitted.data.id, checker.token)).toMatchObject({ code: 200 });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({
      state: 9,
      by: maker.account,
      secondBy: checker.account,
      reason: '无法打款',
    });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test.each([
    [true, 4],
    [false, 7],
  ])('executes an approved resolve as paid = %s with state %i', async (paid, state) => {
    const row = await request('100', maker.account);
    await post('withdraw/pass', { id: row.id }, maker.token);
    await apply(server, { type: 'withdraw.unknown', data: { no: row.no } });
    const input = { id: row.id, paid, reason: '已查链', ...(paid ? { txHash: '0xfound' } : {}) };
    const submitted = await post('withdraw/resolve', input, maker.token);
    expect(submitted).toMatchObject({ code: 202, data: { type: 'withdraw.resolve', input } });
    expect(await stateOf(row)).toBe(8);
    expect(await approve(submitted.data.id, checker.token)).toMatchObject({ code: 200 });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({
      state,
      by: maker.account,
      secondBy: checker.account,
    });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('allows one open approval per action and target, also for ten concurrent requests', async () => {
    const row = await makeFailed(maker);
    const requestRefund = () => post('withdraw/refund', { id: row.id, reason: '退回' }, maker.token);
    const answers = await Promise.all(Array.from({ length: 10 }, requestRefund));
    expect(answers.filter(({ code }) => code === 202)).toHaveLength(1);
    const rest = answers.filter(({ code }) => code === 409);
    expect(rest).toHaveLength(9);
    for (const { msg } of rest) expect(msg).toMatch(/^该操作已有待复核的申请 #\d+$/);
    const copied = await server
      .query(sql`insert into approval (action, target_type, target_id, input, hash, maker_id, created_at, recorded_at, updated_at, expires_at)
        select action, target_type, target_id, input, hash, maker_id, 0, 0, 0, 0 from approval
        where target_id = ${row.id} and action = 'withdraw.refund'`)
      .then(() => '', brokenConstraint);
    expect(copied).toBe('approval_one_open');
  });
});

describe('visibility and permissions', () => {
  const fetchList = async (token: string, input: object = {}): Promise<ApprovalRow[]> =>
    (await call<Page<ApprovalRow>>(server, 'GET', 'approval/list', { size: 200, ...input }, { token })).data.list;

  test('answers 403 without the ability and lists only requests of the operator', async () => {
    const reviewer = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const ownRequest = await submitWithdrawal(reviewer);
    const others = await request('15000', reviewer.account);
    const { id } = (await post('withdraw/pass', { id: others.id }, admin)).data;
    expect(await approve(id, reviewer.token)).toMatchObject({ code: 403, msg: '没有权限执行此操作' });
    expect(await post('approval/reject', { id, reason: '不' }, reviewer.token)).toMatchObject({ code: 403 });
    expect((await fetchList(reviewer.token)).map((row) => row.id)).toEqual([ownRequest.id]);
  });

  test('lists the requests of the subtree for approvers, filtered by state and type', async () => {
    const second = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const below = await makeOperator(server, admin, { parent: second.account, abilities: [ABILITY.withdraw] });
    const [first, other] = [await submitWithdrawal(below), await submitWithdrawal(below)];
    await approve(first.id, second.token);
    const ids = async (input: object): Promise<number[]> => (await fetchList(second.token, input)).map(({ id }) => id);
    const type: ApprovalType = 'withdraw.pass';
    expect(await ids({})).toEqual([other.id, first.id]);
    expect(await ids({ state: 0 })).toEqual([other.id]);
    expect(await ids({ state: 1, type })).toEqual([first.id]);
    expect(await ids({ type: 'withdraw.refund' })).toEqual([]);
    const own = (await post('withdraw/pass', { id: (await request('15000', below.account)).id }, admin)).data;
    expect(await ids({})).toEqual([own.id, other.id, first.id]);
    expect(await ids({ mine: 1 })).toEqual([]);
    expect((await fetchList(below.token, { mine: 1, state: 0 })).map(({ id }) => id)).toEqual([other.id]);
    expect((await fetchList(admin, { mine: 1 })).map(({ id }) => id)).toContain(own.id);
  });
});
