import { type Page } from '@playwright/test';
import { type OtpOperator, codeOf, newOtpOperator } from './codes.ts';
import {
  admin,
  api,
  expect,
  expectAccessible,
  expectAccessibleNow,
  fillLogin,
  recordComplaints,
  logIn,
  logInWithForm,
  newOperator,
  activePage,
  tab,
  test,
  tokenOf,
} from './desk.ts';
import { dialog, waitForRows, fetchWithdrawalState, table } from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';
import { baseUrl } from './server.ts';

const drawer = (page: Page) => page.getByRole('dialog', { name: '安全设置' });

async function openSecurity(page: Page, account: string) {
  await page.getByRole('button', { name: account }).click();
  await page.getByRole('menuitem', { name: '安全设置' }).click();
  await expect(drawer(page).getByText('我的登录会话')).toBeVisible();
}

/** Logs in with a recovery code; protected actions still ask for a one-time code in this session. */
async function logInByRecoveryCode(page: Page, { account, password, recoveryCodes }: OtpOperator, path: string) {
  // A page without a valid session may redirect to the login by itself and interrupt this navigation.
  await expect(() => page.goto(path)).toPass();
  await page.waitForURL(/\/login/);
  await fillLogin(page, account, password);
  await page.getByLabel('一次性验证码').fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  await expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible();
}

test('codes are set up in 安全设置, and the login then accepts a code or a recovery code', async ({ page }) => {
  const operator = await newOperator(page);
  await logInWithForm(page, operator);
  await openSecurity(page, operator.account);
  await expect(drawer(page).getByText('未启用')).toBeVisible();
  // The address of this test is a number.
  await expect(
    drawer(page).getByText(`通行密钥只能在 ${baseUrl().replace('127.0.0.1', 'localhost')} 使用`),
  ).toBeVisible();
  await expect(drawer(page).getByRole('button', { name: '添加通行密钥' })).toBeDisabled();
  await expectAccessible(page);
  await drawer(page).getByRole('button', { name: '启用一次性验证码' }).click();
  const setup = dialog(page, '启用一次性验证码');
  await setup.getByLabel('输入登录密码').fill('not-the-password');
  await page.keyboard.press('Enter');
  await expect(setup.getByRole('alert')).toHaveText('密码错误');
  await setup.getByLabel('输入登录密码').fill(operator.password);
  await page.keyboard.press('Enter');
  await expect(setup.getByRole('img', { name: '供验证器扫描的二维码' })).toBeVisible();
  await expectAccessible(page, '.ant-modal-wrap');
  const secret = (await setup.getByLabel('密钥', { exact: true }).innerText()).replaceAll(' ', '');
  await setup.getByLabel('输入验证器中显示的 6 位数字').fill(codeOf(secret));
  await setup.getByRole('button', { name: '启用', exact: true }).click();

  const codesDialog = dialog(page, '保存恢复码');
  const recovery = codesDialog.getByRole('list', { name: '恢复码' }).locator('code');
  await expect(recovery).toHaveCount(10);
  const codes = await recovery.allInnerTexts();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    codesDialog.getByRole('button', { name: '下载为文本文件' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`HengTai-恢复码-${operator.account}.txt`);
  await expect(codesDialog.getByRole('button', { name: '完成' })).toBeDisabled();
  await codesDialog.getByRole('checkbox').check();
  await codesDialog.getByRole('button', { name: '完成' }).click();
  await expect(drawer(page).getByText('已启用')).toBeVisible();
  await expect(drawer(page).getByText('10 / 10')).toBeVisible();

  await page.evaluate(() => localStorage.removeItem('hengtai.session'));
  await page.goto('/login');
  await fillLogin(page, operator.account, operator.password);
  const otp = page.getByLabel('一次性验证码');
  await expect(otp).toBeFocused();
  await expect(otp).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(page.getByRole('alert')).toBeHidden();
  await otp.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('账号、密码或验证码错误');
  await expectAccessibleNow(page);
  // The set-up used the code of the current step, so the code of the next step is used early.
  await otp.fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/home$/);

  await page.evaluate(() => localStorage.removeItem('hengtai.session'));
  await logInByRecoveryCode(page, { ...operator, secret, recoveryCodes: codes }, '/home');
  await openSecurity(page, operator.account);
  await expect(drawer(page).getByText('9 / 10')).toBeVisible();
});

test('passing a withdrawal asks for a fresh code and retries with the same idempotency key', async ({ page }) => {
  const operator = await newOtpOperator(page, [3]);
  const { ids } = await requestWithdrawals(page, operator.account, '10');
  const id = ids[0] ?? 0;
  await logInByRecoveryCode(page, operator, `/withdraw?open=${id}`);
  const idempotencyKeys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/withdraw/pass')) idempotencyKeys.push(request.headers()['idempotency-key']);
  });
  const passButton = page.locator('.ht-dialog-drawer').getByRole('button', { name: /^通过提现|提交复核/ });
  await expect(passButton).toBeEnabled();
  await passButton.click();
  await dialog(page, `通过提现 #${id}`)
    .getByRole('button', { name: /通过提现|提交复核/ })
    .click();
  const modal = dialog(page, '请输入一次性验证码');
  await expect(modal.getByRole('textbox')).toBeFocused();
  await expectAccessible(page);
  await modal.getByRole('textbox').fill('000000');
  await page.keyboard.press('Enter');
  await expect(modal.getByRole('alert')).toHaveText('验证码错误或已使用过');
  expect(await fetchWithdrawalState(page, id)).toBe(0);
  await modal.getByRole('textbox').fill(codeOf(operator.secret, 1));
  await modal.getByRole('button', { name: '继续' }).click();
  await expect(modal).toBeHidden();
  await expect(dialog(page, `通过提现 #${id}`)).toBeHidden();
  await expect.poll(() => fetchWithdrawalState(page, id)).not.toBe(0);
  expect(idempotencyKeys).toHaveLength(2);
  expect(idempotencyKeys[0]).toBeTruthy();
  expect(idempotencyKeys[1]).toBe(idempotencyKeys[0]);
});

test('ending a session on 登录会话 logs the other browser out at once', async ({ page, browser, complaints }) => {
  const operator = await newOperator(page);
  const otherContext = await browser.newContext({ baseURL: baseUrl() });
  await recordComplaints(otherContext, complaints);
  const otherPage = await otherContext.newPage();
  await logInWithForm(otherPage, operator, '/trade/order');
  await logIn(page, admin, `/session?account=${operator.account}&state=1`);
  await waitForRows(page);
  const row = table(page).getByRole('row').filter({ hasText: operator.account });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('在线');
  await row.getByRole('button', { name: '结束' }).click();
  const modal = page.getByRole('dialog', { name: /^结束会话 #\d+/ });
  await expect(modal).toContainText(operator.account);
  await modal.getByRole('button', { name: '设备遗失' }).click();
  await modal.getByRole('button', { name: '结束会话' }).click();
  await expect(modal).toBeHidden();
  await otherPage.waitForURL(/\/login/);
  expect(await tokenOf(otherPage)).toBe('');
  await otherContext.close();
});

test('other sessions are ended in 安全设置; the current one continues', { tag: '@short' }, async ({ page }) => {
  const operator = await newOperator(page);
  const { account, password } = operator;
  const { token = '' } = await api(page, 'POST', 'login', { account, password });
  await logInWithForm(page, operator);
  await openSecurity(page, account);
  await expect(drawer(page).getByRole('listitem')).toHaveCount(2);
  await expect(drawer(page).getByRole('listitem').first()).toContainText('当前');
  await drawer(page).getByRole('button', { name: '结束其他会话' }).click();
  await page.getByRole('button', { name: '确定', exact: true }).click();
  await expect(drawer(page).getByRole('listitem')).toHaveCount(1);
  expect((await api(page, 'GET', 'me', {}, token)).code).toBe(400);
  await drawer(page).getByRole('button', { name: '全部会话' }).click();
  await expect(tab(page, '登录会话')).toHaveAttribute('aria-selected', 'true');
});
