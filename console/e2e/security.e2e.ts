import { type Page } from '@playwright/test';
import { type CodedOperator, codeOf, newCodedOperator } from './codes.ts';
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
import { dialog, waitForRows, fetchWithdrawalState, table, waitForPendingWithdrawals } from './desk-list.ts';
import { baseUrl } from './server.ts';

const drawer = (page: Page) => page.getByRole('dialog', { name: '安全设置' });

async function openSecurity(page: Page, account: string) {
  await page.getByRole('button', { name: account }).click();
  await page.getByRole('menuitem', { name: '安全设置' }).click();
  await expect(drawer(page).getByText('我的登录会话')).toBeVisible();
}

/** Logs in with a recovery code; protected actions still ask for a one-time code in this session. */
async function enterByRecovery(page: Page, { account, password, recovery }: CodedOperator, path: string) {
  // A page without a valid session may redirect to the login by itself and interrupt this navigation.
  await expect(() => page.goto(path)).toPass();
  await page.waitForURL(/\/login/);
  await fillLogin(page, account, password);
  await page.getByLabel('一次性验证码').fill(recovery[0] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  await expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible();
}

test('codes are set up in 安全设置, and the login then accepts a code or a recovery code', async ({ page }) => {
  const operator = await newOperator(page);
  await logInWithForm(page, operator);
  await openSecurity(page, operator.account);
  await expect(drawer(page).getByText('未启用')).toBeVisible();
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

  const shown = dialog(page, '保存恢复码');
  const recovery = shown.getByRole('list', { name: '恢复码' }).locator('code');
  await expect(recovery).toHaveCount(10);
  const codes = await recovery.allInnerTexts();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: '下载为文本文件' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`HengTai-恢复码-${operator.account}.txt`);
  await expect(shown.getByRole('button', { name: '完成' })).toBeDisabled();
  await shown.getByRole('checkbox').check();
  await shown.getByRole('button', { name: '完成' }).click();
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
  await enterByRecovery(page, { ...operator, secret, recovery: codes }, '/home');
  await openSecurity(page, operator.account);
  await expect(drawer(page).getByText('9 / 10')).toBeVisible();
});

test('passing a withdrawal asks for a fresh code and retries with the same idempotency key', async ({ page }) => {
  const [first] = await waitForPendingWithdrawals(page, 1);
  const id = first?.id ?? 0;
  const operator = await newCodedOperator(page, [3, 13]);
  await enterByRecovery(page, operator, `/withdraw?open=${id}`);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/withdraw/pass')) keys.push(request.headers()['idempotency-key']);
  });
  const pass = page.locator('.ht-page-drawer').getByRole('button', { name: /^通过提现|提交复核/ });
  await expect(pass).toBeEnabled();
  await pass.click();
  await dialog(page, `通过提现 #${id}`)
    .getByRole('button', { name: /通过提现|提交复核/ })
    .click();
  const ask = dialog(page, '请输入一次性验证码');
  await expect(ask.getByRole('textbox')).toBeFocused();
  await expectAccessible(page);
  await ask.getByRole('textbox').fill('000000');
  await page.keyboard.press('Enter');
  await expect(ask.getByRole('alert')).toHaveText('验证码错误或已使用过');
  expect(await fetchWithdrawalState(page, id)).toBe(0);
  await ask.getByRole('textbox').fill(codeOf(operator.secret, 1));
  await ask.getByRole('button', { name: '继续' }).click();
  await expect(ask).toBeHidden();
  await expect(dialog(page, `通过提现 #${id}`)).toBeHidden();
  await expect.poll(() => fetchWithdrawalState(page, id)).not.toBe(0);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

test('ending a session on 登录会话 logs the other browser out at once', async ({ page, browser, complaints }) => {
  const operator = await newOperator(page);
  const elsewhere = await browser.newContext({ baseURL: baseUrl() });
  await recordComplaints(elsewhere, complaints);
  const other = await elsewhere.newPage();
  await logInWithForm(other, operator, '/trade/order');
  await logIn(page, admin, `/session?account=${operator.account}&state=1`);
  await waitForRows(page);
  const row = table(page).getByRole('row').filter({ hasText: operator.account });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('在线');
  await expectAccessible(page);
  await row.getByRole('button', { name: '结束' }).click();
  const ask = page.getByRole('dialog', { name: /^结束会话 #\d+/ });
  await expect(ask).toContainText(operator.account);
  await ask.getByRole('button', { name: '设备遗失' }).click();
  await ask.getByRole('button', { name: '结束会话' }).click();
  await expect(ask).toBeHidden();
  await other.waitForURL(/\/login/);
  expect(await tokenOf(other)).toBe('');
  await elsewhere.close();
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
