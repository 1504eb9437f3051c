import {
  admin,
  api,
  expect,
  expectAccessible,
  logIn,
  newOperator,
  createSession,
  activePage,
  test,
  tokenOf,
} from './desk.ts';
import { dialog, callAs, waitForRows, searchParamsOf, rows, waitForPendingWithdrawals } from './desk-list.ts';
import { navigateInApp } from './list-helpers.ts';
import { secondOperator } from './server.ts';

test('the log shows an action with its values before and after', async ({ page }) => {
  // Other tests decide the newest one.
  const withdrawal = (await waitForPendingWithdrawals(page, 1)).at(-1);
  const id = withdrawal?.id ?? 0;
  expect(
    (await callAs(page, secondOperator, 'POST', 'withdraw/reject', { id, reason: '资料不符，请联系客服' })).code,
  ).toBe(200);
  await logIn(page, admin, `/audit?operator=${secondOperator.account}&action=withdraw.reject&targetId=${id}`);
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('驳回提现');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer).toContainText('资料不符，请联系客服');
  await expectAccessible(page);
  const state = drawer.getByRole('row').filter({ has: page.getByRole('cell', { name: '状态', exact: true }) });
  await expect(state.getByRole('cell')).toHaveText(['状态', '待审核', '已驳回', '变更']);
  // The name that the code uses is kept for support only, beside the words.
  await expect(drawer.getByText('withdraw.reject', { exact: true })).toHaveCount(1);
  await expect(drawer.locator('dd').filter({ hasText: /^驳回提现 withdraw\.reject$/ })).toBeVisible();
  await expect(drawer.getByRole('link', { name: `提现 #${id}` })).toHaveAttribute('href', `/withdraw?open=${id}`);
  expect(searchParamsOf(page).get('open')).not.toBeNull();
});

test('the chain is verified from the page', { tag: '@short' }, async ({ page }) => {
  await logIn(page, admin, '/audit');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '校验审计链' }).click();
  const report = dialog(page, '审计链校验');
  await expect(report).toContainText('审计链完整');
  await expect(report).toContainText(/已封存 [\d,]+ 条/);
  await expect(report.getByRole('region', { name: '最近的签名链头' }).getByRole('row')).not.toHaveCount(1);
});

test('a view lists denied attempts, and the drawer links to all actions of the operator', async ({ page }) => {
  const operator = await newOperator(page);
  const { token } = await createSession(page, operator);
  expect((await api(page, 'POST', 'withdraw/pass', { id: 1 }, token)).code).toBe(403);
  await logIn(page, admin, '/audit');
  await waitForRows(page);
  await activePage(page)
    .getByRole('button', { name: /^被拒绝的操作/ })
    .click();
  await expect.poll(() => searchParamsOf(page).get('denied')).toBe('1');
  await expect(rows(page).first()).toContainText(operator.account);
  await expect(rows(page).first()).toContainText('通过提现');
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer.getByRole('link', { name: operator.account }).first()).toBeVisible();
  await drawer.getByRole('link', { name: '全部操作' }).first().click();
  await expect.poll(() => searchParamsOf(page).get('operator')).toBe(operator.account);
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(2);

  // The log begins without marks of reading and preferences, which a filter shows.
  const items = [{ key: 'home.steps', value: true }];
  expect((await api(page, 'POST', 'preference/save', { items }, await tokenOf(page))).code).toBe(200);
  await page.goto('/audit');
  await expect.poll(() => searchParamsOf(page).toString()).toBe('routine=0');
  await waitForRows(page);
  for (const text of await rows(page).allInnerTexts()) expect(text).not.toMatch(/保存偏好设置|标记客服消息已读/);
  await navigateInApp(page, '/audit', { routine: '1' });
  await waitForRows(page);
  await expect(rows(page).first()).toContainText(/保存偏好设置|标记客服消息已读|视图/);
});
