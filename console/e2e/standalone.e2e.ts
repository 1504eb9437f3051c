import type { Page } from '@playwright/test';
import { codeOf } from './codes.ts';
import { admin, type api, expect, expectAccessible, fillLogin, activePage, test } from './desk.ts';
import { dialog } from './desk-list.ts';
import { navigateInApp } from './list-helpers.ts';
import { type Installation, startInstallation } from './server.ts';

/** A separate installation with the admin only, because these settings would break other tests. */
let standalone: Installation;

test.beforeAll(async () => {
  standalone = await startInstallation({ SIMULATOR: 'off' });
});
test.afterAll(() => standalone.stop());

async function logInAs(page: Page, credentials: typeof admin, path: string) {
  // A page without a session redirects to the login by itself, which interrupts this navigation.
  await expect(() => page.goto(standalone.url + path)).toPass();
  await page.waitForURL(/\/login/);
  await fillLogin(page, credentials.account, credentials.password);
  await page.waitForURL((url) => url.pathname === path);
}

/** A single operator is warned about four eyes, goes live once, and opens empty pages. */
async function goLive(page: Page) {
  await logInAs(page, admin, '/config');
  const notice = activePage(page).getByRole('status').filter({ hasText: '目前只有您一位操作员可以复核' });
  await expect(notice).toContainText('逐项将策略改为「关闭」');
  await expect(notice.getByRole('link', { name: '代理管理' })).toBeVisible();
  await expectAccessible(page);

  await activePage(page).getByRole('button', { name: '上线' }).click();
  const modal = dialog(page, '上线');
  await expect(modal).toContainText('不能撤回');
  await expect(modal.getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(modal.getByRole('button', { name: '确认上线' })).toBeDisabled();
  await modal.getByRole('textbox').fill(admin.account);
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  await expect(activePage(page).getByText('已上线', { exact: true })).toBeVisible();

  for (const path of ['/agent', '/user', '/auth', '/recharge', '/withdraw', '/fund/record', '/internalTransfer']) {
    await navigateInApp(page, path);
    const emptyState = activePage(page)
      .getByRole('status')
      .filter({ hasText: /暂无数据|没有符合条件的记录|没有待/ });
    // The agent tree starts below the admin, so it is empty too.
    await expect(emptyState).toBeVisible();
    // A drawing, and what would be here or what to do.
    await expect(emptyState.locator('svg')).toBeVisible();
    expect((await emptyState.locator('.ht-table-message-text').innerText()).length).toBeGreaterThan(4);
  }
}

/** The home page lists the first steps, ticks completed ones, and hides the list on request. */
async function followSteps(page: Page) {
  await navigateInApp(page, '/home');
  const steps = activePage(page).getByRole('region', { name: '开始使用' });
  await expect(steps).toContainText('已完成 1 / 8');
  // One line with the next step, until it is unfolded.
  expect((await steps.boundingBox())?.height).toBeLessThan(48);
  await expect(steps.getByText('下一步：修改初始密码')).toBeVisible();
  await steps.getByRole('button', { name: '全部步骤' }).click();
  await expect(steps.getByRole('listitem').filter({ hasText: '上线' }).last()).toContainText('已完成');
  await expect(steps.getByRole('link', { name: '代理管理' })).toHaveAttribute('href', '/agent');
  await expectAccessible(page);
  await steps.getByRole('button', { name: '修改密码' }).click();
  await expect(dialog(page, '修改密码')).toBeVisible();
  await page.keyboard.press('Escape');
  await steps.getByRole('button', { name: '不再显示' }).click();
  await expect(steps).toHaveCount(0);
  await expect(activePage(page).locator('.ht-home-card').first()).toBeVisible();
}

/** If required, an operator first replaces a password set by another, then sets up codes. */
async function joinAsNewcomer(page: Page) {
  const call = async (path: string, body: object, token = '') => {
    const response = await page.request.post(`${standalone.url}/api/v1/admin/${path}`, {
      data: body,
      headers: { token },
    });
    return (await response.json()) as Awaited<ReturnType<typeof api>>;
  };
  const { token = '' } = await call('login', admin);
  const newcomer = { account: 'second.person', password: 'first-password-1' };
  expect((await call('agent/add', { ...newcomer, password: 'given-password-1' }, token)).code).toBe(200);
  const { secret } = (await call('otp/setup', { password: admin.password }, token)).data as { secret: string };
  expect((await call('otp/confirm', { code: codeOf(secret) }, token)).code).toBe(200);
  // The second factor ends the other sessions of the admin, among them that of the page.
  await page.waitForURL(/\/login/);
  const settings = await page.request.get(`${standalone.url}/api/v1/admin/config/list`, { headers: { token } });
  const settingRows = ((await settings.json()) as { data: { id: number; key: string }[] }).data;
  for (const key of ['password.change', 'otp.required']) {
    const id = settingRows.find((setting) => setting.key === key)?.id;
    expect((await call('config/save', { id, state: 1 }, token)).code).toBe(200);
  }

  await logInAs(page, { ...newcomer, password: 'given-password-1' }, '/home');
  await expect(page.getByRole('heading', { name: '请先修改密码' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: '修改密码' }).click();
  const change = dialog(page, '修改密码');
  await change.getByLabel('旧密码').fill('given-password-1');
  await change.getByLabel('新密码').fill(newcomer.account);
  await page.keyboard.press('Enter');
  await expect(change.getByRole('alert')).toContainText('新密码过于简单：只是账号');
  await change.getByLabel('新密码').fill(newcomer.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/);
  await fillLogin(page, newcomer.account, newcomer.password);
  await expect(page.getByRole('heading', { name: '请先启用第二因素' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: '启用一次性验证码' }).click();
  const setup = dialog(page, '启用一次性验证码');
  await setup.getByLabel('输入登录密码').fill(newcomer.password);
  await page.keyboard.press('Enter');
  const newcomerSecret = (await setup.getByLabel('密钥', { exact: true }).innerText()).replaceAll(' ', '');
  await setup.getByLabel('输入验证器中显示的 6 位数字').fill(codeOf(newcomerSecret));
  await setup.getByRole('button', { name: '启用', exact: true }).click();
  const codesDialog = dialog(page, '保存恢复码');
  await codesDialog.getByRole('checkbox').check();
  await codesDialog.getByRole('button', { name: '完成' }).click();
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('首页');
}

// One test, because each part changes the installation for the next one.
test('a new installation goes live, shows its first steps, and asks a newcomer for password and codes', async ({
  page,
}) => {
  await test.step('going live', () => goLive(page));
  await test.step('first steps', () => followSteps(page));
  await test.step('a newcomer', () => joinAsNewcomer(page));
});
