import { type Locator, type Page } from '@playwright/test';
import { type Operator, admin, expect, expectAccessible, logIn, newOperator, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, rows } from './desk-list.ts';
import { second } from './server.ts';

interface Person {
  id: number;
  account: string;
}

const ADJUSTER = [2, 13];
let made = 0;

/** A new user; the simulator does not act for users that operators add. */
async function newUser(page: Page, active = '0'): Promise<Person> {
  made += 1;
  const account = `e2e-asset-${Date.now().toString(36)}-${process.pid}-${made}`;
  const answer = await callAs(page, admin, 'POST', 'user/add', { account, password: 'long enough 1' });
  expect(answer.code).toBe(200);
  const { id } = answer.data as Person;
  if (active !== '0') expect(await adjust(page, { id, account }, 'active/add', active)).toBe(200);
  return { id, account };
}

/** Adjusts the assets through the API as another operator; returns the code of the answer. */
async function adjust(page: Page, who: Person, path: string, amount: string): Promise<number> {
  const input = { userId: who.id, marketId: 1, platform: 1, amount, state: 0, reason: '浏览器测试' };
  return (await callAs(page, admin, 'POST', `asset/${path}`, input)).code;
}

async function balance(page: Page, { id }: Person): Promise<{ active: string; frozen: string }> {
  const { data } = await callAs(page, second, 'GET', 'user/asset', { id, platform: 1 });
  const found = (data as { marketName: string; active: string; frozen: string }[]).find((a) => a.marketName === 'USDT');
  return { active: found?.active ?? '', frozen: found?.frozen ?? '' };
}

async function openAssets(page: Page, operator: Operator, who: Person): Promise<Locator> {
  await logIn(page, operator, `/user?open=${who.id}&tab=assets`);
  const drawer = page.locator('.ht-page-drawer');
  await expect(drawer).toContainText(who.account);
  return drawer
    .getByRole('region', { name: '资金账户', exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: 'USDT', exact: true }) });
}

/** Cells of the preview rows without thousands separators: account, type, before, change, after. */
async function foreseen(ask: Locator): Promise<string[][]> {
  const lines = ask.getByRole('region', { name: '将要记账' }).locator('tbody tr');
  const texts: string[][] = [];
  for (const line of await lines.all()) {
    texts.push((await line.locator('td').allInnerTexts()).map((text) => text.replaceAll(/[,+]/g, '')));
  }
  return texts;
}

const TYPES: Readonly<Record<string, number>> = { 人工增加: 7, 人工扣减: 8, 冻结: 9, 解冻: 10 };

test('each of the four adjustments posts what its preview showed, and the ledger entries match', async ({ page }) => {
  const who = await newUser(page);
  const operator = await newOperator(page, ADJUSTER);
  const usdt = await openAssets(page, operator, who);
  const steps = [
    { verb: '增加', typed: '500.000000000000000123', reason: '补偿用户' },
    { verb: '冻结', typed: '120.5', reason: '账户异常核查' },
    { verb: '解冻', typed: '20.5', reason: '核查完毕' },
    { verb: '扣减', typed: '0.000000000000000123', reason: '追回多发' },
  ];
  for (const { verb, typed, reason } of steps) {
    await usdt.getByRole('button', { name: verb, exact: true }).click();
    const ask = dialog(page, `${verb}资产 · ${who.account}`);
    await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
    await ask.getByLabel('数量').fill(typed);
    await expect(ask.getByRole('region', { name: '将要记账' })).toBeVisible();
    await expect(ask.getByLabel('记账预览')).toHaveAttribute('aria-busy', 'false');
    await expect(ask.locator('.ht-amount-large')).toContainText(typed);
    const lines = (await foreseen(ask)).filter(([account]) => account !== '人工调账');
    await ask.getByRole('button', { name: reason }).click();
    await expect(ask.getByRole('button', { name: verb, exact: true })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(ask).toBeHidden();
    const { list } = await fetchList(page, 'fund/record', { userId: who.id, size: lines.length });
    const posted = list.toReversed() as unknown as Record<string, string | number>[];
    expect(posted.map((row) => [row['type'], row['amount'], row['balance'], row['remark'], row['operator']])).toEqual(
      lines.map(([, type = '', , change, after]) => [TYPES[type], change, after, reason, operator.account]),
    );
  }
  expect(await balance(page, who)).toEqual({ active: '400', frozen: '100' });
  await expect(usdt).toContainText('400');
  await page.goto(`/fund/record?userId=${who.id}`);
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(page).filter({ hasText: '人工扣减' })).toHaveCount(1);
});

test('a refusal before or after submitting keeps the dialog open with its input', async ({ page }) => {
  const who = await newUser(page, '50');
  const usdt = await openAssets(page, await newOperator(page, ADJUSTER), who);
  await usdt.getByRole('button', { name: '扣减', exact: true }).click();
  const ask = dialog(page, `扣减资产 · ${who.account}`);
  await ask.getByLabel('数量').fill('50.01');
  await expect(ask.getByRole('status').filter({ hasText: '数量大于可用余额' })).toBeVisible();
  await expect(ask.getByRole('button', { name: '扣减', exact: true })).toBeDisabled();
  await ask.getByRole('button', { name: '全部' }).click();
  await expect(ask.getByLabel('数量')).toHaveValue('50');
  await ask.getByRole('button', { name: '更正多记' }).click();
  await expect(ask.getByRole('button', { name: '扣减', exact: true })).toBeEnabled();
  expect(await adjust(page, who, 'active/sub', '10')).toBe(200);
  await page.keyboard.press('Control+Enter');
  await expect(ask.locator('.ht-error')).toContainText('数量大于可用余额');
  await expect(ask.getByLabel('数量')).toHaveValue('50');
  // The refusal reloads the available balance.
  await expect(ask.getByText('可扣减')).toContainText('40');
  await page.keyboard.press('Escape');
  await expect(ask).toBeVisible();
  await ask.getByRole('button', { name: '全部' }).click();
  await expect(ask.getByRole('button', { name: '扣减', exact: true })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  expect(await balance(page, who)).toEqual({ active: '0', frozen: '0' });
});

test(
  'an adjustment above the policy waits for a checker and is posted when passed',
  { tag: '@short' },
  async ({ page }) => {
    const who = await newUser(page);
    const usdt = await openAssets(page, await newOperator(page, ADJUSTER), who);
    await usdt.getByRole('button', { name: '增加', exact: true }).click();
    const ask = dialog(page, `增加资产 · ${who.account}`);
    await ask.getByLabel('数量').fill('5,000');
    await expect(ask.getByLabel('数量')).toHaveValue('5000');
    await ask.getByLabel('计入充提报表').check();
    await expect(ask).toContainText('由另一位复核员确认');
    await ask.getByRole('button', { name: '线下充值入账' }).click();
    await expect(ask.getByRole('button', { name: '提交复核' })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(ask).toBeHidden();
    await expect(page.getByText('已提交复核').first()).toBeVisible();
    expect(await balance(page, who)).toEqual({ active: '0', frozen: '0' });
    const open = (await fetchList(page, 'approval/list', { state: 0, type: 'asset.active.add', size: 200 })).list;
    const mine = open.find(({ account }) => account === who.account);
    expect((await callAs(page, second, 'POST', 'approval/pass', { id: mine?.id })).code).toBe(200);
    expect(await balance(page, who)).toEqual({ active: '5000', frozen: '0' });
  },
);

test('a dialog opened without an account asks for the account type, and Enter never confirms', async ({ page }) => {
  const who = await newUser(page);
  await openAssets(page, await newOperator(page, ADJUSTER), who);
  await page.locator('.ht-page-drawer').getByRole('button', { name: '调整资产' }).click();
  const ask = dialog(page, `调整资产 · ${who.account}`);
  await ask.getByLabel('账户类型').click();
  await page.locator('.ant-select-dropdown:visible').getByText('合约账户', { exact: true }).click();
  await ask.getByLabel('数量').fill('3');
  await ask.getByRole('button', { name: '补偿用户' }).click();
  await expect(ask.getByRole('button', { name: '增加', exact: true })).toBeEnabled();
  await expect(ask.getByRole('region', { name: '将要记账' })).toContainText('合约账户·可用');
  await ask.getByLabel('数量').press('Enter');
  await ask.getByRole('button', { name: '增加', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(ask).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  const { list } = await fetchList(page, 'fund/record', { userId: who.id });
  expect(list).toMatchObject([{ platform: 3, type: 7, amount: '3' }]);
});

test('without the ability every button is disabled with a reason', async ({ page }) => {
  const who = await newUser(page);
  const usdt = await openAssets(page, await newOperator(page, [13]), who);
  const add = usdt.getByRole('button', { name: '增加', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await add.hover();
  await expect(page.getByRole('tooltip', { name: '没有「资产调整」权限' })).toBeVisible();
  await add.click({ force: true });
  await expect(dialog(page, /增加资产/)).toHaveCount(0);
});

test('the dialog is accessible', async ({ page }) => {
  const who = await newUser(page, '50');
  const usdt = await openAssets(page, await newOperator(page, ADJUSTER), who);
  await expectAccessible(page);
  await usdt.getByRole('button', { name: '扣减', exact: true }).click();
  const ask = dialog(page, `扣减资产 · ${who.account}`);
  await ask.getByLabel('数量').fill('12');
  await expect(ask.getByRole('region', { name: '将要记账' })).toBeVisible();
  await expectAccessible(page);
  await ask.getByLabel('数量').fill('51');
  await expect(ask.getByRole('status').filter({ hasText: '数量大于可用余额' })).toBeVisible();
  await expectAccessible(page);
});
