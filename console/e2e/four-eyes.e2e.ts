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

/** A separate installation, because the lock would break other tests. */
let standalone: Installation;

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

async function fetchData(page: Page, path: string, params: Record<string, string>, token: string): Promise<unknown> {
  const response = await page.request.get(`${standalone.url}/api/v1/admin/${path}`, { params, headers: { token } });
  return ((await response.json()) as Envelope).data;
}

/** A session with a fresh one-time code, so that protected actions do not ask for another for some minutes. */
async function newOtpSession(page: Page, credentials: Credentials): Promise<Session> {
  const { data, token = '' } = await call(page, 'login', credentials);
  const { secret } = (await call(page, 'otp/setup', { password: credentials.password }, token)).data as {
    secret: string;
  };
  expect((await call(page, 'otp/confirm', { code: codeOf(secret) }, token)).code).toBe(200);
  return { ...(data as Session), token };
}

async function newAbilityHolder(page: Page, credentials: Credentials, token: string): Promise<number> {
  const initialPassword = 'given-password-1';
  const { data } = await call(page, 'agent/add', { ...credentials, password: initialPassword }, token);
  const { id } = data as { id: number };
  for (const type of [APPROVAL, HEADQUARTERS])
    expect((await call(page, 'agent/state', { id, type, state: 1 }, token)).code).toBe(200);
  // Under the lock a password set by another operator must be changed before any other call.
  const response = await call(page, 'login', { ...credentials, password: initialPassword });
  const change = { oldPassword: initialPassword, newPassword: credentials.password };
  expect((await call(page, 'pwd_update', change, response.token)).code).toBe(200);
  return id;
}

/** A page in a separate browser context with this session. */
async function openWindow(browser: Browser, complaints: string[], session?: Session): Promise<Page> {
  const localStorage = session ? [{ name: 'hengtai.session', value: JSON.stringify(session) }] : [];
  const context = await browser.newContext({
    baseURL: standalone.url,
    storageState: { cookies: [], origins: [{ origin: standalone.url, localStorage }] },
  });
  await recordComplaints(context, complaints);
  return context.newPage();
}

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const limitsIn = (container: Locator, policy: string) =>
  container.locator('dl > div').filter({ has: container.page().getByText(`限额：${policy}`, { exact: true }) });
const banner = (page: Page) => page.getByText('四眼未锁定：一个人仍可关闭复核策略');

/** A withdrawal on hold after a password reset cannot be passed, and the dialog shows the reason. */
async function expectHeldWithdrawal(page: Page, makerPage: Page, sessions: readonly [Session, Session]) {
  const [makerSession, checkerSession] = sessions;
  const account = `held.${randomUUID().slice(0, 13)}`;
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const deposit = { no: randomUUID(), ...chain, address: 'T', amount: '500', confirmations: 20, source: 1 };
  await sendEventsTo(
    standalone.url,
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: deposit },
    { type: 'withdraw.requested', data: { no: randomUUID(), ...chain, address: 'T1', amount: '120', fee: '1' } },
  );
  const settings = (await fetchData(page, 'config/list', {}, makerSession.token)) as { id: number; key: string }[];
  const hold = settings.find(({ key }) => key === 'fourEyes.passwordHold');
  const response = await call(page, 'config/save', { id: hold?.id, state: 1, reason: '制度调整' }, makerSession.token);
  expect(response.code).toBe(202);
  const { id: approvalId } = response.data as { id: number };
  expect((await call(page, 'approval/pass', { id: approvalId }, checkerSession.token)).code).toBe(200);
  const users = (await fetchData(page, 'user/list', { account }, makerSession.token)) as { list: { id: number }[] };
  const reset = { id: users.list[0]?.id, password: 'given-password-2' };
  expect((await call(page, 'user/pwd_update', reset, makerSession.token)).code).toBe(200);

  await makerPage.goto(`/withdraw?account=${account}`);
  await activePage(makerPage).getByRole('button', { name: '通过', exact: true }).click();
  const modal = dialog(makerPage, /^通过提现/);
  await expect(modal).toContainText('提现暂缓至');
  await expect(modal).toContainText(`${admin.account} 于`);
  await expect(modal.getByRole('button', { name: '通过提现' })).toBeDisabled();
  await makerPage.keyboard.press('Control+Enter');
  await expect(modal).toBeVisible();
  await expectAccessible(makerPage, '.ant-modal-wrap');
  await makerPage.keyboard.press('Escape');
  await activePage(makerPage).getByRole('button', { name: '详情' }).click();
  await expect(drawer(makerPage)).toContainText('提现暂缓至');
  await expect(drawer(makerPage)).toContainText('仍可驳回');
  await drawer(makerPage).getByRole('button', { name: '其余操作' }).click();
  await expect(makerPage.getByRole('menuitem', { name: '通过提现' })).toHaveAttribute('aria-disabled', 'true');
  await expect(drawer(makerPage).getByRole('button', { name: '通过提现' })).toHaveCount(0);
  await makerPage.keyboard.press('Escape');
  await expect(makerPage.getByRole('menuitem', { name: '通过提现' })).toBeHidden();
  await makerPage.keyboard.press('a');
  await expect(modal).toBeHidden();
  await makerPage.keyboard.press('r');
  await expect(dialog(makerPage, /^驳回提现/)).not.toContainText('提现暂缓至');
  await makerPage.context().close();
}

test('locking takes two operators, loosening a setting waits for a checker, a reset works by link', async ({
  page,
  browser,
  complaints,
}) => {
  const { token } = (await call(page, 'login', admin)) as { token: string };
  await newAbilityHolder(page, checker, token);
  const ownerId = await newAbilityHolder(page, owner, token);
  for (const account of ['cleo.desk', 'dan.desk'])
    await call(page, 'agent/add', { account, password: 'given-password-1' }, token);
  const sessions = [await newOtpSession(page, admin), await newOtpSession(page, checker)] as const;
  const makerPage = await openWindow(browser, complaints, sessions[0]);
  const checkerPage = await openWindow(browser, complaints, sessions[1]);

  // The third holder has no one-time codes yet, which blocks the lock.
  await makerPage.goto('/approval');
  await banner(makerPage).getByRole('link', { name: '查看' }).click();
  await expect(drawer(makerPage)).toContainText('目前 2 名');
  await expect(drawer(makerPage).getByRole('button', { name: '锁定四眼' })).toHaveAttribute('aria-disabled', 'true');
  await newOtpSession(page, owner);
  await makerPage.reload();
  const holders = drawer(makerPage).getByRole('region', { name: '关键权限持有者' });
  await expect(holders.getByRole('row')).toHaveCount(4);
  await expect(holders).not.toContainText('未启用');
  await expectAccessible(makerPage);
  await drawer(makerPage).getByRole('button', { name: '锁定四眼' }).click();
  const lock = dialog(makerPage, '锁定四眼');
  await expect(lock.getByRole('listitem').filter({ hasText: '保存市场' })).toContainText('将开启：始终');
  await lock.getByRole('checkbox', { name: '通过认购' }).check();
  await expect(lock.getByRole('listitem').filter({ hasText: '通过认购' })).toContainText('保持关闭（例外）');
  await expectAccessible(makerPage, '.ant-modal-wrap');
  await makerPage.keyboard.press('Control+Enter');
  await expect(lock).toBeHidden();
  const approvalLink = drawer(makerPage).getByRole('link', { name: /^复核 #\d+$/ });

  await checkerPage.goto((await approvalLink.getAttribute('href')) ?? '');
  await expect(drawer(checkerPage)).toContainText('关键权限持有者');
  await expect(drawer(checkerPage)).toContainText('例外，须签署');
  await checkerPage.keyboard.press('a');
  const confirm = dialog(checkerPage, /^通过复核/);
  await expect(confirm.getByRole('button', { name: '通过复核' })).toBeDisabled();
  const limitText = '同一用户 1,000、同一分支 10,000、全平台 50,000 USDT 时无需复核';
  await expect(limitsIn(drawer(checkerPage), '增加与扣减资产')).toContainText(limitText);
  await expect(limitsIn(drawer(checkerPage), '重新打款')).toContainText('每一笔都须一名复核员');
  await expect(limitsIn(drawer(checkerPage), '通过认购')).toContainText('不复核，没有限额');
  await confirm.getByRole('checkbox', { name: /「通过认购」保持关闭/ }).check();
  for (const account of [admin.account, checker.account])
    await expect(confirm.getByRole('checkbox', { name: account })).toBeDisabled();
  await expect(confirm.getByRole('checkbox', { name: owner.account })).not.toBeChecked();
  await confirm.getByRole('checkbox', { name: owner.account }).check();
  await confirm.getByRole('textbox', { name: '搜索其他操作员' }).fill('CLEO');
  await expect(confirm.getByRole('checkbox', { name: 'dan.desk' })).toHaveCount(0);
  await confirm.getByRole('checkbox', { name: 'cleo.desk' }).check();
  await expectAccessible(checkerPage, '.ht-dialog-record');
  await checkerPage.keyboard.press('Control+Enter');
  await expect(confirm).toBeHidden();
  await expect(banner(checkerPage)).toHaveCount(0);

  await expect(drawer(makerPage)).toContainText('已锁定', { timeout: 30_000 });
  // Only the one whom nobody ticked is left.
  const unknown = drawer(makerPage).getByRole('region', { name: '尚未确认认识的操作员' });
  await expect(unknown.getByRole('row')).toHaveCount(2);
  await unknown.getByRole('button', { name: '认识此人' }).click();
  const know = dialog(makerPage, /^确认认识此人/);
  await expect(know).toContainText(`${admin.account} 创建`);
  await know.getByRole('button', { name: '提交复核' }).click();
  await expect(know).toBeHidden();
  await checkerPage.goto('/approval?state=0&type=approval.known');
  await activePage(checkerPage).getByRole('button', { name: '通过', exact: true }).click();
  await expect(dialog(checkerPage, /^通过复核/)).toContainText('视为相互独立');
  await dialog(checkerPage, /^通过复核/)
    .getByRole('button', { name: '通过复核' })
    .click();
  await expect(unknown).toHaveCount(0, { timeout: 30_000 });
  await drawer(makerPage).getByRole('link', { name: '系统设置' }).click();
  const row = activePage(makerPage).locator('tr[data-key="policy.withdraw.refund"]');
  await row.getByRole('button', { name: '编辑' }).click();
  const edit = dialog(makerPage, /编辑设置/);
  await edit.getByLabel('何时复核').click();
  await makerPage.locator('.ant-select-dropdown:visible').getByText('关闭', { exact: true }).click();
  await expect(edit).toContainText('将提交复核');
  await edit.getByRole('button', { name: '制度调整' }).click();
  await edit.getByRole('button', { name: '提交复核' }).click();
  await expect(edit).toBeHidden();
  await expect(makerPage.getByText(/^已提交复核：/)).toBeVisible();
  await expect(row).toContainText('始终');

  await makerPage.goto(`/agent?open=${ownerId}`);
  await drawer(makerPage).getByRole('button', { name: '重置密码' }).click();
  const reset = dialog(makerPage, '重置密码');
  await expect(reset).toContainText('一次性链接');
  await expect(reset.getByLabel('新密码')).toHaveCount(0);
  await reset.getByRole('button', { name: '提交复核' }).click();
  await expect(reset).toBeHidden();

  await checkerPage.goto('/approval?state=0&type=agent.pwdUpdate');
  await activePage(checkerPage).getByRole('button', { name: '通过', exact: true }).click();
  await dialog(checkerPage, /^通过复核/)
    .getByRole('button', { name: '通过复核' })
    .click();
  const linkDialog = dialog(checkerPage, `${owner.account} 的密码重置链接`);
  await expect(linkDialog).toContainText(`不要交给提交人 ${admin.account}`);
  const link = await linkDialog.getByLabel('链接', { exact: true }).innerText();
  expect(link.startsWith(`${standalone.url}/login#reset=`)).toBe(true);

  const guest = await openWindow(browser, complaints);
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
  for (const one of [makerPage, checkerPage, guest]) await one.context().close();
  await expectHeldWithdrawal(page, await openWindow(browser, complaints, sessions[0]), sessions);
});
