import type { AgentDetail } from '@hengtai/contract/people/agent/schema';
import type { Locator, Page } from '@playwright/test';
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
import { secondOperator } from './server.ts';

const drawer = (page: Page) => page.locator('.ht-dialog-drawer').getByRole('dialog');
const expandButton = (page: Page, { account }: Operator) =>
  activePage(page).getByRole('button', { name: `${account} 的下级`, exact: true });
const fetchAgentDetail = async (page: Page, { id }: { id: number }): Promise<AgentDetail> =>
  (await callAs(page, admin, 'GET', 'agent/detail', { id })).data as AgentDetail;
const action = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true });
const ability = (page: Page, name: string) => drawer(page).getByRole('switch', { name: new RegExp(`^${name} `) });

/** Chooses an agent in the picker of a dialog by its account. */
async function pickAgent(page: Page, label: string, { account }: Operator) {
  const box = page.getByRole('combobox', { name: label });
  // A click waits for the end of the dialog animation; a dropdown opened earlier would be misplaced.
  await box.click();
  await box.fill(account);
  await page.locator('.ant-select-dropdown:visible').getByTitle(account, { exact: true }).first().click();
}

/** Creates a chain of three agents, each below the previous one, and an unrelated agent. */
async function createBranches(page: Page, abilities: readonly number[] = []) {
  const top = await newOperator(page, abilities);
  const child = await newOperator(page, abilities, top.account);
  const grandchild = await newOperator(page, abilities, child.account);
  const other = await newOperator(page);
  return { top, child, deep: grandchild, other };
}

/** Left edges of the account of a row and of the parent below it. */
const leftsOf = (agentRow: Locator) =>
  agentRow
    .locator('[data-col=account]')
    .evaluate((cell) =>
      ['.ht-agent-account', '[data-col=parentAccount]'].map((part) =>
        Math.round(cell.querySelector(part)?.getBoundingClientRect().left ?? 0),
      ),
    );

test('the tree expands by mouse and keyboard, survives a reload, and a filter turns it into a list', async ({
  page,
}) => {
  const { top, child, deep } = await createBranches(page);
  await logIn(page, admin, '/agent?size=200');
  await waitForRows(page);
  await expandButton(page, top).click();
  await expect(row(page, child.id)).toBeVisible();
  await expect(row(page, deep.id)).toHaveCount(0);
  await row(page, child.id).locator('[data-col=state]').click();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, deep.id)).toBeVisible();
  const lefts = await Promise.all([top, child, deep].map(({ id }) => leftsOf(row(page, id))));
  // Each level is indented, and the second line of a row begins below its account.
  expect(new Set(lefts.map(([first]) => first)).size).toBe(3);
  for (const [first, second] of lefts) expect(second).toBe(first);
  await page.keyboard.press('j');
  await expect(row(page, deep.id)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, child.id)).toHaveAttribute('aria-current', 'true');
  await page.reload();
  await expect(row(page, deep.id)).toBeVisible();
  await row(page, child.id).locator('[data-col=state]').click();
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, deep.id)).toHaveCount(0);
  await expectAccessible(page);

  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).fill(deep.account);
  await activePage(page).getByRole('button', { name: '查询' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, deep.id)).toContainText(child.account);
  await expect(expandButton(page, deep)).toHaveCount(0);
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
  const { top, child, deep } = await createBranches(page, [1, 3]);
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
  const agentContext = await browser.newContext();
  await recordComplaints(agentContext, complaints);
  const agentPage = await agentContext.newPage();
  await logIn(agentPage, deep, '/withdraw');
  await ability(page, '提现审核').click();
  await expect(confirmPopover(page)).toContainText(`收回 ${top.account} 的「提现审核」权限？`);
  await expect(confirmPopover(page)).toContainText('同时从下级 2 个代理收回');
  await confirmPopover(page).getByRole('button', { name: '收回' }).click();
  await expect(ability(page, '提现审核')).not.toBeChecked();
  expect((await fetchAgentDetail(page, deep)).row.abilities).toEqual([0, 1]);
  await expect(agentPage).toHaveURL(/\/login/);
  await agentContext.close();
  await ability(page, '审批复核').click();
  await confirmPopover(page).getByRole('button', { name: '授予' }).click();
  await expect(ability(page, '审批复核')).toBeChecked();
  expect((await fetchAgentDetail(page, top)).grants).toMatchObject([
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
  const passwordDialog = dialog(page, `代理 ${account} 已新增`);
  const password = await passwordDialog.getByLabel('登录密码', { exact: true }).innerText();
  expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
  await expectAccessible(page);
  await passwordDialog.getByRole('button', { name: '已保存，关闭' }).click();

  const agentContext = await browser.newContext();
  await recordComplaints(agentContext, complaints);
  const agentPage = await agentContext.newPage();
  await logInWithForm(agentPage, { account, password }, '/agent');
  await expect(rows(agentPage)).toHaveCount(1);
  await expect(rows(agentPage)).toContainText('本人');

  const { data } = await callAs(page, admin, 'GET', 'agent/list', { account });
  const { id } = (data as { list: Operator[] }).list[0] ?? { id: 0 };
  await page.goto(`/agent?open=${parent.id}`);
  await action(page, '停用').click();
  const modal = dialog(page, '停用代理');
  await expect(modal).toContainText('下级仍有 1 个代理可以登录');
  await modal.getByRole('button', { name: '取消' }).click();
  await page.goto(`/agent?open=${id}`);
  await action(page, '停用').click();
  await dialog(page, '停用代理').getByRole('button', { name: '停用' }).click();
  await expect(drawer(page)).toContainText('停用');
  await expect(action(page, '启用')).toBeVisible();
  await expect(agentPage).toHaveURL(/\/login/);
  await agentContext.close();
});

test('a change of parent previews paths, agents, users and lost abilities, and refuses a descendant', async ({
  page,
}) => {
  const { top, child, deep, other } = await createBranches(page, [1, 3]);
  const user = await newUser(page, deep.account);
  await logIn(page, admin, `/agent?open=${child.id}`);
  await action(page, '更换上级').click();
  const modal = dialog(page, '更换上级');
  const submit = modal.getByRole('button', { name: '更换上级' });
  await expect(submit).toBeDisabled();
  await pickAgent(page, '新上级', deep);
  await expect(modal.getByRole('alert')).toContainText('不能是代理自己或其下级');
  await expect(submit).toBeDisabled();
  await pickAgent(page, '新上级', other);
  await expect(modal).toContainText(`admin › ${top.account} › ${child.account}`);
  await expect(modal).toContainText(`admin › ${other.account} › ${child.account}`);
  await expect(modal).toContainText('2 个代理（含本人）和 1 位用户');
  await expect(modal).toContainText('新上级没有：用户管理（2 个代理）、提现审核（2 个代理）');
  await expectAccessible(page);
  await submit.click();
  await expect(modal).toBeHidden();
  await expect(drawer(page).getByRole('navigation', { name: '上级路径' })).toContainText(other.account);
  expect((await fetchAgentDetail(page, deep)).row.abilities).toEqual([0]);
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
    const { child, deep, other } = await createBranches(page);
    await newUser(page, child.account);
    await logIn(page, admin, `/agent?open=${child.id}`);
    await action(page, '删除').click();
    const modal = dialog(page, '删除代理');
    await pickAgent(page, '接替代理', other);
    await expect(modal).toContainText('移交用户1 位（直属 1 位）');
    await expect(modal).toContainText(`直属：${deep.account}`);
    const submit = modal.getByRole('button', { name: '提交复核' });
    await expect(submit).toBeDisabled();
    await modal.getByRole('button', { name: '终止合作' }).click();
    await expect(submit).toBeDisabled();
    await modal.getByLabel(/请输入账号以确认/).fill(child.account);
    await submit.click();
    await expect(modal).toBeHidden();
    expect((await fetchAgentDetail(page, child)).approvals).toEqual({ made: 0, about: 1 });

    const checkerContext = await browser.newContext();
    await recordComplaints(checkerContext, complaints);
    const checkerPage = await checkerContext.newPage();
    await logIn(checkerPage, secondOperator, `/agent?open=${child.id}`);
    await expect(action(checkerPage, '删除')).toHaveAttribute('aria-disabled', 'true');
    const { data } = await callAs(page, admin, 'GET', 'approval/list', { state: 0, type: 'agent.del', size: 200 });
    const approval = (data as { list: { id: number; targetId: number }[] }).list.find(
      ({ targetId }) => targetId === child.id,
    );
    await checkerPage.goto(`/approval?open=${approval?.id}`);
    await expect(drawer(checkerPage).getByRole('link', { name: `代理 #${child.id}` })).toHaveAttribute(
      'href',
      `/agent?open=${child.id}`,
    );
    await drawer(checkerPage).getByRole('button', { name: /通过/ }).click();
    await dialog(checkerPage, /^通过复核/)
      .getByRole('button', { name: '通过复核' })
      .click();
    await expect.poll(async () => (await callAs(page, admin, 'GET', 'agent/detail', { id: child.id })).code).toBe(404);
    expect((await fetchAgentDetail(page, deep)).row.parentAccount).toBe(other.account);
    await checkerContext.close();
  },
);

test('while a search is pending, the picker offers no outdated match and Enter selects none', async ({ page }) => {
  const { child, other } = await createBranches(page);
  await logIn(page, admin, `/agent?open=${child.id}`);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/agent/list?account=*', async (route) => {
    await released;
    await route.continue();
  });
  await action(page, '删除').click();
  const modal = dialog(page, '删除代理');
  const box = modal.getByRole('combobox', { name: '接替代理' });
  const dropdown = page.locator('.ant-select-dropdown:visible');
  await box.click();
  await expect(dropdown.locator('.ant-select-item-option').first()).toBeVisible();
  await box.fill(`${other.account}-nobody`);
  await expect(dropdown).toContainText('查找中…');
  await expect(dropdown.locator('.ant-select-item-option')).toHaveCount(0);
  await box.press('Enter');
  await expect(modal).toContainText('请选择接替代理');
  await expect(box).toHaveValue(`${other.account}-nobody`);
  release();
  await expect(dropdown).toContainText('没有匹配的代理');
  await pickAgent(page, '接替代理', other);
  await expect(modal).toContainText('移交用户0 位');
});

test('actions and abilities that an agent may not change are disabled with a reason', async ({ page }) => {
  const { top, child } = await createBranches(page, [3]);
  await newOperator(page, [11], child.account);
  await logIn(page, top, `/agent?open=${top.id}`);
  await expect(row(page, child.id)).toBeVisible();
  for (const name of ['重置密码', '更换上级', '停用', '删除']) {
    await expect(action(page, name)).toHaveAttribute('aria-disabled', 'true');
  }
  await page.goto(`/agent?open=${child.id}&tab=ability`);
  const reasons: [string, string][] = [
    ['用户管理', '自己没有「用户管理」权限'],
    ['审批复核', '只能由顶级管理员授予或收回'],
  ];
  for (const [name, reason] of reasons) {
    await expect(ability(page, name)).toHaveAttribute('aria-disabled', 'true');
    await ability(page, name).hover();
    await expect(page.getByRole('tooltip').filter({ hasText: reason })).toBeVisible();
    await ability(page, name).press('Enter');
    await expect(confirmPopover(page).locator('.ant-popconfirm-buttons')).toHaveCount(0);
  }
  await expect(ability(page, '提现审核')).toHaveAttribute('aria-disabled', 'false');
});
