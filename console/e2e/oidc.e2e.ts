import { type OidcProvider, startOidcProvider } from '../../testing/oidc-provider.ts';
import { activePage, admin, expect, expectAccessible, expectAccessibleNow, fillLogin, test, tokenOf } from './desk.ts';
import { codeOf } from './codes.ts';
import { dialog } from './desk-list.ts';
import { type Installation, startInstallation } from './server.ts';

let provider: OidcProvider;
let installation: Installation;
/** The address that the provider sends browsers back to, without PUBLIC_URL. */
let url: string;

test.beforeAll(async () => {
  provider = await startOidcProvider();
  installation = await startInstallation({
    SIMULATOR: 'off',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_GROUPS: 'finance=2,3;owners=all',
  });
  url = installation.url.replace('127.0.0.1', 'localhost');
});
test.afterAll(async () => {
  await installation.stop();
  await provider.stop();
});

const operator = { account: 'finance.one', password: 'finance-password-1' };

test('an operator is linked, logs in by the provider with a code, and its groups narrow the menu', async ({ page }) => {
  const post = async (path: string, data: object, token: string) =>
    (await (await page.request.post(`${url}/api/v1/admin/${path}`, { data, headers: { token } })).json()) as {
      code: number;
      data: { id: number; secret: string };
    };
  await page.goto(`${url}/login`);
  await fillLogin(page, admin.account, admin.password);
  await page.waitForURL(/\/home$/);
  const adminToken = await tokenOf(page);
  const { data: created } = await post('agent/add', operator, adminToken);
  for (const type of [3, 9, 12]) await post('agent/state', { id: created.id, type, state: 1 }, adminToken);

  await page.goto(`${url}/agent?open=${created.id}`);
  const drawer = page.locator('.ht-dialog-drawer').getByRole('dialog');
  await expect(drawer.getByText('未关联')).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: '关联', exact: true }).click();
  const linking = dialog(page, '关联企业账号');
  await linking.getByLabel('企业账号标识（sub）').fill('account-of-finance');
  await linking.getByRole('button', { name: '入职开通' }).click();
  await expectAccessible(page, '.ant-modal-wrap');
  await page.keyboard.press('Control+Enter');
  await expect(linking).toBeHidden();
  await expect(drawer.getByText('account-of-finance')).toBeVisible();

  const login = await page.request.post(`${url}/api/v1/admin/login`, { data: operator });
  const { token } = (await login.json()) as { token: string };
  const { data: setup } = await post('otp/setup', { password: operator.password }, token);
  expect((await post('otp/confirm', { code: codeOf(setup.secret) }, token)).code).toBe(200);
  await page.evaluate(() => localStorage.removeItem('hengtai.session'));

  provider.account = { subject: 'account-of-finance', groups: ['finance'] };
  await page.goto(`${url}/login?back=%2Fwithdraw`);
  await page.getByRole('button', { name: '企业登录' }).click();
  const code = page.getByLabel('一次性验证码');
  await expect(code).toBeVisible();
  // Neither the answer of the provider nor the password is on the page.
  await expect(page).toHaveURL(/\/login\?back=%2Fwithdraw$/);
  await expect(page.getByLabel('账号')).toBeHidden();
  await expectAccessibleNow(page);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('账号、密码或验证码错误');
  await code.fill(codeOf(setup.secret, 1));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/withdraw/);
  await expect(activePage(page)).toBeVisible();
  // Settings and audit log are abilities of the operator, which the group does not allow.
  await page.goto(`${url}/config`);
  await page.waitForURL(/\/home$/);
});

test('a refused login says why, another address where the login works, and the password remains', async ({ page }) => {
  await page.goto(`${installation.url}/login`);
  await page.getByRole('button', { name: '企业登录' }).click();
  await expect(page.getByRole('alert')).toHaveText(`企业登录只能在 ${url} 使用`);
  provider.account = { subject: 'stranger', groups: ['owners'] };
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: '企业登录' }).click();
  await expect(page.getByRole('alert')).toHaveText('此企业账号未关联可登录的操作员，请联系管理员');
  await expectAccessibleNow(page);
  await expect(page.getByLabel('账号')).toBeVisible();
  // An answer that this window did not ask for.
  await page.goto(`${url}/login?code=stolen&state=stolen`);
  await expect(page.getByRole('alert')).toHaveText('本次企业登录已过期、已使用或不是从此浏览器开始，请重新登录');
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, admin.account, admin.password);
  await page.waitForURL(/\/home$/);
});
