import { ABILITY } from '@hengtai/contract/authority/ability';
import type { PolicyName } from '@hengtai/contract/authority/actions';
import { approvalTypes } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalDetail, ApprovalRow, FourEyesState } from '@hengtai/contract/desk/approval/schema';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { GUARDED_ABILITIES, callGuards } from '@hengtai/contract/authority/guards';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { NotificationRow, NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { makeOtpOperator } from '../../../../test/codes.ts';
import {
  type Approvers,
  callAs,
  callWithChecker,
  refreshAllOtp,
  lockFourEyes,
  makeApprovers,
} from '../../../../test/four-eyes.ts';
import { UNREACHABLE_PROVIDER } from '../../../../test/oidc.ts';
import { fetchAuditRows, setPolicy, waitUntilBlocked } from '../../../../test/inspect.ts';
import { type TestServer, call, fetchData, login, nextDayAt, testServer, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { lockTree } from '../../../database/tree.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';
import { approvableActions } from '../../../modules.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const HOUR = 3_600_000;
const NEW_PASSWORD = 'a-brand-new-password';

let server: TestServer;
let house: Approvers;

const fetchSettings = async (): Promise<ConfigRow[]> => {
  await refreshAllOtp(server);
  return (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: house.admin.token })).data;
};
const findSetting = async (key: string): Promise<ConfigRow> => {
  const found = (await fetchSettings()).find((row) => row.key === key);
  if (!found) throw new Error(`There is no setting ${key}.`);
  return found;
};
const save = async (key: string, value: { num?: string; state?: number; str?: string }, by = house.admin) =>
  callAs(server, by, 'config/save', { id: (await findSetting(key)).id, ...value });

const fetchState = async ({ token }: { token: string }): Promise<FourEyesState> =>
  (await call<FourEyesState>(server, 'GET', 'approval/four_eyes', {}, { token })).data;

describe('the lock', () => {
  beforeAll(async () => {
    server = await testServer({ jobs: false });
    house = await makeApprovers(server);
  });
  afterAll(async () => {
    expect(await checkBook(server.owner)).toEqual([]);
    await server.stop();
  });

  test('until it is confirmed, one operator may switch a policy off; it needs three approvers with codes', async () => {
    expect(await save('policy.asset.active', { state: 0 })).toMatchObject({ code: 200 });
    expect(await save('policy.asset.active', { state: 2, num: '1000' })).toMatchObject({ code: 200 });
    const me = await call<object>(server, 'GET', 'me', {}, { token: house.admin.token });
    expect(me.data).toMatchObject({ fourEyes: { locked: false } });
    expect(await callAs(server, house.second, 'approval/lock')).toMatchObject({ code: 403 });
    await server.query(sql`update agent set otp_since = null where id = ${house.third.id}`);
    expect(await callAs(server, house.admin, 'approval/lock')).toMatchObject({
      code: 409,
      msg: expect.stringContaining('需要至少 3 名'),
    });
    await server.query(sql`update agent set otp_since = 1 where id = ${house.third.id}`);

    // Each policy that stays off needs a signature; an approver of one subtree can confirm.
    const treeApprover = await makeOtpOperator(server, house.admin.token, { abilities: [ABILITY.approval] });
    const submitted = await callAs(server, house.admin, 'approval/lock', { exceptions: ['plan.save'] });
    expect(submitted).toMatchObject({ code: 202, data: { type: 'approval.lock' } });
    const { id } = submitted.data;
    expect(await callAs(server, house.admin, 'approval/pass', { id })).toMatchObject({ code: 403 });
    const detail = await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: treeApprover.token });
    expect(detail.data.now.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['admin', house.second.account, house.third.account]),
    );
    const policies = Object.fromEntries(detail.data.asked.map(({ label, text }) => [label, text]));
    expect(policies).toMatchObject({ '复核策略 · 退回提现': '始终', '复核策略 · 通过提现': '超过 10,000 USDT' });
    expect(policies).toMatchObject({
      '限额：通过提现':
        '24 小时内合计不超过同一用户 10,000、同一分支 100,000、全平台 500,000 USDT 时无需复核；超过其一须一名复核员',
      '限额：通过认购': '每一笔都须一名复核员',
    });
    expect(await callAs(server, treeApprover, 'approval/pass', { id })).toMatchObject({ code: 422 });
    expect((await fetchState(treeApprover)).locked).toBe(false);
    const exceptions = ['plan.save'];
    await refreshAllOtp(server);
    // The lock waits for an action that began while four-eyes were open.
    const confirming = await inTransaction(server.app.system, async (db) => {
      await lockTree(db, 'shared');
      const pass = call(server, 'POST', 'approval/pass', { id, exceptions }, { token: treeApprover.token });
      await waitUntilBlocked(server);
      expect((await fetchState(house.admin)).locked).toBe(false);
      return { pass };
    });
    expect(await confirming.pass).toMatchObject({ code: 200 });

    expect(await fetchState(house.admin)).toMatchObject({
      locked: true,
      lockedBy: 'admin',
      confirmedBy: treeApprover.account,
    });
    expect((await fetchState(treeApprover)).holders).toEqual([]);
    const rows = (await fetchSettings()).filter(({ key }) => key.startsWith('policy.'));
    expect(rows.filter(({ state }) => state === 0).map(({ key }) => key)).toEqual(['policy.plan.save']);
    await numberNotifications(server.app);
    const notifications = await fetchData<NotificationsAnswer>(server, treeApprover.token, 'notify/facts', {});
    expect(notifications.list.filter(({ type }: NotificationRow) => type === 'fourEyes.locked')).toHaveLength(1);
  });

  test('the database role of the server cannot unlock', async () => {
    const attempt = sql`update installation set four_eyes_locked_at = null`.execute(server.app.requests);
    await expect(attempt).rejects.toThrow(/permission denied|row-level security/);
  });
});

describe('locked', () => {
  /** An operator with full scope who adjusts assets but cannot approve. */
  let clerk: TestOperator;
  /** An approver whose scope is one tree. */
  let treeApprover: TestOperator;

  beforeAll(async () => {
    server = await testServer({ jobs: false });
    house = await makeApprovers(server);
    clerk = await makeOperator(server, house.admin.token, { abilities: [ABILITY.assets, ABILITY.headquarters] });
    treeApprover = await makeOtpOperator(server, house.admin.token, { abilities: [ABILITY.approval] });
    const exceptions = ['plan.save', 'market.save', 'second.configSave', 'second.configDel', 'asset.frozen'];
    await lockFourEyes(server, house, exceptions);
  });
  afterAll(async () => {
    expect(await checkBook(server.owner)).toEqual([]);
    await server.stop();
  });
  beforeEach(async () => {
    await setPolicy(server, 'asset.active', 2, '1000');
    await server.query(sql`update approval set state = 3 where state = 0`);
    // Each test starts on a new day, so that limits of the previous test do not count.
    server.clock.move(nextDayAt(9, server.clock.now() + 24 * HOUR) - server.clock.now());
    for (const one of [house.admin, house.second, house.third, clerk]) await relogin(one);
  });

  async function relogin(one: { account: string; token: string }): Promise<void> {
    const password = one.account === 'admin' ? 'admin-password' : 'operator-password';
    await server.query(sql`update agent set otp_since = null where account = ${one.account}`);
    one.token = await login(server, one.account, password);
    if (one !== clerk) await server.query(sql`update agent set otp_since = 1 where account = ${one.account}`);
  }

  const adjust = async (account: string, amount: string, by: { token: string } = clerk) => {
    const { id: userId } = await findUser(server, house.admin.token, account);
    return callAs(server, by, 'asset/active/add', adding(userId, amount));
  };
  const adding = (userId: number, amount: string) => ({
    userId,
    marketId: 1,
    platform: 1,
    amount,
    state: 0,
    reason: '更正少记',
  });

  test('every loosening call has a guard or a policy', () => {
    const unguarded = Object.entries(callGuards)
      .filter(([, { loosening }]) => loosening !== '')
      .map(([name]) => name)
      .filter((name) => {
        const [noun = '', called = ''] = name.split('.');
        const spec: CallSpec | undefined = (nouns as Readonly<Record<string, Record<string, CallSpec>>>)[noun]?.[
          called
        ];
        return spec?.approvable === undefined && !approvableActions.get(name)?.guarded;
      });
    expect(unguarded).toEqual([]);
  });

  test('loosening a policy requires a checker, tightening does not', async () => {
    const submitted = await save('policy.asset.active', { state: 2, num: '2000' });
    expect(submitted).toMatchObject({ code: 202, data: { type: 'config.save', title: approvalTypes['config.save'] } });
    expect((await findSetting('policy.asset.active')).num).toBe('1000');
    expect(await callAs(server, house.admin, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 403 });
    expect(await callAs(server, house.second, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
    const loosened = await findSetting('policy.asset.active');
    expect(loosened).toMatchObject({ num: '2000', by: 'admin' });
    expect(loosened.loosenedAt).toBe(loosened.updatedAt);
    expect(await save('policy.asset.active', { num: '1000' })).toMatchObject({ code: 200 });
    expect(await save('policy.asset.active', { state: 0 })).toMatchObject({ code: 202 });
  });

  test('every approver, also of one subtree, sees the change of a setting and can confirm it', async () => {
    treeApprover.token = await enter(treeApprover.account, 'operator-password');
    const submitted = await save('policy.asset.active', { state: 2, num: '3000' });
    const { id } = submitted.data;
    const detail = await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: treeApprover.token });
    expect(detail.data).toMatchObject({ problem: null, why: null });
    expect(detail.data.asked).toContainEqual(expect.objectContaining({ text: '超过 3000 USDT' }));
    expect(detail.data.checkers.count).toBeGreaterThanOrEqual(3);
    expect(await callAs(server, treeApprover, 'approval/pass', { id })).toMatchObject({
      code: 200,
      data: { state: 1 },
    });
    expect((await findSetting('policy.asset.active')).num).toBe('3000');

    await save('policy.asset.active', { num: '1000' });
    const { id: settingId } = await findSetting('policy.asset.active');
    const [change] = await server.query(sql<{ id: number }>`
      select id from config_history where config_id = ${settingId} order by id desc offset 1 limit 1`);
    const restore = { id: settingId, historyId: change?.id, value: 'after', reason: '恢复' };
    const again = await callAs(server, house.admin, 'config/restore', restore);
    expect(again.code).toBe(202);
    const restoreDetail = await fetchData<ApprovalDetail>(server, treeApprover.token, 'approval/detail', {
      id: again.data.id,
    });
    expect(restoreDetail.asked).toContainEqual(expect.objectContaining({ text: '超过 3000 USDT' }));
    expect(await callAs(server, treeApprover, 'approval/pass', { id: again.data.id })).toMatchObject({
      code: 200,
      data: { state: 1 },
    });
    expect((await findSetting('policy.asset.active')).num).toBe('3000');
    // A request about another tree is not visible to it.
    const other = await adjust(await makeUser(server), '5000');
    expect(await callAs(server, treeApprover, 'approval/pass', { id: other.data.id })).toMatchObject({ code: 404 });
  });

  test('a pending loosening fails when its maker is disabled', async () => {
    const platform = await makeOperator(server, house.admin.token);
    await callWithChecker(server, [house.admin, house.second], 'agent/state', {
      id: platform.id,
      type: ABILITY.platform,
      state: 1,
    });
    platform.token = await login(server, platform.account, 'operator-password');
    const submitted = await save('support.url', { str: 'https://evil.example' }, platform as never);
    expect(submitted.code).toBe(202);
    expect(await callAs(server, house.admin, 'agent/state', { id: platform.id, type: 0, state: 0 })).toMatchObject({
      code: 200,
    });
    expect(await callAs(server, house.second, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 409 });
    expect((await findSetting('support.url')).str).not.toContain('evil');
  });

  test.each([...GUARDED_ABILITIES])('granting ability %i requires a checker, revoking it does not', async (type) => {
    const { id } = await makeOperator(server, house.admin.token);
    const submitted = await callAs(server, house.admin, 'agent/state', { id, type, state: 1 });
    expect(submitted).toMatchObject({ code: 202, data: { targetId: id } });
    expect(await callAs(server, house.third, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
    const operators = await server.query(sql<{ abilities: number[] }>`select abilities from agent where id = ${id}`);
    expect(operators[0]?.abilities).toContain(type);
    expect(await callAs(server, house.admin, 'agent/state', { id, type: 0, state: 0 })).toMatchObject({ code: 200 });
    const enabling = await callAs(server, house.admin, 'agent/state', { id, type: 0, state: 1 });
    expect(enabling.code).toBe(202);
    expect(await callAs(server, house.admin, 'agent/state', { id, type, state: 0 })).toMatchObject({ code: 200 });
    expect(await callAs(server, house.admin, 'approval/cancel', { id: enabling.data.id })).toMatchObject({ code: 200 });
    expect(await callAs(server, house.admin, 'agent/state', { id, type: 0, state: 1 })).toMatchObject({ code: 200 });
  });

  test('a new approver is effective after a day, and all approvers are notified at once', async () => {
    const fresh = await makeOtpOperator(server, house.admin.token, { abilities: [ABILITY.orders] });
    for (const type of [ABILITY.approval, ABILITY.headquarters])
      await callWithChecker(server, [house.admin, house.second], 'agent/state', { id: fresh.id, type, state: 1 });
    await numberNotifications(server.app);
    const notifications = await fetchData<NotificationsAnswer>(server, house.third.token, 'notify/facts', {});
    expect(notifications.list.find(({ type }) => type === 'approver.granted')).toMatchObject({
      detail: fresh.account,
    });
    await resetByLink(fresh.account, fresh.id);
    fresh.token = await enter(fresh.account, NEW_PASSWORD);
    const submitted = await adjust(await makeUser(server), '5000');
    expect(await callAs(server, fresh, 'approval/pass', { id: submitted.data.id })).toMatchObject({
      code: 403,
      msg: expect.stringContaining('尚未生效'),
    });
    server.clock.move(23 * HOUR);
    fresh.token = await enter(fresh.account, NEW_PASSWORD);
    expect(await callAs(server, fresh, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 403 });
    await server.query(sql`update approval set expires_at = expires_at + 86400000 where id = ${submitted.data.id}`);
    server.clock.move(HOUR + 1);
    fresh.token = await enter(fresh.account, NEW_PASSWORD);
    expect(await callAs(server, fresh, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
  });

  async function enter(account: string, password: string): Promise<string> {
    await server.query(sql`update agent set otp_since = null where account = ${account}`);
    const token = await login(server, account, password);
    await server.query(sql`update agent set otp_since = 1 where account = ${account}`);
    return token;
  }

  async function resetByLink(account: string, id: number): Promise<void> {
    const passed = await callWithChecker(server, [house.admin, house.second], 'agent/pwd_update', {
      id,
      password: 'not-this-one',
    });
    const token = /#reset=([\w-]{43})$/.exec(passed.data.link?.path ?? '')?.[1] ?? '';
    const redeemed = await call(server, 'POST', 'reset/redeem', { token, password: NEW_PASSWORD });
    expect(redeemed).toMatchObject({ code: 200, data: { account } });
  }

  test('a password reset gives the owner a one-time link and hides the password from its maker', async () => {
    const target = await makeOperator(server, house.admin.token);
    await callWithChecker(server, [house.admin, house.second], 'agent/state', {
      id: target.id,
      type: ABILITY.assets,
      state: 1,
    });
    const submitted = await callAs(server, house.admin, 'agent/pwd_update', {
      id: target.id,
      password: 'chosen-by-maker',
    });
    expect(submitted).toMatchObject({ code: 202, data: { input: { id: target.id } } });
    expect(JSON.stringify(submitted.data)).not.toContain('chosen-by-maker');
    const passed = await callAs(server, house.third, 'approval/pass', { id: submitted.data.id });
    expect(passed).toMatchObject({ code: 200, data: { link: { path: expect.stringMatching(/^\/login#reset=/) } } });
    expect(JSON.stringify(await fetchAuditRows(server, passed))).not.toContain('reset=');
    const again = await call<Page<ApprovalRow>>(server, 'GET', 'approval/list', {}, { token: house.third.token });
    expect(JSON.stringify(again.data)).not.toContain('reset=');
    expect(await call(server, 'POST', 'login', { account: target.account, password: 'chosen-by-maker' })).toMatchObject(
      {
        code: 401,
      },
    );
    const token = passed.data.link?.path.split('=')[1] ?? '';
    const redeem = () => call(server, 'POST', 'reset/redeem', { token, password: NEW_PASSWORD });
    expect(await redeem()).toMatchObject({ code: 200 });
    expect(await redeem()).toMatchObject({ code: 404 });
    expect(await call(server, 'GET', 'me', {}, { token: target.token })).toMatchObject({ code: 400 });
    expect(await login(server, target.account, NEW_PASSWORD)).toBeTruthy();
  });

  test('a link expires, and a later one replaces it', async () => {
    const target = await makeOperator(server, house.admin.token);
    await callWithChecker(server, [house.admin, house.second], 'agent/state', {
      id: target.id,
      type: ABILITY.assets,
      state: 1,
    });
    const reset = async () => {
      const pair = [house.admin, house.second] as const;
      const passed = await callWithChecker(server, pair, 'agent/pwd_update', {
        id: target.id,
        password: 'not-this-one',
      });
      return passed.data.link?.path.split('=')[1] ?? '';
    };
    const redeem = (token: string) => call(server, 'POST', 'reset/redeem', { token, password: NEW_PASSWORD });
    const first = await reset();
    server.clock.move(1);
    const second = await reset();
    expect(await redeem(first)).toMatchObject({ code: 404 });
    server.clock.move(24 * HOUR);
    expect(await redeem(second)).toMatchObject({ code: 404 });
  });

  test('resetting the codes of a holder requires a checker, of others it does not', async () => {
    const target = await makeOtpOperator(server, house.admin.token);
    expect(await callAs(server, house.admin, 'agent/otp/reset', { id: target.id, reason: '手机遗失' })).toMatchObject({
      code: 200,
    });
    expect(
      await callAs(server, house.admin, 'agent/otp/reset', { id: house.third.id, reason: '手机遗失' }),
    ).toMatchObject({
      code: 202,
    });
  });

  test('linking a holder to an account of the identity provider requires a checker, of others it does not', async () => {
    server.app.oidc = UNREACHABLE_PROVIDER;
    const target = await makeOperator(server, house.admin.token);
    const link = (id: number, subject: string | null) => ({ id, subject });
    expect(await callAs(server, house.admin, 'agent/oidc/link', link(target.id, 'account-1'))).toMatchObject({
      code: 200,
    });
    const holder = await makeOperator(server, house.admin.token);
    const pair = [house.admin, house.second] as const;
    await callWithChecker(server, pair, 'agent/state', { id: holder.id, type: ABILITY.assets, state: 1 });
    const input = link(holder.id, 'account-2');
    expect(await callWithChecker(server, pair, 'agent/oidc/link', input)).toMatchObject({ code: 200 });
    const [row] = await server.query(sql<{ subject: string; by: string }>`
      select subject, linked_by as by from oidc_link where operator_id = ${holder.id}`);
    expect(row).toEqual({ subject: 'account-2', by: house.admin.account });
    // Without the link the password opens what the setting closed.
    expect(await callAs(server, house.admin, 'agent/oidc/link', link(holder.id, null))).toMatchObject({
      code: 202,
    });
  });

  test('moving an agent with a holder below it requires a checker', async () => {
    const top = await makeOperator(server, house.admin.token);
    const below = await makeOperator(server, house.admin.token, { parent: top.account });
    const other = await makeOperator(server, house.admin.token);
    await server.query(sql`update agent set abilities = '{2}' where id in (${top.id}, ${below.id})`);
    expect(
      await callAs(server, house.admin, 'agent/parent/change', { id: top.id, parent: other.account }),
    ).toMatchObject({
      code: 202,
    });
    await server.query(sql`update agent set abilities = '{}' where id in (${top.id}, ${below.id})`);
    await server.query(sql`update approval set state = 3 where target_id = ${top.id} and state = 0`);
    expect(
      await callAs(server, house.admin, 'agent/parent/change', { id: top.id, parent: other.account }),
    ).toMatchObject({
      code: 200,
    });
  });

  test('a read-only link requires a checker, who permits the maker one call within an hour', async () => {
    const { id } = await findUser(server, house.admin.token, await makeUser(server));
    const requestLink = () => callAs<{ url?: string }>(server, house.admin, 'user/token', { id });
    const submitted = await callAs(server, house.admin, 'user/token', { id });
    expect(submitted.code).toBe(202);
    const passed = await callAs(server, house.second, 'approval/pass', { id: submitted.data.id });
    expect(passed).toMatchObject({ code: 200, data: { permitUntil: expect.any(Number) } });
    expect(await requestLink()).toMatchObject({ code: 200, data: { url: expect.stringContaining('token=') } });
    expect(await requestLink()).toMatchObject({ code: 202 });
    const [open] = await server.query(sql<{ id: number }>`select max(id) as id from approval where target_id = ${id}`);
    expect(await callAs(server, house.second, 'approval/pass', { id: open?.id })).toMatchObject({ code: 200 });
    server.clock.move(HOUR + 1);
    for (const one of [house.admin]) await relogin(one);
    expect(await requestLink()).toMatchObject({ code: 202 });
  });

  test("resetting a user's password requires a checker, or holds payouts for 72 hours", async () => {
    const account = await makeUser(server, { amount: '5000' });
    const { id } = await findUser(server, house.admin.token, account);
    const reset = () => callAs(server, house.admin, 'user/pwd_update', { id, password: NEW_PASSWORD });
    const submitted = await reset();
    expect(submitted.code).toBe(202);
    expect(JSON.stringify(submitted.data)).not.toContain(NEW_PASSWORD);
    await callAs(server, house.admin, 'approval/reject', { id: submitted.data.id, reason: '撤回' });
    await callAs(server, house.second, 'approval/reject', { id: submitted.data.id, reason: '不需要' });
    const { id: settingId } = await findSetting('fourEyes.passwordHold');
    await callWithChecker(server, [house.admin, house.second], 'config/save', { id: settingId, state: 1 });
    expect(await reset()).toMatchObject({ code: 200 });
    const row = await makeWithdraw(server, house.admin.token, account, { amount: '100' });
    expect(await callAs(server, house.admin, 'withdraw/pass', { id: row.id })).toMatchObject({
      code: 409,
      msg: expect.stringContaining('提现暂缓，还有 72 小时'),
    });
    server.clock.move(72 * HOUR);
    await relogin(house.admin);
    expect(await callAs(server, house.admin, 'withdraw/pass', { id: row.id })).toMatchObject({ code: 200 });
    await server.query(sql`update config set state = 0 where key = 'fourEyes.passwordHold'`);
  });

  test('changing the fees of a market requires a checker, pausing it does not', async () => {
    await refreshAllOtp(server);
    const { data } = await call<Page<MarketRow>>(server, 'GET', 'market/list', {}, { token: house.admin.token });
    const row = data.list.find(({ marketName }) => marketName === 'BTC');
    if (!row) throw new Error('There is no market BTC.');
    const {
      price: _p,
      pricedAt: _t,
      change24h: _c,
      halted: _h,
      updatedBy: _b,
      createdAt: _a,
      updatedAt: _u,
      ...settings
    } = row;
    expect(await callAs(server, house.admin, 'market/save', { ...settings, takerFee: '0.05' })).toMatchObject({
      code: 202,
    });
    const pause = { ...settings, state: 2, reason: '行情异常' };
    expect(await callAs(server, house.admin, 'market/save', pause)).toMatchObject({ code: 200 });
    const version = row.version + 1;
    expect(await callAs(server, house.admin, 'market/save', { ...settings, version })).toMatchObject({ code: 202 });
  });

  test('refuses a checker whom the maker created, granted or reset alone', async () => {
    const puppet = await makeOperator(server, clerk.token, { parent: '' });
    expect(
      await callAs(server, house.second, 'agent/state', { id: puppet.id, type: ABILITY.assets, state: 1 }),
    ).toMatchObject({
      code: 403,
    });
    await server.query(sql`update agent set abilities = '{11,13}', otp_since = 1 where id = ${puppet.id}`);
    const submitted = await adjust(await makeUser(server), '5000');
    expect(await callAs(server, puppet, 'approval/pass', { id: submitted.data.id })).toMatchObject({
      code: 403,
      msg: expect.stringContaining('不独立'),
    });
    expect(await callAs(server, house.third, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
  });

  test('without a checker, a branch may use ten times the user limit within a day', async () => {
    const branch = await makeOperator(server, house.admin.token);
    const below = await makeOperator(server, house.admin.token, { parent: branch.account });
    for (let n = 0; n < 10; n += 1)
      expect(
        await adjust(await makeUser(server, { agent: n < 5 ? branch.account : below.account }), '1000'),
      ).toMatchObject({ code: 200 });
    expect(await adjust(await makeUser(server, { agent: below.account }), '1')).toMatchObject({ code: 202 });
    const elsewhere = await makeOperator(server, house.admin.token);
    const mover = await makeUser(server, { agent: elsewhere.account });
    expect(await adjust(mover, '1')).toMatchObject({ code: 200 });
    // For a day after a move, both branches count towards one limit.
    const last = await makeUser(server, { agent: branch.account });
    const { id: userId } = await findUser(server, house.admin.token, last);
    await callAs(server, house.admin, 'user/agent/change', { userId, agent: elsewhere.account });
    expect(await adjust(last, '1')).toMatchObject({ code: 202 });
    expect(await adjust(mover, '1')).toMatchObject({ code: 202 });
    server.clock.move(24 * HOUR + 1);
    await relogin(clerk);
    await relogin(house.admin);
    expect(await adjust(await makeUser(server, { agent: branch.account }), '1000')).toMatchObject({ code: 200 });
  });

  test('without a checker, the house may use fifty times the user limit within a day; approved amounts do not count', async () => {
    await server.query(sql`update config set num = 1500 where key = 'houseLimit.asset.active'`);
    const first = await makeOperator(server, house.admin.token);
    const second = await makeOperator(server, house.admin.token);
    expect(await adjust(await makeUser(server, { agent: first.account }), '1000')).toMatchObject({ code: 200 });
    const submitted = await adjust(await makeUser(server, { agent: second.account }), '1000');
    expect(submitted.code).toBe(202);
    expect(await callAs(server, house.third, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
    expect(await adjust(await makeUser(server, { agent: second.account }), '500')).toMatchObject({ code: 200 });
    expect(await adjust(await makeUser(server, { agent: second.account }), '0.01')).toMatchObject({ code: 202 });
    await server.query(sql`update config set num = 0 where key = 'houseLimit.asset.active'`);
  });

  test('twenty concurrent calls do not exceed the limit of a branch together', async () => {
    await server.query(sql`update config set num = 50 where key = 'branchLimit.asset.active'`);
    const branch = await makeOperator(server, house.admin.token);
    const users = await Promise.all(Array.from({ length: 20 }, () => makeUser(server, { agent: branch.account })));
    const ids = await Promise.all(
      users.map(async (account) => (await findUser(server, house.admin.token, account)).id),
    );
    await refreshAllOtp(server);
    const answers = await Promise.all(
      ids.map((userId) => call(server, 'POST', 'asset/active/add', adding(userId, '10'), clerk)),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(5);
    await server.query(sql`update config set num = 0 where key = 'branchLimit.asset.active'`);
  });

  test('requires two checkers above the second limit', async () => {
    const key = 'twoCheckers.asset.active';
    const approverIds = [house.admin, house.second, house.third].map(({ id }) => id);
    const others = await server.query(sql<{ id: number }>`
      update agent set state = 0 where state = 1 and ${ABILITY.approval} = any(abilities) and not id = any(${approverIds})
      returning id`);
    expect(await save(key, { num: '10000' })).toMatchObject({
      code: 422,
      msg: expect.stringContaining('须有 3 名'),
    });
    const fourth = await makeOtpOperator(server, house.admin.token, { abilities: [] });
    await server.query(sql`update agent set abilities = '{11,13}' where id = ${fourth.id}`);
    await server.query(sql`delete from operator_control where operator_id = ${fourth.id}`);
    expect(await save(key, { num: '10000' })).toMatchObject({ code: 200 });
    const account = await makeUser(server);
    const submitted = await adjust(account, '10001');
    expect(submitted).toMatchObject({ code: 202, data: { required: 2, given: 0 } });
    const pass = (by: { token: string }) => callAs(server, by, 'approval/pass', { id: submitted.data.id });
    expect(await pass(house.second)).toMatchObject({ code: 200, data: { state: 0, required: 2, given: 1 } });
    expect(await pass(house.second)).toMatchObject({ code: 409 });
    expect(await pass(house.third)).toMatchObject({ code: 200, data: { state: 1, given: 2 } });
    expect(await save(key, { num: '20000' })).toMatchObject({ code: 202 });
    await server.query(sql`update approval set state = 3 where action = 'config.save'`);
    expect(await save(key, { num: '0' })).toMatchObject({ code: 202 });
    await server.query(sql`update config set num = 0 where key = ${key}`);
    await server.query(sql`update agent set state = 1 where id = any(${others.map(({ id }) => id)})`);
  });

  test('changing the own password requires no checker', async () => {
    const own = await makeOperator(server, house.admin.token, { account: unique('own') });
    const input = { oldPassword: 'operator-password', newPassword: NEW_PASSWORD };
    expect(await call(server, 'POST', 'pwd_update', input, { token: own.token })).toMatchObject({ code: 200 });
  });

  test('policies that are not excepted are on', async () => {
    const on = (await fetchSettings()).filter(({ key, state }) => key.startsWith('policy.') && state !== 0);
    const names: PolicyName[] = ['withdraw.retry', 'user.second', 'ieo.pass', 'future.close'];
    expect(on.map(({ key }) => key)).toEqual(expect.arrayContaining(names.map((name) => `policy.${name}`)));
  });
});
