import {
  activePage,
  admin,
  api,
  expect,
  expectAccessibleNow,
  fillLogin,
  logIn,
  logInWithForm,
  logOut,
  newOperator,
  test,
  tokenOf,
} from './desk.ts';

test('the login is accessible, asks for missing fields, and shows a refusal', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/login');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByText('请输入登录密码')).toBeVisible();
    await expect(page.getByLabel('账号')).toBeFocused();
    await expectAccessibleNow(page);
  }
  await fillLogin(page, 'nobody-at-all', 'not-the-password');
  await expect(page.getByRole('alert')).toHaveText('账号、密码或验证码错误');
  await expect(page).toHaveURL(/\/login$/);
  expect(await tokenOf(page)).toBe('');
});

test(
  'after the login the console shows a toast and stores only the documented fields',
  { tag: '@short' },
  async ({ page }) => {
    await page.goto('/login');
    const before = Date.now();
    await fillLogin(page, admin.account, admin.password);
    await expect(page.getByText('登录成功')).toBeVisible();
    await page.waitForURL(/\/home$/);
    await expect(page.getByText('登录成功')).toBeVisible();
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('hengtai.session') ?? '{}') as object);
    expect(Object.keys(stored).sort()).toEqual(['admin', 'expire', 'planSet', 'token']);
    const { expire } = stored as { expire: number };
    const lifetimeMs = 115 * 60_000;
    expect(expire).toBeGreaterThanOrEqual(before + lifetimeMs);
    expect(expire).toBeLessThanOrEqual(Date.now() + lifetimeMs);
    expect(await page.evaluate(() => localStorage.getItem('hengtai.device'))).toBeTruthy();
  },
);

test(
  'without a session, or with an expired one, every page redirects to the login, and the root redirects home',
  { tag: '@short' },
  async ({ page }) => {
    for (const path of ['/', '/home', '/withdraw', '/config', '/no/such/page']) {
      await page.goto(path);
      await page.waitForURL(/\/login/);
    }
    await logIn(page, await newOperator(page));
    await page.goto('/');
    await page.waitForURL(/\/home$/);
    // Without the permission for settings.
    await page.goto('/config');
    await page.waitForURL(/\/home$/);
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('hengtai.session') ?? '{}') as { expire: number };
      localStorage.setItem('hengtai.session', JSON.stringify({ ...session, expire: Date.now() - 1 }));
    });
    await page.reload();
    await page.waitForURL(/\/login/);
    expect(await tokenOf(page)).toBe('');
  },
);

test('a session found invalid while the console loads redirects to the login', async ({ page }) => {
  await logIn(page, await newOperator(page));
  // Not on the page before, whose own calls would find it out.
  await page.addInitScript(() => {
    if (location.pathname !== '/trade/order') return;
    const session = JSON.parse(localStorage.getItem('hengtai.session') ?? '{}') as object;
    localStorage.setItem('hengtai.session', JSON.stringify({ ...session, token: 'nobody' }));
  });
  const rejected = page.waitForResponse(/admin\/me$/).then((response) => response.finished());
  await page.route(/\/assets\/shell-.*\.js/, async (route) => {
    await rejected;
    await route.continue();
  });
  await page.goto('/trade/order', { waitUntil: 'commit' });
  await page.waitForURL(/\/login\?back=%2Ftrade%2Forder/);
  expect(await tokenOf(page)).toBe('');
  // Another call may have found it out first, and the script is then never needed.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('refusals do not end the session, and a changed password does, with a message', async ({ page }) => {
  const operator = await newOperator(page);
  await logIn(page, operator, '/audit');
  const token = await tokenOf(page);
  // 403: no ability for the audit log; 404 and 422: no such row, invalid number.
  expect((await api(page, 'GET', 'audit/list', {}, token)).code).toBe(403);
  await expect(page.getByRole('heading', { name: '没有权限' })).toBeVisible();
  await page.goto('/user?page=999999999999');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('用户列表');
  await page.goto('/withdraw?id=1&row=999999999');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('提现记录');

  await page.getByRole('button', { name: /^user / }).click();
  await page.getByRole('menuitem', { name: '修改密码' }).click();
  const dialog = page.getByRole('dialog', { name: '修改密码' });
  await dialog.getByRole('button', { name: '确认修改' }).click();
  await expect(dialog.getByText('请输入旧密码')).toBeVisible();
  await expect(dialog.getByText('请输入新密码')).toBeVisible();
  // 401: the old password is wrong.
  await dialog.getByLabel('旧密码').fill('not-the-old-one');
  await dialog.getByLabel('新密码').fill('second-password-2');
  await dialog.getByRole('button', { name: '确认修改' }).click();
  await expect(dialog.getByText('旧密码错误')).toBeVisible();
  expect(await tokenOf(page)).toBe(token);
  await dialog.getByLabel('旧密码').fill(operator.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/);
  await expect(page.getByText('密码修改成功，请重新登录')).toBeVisible();
  await fillLogin(page, operator.account, operator.password);
  await expect(page.getByRole('alert')).toHaveText('账号、密码或验证码错误');
  await fillLogin(page, operator.account, 'second-password-2');
  // The login returns to the page.
  await page.waitForURL(/\/withdraw/);
});

test('logging in and out in one window does so in all windows, and ends the session on the server', async ({
  page,
  context,
}) => {
  const operator = await newOperator(page);
  const otherPage = await context.newPage();
  await otherPage.goto('/login?back=%2Fplan');
  await logInWithForm(page, operator);
  await otherPage.waitForURL(/\/plan(\?|$)/);
  await expect(activePage(otherPage)).toBeVisible();
  const token = await tokenOf(page);
  await logOut(page);
  await expect(otherPage).toHaveURL(/\/login/);
  expect(await tokenOf(otherPage)).toBe('');
  expect((await api(page, 'GET', 'me', {}, token)).code).toBe(400);
});
