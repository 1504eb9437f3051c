import { type Page } from '@playwright/test';
import { type Credentials, admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs } from './desk-list.ts';

const row = (page: Page, key: string) => activePage(page).locator(`tr[data-key="${key}"]`);

interface Setting {
  key: string;
  num: string;
  state: number;
}

async function fetchSetting(page: Page, key: string): Promise<Setting & { id: number }> {
  const { data } = await callAs(page, admin, 'GET', 'config/list', {});
  const setting = (data as (Setting & { id: number })[]).find((setting) => setting.key === key);
  if (!setting) throw new Error(`no setting ${key}`);
  return setting;
}

async function openEditor(page: Page, key: string) {
  await row(page, key).getByRole('button', { name: '编辑' }).click();
  await expect(dialog(page, /编辑设置/)).toBeVisible();
}

test(
  'a number is saved, and a value out of bounds keeps the dialog open with the reason',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin, '/config');
    await openEditor(page, 'withdraw.credentialHours');
    await expect(dialog(page, /编辑设置/).getByRole('button', { name: '保存' })).toBeDisabled();
    await page.getByLabel('数值').fill('721');
    await expect(dialog(page, /编辑设置/)).toContainText('必须在 0 到 720 之间');
    await expect(dialog(page, /编辑设置/)).toContainText('小时');
    await page.getByLabel('数值').fill('96');
    await page.keyboard.press('Control+Enter');
    await expect(dialog(page, /编辑设置/)).toBeHidden();
    await expect(row(page, 'withdraw.credentialHours')).toContainText('96');
    expect(await fetchSetting(page, 'withdraw.credentialHours')).toMatchObject({ num: '96' });
  },
);

test('the admin changes a policy; the dialog explains the effect and requires a reason', async ({ page }) => {
  await logIn(page, admin, '/config');
  await expect(row(page, 'policy.withdraw.retry')).toContainText('关闭');
  await expect(activePage(page).getByRole('rowheader', { name: /^复核：/ })).toHaveCount(0);
  await openEditor(page, 'policy.withdraw.retry');
  await page.getByLabel('何时复核').click();
  await page.locator('.ant-select-dropdown:visible').getByText('超过金额(USDT)').click();
  await page.getByRole('textbox', { name: '金额', exact: true }).fill('20000.5');
  await expect(dialog(page, /编辑设置/)).toContainText('超过 20,000.5 USDT');
  await expectAccessible(page);
  // A change of a policy requires a reason.
  await expect(dialog(page, /编辑设置/).getByRole('button', { name: '保存' })).toBeDisabled();
  await dialog(page, /编辑设置/)
    .getByRole('button', { name: '制度调整' })
    .click();
  await page.keyboard.press('Control+Enter');
  await expect(row(page, 'policy.withdraw.retry')).toContainText('超过 20,000.5 USDT');
  await openEditor(page, 'policy.withdraw.retry');
  await page.getByLabel('何时复核').click();
  await page.locator('.ant-select-dropdown:visible').getByText('关闭').click();
  await expect(dialog(page, /编辑设置/)).toContainText('不再需要第二个人确认');
  await dialog(page, /编辑设置/)
    .getByRole('button', { name: '更正误操作' })
    .click();
  await page.keyboard.press('Control+Enter');
  await expect(row(page, 'policy.withdraw.retry')).toContainText('关闭');
});

test('every setting says what it does and who changed it last, and the history repeats no prefix', async ({ page }) => {
  await logIn(page, admin, '/config');
  await expect(row(page, 'policy.withdraw.pass')).toBeVisible();
  const settings = (await callAs(page, admin, 'GET', 'config/list', {})).data as unknown[];
  const remarks = await activePage(page).locator('tr[data-key] > td:nth-of-type(2)').allTextContents();
  expect(remarks.length).toBe(settings.length);
  for (const remark of remarks) expect(remark).toMatch(/[\u4e00-\u9fff]{4}/);
  const { id, state } = await fetchSetting(page, 'fourEyes.passwordHold');
  await expect(row(page, 'fourEyes.passwordHold')).toContainText('安装时的值');
  await callAs(page, admin, 'POST', 'config/save', { id, state: 1 - state, reason: '核对' });
  await activePage(page).getByRole('button', { name: '变更记录' }).click();
  await expect(activePage(page).getByRole('row').filter({ hasText: '重置用户密码后暂缓提现' }).first()).toContainText(
    'admin',
  );
  await expect(activePage(page).getByText(/^复核：/)).toHaveCount(0);
  await callAs(page, admin, 'POST', 'config/save', { id, state });
});

test('with the settings ability alone, policies are read-only with a reason', async ({ page }) => {
  const operator: Credentials = await newOperator(page, [9]);
  await logIn(page, operator, '/config');
  await row(page, 'policy.withdraw.pass').getByRole('button', { name: '编辑' }).hover();
  await expect(page.getByRole('tooltip')).toContainText('仅顶级管理员可修改');
  await openEditor(page, 'withdraw.limit24h');
});

test('a setting shows its history, is compared with another time and restored', async ({ page }) => {
  await logIn(page, admin, '/config');
  const { id, num } = await fetchSetting(page, 'second.tolerance');
  const save = (value: string) => callAs(page, admin, 'POST', 'config/save', { id, num: value });
  await save('41');
  await save('42');
  await page.getByRole('button', { name: '对比' }).click();
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer.getByRole('row', { name: /行情容许延迟/ })).toContainText(`${num} 秒 → 42 秒`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await drawer.getByRole('button', { name: '关闭' }).click();
  await row(page, 'second.tolerance').getByRole('button', { name: '历史' }).click();
  const history = drawer.getByRole('list', { name: '历次取值' }).getByRole('listitem');
  await expect(history.first()).toContainText('42 秒当前');
  await expectAccessible(page);
  await history.nth(1).getByRole('button', { name: '恢复此值' }).click();
  // A concurrent change: the dialog shows what changed, by whom and when, and overwrites nothing.
  await expect(dialog(page, /恢复设置/)).toContainText('41 秒');
  await save('43');
  await page.keyboard.press('Control+Enter');
  // The page may have read the setting before or after the first two saves.
  await expect(dialog(page, /恢复设置/).getByRole('alert')).toContainText(
    new RegExp(`数值：(${num}|42) → 43（${admin.account} `),
  );
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await dialog(page, /恢复设置/)
    .getByRole('button', { name: '关闭' })
    .last()
    .click();
  await history.last().getByRole('button', { name: '恢复此值' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(row(page, 'second.tolerance')).toContainText(`${num} 秒`);
  expect(await fetchSetting(page, 'second.tolerance')).toMatchObject({ num });
});
