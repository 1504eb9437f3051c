import type { CDPSession, Page } from '@playwright/test';
import {
  activePage,
  admin,
  expect,
  expectAccessible,
  expectAccessibleNow,
  fillLogin,
  newOperator,
  test,
  tokenOf,
} from './desk.ts';
import { dialog, fetchWithdrawalState } from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';
import { type Installation, baseUrl, startInstallation } from './server.ts';

/** Passkeys need a host name; the other tests open the address 127.0.0.1. */
const named = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Of the page with the authenticator. Tests share a browser context, so the authenticator is removed after each. */
let devtools: CDPSession | undefined;

test.afterEach(async () => {
  await devtools?.send('WebAuthn.disable');
  devtools = undefined;
});

/** Gives the page an authenticator that holds passkeys and verifies the user. */
async function addAuthenticator(page: Page) {
  devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const drawer = (page: Page) => page.getByRole('dialog', { name: '安全设置' });
const passkeyButton = (page: Page) => page.getByRole('button', { name: '使用通行密钥' });

async function openSecurity(page: Page, account: string) {
  await page.getByRole('button', { name: account }).click();
  await page.getByRole('menuitem', { name: '安全设置' }).click();
  await expect(drawer(page).getByText('我的登录会话')).toBeVisible();
}

async function logInAt(page: Page, url: string, { account, password }: typeof admin) {
  // A page without a session redirects to the login by itself, which interrupts this navigation.
  await expect(() => page.goto(url)).toPass();
  await page.waitForURL(/\/login/);
  await fillLogin(page, account, password);
}

/** Ends the session of this browser only, so that the login opens. */
const forgetSession = (page: Page) => page.evaluate(() => localStorage.removeItem('hengtai.session'));

test(
  'a passkey is added, opens the login, confirms one withdrawal, and is removed',
  { tag: '@short' },
  async ({ page }) => {
    const operator = await newOperator(page, [3]);
    const { ids } = await requestWithdrawals(page, operator.account, '10');
    const id = ids[0] ?? 0;
    await addAuthenticator(page);
    await logInAt(page, `${named(baseUrl())}/home`, operator);
    await page.waitForURL(/\/home$/);
    await openSecurity(page, operator.account);
    await expectAccessible(page);
    await drawer(page).getByRole('button', { name: '添加通行密钥' }).click();
    const adding = dialog(page, '添加通行密钥');
    await adding.getByLabel('登录密码').fill('not-the-password');
    await adding.getByRole('button', { name: '添加', exact: true }).click();
    await expect(adding.getByRole('alert')).toHaveText('密码错误');
    await adding.getByLabel('登录密码').fill(operator.password);
    await adding.getByLabel('名称').fill('办公室电脑');
    await expectAccessible(page, '.ant-modal-wrap');
    await page.keyboard.press('Enter');
    await expect(adding).toBeHidden();
    const row = drawer(page).getByRole('listitem').filter({ hasText: '办公室电脑' });
    await expect(row).toContainText('尚未使用');
    await row.getByRole('button', { name: '重命名 办公室电脑' }).click();
    await dialog(page, '重命名通行密钥').getByLabel('名称').fill('家里电脑');
    await page.keyboard.press('Enter');
    await expect(drawer(page).getByText('家里电脑')).toBeVisible();

    await forgetSession(page);
    await logInAt(page, `${named(baseUrl())}/withdraw?open=${id}`, operator);
    await expect(passkeyButton(page)).toBeFocused();
    await expect(page.getByLabel('一次性验证码')).toBeHidden();
    await expectAccessibleNow(page);
    await passkeyButton(page).click();
    await page.waitForURL(/\/withdraw/);
    const passButton = page.locator('.ht-dialog-drawer').getByRole('button', { name: /^通过提现|提交复核/ });
    await expect(passButton).toBeEnabled();
    await passButton.click();
    await dialog(page, `通过提现 #${id}`)
      .getByRole('button', { name: /通过提现|提交复核/ })
      .click();
    const question = dialog(page, '请验证身份');
    await expect(passkeyButton(page)).toBeFocused();
    await expect(question.getByRole('textbox')).toHaveCount(0);
    await expectAccessible(page);
    expect(await fetchWithdrawalState(page, id)).toBe(0);
    await passkeyButton(page).click();
    await expect(question).toBeHidden();
    await expect(dialog(page, `通过提现 #${id}`)).toBeHidden();
    await expect.poll(() => fetchWithdrawalState(page, id)).not.toBe(0);

    // The drawer of the withdrawal covers the menu.
    await page.goto(`${named(baseUrl())}/home`);
    await openSecurity(page, operator.account);
    await drawer(page)
      .getByRole('listitem')
      .filter({ hasText: '家里电脑' })
      .getByRole('button', { name: '移除' })
      .click();
    await page.getByRole('button', { name: '确定', exact: true }).click();
    // The confirmation of the withdrawal does not cover this.
    await passkeyButton(page).click();
    await expect(drawer(page).getByText('家里电脑')).toBeHidden();
  },
);

test.describe('where only passkeys are accepted', () => {
  let standalone: Installation;
  test.beforeAll(async () => {
    standalone = await startInstallation({ SIMULATOR: 'off' });
  });
  test.afterAll(() => standalone.stop());

  test('a newcomer adds one first, and the admin logs in without a password', async ({ page }) => {
    const local = named(standalone.url);
    await addAuthenticator(page);
    await logInAt(page, `${local}/home`, admin);
    await page.waitForURL(/\/home$/);
    const newcomer = { account: 'newcomer', password: 'newcomer-password-1' };
    await addOperator(page, local, newcomer);
    await openSecurity(page, admin.account);
    await drawer(page).getByRole('button', { name: '添加通行密钥' }).click();
    await dialog(page, '添加通行密钥').getByLabel('登录密码').fill(admin.password);
    await page.keyboard.press('Enter');
    await expect(drawer(page).getByText('尚未使用')).toBeVisible();
    await page.keyboard.press('Escape');
    for (const key of ['passkey.only', 'passkey.alone']) await switchOn(page, `${local}/config`, key);

    await forgetSession(page);
    await page.goto(`${local}/login`);
    await page.getByRole('button', { name: '用通行密钥登录，无需密码' }).click();
    await page.waitForURL(/\/home$/);

    await forgetSession(page);
    await logInAt(page, `${local}/home`, newcomer);
    await expect(page.getByRole('heading', { name: '请先添加通行密钥' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '添加通行密钥' }).click();
    await dialog(page, '添加通行密钥').getByLabel('登录密码').fill(newcomer.password);
    await page.keyboard.press('Enter');
    await expect(activePage(page)).toBeVisible();
  });
});

/** Adds an operator with the session of the page. */
async function addOperator(page: Page, url: string, { account, password }: typeof admin) {
  const { code } = (await (
    await page.request.post(`${url}/api/v1/admin/agent/add`, {
      data: { account, password },
      headers: { token: await tokenOf(page) },
    })
  ).json()) as { code: number };
  expect(code).toBe(200);
}

/** Switches a setting on and confirms it with the passkey. */
async function switchOn(page: Page, url: string, key: string) {
  await page.goto(url);
  const row = activePage(page).locator(`tr[data-key="${key}"]`);
  await row.getByRole('button', { name: '编辑' }).click();
  const modal = dialog(page, /编辑设置/);
  await modal.getByRole('switch').click();
  await modal.getByRole('button', { name: '制度调整' }).click();
  await page.keyboard.press('Control+Enter');
  await passkeyButton(page).click();
  await expect(modal).toBeHidden();
  await expect(row).toContainText('开启');
}
