import { type Locator, type Page } from '@playwright/test';
import { type Operator, admin, expect, expectAccessible, logIn, newOperator, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, rows } from './desk-list.ts';
import { secondOperator } from './server.ts';

interface User {
  id: number;
  account: string;
}

const ADJUSTER = [2, 13];
let userCount = 0;

/** A new user; the simulator does not act for users that operators add. */
async function newFundedUser(page: Page, active = '0'): Promise<User> {
  userCount += 1;
  const account = `e2e-asset-${Date.now().toString(36)}-${process.pid}-${userCount}`;
  const response = await callAs(page, admin, 'POST', 'user/add', { account, password: 'long enough 1' });
  expect(response.code).toBe(200);
  const { id } = response.data as User;
  if (active !== '0') expect(await adjustAssets(page, { id, account }, 'active/add', active)).toBe(200);
  return { id, account };
}

/** Adjusts the assets through the API as another operator; returns the code of the answer. */
async function adjustAssets(page: Page, user: User, path: string, amount: string): Promise<number> {
  const input = { userId: user.id, marketId: 1, platform: 1, amount, state: 0, reason: '浏览器测试' };
  return (await callAs(page, admin, 'POST', `asset/${path}`, input)).code;
}

async function fetchBalance(page: Page, { id }: User): Promise<{ active: string; frozen: string }> {
  const { data } = await callAs(page, secondOperator, 'GET', 'user/asset', { id, platform: 1 });
  const usdt = (data as { marketName: string; active: string; frozen: string }[]).find((a) => a.marketName === 'USDT');
  return { active: usdt?.active ?? '', frozen: usdt?.frozen ?? '' };
}

async function openAssetsRow(page: Page, operator: Operator, user: User): Promise<Locator> {
  await logIn(page, operator, `/user?open=${user.id}&tab=assets`);
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer).toContainText(user.account);
  return drawer
    .getByRole('region', { name: '资金账户', exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: 'USDT', exact: true }) });
}

/** Cells of the preview rows without thousands separators: account, type, before, change, after. */
async function readPreviewRows(modal: Locator): Promise<string[][]> {
  const tableRows = modal.getByRole('region', { name: '将要记账' }).locator('tbody tr');
  const texts: string[][] = [];
  for (const row of await tableRows.all()) {
    texts.push((await row.locator('td').allInnerTexts()).map((text) => text.replaceAll(/[,+]/g, '')));
  }
  return texts;
}

const TYPES: Readonly<Record<string, number>> = { 人工增加: 7, 人工扣减: 8, 冻结: 9, 解冻: 10 };

test('each of the four adjustments posts what its preview showed, and the ledger entries match', async ({ page }) => {
  const user = await newFundedUser(page);
  const operator = await newOperator(page, ADJUSTER);
  const usdtRow = await openAssetsRow(page, operator, user);
  const steps = [
    { verb: '增加', typed: '500.000000000000000123', reason: '补偿用户' },
    { verb: '冻结', typed: '120.5', reason: '账户异常核查' },
    { verb: '解冻', typed: '20.5', reason: '核查完毕' },
    { verb: '扣减', typed: '0.000000000000000123', reason: '追回多发' },
  ];
  for (const { verb, typed: amount, reason } of steps) {
    await usdtRow.getByRole('button', { name: verb, exact: true }).click();
    const modal = dialog(page, `${verb}资产 · ${user.account}`);
    await expect(modal.getByRole('button', { name: '取消' })).toBeFocused();
    await modal.getByLabel('数量').fill(amount);
    await expect(modal.getByRole('region', { name: '将要记账' })).toBeVisible();
    await expect(modal.getByLabel('记账预览')).toHaveAttribute('aria-busy', 'false');
    await expect(modal.locator('.ht-value-large')).toContainText(amount);
    const previewRows = (await readPreviewRows(modal)).filter(([account]) => account !== '人工调账');
    await modal.getByRole('button', { name: reason }).click();
    await expect(modal.getByRole('button', { name: verb, exact: true })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(modal).toBeHidden();
    const { list } = await fetchList(page, 'fund/record', { userId: user.id, size: previewRows.length });
    const entries = list.toReversed() as unknown as Record<string, string | number>[];
    expect(entries.map((row) => [row['type'], row['amount'], row['balance'], row['remark'], row['operator']])).toEqual(
      previewRows.map(([, type = '', , change, after]) => [TYPES[type], change, after, reason, operator.account]),
    );
  }
  expect(await fetchBalance(page, user)).toEqual({ active: '400', frozen: '100' });
  await expect(usdtRow).toContainText('400');
  await page.goto(`/fund/record?userId=${user.id}`);
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(page).filter({ hasText: '人工扣减' })).toHaveCount(1);
});

test('a refusal before or after submitting keeps the dialog open with its input', async ({ page }) => {
  const user = await newFundedUser(page, '50');
  const usdtRow = await openAssetsRow(page, await newOperator(page, ADJUSTER), user);
  // Nothing is frozen, so nothing can be released.
  const release = usdtRow.getByRole('button', { name: '解冻', exact: true });
  await expect(release).toHaveAttribute('aria-disabled', 'true');
  await release.hover();
  await expect(page.getByRole('tooltip', { name: '冻结余额为 0' })).toBeVisible();
  await usdtRow.getByRole('button', { name: '扣减', exact: true }).click();
  const modal = dialog(page, `扣减资产 · ${user.account}`);
  await modal.getByLabel('数量').fill('50.01');
  await expect(modal.getByRole('status').filter({ hasText: '数量大于可用余额' })).toBeVisible();
  await expect(modal.getByRole('button', { name: '扣减', exact: true })).toBeDisabled();
  await expectAccessible(page);
  await modal.getByRole('button', { name: '全部' }).click();
  await expect(modal.getByLabel('数量')).toHaveValue('50');
  await modal.getByRole('button', { name: '更正多记' }).click();
  await expect(modal.getByRole('button', { name: '扣减', exact: true })).toBeEnabled();
  expect(await adjustAssets(page, user, 'active/sub', '10')).toBe(200);
  await page.keyboard.press('Control+Enter');
  await expect(modal.locator('.ht-dialog-error')).toContainText('数量大于可用余额');
  await expect(modal.getByLabel('数量')).toHaveValue('50');
  // The refusal reloads the available balance.
  await expect(modal.getByText('可扣减')).toContainText('40');
  await page.keyboard.press('Escape');
  await expect(modal).toBeVisible();
  await modal.getByRole('button', { name: '全部' }).click();
  await expect(modal.getByRole('button', { name: '扣减', exact: true })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  expect(await fetchBalance(page, user)).toEqual({ active: '0', frozen: '0' });
});

test(
  'an adjustment above the policy waits for a checker and is posted when passed',
  { tag: '@short' },
  async ({ page }) => {
    const user = await newFundedUser(page);
    const usdtRow = await openAssetsRow(page, await newOperator(page, ADJUSTER), user);
    const subtract = usdtRow.getByRole('button', { name: '扣减', exact: true });
    await expect(subtract).toHaveAttribute('aria-disabled', 'true');
    await subtract.hover();
    await expect(page.getByRole('tooltip', { name: '可用余额为 0' })).toBeVisible();
    await usdtRow.getByRole('button', { name: '增加', exact: true }).click();
    const modal = dialog(page, `增加资产 · ${user.account}`);
    await modal.getByLabel('数量').fill('5,000');
    await expect(modal.getByLabel('数量')).toHaveValue('5000');
    await modal.getByLabel('计入充提报表').check();
    await expect(modal).toContainText('由另一位复核员确认');
    await modal.getByRole('button', { name: '线下充值入账' }).click();
    await expect(modal.getByRole('button', { name: '提交复核' })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(modal).toBeHidden();
    await expect(page.getByText(`已提交复核：增加资产 · ${user.account}`)).toBeVisible();
    await expect(usdtRow).toContainText('+5,000 待复核');
    expect(await fetchBalance(page, user)).toEqual({ active: '0', frozen: '0' });
    const approvals = (await fetchList(page, 'approval/list', { state: 0, type: 'asset.active.add', size: 200 })).list;
    const approval = approvals.find(({ account }) => account === user.account);
    expect((await callAs(page, secondOperator, 'POST', 'approval/pass', { id: approval?.id })).code).toBe(200);
    expect(await fetchBalance(page, user)).toEqual({ active: '5000', frozen: '0' });
  },
);

test('a dialog opened without an account asks for the account type, and Enter never confirms', async ({ page }) => {
  const user = await newFundedUser(page);
  await openAssetsRow(page, await newOperator(page, ADJUSTER), user);
  await page.locator('.ht-dialog-drawer').getByRole('button', { name: '调整资产' }).click();
  const modal = dialog(page, `调整资产 · ${user.account}`);
  await modal.getByLabel('账户类型').click();
  await page.locator('.ant-select-dropdown:visible').getByText('合约账户', { exact: true }).click();
  await modal.getByLabel('数量').fill('3');
  await modal.getByRole('button', { name: '补偿用户' }).click();
  await expect(modal.getByRole('button', { name: '增加', exact: true })).toBeEnabled();
  await expect(modal.getByRole('region', { name: '将要记账' })).toContainText('合约账户·可用');
  await modal.getByLabel('数量').press('Enter');
  await modal.getByRole('button', { name: '增加', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(modal).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  const { list } = await fetchList(page, 'fund/record', { userId: user.id });
  expect(list).toMatchObject([{ platform: 3, type: 7, amount: '3' }]);
});
