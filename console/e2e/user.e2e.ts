import { type Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, sight, tab, test } from './desk.ts';
import { dialog, elsewhere, listed, loaded, query, row } from './desk-list.ts';
import { type User, newUser, userOf } from './desk-user.ts';
import { second } from './server.ts';

const unique = () => `e2e-user-${Date.now().toString(36)}`;

const switchOf = (page: Page, { id, account }: User, name: string) =>
  row(page, id).getByRole('switch', { name: `${name} ${account}`, exact: true });
const question = (page: Page) => page.locator('.ant-popover:visible');

async function more(page: Page, { id, account }: User, action: string) {
  await row(page, id)
    .getByRole('button', { name: `用户 ${account} 的更多操作` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function listOf(page: Page, ...users: readonly User[]) {
  await logIn(page, admin, users.length === 1 ? `/user?id=${users[0]?.id}` : '/user');
  await loaded(page);
}

test('a user is added and stands in the list', async ({ page }) => {
  await logIn(page, admin, '/user');
  await loaded(page);
  await sight(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await expect(form.getByLabel('账号')).toBeFocused();
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByText('请输入账号')).toBeVisible();
  await expect(form.getByText('请输入登录密码')).toBeVisible();
  const account = unique();
  await form.getByLabel('账号').fill(account);
  await form.getByLabel('登录密码').fill('short');
  await expect(form.getByText('登录密码为 8–128 位')).toBeVisible();
  await form.getByLabel('登录密码').fill('long enough 1');
  await form.getByLabel('备注').fill('浏览器测试');
  await form.getByLabel('备注').press('Tab');
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('操作成功')).toBeVisible();
  await sight(page).getByLabel('账号', { exact: true }).fill(account.toUpperCase());
  await sight(page).getByLabel('账号', { exact: true }).press('Enter');
  const [added] = (await listed(page, 'user/list', { account })).list;
  await expect(row(page, added?.id ?? 0)).toContainText(account);
  await expect(row(page, added?.id ?? 0)).toContainText('浏览器测试');
});

test('an account that is taken keeps the dialog and what was typed', async ({ page }) => {
  const [known] = (await listed(page, 'user/list')).list;
  await logIn(page, admin, '/user');
  await loaded(page);
  await sight(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await form.getByLabel('账号').fill(known?.account ?? '');
  await form.getByLabel('登录密码').fill('long enough 1');
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '账号已存在' })).toBeVisible();
  await expect(form.getByLabel('账号')).toHaveValue(known?.account ?? '');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: '取消' }).click();
  await expect(form).toBeHidden();
  await tab(page, '用户列表').locator('[data-close]').click();
  await page.waitForURL(/\/home$/);
});

test('each switch asks by name, turns, and turns back', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  const turns = [
    ['交易', 'trade', 0, `关闭 ${user.account} 的「交易」？`, '关闭'],
    ['认购买入', 'ieoBuy', 0, `关闭 ${user.account} 的「认购买入」？`, '关闭'],
    ['认购卖出', 'ieoSell', 0, `关闭 ${user.account} 的「认购卖出」？`, '关闭'],
    ['智能跟单', 'ai', 1, `开启 ${user.account} 的「智能跟单」？`, '开启'],
    ['账号', 'state', 0, `冻结用户 ${user.account}？`, '冻结'],
    ['账号', 'state', 1, `启用用户 ${user.account}？`, '启用'],
  ] as const;
  for (const [name, field, to, asked, verb] of turns) {
    const one = switchOf(page, user, name);
    await expect(one).toHaveAttribute('aria-checked', String(to === 0));
    await one.click();
    await expect(question(page)).toContainText(asked);
    await question(page).getByRole('button', { name: verb }).click();
    await expect(one).toHaveAttribute('aria-checked', String(to === 1));
    await expect(question(page)).toHaveCount(0);
    expect((await userOf(page, user.id))[field]).toBe(to);
  }
});

test('a switch is asked and turned by the keyboard, and Escape leaves it as it is', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  const trade = switchOf(page, user, '交易');
  await trade.focus();
  await page.keyboard.press('Enter');
  await expect(question(page).getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(trade).toBeFocused();
  expect((await userOf(page, user.id)).trade).toBe(1);
  await page.keyboard.press('Enter');
  await expect(question(page).getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(trade).toHaveAttribute('aria-checked', 'false');
  expect((await userOf(page, user.id)).trade).toBe(0);
});

test('a switch that somebody else turned meanwhile says so and shows what stands', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  await switchOf(page, user, '账号').click();
  expect((await elsewhere(page, admin, 'POST', 'user/state/disable', { id: user.id })).code).toBe(200);
  await question(page).getByRole('button', { name: '冻结' }).click();
  await expect(question(page).getByRole('alert')).toContainText('冻结');
  await expect(question(page).getByRole('button', { name: '冻结' })).toBeDisabled();
  await expect(switchOf(page, user, '账号')).toHaveAttribute('aria-checked', 'false');
  await question(page).getByRole('button', { name: '取消' }).click();
  await expect(row(page, user.id)).toContainText('冻结');
});

test('a generated password is shown once, after it holds', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  await more(page, user, '重置密码');
  const ask = dialog(page, '重置密码');
  await expect(ask).toContainText(`${user.account}（${user.id}）`);
  await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
  const field = ask.getByRole('textbox', { name: '新密码' });
  await field.fill('short');
  await expect(ask.getByText('新密码为 8–128 位').first()).toBeVisible();
  await expect(ask.getByRole('button', { name: '重置密码' })).toBeDisabled();
  await ask.getByRole('button', { name: '生成' }).click();
  const password = await field.inputValue();
  expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
  await ask.getByRole('button', { name: '生成' }).click();
  const again = await field.inputValue();
  expect(again).not.toBe(password);
  await field.focus();
  await page.keyboard.press('Enter');
  await expect(ask).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const once = dialog(page, `${user.account} 的新密码`);
  await expect(once.getByLabel('新密码', { exact: true })).toHaveText(again);
  await expect(once.getByRole('button', { name: '复制新密码' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(once).toBeVisible();
  await once.getByRole('button', { name: '已保存，关闭' }).click();
  await expect(once).toBeHidden();
  await expect(page.getByText(again)).toHaveCount(0);
  const { data } = await elsewhere(page, admin, 'GET', 'user/detail', { id: user.id });
  expect((data as { credentials: { kind: string }[] }).credentials.map(({ kind }) => kind)).toEqual(['password']);
});

test('the payout tier says what it is, takes 1 to 100, and stands in the list', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  await more(page, user, '收益率档位');
  const ask = dialog(page, '收益率档位');
  await expect(ask).toContainText('从不决定盈亏');
  await expect(ask.getByText('已是「标准收益率」')).toBeVisible();
  await ask.getByText('专属收益率', { exact: true }).click();
  const rate = ask.getByLabel('收益率', { exact: true });
  for (const wrong of ['0.99', '100.01', '八十', '1e1']) {
    await rate.fill(wrong);
    await expect(ask.getByText('收益率为 1–100')).toBeVisible();
    await expect(ask.getByRole('button', { name: '更改档位' })).toBeDisabled();
  }
  await rate.fill('85.50');
  await expect(ask).toContainText('盈利时按本金的 85.5% 赔付');
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  await expect(row(page, user.id)).toContainText('专属收益率 85.5%');
  expect(await userOf(page, user.id)).toMatchObject({ winType: 1, winRate: '85.5' });
});

test('a support link needs a reason, counts down, and is gone when it has run out', async ({ page }) => {
  const user = await newUser(page);
  await page.clock.install();
  await listOf(page, user);
  await more(page, user, '支持链接');
  const ask = dialog(page, '支持链接');
  await expect(ask.getByRole('button', { name: '生成链接' })).toBeDisabled();
  await ask.getByRole('button', { name: '协助用户操作' }).click();
  await page.keyboard.press('Control+Enter');
  const once = dialog(page, `${user.account} 的支持链接`);
  const link = once.getByLabel('链接', { exact: true });
  await expect(link).toHaveText(/^https?:\/\/\S+token=\S+$/);
  await expect(once.getByRole('button', { name: '复制链接' })).toBeVisible();
  await expect(once.getByRole('timer')).toHaveText(/^[45]:\d\d 后失效$/);
  await page.clock.fastForward('05:01');
  await expect(once).toContainText('链接已失效');
  await expect(link).toHaveCount(0);
  await once.getByRole('button', { name: '关闭' }).last().click();
  await expect(once).toBeHidden();
});

test('the remark is changed at its place', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  await more(page, user, '修改备注');
  const form = dialog(page, `修改备注 · ${user.account}`);
  await expect(form.getByLabel('备注')).toBeFocused();
  await expect(form.getByRole('button', { name: '保存' })).toBeDisabled();
  await form.getByLabel('备注').fill('VIP 客户');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toBeHidden();
  await expect(row(page, user.id)).toContainText('VIP 客户');
});

test('what keeps a user from being deleted is listed, with where to go', async ({ page }) => {
  const { list } = await listed(page, 'withdraw/list', { state: 0, size: 50 });
  const someone = list[0] as unknown as { userId: number; account: string };
  const user = { id: someone.userId, account: someone.account };
  await listOf(page, user);
  await more(page, user, '删除');
  const ask = dialog(page, '删除用户');
  const reasons = ask.getByRole('region', { name: '不能删除的原因' });
  await expect(reasons.getByRole('listitem').filter({ hasText: '待审核' }).first()).toContainText('通过或驳回');
  await expect(reasons.getByRole('listitem').filter({ hasText: '余额' }).first()).toContainText('USDT');
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await reasons.getByRole('link', { name: '前往' }).last().click();
  await expect(ask).toBeHidden();
  await page.waitForURL(/\/withdraw\?/);
  expect(query(page).get('userId')).toBe(String(user.id));
});

test('a refused deletion lists what the server found and can be tried again', async ({ page, complaints }) => {
  const { list } = await listed(page, 'withdraw/list', { state: 0, size: 50 });
  const someone = list[0] as unknown as { userId: number; account: string };
  const user = { id: someone.userId, account: someone.account };
  await listOf(page, user);
  // Without the profile nothing is known beforehand.
  await page.route('**/user/detail?*', (route) => route.abort());
  await more(page, user, '删除');
  const ask = dialog(page, '删除用户');
  await ask.getByRole('button', { name: '重复账号' }).click();
  await ask.getByLabel('请输入账号以确认').fill(user.account);
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(ask.getByRole('alert')).toContainText('用户仍有未了结的事项');
  await expect(ask.getByRole('region', { name: '不能删除的原因' }).getByRole('listitem').first()).toBeVisible();
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeEnabled();
  await page.unroute('**/user/detail?*');
  complaints.length = 0;
  expect((await userOf(page, user.id)).id).toBe(user.id);
});

test('a user with nothing left is deleted after its account was typed', async ({ page }) => {
  const user = await newUser(page);
  await listOf(page, user);
  await more(page, user, '删除');
  const ask = dialog(page, '删除用户');
  await ask.getByRole('button', { name: '测试账号' }).click();
  await ask.getByLabel('请输入账号以确认').fill(user.account.slice(0, -1));
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await ask.getByLabel('请输入账号以确认').fill(user.account);
  await ask.getByRole('button', { name: '删除用户' }).click();
  await expect(ask).toBeHidden();
  await expect(row(page, user.id)).toHaveCount(0);
  expect((await elsewhere(page, second, 'GET', 'user/detail', { id: user.id })).code).toBe(404);
});

test('without the ability every switch and action is grey and says why', async ({ page }) => {
  const user = await newUser(page);
  await logIn(page, await newOperator(page, [13]), `/user?id=${user.id}`);
  await loaded(page);
  const why = page.getByRole('tooltip', { name: '没有「用户管理」权限' });
  const add = sight(page).getByRole('button', { name: '新增用户' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await add.hover();
  await expect(why).toBeVisible();
  await add.click({ force: true });
  const trade = switchOf(page, user, '交易');
  await expect(trade).toHaveAttribute('aria-disabled', 'true');
  await trade.hover();
  await expect(why.last()).toBeVisible();
  await trade.click({ force: true });
  await expect(question(page)).toHaveCount(0);
  await row(page, user.id)
    .getByRole('button', { name: `用户 ${user.account} 的更多操作` })
    .click();
  for (const name of ['重置密码', '更换代理', '收益率档位', '支持链接', '修改备注', '删除']) {
    const item = page.getByRole('menuitem', { name });
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toContainText('没有「用户管理」权限');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the list, its questions and its dialogs keep nobody out (${colorScheme})`, async ({ page }) => {
    const user = await newUser(page);
    await page.emulateMedia({ colorScheme });
    await logIn(page, admin, `/user?id=${user.id}`);
    await loaded(page);
    await expectAccessible(page);
    await switchOf(page, user, '账号').click();
    await expect(question(page)).toBeVisible();
    await expectAccessible(page);
    await question(page).getByRole('button', { name: '取消' }).click();
    for (const [action, name] of [
      ['重置密码', '重置密码'],
      ['更换代理', '更换代理'],
      ['收益率档位', '收益率档位'],
      ['修改备注', /^修改备注/],
      ['删除', '删除用户'],
    ] as const) {
      await more(page, user, action);
      await expect(dialog(page, name)).toBeVisible();
      await expectAccessible(page);
      await dialog(page, name).getByRole('button', { name: '取消' }).click();
      await expect(dialog(page, name)).toHaveCount(0);
    }
  });
}
