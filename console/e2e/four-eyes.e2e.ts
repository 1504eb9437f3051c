import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from '@playwright/test';
import { codeOf } from './codes.ts';
import {
  type Credentials,
  type Envelope,
  admin,
  expect,
  expectAccessible,
  expectAccessibleNow,
  fillLogin,
  recordComplaints,
  activePage,
  test,
} from './desk.ts';
import { dialog } from './desk-list.ts';
import { sendEventsTo } from './desk-platform.ts';
import { type Installation, startInstallation } from './server.ts';

// The second test needs the lock from the first one.
test.describe.configure({ mode: 'serial' });

/** A separate installation, because the lock would break other tests. */
let standalone: Installation;
/** Sessions of the admin and of the checker. */
let sessions: readonly [Session, Session];

test.beforeAll(async () => {
  standalone = await startInstallation({ SIMULATOR: 'off' });
});
test.afterAll(() => standalone.stop());

const checker = { account: 'ana.checker', password: 'first-password-1' };
const owner = { account: 'ben.owner', password: 'first-password-2' };
const APPROVAL = 11;
const HEADQUARTERS = 13;

interface Session {
  token: string;
  admin: string;
  planSet: boolean;
  expire: number;
}

async function call(page: Page, path: string, body: object, token = ''): Promise<Envelope> {
  const response = await page.request.post(`${standalone.url}/api/v1/admin/${path}`, {
    data: body,
    headers: { token },
  });
  return (await response.json()) as Envelope;
}

async function read(page: Page, path: string, params: Record<string, string>, token: string): Promise<unknown> {
  const response = await page.request.get(`${standalone.url}/api/v1/admin/${path}`, { params, headers: { token } });
  return ((await response.json()) as Envelope).data;
}

/** A session with a fresh one-time code, so that protected actions do not ask for another for some minutes. */
async function codedSession(page: Page, who: Credentials): Promise<Session> {
  const { data, token = '' } = await call(page, 'login', who);
  const { secret } = (await call(page, 'otp/setup', { password: who.password }, token)).data as { secret: string };
  expect((await call(page, 'otp/confirm', { code: codeOf(secret) }, token)).code).toBe(200);
  return { ...(data as Session), token };
}

async function newHolder(page: Page, who: Credentials, token: string): Promise<number> {
  const given = 'given-password-1';
  const { data } = await call(page, 'agent/add', { ...who, password: given }, token);
  const { id } = data as { id: number };
  for (const type of [APPROVAL, HEADQUARTERS])
    expect((await call(page, 'agent/state', { id, type, state: 1 }, token)).code).toBe(200);
  // Under the lock a password set by another operator must be changed before any other call.
  const own = await call(page, 'login', { ...who, password: given });
  const change = { oldPassword: given, newPassword: who.password };
  expect((await call(page, 'pwd_update', change, own.token)).code).toBe(200);
  return id;
}

/** A page in a separate browser context with this session. */
async function windowOf(browser: Browser, complaints: string[], session?: Session): Promise<Page> {
  const localStorage = session ? [{ name: 'hengtai.session', value: JSON.stringify(session) }] : [];
  const context = await browser.newContext({
    baseURL: standalone.url,
    storageState: { cookies: [], origins: [{ origin: standalone.url, localStorage }] },
  });
  await recordComplaints(context, complaints);
  return context.newPage();
}

const drawer = (page: Page) => page.locator('.ht-page-drawer');
const limitsIn = (within: Locator, policy: string) =>
  within.locator('dl > div').filter({ has: within.page().getByText(`限额：${policy}`, { exact: true }) });
const banner = (page: Page) => page.getByText('四眼未锁定：一个人仍可关闭复核策略');

test('locking takes two operators, loosening a setting waits for a checker, a reset works by link', async ({
  page,
  browser,
  complaints,
}) => {
  const { token } = (await call(page, 'login', admin)) as { token: string };
  await newHolder(page, checker, token);
  const ownerId = await newHolder(page, owner, token);
  sessions = [await codedSession(page, admin), await codedSession(page, checker)];
  const maker = await windowOf(browser, complaints, sessions[0]);
  const second = await windowOf(browser, complaints, sessions[1]);

  // The third holder has no one-time codes yet, which blocks the lock.
  await maker.goto('/approval');
  await banner(maker).getByRole('link', { name: '查看' }).click();
  await expect(drawer(maker)).toContainText('目前 2 名');
  await expect(drawer(maker).getByRole('button', { name: '锁定四眼' })).toHaveAttribute('aria-disabled', 'true');
  await codedSession(page, owner);
  await maker.reload();
  const holders = drawer(maker).getByRole('region', { name: '关键权限持有者' });
  await expect(holders.getByRole('row')).toHaveCount(4);
  await expect(holders).not.toContainText('未启用');
  await expectAccessible(maker);
  await drawer(maker).getByRole('button', { name: '锁定四眼' }).click();
  const lock = dialog(maker, '锁定四眼');
  await expect(lock.getByRole('listitem').filter({ hasText: '保存市场' })).toContainText('将开启：始终');
  await lock.getByRole('checkbox', { name: '通过认购' }).check();
  await expect(lock.getByRole('listitem').filter({ hasText: '通过认购' })).toContainText('保持关闭（例外）');
  await expectAccessible(maker, '.ant-modal-wrap');
  await maker.keyboard.press('Control+Enter');
  await expect(lock).toBeHidden();
  const asked = drawer(maker).getByRole('link', { name: /^复核 #\d+$/ });

  await second.goto((await asked.getAttribute('href')) ?? '');
  await expect(drawer(second)).toContainText('关键权限持有者');
  await expect(drawer(second)).toContainText('例外，须签署');
  await second.keyboard.press('a');
  const confirm = dialog(second, /^通过复核/);
  await expect(confirm.getByRole('button', { name: '通过复核' })).toBeDisabled();
  const alone = '同一用户 1,000、同一分支 10,000、全平台 50,000 USDT 时无需复核';
  await expect(limitsIn(confirm, '增加与扣减资产')).toContainText(alone);
  await expect(limitsIn(confirm, '重新打款')).toContainText('每一笔都须一名复核员');
  await expect(limitsIn(confirm, '通过认购')).toContainText('不复核，没有限额');
  await confirm.getByRole('checkbox', { name: /「通过认购」保持关闭/ }).check();
  await second.keyboard.press('Control+Enter');
  await expect(confirm).toBeHidden();
  await expect(banner(second)).toHaveCount(0);

  await expect(drawer(maker)).toContainText('已锁定', { timeout: 30_000 });
  await drawer(maker).getByRole('link', { name: '系统设置' }).click();
  const row = activePage(maker).locator('tr[data-key="policy.withdraw.refund"]');
  await row.getByRole('button', { name: '编辑' }).click();
  const edit = dialog(maker, /编辑设置/);
  await edit.getByLabel('何时复核').click();
  await maker.locator('.ant-select-dropdown:visible').getByText('关闭', { exact: true }).click();
  await expect(edit).toContainText('将提交复核');
  await edit.getByRole('button', { name: '制度调整' }).click();
  await edit.getByRole('button', { name: '提交复核' }).click();
  await expect(edit).toBeHidden();
  await expect(maker.getByText('已提交复核', { exact: true })).toBeVisible();
  await expect(row).toContainText('始终');

  await maker.goto(`/agent?open=${ownerId}`);
  await drawer(maker).getByRole('button', { name: '重置密码' }).click();
  const reset = dialog(maker, '重置密码');
  await expect(reset).toContainText('一次性链接');
  await expect(reset.getByLabel('新密码')).toHaveCount(0);
  await reset.getByRole('button', { name: '提交复核' }).click();
  await expect(reset).toBeHidden();

  await second.goto('/approval?state=0&type=agent.pwdUpdate');
  await activePage(second).getByRole('button', { name: '通过', exact: true }).click();
  await dialog(second, /^通过复核/)
    .getByRole('button', { name: '通过复核' })
    .click();
  const shown = dialog(second, `${owner.account} 的密码重置链接`);
  await expect(shown).toContainText(`不要交给提交人 ${admin.account}`);
  const link = await shown.getByLabel('链接', { exact: true }).innerText();
  expect(link.startsWith(`${standalone.url}/login#reset=`)).toBe(true);

  const guest = await windowOf(browser, complaints);
  await guest.goto(link);
  await guest.getByLabel('新密码', { exact: true }).fill('chosen-by-owner-1');
  await guest.getByLabel('再次输入新密码').fill('something-else-1');
  await guest.getByRole('button', { name: '设置密码' }).click();
  await expect(guest.getByText('两次输入的密码不一致')).toBeVisible();
  await expectAccessibleNow(guest);
  await guest.getByLabel('再次输入新密码').fill('chosen-by-owner-1');
  await guest.getByRole('button', { name: '设置密码' }).click();
  await expect(guest.getByLabel('账号')).toHaveValue(owner.account);
  expect(guest.url()).toBe(`${standalone.url}/login`);
  // The new password is correct, so the login asks for the one-time code.
  await fillLogin(guest, owner.account, 'chosen-by-owner-1');
  await expect(guest.getByLabel('一次性验证码')).toBeVisible();

  await guest.goto(link);
  await guest.getByLabel('新密码', { exact: true }).fill('chosen-by-maker-1');
  await guest.getByLabel('再次输入新密码').fill('chosen-by-maker-1');
  await guest.getByRole('button', { name: '设置密码' }).click();
  await expect(guest.getByRole('alert')).toHaveText('链接无效、已使用或已过期');
  for (const one of [maker, second, guest]) await one.context().close();
});

test('a withdrawal on hold after a password reset cannot be passed, and the dialog says why', async ({
  page,
  browser,
  complaints,
}) => {
  const [maker, second] = sessions;
  const account = `held.${randomUUID().slice(0, 13)}`;
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const credit = { no: randomUUID(), ...chain, address: 'T', amount: '500', confirmations: 20, source: 1 };
  await sendEventsTo(
    standalone.url,
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: credit },
    { type: 'withdraw.requested', data: { no: randomUUID(), ...chain, address: 'T1', amount: '120', fee: '1' } },
  );
  const settings = (await read(page, 'config/list', {}, maker.token)) as { id: number; key: string }[];
  const hold = settings.find(({ key }) => key === 'fourEyes.passwordHold');
  const asked = await call(page, 'config/save', { id: hold?.id, state: 1, reason: '制度调整' }, maker.token);
  expect(asked.code).toBe(202);
  const { id: approvalId } = asked.data as { id: number };
  expect((await call(page, 'approval/pass', { id: approvalId }, second.token)).code).toBe(200);
  const users = (await read(page, 'user/list', { account }, maker.token)) as { list: { id: number }[] };
  const reset = { id: users.list[0]?.id, password: 'given-password-2' };
  expect((await call(page, 'user/pwd_update', reset, maker.token)).code).toBe(200);

  const desk = await windowOf(browser, complaints, maker);
  await desk.goto(`/withdraw?account=${account}`);
  await activePage(desk).getByRole('button', { name: '通过', exact: true }).click();
  const ask = dialog(desk, /^通过提现/);
  await expect(ask).toContainText('提现暂缓至');
  await expect(ask).toContainText(`${admin.account} 于`);
  await expect(ask.getByRole('button', { name: '通过提现' })).toBeDisabled();
  await desk.keyboard.press('Control+Enter');
  await expect(ask).toBeVisible();
  await expectAccessible(desk, '.ant-modal-wrap');
  await desk.keyboard.press('Escape');
  await activePage(desk).getByRole('button', { name: '详情' }).click();
  await expect(drawer(desk)).toContainText('提现暂缓至');
  await expect(drawer(desk)).toContainText('仍可驳回');
  await expect(drawer(desk).getByRole('button', { name: '通过提现' })).toHaveAttribute('aria-disabled', 'true');
  await desk.keyboard.press('a');
  await expect(ask).toBeHidden();
  await desk.keyboard.press('r');
  await expect(dialog(desk, /^驳回提现/)).not.toContainText('提现暂缓至');
  await desk.context().close();
});
