import {
  admin,
  api,
  expect,
  expectAccessibleNow,
  fillLogin,
  logIn,
  logInWithForm,
  newOperator,
  setAbility,
  activePage,
  test,
  tokenOf,
  logOut,
} from './desk.ts';

for (const scheme of ['light', 'dark'] as const) {
  test(`the login is accessible in the ${scheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: '衡台 HengTai' })).toBeVisible();
    await expectAccessibleNow(page);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expectAccessibleNow(page);
  });
}

test('the login asks for missing fields and sends nothing', async ({ page }) => {
  await page.goto('/login');
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requestCount += 1;
  });
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('请输入登录账号')).toBeVisible();
  await expect(page.getByText('请输入登录密码')).toBeVisible();
  await expect(page.getByLabel('账号')).toBeFocused();
  await page.getByLabel('账号').fill('someone');
  await expect(page.getByText('请输入登录账号')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('登录密码', { exact: true })).toBeFocused();
  expect(requestCount).toBe(0);
});

test('a refused login shows the message of the server and stays on the page', async ({ page }) => {
  const operator = await newOperator(page);
  await page.goto('/login');
  await fillLogin(page, operator.account, 'not-the-password');
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

test('the login returns to the requested page, never to a foreign URL', async ({ page }) => {
  const operator = await newOperator(page);
  await logInWithForm(page, operator, '/trade/order?state=0');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('现货交易');
  await page.evaluate(() => localStorage.removeItem('hengtai.session'));
  // The page may redirect to the login by itself and interrupt this navigation.
  await expect(() => page.goto('/login?back=//example.org/x')).toPass();
  await fillLogin(page, operator.account, operator.password);
  await page.waitForURL((url) => url.pathname === '/home');
});

test(
  'without a session every page redirects to the login, and the root redirects home',
  { tag: '@short' },
  async ({ page }) => {
    for (const path of ['/', '/home', '/withdraw', '/config', '/no/such/page']) {
      await page.goto(path);
      await page.waitForURL(/\/login/);
    }
    await logIn(page, await newOperator(page));
    await page.goto('/');
    await page.waitForURL(/\/home$/);
  },
);

test('without the ability, announcements and settings redirect home and are not in the menu', async ({ page }) => {
  const operator = await newOperator(page);
  await logIn(page, operator);
  for (const path of ['/announce', '/announce/add', '/announce/update/3', '/config']) {
    await page.goto(path);
    await page.waitForURL(/\/home$/);
  }
  const menu = page.getByRole('navigation', { name: '主菜单' });
  await expect(menu.getByText('市场管理')).toBeVisible();
  await expect(menu.getByText('公告管理')).toHaveCount(0);
  await expect(menu.getByText('系统设置')).toHaveCount(0);
});

test('an expired session is discarded', async ({ page }) => {
  await logIn(page, await newOperator(page));
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('hengtai.session') ?? '{}') as { expire: number };
    localStorage.setItem('hengtai.session', JSON.stringify({ ...session, expire: Date.now() - 1 }));
  });
  await page.reload();
  await page.waitForURL(/\/login/);
  expect(await tokenOf(page)).toBe('');
});

test('a session ended elsewhere redirects all windows to the login', async ({ page, context }) => {
  await logIn(page, await newOperator(page));
  const otherPage = await context.newPage();
  await otherPage.goto('/trade/order');
  await expect(activePage(otherPage).getByRole('heading', { level: 1 })).toBeVisible();
  const response = await api(page, 'POST', 'logout', {}, await tokenOf(page));
  expect(response.code).toBe(200);

  await expect(page).toHaveURL(/\/login/);
  await expect(otherPage).toHaveURL(/\/login\?back=%2Ftrade%2Forder/);
  expect(await tokenOf(otherPage)).toBe('');
});

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

test('other refusals do not end the session', async ({ page, complaints }) => {
  await logIn(page, await newOperator(page));
  const token = await tokenOf(page);
  // 403: no ability for the audit log; 404 and 422: no such row, invalid number.
  expect((await api(page, 'GET', 'audit/list', {}, token)).code).toBe(403);
  await page.goto('/audit');
  await expect(page.getByRole('heading', { name: '没有权限' })).toBeVisible();
  await page.goto('/user?page=999999999999');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('用户列表');
  await page.goto('/withdraw?id=1&row=999999999');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('提现记录');
  expect(await tokenOf(page)).toBe(token);

  // 401: the old password is wrong.
  await page.getByRole('button', { name: /^user / }).click();
  await page.getByRole('menuitem', { name: '修改密码' }).click();
  const dialog = page.getByRole('dialog', { name: '修改密码' });
  await dialog.getByLabel('旧密码').fill('not-the-old-one');
  await dialog.getByLabel('新密码').fill('second-password-2');
  await dialog.getByRole('button', { name: '确认修改' }).click();
  await expect(dialog.getByText('旧密码错误')).toBeVisible();
  expect(await tokenOf(page)).toBe(token);
  expect(complaints).toEqual([]);
});

test('changing the password requires both fields and redirects to the login with a message', async ({ page }) => {
  const operator = await newOperator(page);
  await logIn(page, operator);
  await page.getByRole('button', { name: /^user / }).click();
  await page.getByRole('menuitem', { name: '修改密码' }).click();
  const dialog = page.getByRole('dialog', { name: '修改密码' });
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(550);
  await dialog.getByRole('button', { name: '确认修改' }).click();
  await expect(dialog.getByText('请输入旧密码')).toBeVisible();
  await expect(dialog.getByText('请输入新密码')).toBeVisible();
  await dialog.getByLabel('旧密码').fill(operator.password);
  await dialog.getByLabel('新密码').fill('second-password-2');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/);
  await expect(page.getByText('密码修改成功，请重新登录')).toBeVisible();
  await fillLogin(page, operator.account, operator.password);
  await expect(page.getByRole('alert')).toHaveText('账号、密码或验证码错误');
  await fillLogin(page, operator.account, 'second-password-2');
  await page.waitForURL(/\/home/);
});

test('logging out redirects all windows to the login and ends the session on the server', async ({ page, context }) => {
  await logIn(page, await newOperator(page));
  const otherPage = await context.newPage();
  await otherPage.goto('/home');
  await expect(activePage(otherPage)).toBeVisible();
  const token = await tokenOf(page);
  await logOut(page);
  await expect(otherPage).toHaveURL(/\/login/);
  expect((await api(page, 'GET', 'me', {}, token)).code).toBe(400);
});

test('a login in one window logs in another', async ({ page, context }) => {
  const operator = await newOperator(page);
  const otherPage = await context.newPage();
  await otherPage.goto('/login?back=%2Fplan');
  await logInWithForm(page, operator);
  await otherPage.waitForURL(/\/plan(\?|$)/);
});

test('revoking an ability ends the session', async ({ page }) => {
  const operator = await newOperator(page, [12]);
  await logIn(page, operator, '/audit');
  await setAbility(page, operator, 12, 0);
  await expect(page).toHaveURL(/\/login/);
});

test('the login warns about caps lock', async ({ page }) => {
  await page.goto('/login');
  const password = page.getByLabel('登录密码', { exact: true });
  await password.focus();
  await password.evaluate((input) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true }));
  });
  await expect(page.getByText('大写锁定已打开')).toBeVisible();
});
