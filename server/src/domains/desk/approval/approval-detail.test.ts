import { ABILITY } from '@hengtai/contract/authority/ability';
import type { PolicyName } from '@hengtai/contract/authority/actions';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type {
  ApprovalCheckers,
  ApprovalDetail,
  ApprovalOpen,
  ApprovalRow,
} from '@hengtai/contract/desk/approval/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  PASSWORD,
  type TestOperator,
  findUser,
  makeOperator,
  makeUser,
  makeWithdraw,
} from '../../../../test/factories.ts';
import { fetchAuditRows, hashMoneyState, fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, apply, call, login, provideServer, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { approvableActions } from '../../../modules.ts';

const server = provideServer({ jobs: false });
let admin: string;
let maker: TestOperator;
let checker: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  const abilities = [ABILITY.users, ABILITY.assets, ABILITY.withdraw, ABILITY.approval, ABILITY.headquarters];
  maker = await makeOperator(server, admin, { abilities });
  checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
  const checkedPolicies: PolicyName[] = [
    'withdraw.pass',
    'withdraw.retry',
    'withdraw.refund',
    'withdraw.resolve',
    'asset.active',
    'asset.frozen',
    'user.second',
    'agent.del',
  ];
  for (const policy of checkedPolicies) await setPolicy(server, policy, 1);
});
afterEach(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
});

const post = <T = ApprovalRow>(path: string, input: object, token: string): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token });
const fetchDetail = (id: number, token: string) =>
  call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token });

async function submit(path: string, input: object, by = maker.token): Promise<ApprovalRow> {
  const answer = await post(path, input, by);
  if (answer.code !== 202) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

async function makeCustomer(amount = '500') {
  const account = await makeUser(server, { amount });
  return { id: (await findUser(server, admin, account)).id, account };
}

const makeWithdrawal = async (): Promise<WithdrawRow> =>
  makeWithdraw(server, admin, (await makeCustomer()).account, { amount: '100', fee: '1' });

/** A withdrawal in the state that the action requires. */
async function makeInState(state: 'failed' | 'unknown'): Promise<WithdrawRow> {
  const row = await makeWithdrawal();
  const { id } = await submit('withdraw/pass', { id: row.id });
  await post('approval/pass', { id }, checker.token);
  await apply(server, { type: `withdraw.${state}`, data: { no: row.no } });
  return row;
}

const inputItems = ({ asked: items }: ApprovalDetail): Record<string, string> =>
  Object.fromEntries(items.map(({ label, text, unit }) => [label, unit === undefined ? text : `${text} ${unit}`]));
const stateItems = ({ now: items }: ApprovalDetail): Record<string, string> =>
  Object.fromEntries(items.map(({ label, text, unit }) => [label, unit === undefined ? text : `${text} ${unit}`]));
const ledgerLines = ({ lines }: ApprovalDetail): string[] =>
  lines.map(({ owner, bucket, amount, balance }) => `${owner} ${bucket} ${amount} → ${balance ?? '--'}`);

describe('approval/detail', () => {
  test('shows the user of the target and what it did last, to who has it in the own tree', async () => {
    const local = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const account = await makeUser(server, { agent: local.account, amount: '500' });
    const user = await findUser(server, admin, account);
    const before = await makeWithdraw(server, admin, account, { amount: '20' });
    const row = await makeWithdraw(server, admin, account, { amount: '100' });
    await post('user/note/add', { id: user.id, text: '已电话核实' }, admin);
    const { id } = await submit('withdraw/pass', { id: row.id }, local.token);

    for (const token of [checker.token, local.token]) {
      const { data } = await fetchDetail(id, token);
      expect(data.user).toMatchObject({ id: user.id, account, agent: local.account });
      expect(data.timeline?.withdraws.map((one) => one.id)).toEqual([row.id, before.id]);
      expect(data.timeline?.recharges).toMatchObject([{ amount: '500' }]);
    }
    expect((await fetchDetail(id, checker.token)).data.timeline?.notes).toMatchObject([{ text: '已电话核实' }]);

    // A maker still sees the own request after the user left its tree, but nothing of the user.
    const other = await makeOperator(server, admin);
    await post('user/agent/change', { userId: user.id, agent: other.account }, admin);
    expect((await fetchDetail(id, local.token)).data).toMatchObject({ user: null, timeline: null });
    expect((await fetchDetail(id, checker.token)).data.user).toMatchObject({ account });
  });

  test('shows the case of the record by the calls of its own review, within the tree of the checker', async () => {
    const local = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.approval] });
    // Neither checker can decide about withdrawals, and this one has another tree.
    const far = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const account = await makeUser(server, { agent: local.account, amount: '500' });
    const row = await makeWithdraw(server, admin, account, { amount: '100' });
    const { id, targetId } = await submit('withdraw/pass', { id: row.id }, local.token);

    const shown = await call<WithdrawDetail>(
      server,
      'GET',
      'withdraw/detail',
      { id: targetId },
      { token: checker.token },
    );
    const seen = await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id: targetId }, { token: local.token });
    expect(shown.data).toMatchObject({ row: { address: row.address, amount: '100' }, user: { account } });
    for (const part of ['risk', 'limit', 'deposits', 'addresses', 'rules', 'preview', 'recharges'] as const)
      expect(shown.data[part]).toEqual(seen.data[part]);
    for (const [path, number] of [
      ['approval/detail', id],
      ['withdraw/detail', targetId],
    ] as const)
      expect(await call(server, 'GET', path, { id: number }, { token: far.token })).toMatchObject({ code: 404 });
  });

  test('has no user where the target is an agent', async () => {
    const [deleted, successor] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    const { id } = await submit('agent/del', { deleteId: deleted.id, replaceAccount: successor.account }, admin);
    expect((await fetchDetail(id, checker.token)).data).toMatchObject({ user: null, timeline: null });
  });

  test('describes every approvable action in words and names', async () => {
    const user = await makeCustomer();
    const money = { userId: user.id, marketId: 1, platform: 1, amount: '12.50', state: 1, reason: '更正' };
    const failed = await makeInState('failed');
    const unknown = await makeInState('unknown');
    const deletedAgent = await makeOperator(server, admin);
    const successor = await makeOperator(server, admin);
    const open = await makeWithdrawal();
    const userText = `${user.account}（${user.id}）`;
    const actions: [ApprovalRow, Record<string, string>][] = [
      [await submit('withdraw/pass', { id: open.id }), { 提现: `#${open.id}`, 平台单号: open.no }],
      [await submit('withdraw/retry', { id: failed.id }), { 提现: `#${failed.id}` }],
      [await submit('withdraw/refund', { id: failed.id, reason: '退' }), { 提现: `#${failed.id}` }],
      [
        await submit('withdraw/resolve', { id: unknown.id, paid: true, txHash: '0xab', reason: '已查' }),
        { 打款结果: '已打款', 交易哈希: '0xab' },
      ],
      [
        await submit('asset/active/add', money),
        {
          用户: userText,
          操作: '增加可用资产',
          币种: 'USDT',
          账户类型: '资金账户',
          数量: '12.5 USDT',
          报表口径: '计入充提报表',
        },
      ],
      [await submit('asset/active/sub', { ...money, state: 0 }), { 操作: '扣减可用资产', 报表口径: '仅作更正' }],
      [await submit('asset/frozen/add', money), { 操作: '冻结资产', 数量: '12.5 USDT' }],
      [
        await submit('user/second/change', { id: user.id, winType: 1, winRate: '85' }),
        { 用户: userText, 收益率档位改为: '专属收益率 85%' },
      ],
      [
        await submit('agent/del', { deleteId: deletedAgent.id, replaceAccount: successor.account }, admin),
        {
          删除代理: `${deletedAgent.account}（${deletedAgent.id}）`,
          接替代理: `${successor.account}（${successor.id}）`,
        },
      ],
    ];
    for (const [row, words] of actions) {
      const { code, data } = await fetchDetail(row.id, checker.token);
      expect(code).toBe(200);
      expect(inputItems(data)).toMatchObject(words);
      expect(data).toMatchObject({ intact: true, problem: null, why: null, row: { id: row.id, hash: row.hash } });
      expect(data.asked.map(({ label }) => label).join('')).not.toMatch(/[a-z]{3}/);
    }
    await post('approval/pass', { id: actions[6]?.[0].id }, checker.token);
    const release = await submit('asset/frozen/sub', { ...money, amount: '10' });
    expect(inputItems((await fetchDetail(release.id, checker.token)).data)).toMatchObject({
      操作: '解冻资产',
      数量: '10 USDT',
    });
  });

  test('every approvable action has a preview', () => {
    const withoutPreview = [...approvableActions.values()].filter(({ preview }) => preview === undefined);
    expect(withoutPreview.map(({ name }) => name)).toEqual([]);
  });

  test('previews the ledger entries that are posted', async () => {
    const user = await makeCustomer('500');
    const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
    const { id } = await submit('asset/active/sub', input);
    const before = await fetchDetail(id, checker.token);
    expect(stateItems(before.data)).toEqual({ 可用: '500 USDT', 冻结: '0 USDT', 其中人工冻结: '0 USDT' });
    expect(ledgerLines(before.data)).toEqual([`${user.account} active -20 → 480`, '人工调账 active 20 → --']);
    await post('approval/pass', { id, hash: before.data.row.hash }, checker.token);
    const [done] = await server.query(sql<{ id: number }>`select id from adjustment where user_id = ${user.id}`);
    expect(
      await server.query(sql<{
        move: string;
      }>`select concat_ws(' ', a.owner, e.amount::float8, case when a.owner = 'user' then e.balance::float8 end) as move
        from entry e join account a on a.id = e.account_id
        where e.ref_type = 'adjustment' and e.ref_id = ${done?.id} order by e.id`),
    ).toEqual([{ move: 'user -20 480' }, { move: 'adjustment 20' }]);
    const after = await fetchDetail(id, checker.token);
    expect(after.data).toMatchObject({ now: [], lines: [], problem: null, why: null, row: { state: 1 } });
    expect(inputItems(after.data)).toEqual(inputItems(before.data));
  });

  test('previews a refund as posted at once and a payout as posted by the wallet', async () => {
    const row = await makeInState('failed');
    const { data } = await fetchDetail(
      (await submit('withdraw/refund', { id: row.id, reason: '退' })).id,
      checker.token,
    );
    expect(ledgerLines(data)).toEqual([`${row.account} frozen -100 → 0`, `${row.account} active 100 → 500`]);
    expect(data.linesWhen).toBe('执行时立即记账');
    expect(stateItems(data)).toMatchObject({ 提现状态: '打款失败', 到账数量: '99 USDT', 地址: row.address });
    const other = await makeWithdrawal();
    const payout = await fetchDetail((await submit('withdraw/pass', { id: other.id })).id, checker.token);
    expect(payout.data.linesWhen).toBe('钱包确认打款后记账');
    expect(ledgerLines(payout.data)).toHaveLength(4);
  });

  test('shows in advance why the execution would fail', async () => {
    const user = await makeCustomer('30');
    const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
    const { id } = await submit('asset/active/sub', input);
    await makeWithdraw(server, admin, user.account, { amount: '25', fee: '1' });
    expect((await fetchDetail(id, checker.token)).data).toMatchObject({ problem: '数量大于可用余额', lines: [] });
    const answer = await post('approval/pass', { id }, checker.token);
    expect(answer).toMatchObject({ code: 409, data: { state: APPROVAL.failed, answer: '数量大于可用余额' } });
  });

  test('shows in advance that the maker lost the ability, and refuses the execution', async () => {
    const by = await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.headquarters] });
    const user = await makeCustomer();
    const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
    const { id } = await submit('asset/active/add', input, by.token);
    await post('agent/state', { id: by.id, type: ABILITY.assets, state: 0 }, admin);
    expect((await fetchDetail(id, checker.token)).data.problem).toBe('提交人已没有此权限');
    const before = await hashMoneyState(server);
    expect(await post('approval/pass', { id }, checker.token)).toMatchObject({ code: 409, data: { state: 4 } });
    expect(await hashMoneyState(server)).not.toBe(before);
    expect(await server.query(sql`select 1 from adjustment where user_id = ${user.id}`)).toEqual([]);
  });

  test('answers 404 outside the scope and explains why an operator may not decide', async () => {
    const { id } = await submit('withdraw/pass', { id: (await makeWithdrawal()).id });
    const stranger = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    expect(await fetchDetail(id, stranger.token)).toMatchObject({ code: 404, msg: '记录不存在' });
    expect((await fetchDetail(id, maker.token)).data.why).toBe('不能复核自己提交的申请');
    expect((await fetchDetail(id, admin)).data.why).toBeNull();
  });
});

describe('only the approved request is executed', () => {
  const changes: [string, string][] = [
    ['input', `input = jsonb_set(input, '{amount}', '"400"')`],
    ['target', `input = jsonb_set(input, '{userId}', to_jsonb(target_id + 1))`],
    ['maker', `maker_id = (select id from agent where account = 'admin')`],
    ['action', `action = 'asset.active.sub'`],
  ];

  test.each(changes)(
    'shows, refuses and audits a request with an altered %s and posts nothing',
    async (_what, change) => {
      const user = await makeCustomer();
      const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
      const { id, hash } = await submit('asset/active/add', input);
      await server.query(sql`update approval set ${sql.raw(change)} where id = ${id}`);
      expect((await fetchDetail(id, checker.token)).data).toMatchObject({
        intact: false,
        problem: '申请内容已被改动',
        lines: [],
      });
      const answer = await post('approval/pass', { id, hash }, checker.token);
      expect(answer).toMatchObject({ code: 409, data: { state: APPROVAL.failed, answer: '申请内容已被改动' } });
      expect(await server.query(sql`select 1 from adjustment where user_id = ${user.id}`)).toEqual([]);
      expect(await fetchAuditRows(server, answer)).toMatchObject([
        { action: 'approval.pass', result: 409, after: { state: 4, hash, answer: '申请内容已被改动' } },
      ]);
    },
  );

  test('refuses a hash that differs from the displayed one', async () => {
    const user = await makeCustomer();
    const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
    const { id, hash } = await submit('asset/active/add', input);
    await server.query(sql`update approval set hash = repeat('0', 64) where id = ${id}`);
    const answer = await post('approval/pass', { id, hash }, checker.token);
    expect(answer).toMatchObject({ code: 409, msg: '申请内容与所看到的不一致，请重新查看' });
    expect(await fetchAuditRows(server, { targetType: 'user', targetId: user.id })).toMatchObject([
      { action: 'asset.active.add', result: 202, after: { input, hash } },
    ]);
    await server.query(sql`update approval set hash = ${hash} where id = ${id}`);
    expect(await post('approval/pass', { id, hash: 'f'.repeat(64) }, checker.token)).toMatchObject({ code: 409 });
    expect(await post('approval/pass', { id, hash: 'short' }, checker.token)).toMatchObject({
      code: 422,
      data: [{ field: 'hash' }],
    });
    const passed = await post('approval/pass', { id, hash }, checker.token);
    expect(passed).toMatchObject({ code: 200, data: { state: APPROVAL.passed } });
    expect(await fetchAuditRows(server, passed)).toMatchObject([
      { action: 'asset.active.add', result: 200, operator: maker.account, approvalId: id },
      { action: 'approval.pass', result: 200, after: { hash } },
    ]);
  });

  test('posts an adjustment once for twenty concurrent passes of two checkers', async () => {
    const user = await makeCustomer();
    const input = { userId: user.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '更正' };
    const { id, hash } = await submit('asset/active/add', input);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post('approval/pass', { id, hash }, n % 2 ? checker.token : admin)),
    );
    expect(answers.map(({ code }) => code).filter((code) => code !== 409)).toEqual([200]);
    const rows = await server.query(sql<{ id: number }>`select id from adjustment where user_id = ${user.id}`);
    expect(rows).toHaveLength(1);
    const [row] = await server.query(sql<{ balance: string }>`
      select balance from account where user_id = ${user.id} and bucket = 'active' and market_id = 1`);
    expect(row?.balance).toBe('520');
  });

  test('refuses the maker after a new login', async () => {
    const { id } = await submit('withdraw/pass', { id: (await makeWithdrawal()).id });
    const again = await login(server, maker.account, PASSWORD);
    expect(await post('approval/pass', { id }, again)).toMatchObject({ code: 403, msg: '不能复核自己提交的申请' });
    expect((await fetchDetail(id, again)).data.why).toBe('不能复核自己提交的申请');
  });

  test('refuses an approver who is the target of the action', async () => {
    const deletedAgent = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const successor = await makeOperator(server, admin);
    const { id } = await submit('agent/del', { deleteId: deletedAgent.id, replaceAccount: successor.account }, admin);
    expect((await fetchDetail(id, deletedAgent.token)).data.why).toBe('不能复核针对自己的操作');
    expect(await post('approval/pass', { id }, deletedAgent.token)).toMatchObject({
      code: 403,
      msg: '不能复核针对自己的操作',
    });
    expect(await post('approval/reject', { id, reason: '不' }, deletedAgent.token)).toMatchObject({ code: 403 });
  });
});

describe('approval/open', () => {
  const fetchOpen = (targetType: string, ids: number[], token: string) =>
    post<ApprovalOpen[]>('approval/open', { targetType, ids }, token);

  test('lists open approvals of visible targets and marks whether the operator may read them', async () => {
    const agent = await makeOperator(server, admin, { abilities: [] });
    const stranger = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const [one, other] = [
      await makeWithdraw(server, admin, await makeUser(server, { agent: agent.account, amount: '500' })),
      await makeWithdraw(server, admin, await makeUser(server, { agent: agent.account, amount: '500' })),
    ];
    const { id, expiresAt } = await submit('withdraw/pass', { id: one.id });
    const ids = [one.id, other.id];
    const found = { targetId: one.id, id, type: 'withdraw.pass', title: '通过提现', expiresAt, asset: null };
    expect((await fetchOpen('withdraw', ids, admin)).data).toEqual([{ ...found, readable: true }]);
    expect((await fetchOpen('withdraw', ids, agent.token)).data).toEqual([{ ...found, readable: false }]);
    expect((await fetchOpen('withdraw', ids, stranger.token)).data).toEqual([]);
    expect((await fetchOpen('user', ids, admin)).data).toEqual([]);
    await post('approval/reject', { id, reason: '不' }, checker.token);
    expect((await fetchOpen('withdraw', ids, admin)).data).toEqual([]);
    expect((await fetchPayouts(server, one.id)).length).toBe(0);
  });

  test('names the account and the amount of an adjustment to those who may read it', async () => {
    const agent = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const below = await makeOperator(server, admin, { parent: agent.account });
    const user = await findUser(server, admin, await makeUser(server, { agent: below.account }));
    const change = { userId: user.id, marketId: 2, platform: 3, amount: '15000.50', state: 0, reason: '更正' };
    await submit('asset/active/add', change);
    const asset = { marketId: 2, marketName: 'BTC', platform: 3, amount: '15000.50' };
    const found = [{ targetId: user.id, type: 'asset.active.add', readable: true, asset }];
    expect((await fetchOpen('user', [user.id], admin)).data).toMatchObject(found);
    expect((await fetchOpen('user', [user.id], agent.token)).data).toMatchObject(found);
    expect((await fetchOpen('user', [user.id], below.token)).data).toMatchObject([{ readable: false, asset: null }]);
  });

  test('omits an overdue approval', async () => {
    const row = await makeWithdrawal();
    await submit('withdraw/pass', { id: row.id });
    await server.query(sql`update approval set expires_at = ${server.clock.now()} where target_id = ${row.id}`);
    expect((await fetchOpen('withdraw', [row.id], admin)).data).toEqual([]);
  });
});

describe('approval/checkers', () => {
  const fetchCheckers = (input: object, token: string) =>
    call<ApprovalCheckers>(server, 'GET', 'approval/checkers', input, { token });

  test('counts checkers above and below the target without the caller', async () => {
    const above = await makeOperator(server, admin, { abilities: [ABILITY.approval] });
    const agent = await makeOperator(server, admin, { parent: above.account });
    const account = await makeUser(server, { agent: agent.account });
    const { id: userId } = await findUser(server, admin, account);
    // The admin, two operators with full scope, and the agent above.
    expect((await fetchCheckers({ userId }, agent.token)).data).toEqual({ mine: false, others: 4, whole: 3 });
    expect((await fetchCheckers({ userId }, above.token)).data).toEqual({ mine: true, others: 3, whole: 3 });
    expect((await fetchCheckers({ agentId: agent.id }, admin)).data).toEqual({ mine: true, others: 3, whole: 2 });
    // An agent cannot approve an action on itself, so it is not counted.
    expect((await fetchCheckers({ agentId: above.id }, admin)).data).toEqual({ mine: true, others: 2, whole: 2 });
    const elsewhere = await makeUser(server);
    const other = await findUser(server, admin, elsewhere);
    expect((await fetchCheckers({ userId: other.id }, admin)).data).toMatchObject({ others: 2 });
    await post('agent/state', { id: above.id, type: 0, state: 0 }, admin);
    expect((await fetchCheckers({ userId }, agent.token)).data).toMatchObject({ others: 3 });
  });

  test('counts no checkers when the admin is the only operator', async () => {
    const newServer = await testServer({ jobs: false });
    const token = await login(newServer);
    const answer = await call<ApprovalCheckers>(newServer, 'GET', 'approval/checkers', {}, { token });
    await newServer.stop();
    expect(answer.data).toEqual({ mine: true, others: 0, whole: 0 });
  });

  test('answers 404 outside the scope and 422 for both ids', async () => {
    const stranger = await makeOperator(server, admin);
    const { id: userId } = await findUser(server, admin, (await makeCustomer()).account);
    expect(await fetchCheckers({ userId }, stranger.token)).toMatchObject({ code: 404 });
    expect(await fetchCheckers({ agentId: maker.id }, stranger.token)).toMatchObject({ code: 404 });
    expect(await fetchCheckers({ userId, agentId: maker.id }, admin)).toMatchObject({
      code: 422,
      data: [{ field: 'agentId' }],
    });
  });
});
