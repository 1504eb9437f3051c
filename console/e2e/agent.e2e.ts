import type { AgentDetail } from '@hengtai/contract/agent.schema';
import type { Page } from '@playwright/test';
import {
  type Operator,
  admin,
  expect,
  expectAccessible,
  recordComplaints,
  logIn,
  logInWithForm,
  newOperator,
  activePage,
  test,
} from './desk.ts';
import { dialog, callAs, waitForRows, searchParamsOf, row, rows } from './desk-list.ts';
import { newUser, confirmPopover } from './desk-user.ts';
import { second } from './server.ts';

const drawer = (page: Page) => page.locator('.ht-page-drawer').getByRole('dialog');
const fold = (page: Page, { account }: Operator) =>
  activePage(page).getByRole('button', { name: `${account} 的下级`, exact: true });
const detailOf = async (page: Page, { id }: { id: number }): Promise<AgentDetail> =>
  (await callAs(page, admin, 'GET', 'agent/detail', { id })).data as AgentDetail;
const action = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true });
const ability = (page: Page, name: string) => drawer(page).getByRole('switch', { name: new RegExp(`^${name} `) });

/** Chooses an agent in the picker of a dialog by its account. */
async function pick(page: Page, label: string, { account }: Operator) {
  const box = page.getByRole('combobox', { name: label });
  // A click waits for the end of the dialog animation; a dropdown opened earlier would be misplaced.
  await box.click();
  await box.fill(account);
  await page.locator('.ant-select-dropdown:visible').getByTitle(account, { exact: true }).first().click();
}

/** Creates a chain of three agents, each below the previous one, and an unrelated agent. */
async function branches(page: Page, abilities: readonly number[] = []) {
  const top = await newOperator(page, abilities);
  const child = await newOperator(page, abilities, top.account);
  const deep = await newOperator(page, abilities, child.account);
  const other = await newOperator(page);
  return { top, child, deep, other };
}

test('the tree expands by mouse and keyboard, survives a reload, and a filter turns it into a list', async ({
  page,
}) => {
  const { top, child, deep } = await branches(page);
  await logIn(page, admin, '/agent?size=200');
  await waitForRows(page);
  await fold(page, top).click();
  await expect(row(page, child.id)).toBeVisible();
  await expect(row(page, deep.id)).toHaveCount(0);
  await row(page, child.id).locator('[data-col=remark]').click();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, deep.id)).toBeVisible();
  await page.keyboard.press('j');
  await expect(row(page, deep.id)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, child.id)).toHaveAttribute('aria-current', 'true');
  await page.reload();
  await expect(row(page, deep.id)).toBeVisible();
  await row(page, child.id).locator('[data-col=remark]').click();
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, deep.id)).toHaveCount(0);
  await expectAccessible(page);

  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).fill(deep.account);
  await activePage(page).getByRole('button', { name: '查询' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, deep.id)).toContainText(child.account);
  await expect(fold(page, deep)).toHaveCount(0);
  await activePage(page).getByRole('button', { name: '重置' }).click();
  await expect(row(page, top.id)).toBeVisible();
  await activePage(page).getByText('列表', { exact: true }).click();
  await expect.poll(() => searchParamsOf(page).get('mode')).toBe('list');
  await expect(row(page, deep.id)).toBeVisible();
});

test('each ability names who granted it, and revoking one revokes it in the whole subtree', async ({
  page,
  browser,
  complaints,
}) => {
  const { top, child, deep } = await branches(page, [1, 3]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await logIn(page, admin, `/agent?open=${deep.id}`);
  await expect(drawer(page).getByRole('navigation', { name: '上级路径' })).toContainText(
    `${top.account}${child.account}${deep.account}`,
  );
  await drawer(page).getByRole('button', { name: top.account, exact: true }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(top.id));
  await page.keyboard.press('2');
  await expect(ability(page, '提现审核')).toBeChecked();
  await expect(drawer(page).getByRole('row').filter({ hasText: '提现审核' })).toContainText(admin.account);
  await expectAccessible(page);
  const own = await browser.newContext();
  await recordComplaints(own, complaints);
  const working = await own.newPage();
  await logIn(working, deep, '/withdraw');
  await ability(page, '提现审核').click();
  await expect(confirmPopover(page)).toContainText(`收回 ${top.account} 的「提现审核」权限？`);
  await expect(confirmPopover(page)).toContainText('同时从下级 2 个代理收回');
  await confirmPopover(page).getByRole('button', { name: '收回' }).click();
  await expect(ability(page, '提现审核')).not.toBeChecked();
  expect((await detailOf(page, deep)).row.abilities).toEqual([0, 1]);
  await expect(working).toHaveURL(/\/login/);
  await own.close();
  await ability(page, '审批复核').click();
  await confirmPopover(page).getByRole('button', { name: '授予' }).click();
  await expect(ability(page, '审批复核')).toBeChecked();
  expect((await detailOf(page, top)).grants).toMatchObject([
    { ability: 1, by: admin.account },
    { ability: 11, by: admin.account },
  ]);
});

test('a new agent logs in with the password shown once, and is logged out when disabled', async ({
  page,
  browser,
  complaints,
}) => {
  const parent = await newOperator(page);
  await logIn(page, admin, `/agent?open=${parent.id}`);
  await action(page, '新增下级').click();
  const form = dialog(page, '新增代理');
  const account = `${parent.account}.new`;
  await form.getByLabel('账号', { exact: true }).fill(account);
  await form.getByRole('button', { name: '生成' }).click();
  await expect(form.locator('.ant-select-content')).toContainText(parent.account);
  await form.getByRole('button', { name: '新增', exact: true }).click();
  const once = dialog(page, `代理 ${account} 已新增`);
  const password = await once.getByLabel('登录密码', { exact: true }).innerText();
  expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
  await expectAccessible(page);
  await once.getByRole('button', { name: '已保存，关闭' }).click();

  const own = await browser.newContext();
  await recordComplaints(own, complaints);
  const theirs = await own.newPage();
  await logInWithForm(theirs, { account, password }, '/agent');
  await expect(rows(theirs)).toHaveCount(1);
  await expect(rows(theirs)).toContainText('本人');

  const { data } = await callAs(page, admin, 'GET', 'agent/list', { account });
  const { id } = (data as { list: Operator[] }).list[0] ?? { id: 0 };
  await page.goto(`/agent?open=${parent.id}`);
  await action(page, '停用').click();
  const ask = dialog(page, '停用代理');
  await expect(ask).toContainText('下级仍有 1 个代理可以登录');
  await ask.getByRole('button', { name: '取消' }).click();
  await page.goto(`/agent?open=${id}`);
  await action(page, '停用').click();
  await dialog(page, '停用代理').getByRole('button', { name: '停用' }).click();
  await expect(drawer(page)).toContainText('停用');
  await expect(action(page, '启用')).toBeVisible();
  await expect(theirs).toHaveURL(/\/login/);
  await own.close();
});

test('a change of parent previews paths, agents, users and lost abilities, and refuses a descendant', async ({
  page,
}) => {
  const { top, child, deep, other } = await branches(page, [1, 3]);
  const user = await newUser(page, deep.account);
  await logIn(page, admin, `/agent?open=${child.id}`);
  await action(page, '更换上级').click();
  const ask = dialog(page, '更换上级');
  const submit = ask.getByRole('button', { name: '更换上级' });
  await expect(submit).toBeDisabled();
  await pick(page, '新上级', deep);
  await expect(ask.getByRole('alert')).toContainText('不能是代理自己或其下级');
  await expect(submit).toBeDisabled();
  await pick(page, '新上级', other);
  await expect(ask).toContainText(`admin › ${top.account} › ${child.account}`);
  await expect(ask).toContainText(`admin › ${other.account} › ${child.account}`);
  await expect(ask).toContainText('2 个代理（含本人）和 1 位用户');
  await expect(ask).toContainText('新上级没有：用户管理（2 个代理）、提现审核（2 个代理）');
  await expectAccessible(page);
  await submit.click();
  await expect(ask).toBeHidden();
  await expect(drawer(page).getByRole('navigation', { name: '上级路径' })).toContainText(other.account);
  expect((await detailOf(page, deep)).row.abilities).toEqual([0]);
  const { data } = await callAs(page, admin, 'GET', 'user/list', { agentRoot: other.account });
  expect((data as { list: { id: number }[] }).list.map(({ id }) => id)).toEqual([user.id]);
  await drawer(page).getByRole('link', { name: '在树中查看' }).click();
  await expect(row(page, child.id)).toHaveAttribute('aria-current', 'true');
  await expect(activePage(page).getByText('共 1 条')).toBeVisible();
  await activePage(page).getByRole('button', { name: '显示整棵树' }).click();
  await expect(activePage(page).getByText('逐级展开')).toBeVisible();
});

test(
  'a deletion shows a preview, requires the typed account, and is executed by a checker',
  { tag: '@short' },
  async ({ page, browser, complaints }) => {
    const { child, deep, other } = await branches(page);
    await newUser(page, child.account);
    await logIn(page, admin, `/agent?open=${child.id}`);
    await action(page, '删除').click();
    const ask = dialog(page, '删除代理');
    await pick(page, '接替代理', other);
    await expect(ask).toContainText('移交用户1 位（直属 1 位）');
    await expect(ask).toContainText(`直属：${deep.account}`);
    const submit = ask.getByRole('button', { name: '提交复核' });
    await expect(submit).toBeDisabled();
    await ask.getByRole('button', { name: '终止合作' }).click();
    await expect(submit).toBeDisabled();
    await ask.getByLabel(/请输入账号以确认/).fill(child.account);
    await submit.click();
    await expect(ask).toBeHidden();
    expect((await detailOf(page, child)).approvals).toEqual({ made: 0, about: 1 });

    const checker = await browser.newContext();
    await recordComplaints(checker, complaints);
    const theirs = await checker.newPage();
    await logIn(theirs, second, `/agent?open=${child.id}`);
    await expect(action(theirs, '删除')).toHaveAttribute('aria-disabled', 'true');
    const { data } = await callAs(page, admin, 'GET', 'approval/list', { state: 0, type: 'agent.del', size: 200 });
    const asked = (data as { list: { id: number; targetId: number }[] }).list.find(
      ({ targetId }) => targetId === child.id,
    );
    await theirs.goto(`/approval?open=${asked?.id}`);
    await expect(drawer(theirs).getByRole('link', { name: `代理 #${child.id}` })).toHaveAttribute(
      'href',
      `/agent?open=${child.id}`,
    );
    await drawer(theirs).getByRole('button', { name: /通过/ }).click();
    await theirs.locator('.ant-modal').getByRole('button', { name: '通过复核' }).click();
    await expect.poll(async () => (await callAs(page, admin, 'GET', 'agent/detail', { id: child.id })).code).toBe(404);
    expect((await detailOf(page, deep)).row.parentAccount).toBe(other.account);
    await checker.close();
  },
);

test('while a search is pending, the picker offers no outdated match and Enter selects none', async ({ page }) => {
  const { child, other } = await branches(page);
  await logIn(page, admin, `/agent?open=${child.id}`);
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/agent/list?account=*', async (route) => {
    await held;
    await route.continue();
  });
  await action(page, '删除').click();
  const ask = dialog(page, '删除代理');
  const box = ask.getByRole('combobox', { name: '接替代理' });
  const offered = page.locator('.ant-select-dropdown:visible');
  await box.click();
  await expect(offered.locator('.ant-select-item-option').first()).toBeVisible();
  await box.fill(`${other.account}-nobody`);
  await expect(offered).toContainText('查找中…');
  await expect(offered.locator('.ant-select-item-option')).toHaveCount(0);
  await box.press('Enter');
  await expect(ask).toContainText('请选择接替代理');
  await expect(box).toHaveValue(`${other.account}-nobody`);
  answer();
  await expect(offered).toContainText('没有匹配的代理');
  await pick(page, '接替代理', other);
  await expect(ask).toContainText('移交用户0 位');
});

test('actions and abilities that an agent may not change are disabled with a reason', async ({ page }) => {
  const { top, child } = await branches(page, [3]);
  await newOperator(page, [11], child.account);
  await logIn(page, top, `/agent?open=${top.id}`);
  await expect(row(page, child.id)).toBeVisible();
  for (const name of ['重置密码', '更换上级', '停用', '删除']) {
    await expect(action(page, name)).toHaveAttribute('aria-disabled', 'true');
  }
  await page.goto(`/agent?open=${child.id}&tab=ability`);
  const why: [string, string][] = [
    ['用户管理', '自己没有「用户管理」权限'],
    ['审批复核', '只能由顶级管理员授予或收回'],
  ];
  for (const [name, words] of why) {
    await expect(ability(page, name)).toHaveAttribute('aria-disabled', 'true');
    await ability(page, name).hover();
    await expect(page.getByRole('tooltip').filter({ hasText: words })).toBeVisible();
    await ability(page, name).press('Enter');
    await expect(confirmPopover(page).locator('.ant-popconfirm-buttons')).toHaveCount(0);
  }
  await expect(ability(page, '提现审核')).toHaveAttribute('aria-disabled', 'false');
});
