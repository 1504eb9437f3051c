import { type Page } from '@playwright/test';
import { type Operator, admin, expect, logIn, newOperator, test } from './desk.ts';
import { dialog, callAs, waitForRows, row } from './desk-list.ts';
import { type User, newUser, fetchUser } from './desk-user.ts';

async function selectUsers(page: Page, users: readonly User[]) {
  for (const { id } of users) await row(page, id).getByRole('checkbox').check();
  await expect(page.getByText(`已选 ${users.length} 条`)).toBeVisible();
}

/** Searches an agent by account in the picker of the dialog; returns the dialog and the match. */
async function searchAgent(page: Page, name: string, agent: string) {
  const modal = dialog(page, name);
  await modal.getByRole('combobox', { name: '新代理' }).click();
  await page.keyboard.type(agent);
  const match = page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: agent });
  await expect(match).toHaveCount(1);
  return { modal, found: match };
}

test('a bulk freeze keeps its successes and lists its failures', async ({ page }) => {
  const users = [await newUser(page), await newUser(page), await newUser(page)];
  const [deleted, ...others] = users;
  await logIn(page, admin, '/user?size=50');
  await waitForRows(page);
  await selectUsers(page, users);
  // Another call freezes one of the users first, which is no failure, and deletes another one.
  expect((await callAs(page, admin, 'POST', 'user/state/disable', { id: others[0]?.id })).code).toBe(200);
  expect((await callAs(page, admin, 'POST', 'user/del', { id: deleted?.id })).code).toBe(200);
  await page.getByRole('button', { name: '批量冻结' }).click();
  const modal = dialog(page, '批量冻结');
  await expect(modal.getByRole('button', { name: '冻结 3 位' })).toBeDisabled();
  await modal.getByRole('button', { name: '疑似异常操作' }).click();
  await modal.getByLabel('请输入人数以确认').fill('3');
  await modal.getByRole('button', { name: '冻结 3 位' }).click();
  const results = dialog(page, '批量冻结：结果');
  await expect(results.getByRole('status')).toHaveText('成功 2 条，失败 1 条');
  const failedRow = results.getByRole('row').filter({ hasText: deleted?.account ?? '' });
  await expect(failedRow).toContainText('不存在');
  await results.getByRole('button', { name: '关闭' }).last().click();
  await expect(page.getByText('已选 1 条')).toBeVisible();
  for (const { id } of others) {
    expect((await fetchUser(page, id)).state).toBe(0);
    await expect(row(page, id).getByRole('switch').first()).toHaveAttribute('aria-checked', 'false');
  }
});

test('a user moves to another agent, and the former agent no longer sees the user', async ({ page }) => {
  const [from, to] = [await newOperator(page), await newOperator(page)];
  const credentialsOf = ({ account, password }: Operator) => ({ account, password });
  const user = await newUser(page, from.account);
  await logIn(page, admin, `/user?id=${user.id}`);
  await waitForRows(page);
  await row(page, user.id)
    .getByRole('button', { name: `用户 ${user.account} 的更多操作` })
    .click();
  await page.getByRole('menuitem', { name: '更换代理' }).click();
  const current = await searchAgent(page, '更换代理', from.account);
  await expect(current.found).toContainText('当前代理');
  await expect(current.found).toHaveClass(/disabled/);
  await page.keyboard.press('Escape');
  await expect(current.modal.getByRole('button', { name: '更换代理' })).toBeDisabled();
  const { modal, found } = await searchAgent(page, '更换代理', to.account);
  await found.click();
  await expect(modal).toContainText(`随之转到「${to.account}」名下`);
  await expect(modal).toContainText(`原代理「${from.account}」及其上级将看不到`);
  await modal.getByRole('button', { name: '更换代理' }).click();
  await expect(modal).toBeHidden();
  await expect(row(page, user.id)).toContainText(to.account);
  expect((await callAs(page, credentialsOf(from), 'GET', 'user/detail', { id: user.id })).code).toBe(404);
  expect((await callAs(page, credentialsOf(to), 'GET', 'user/detail', { id: user.id })).code).toBe(200);
});
