import type { Page } from '@playwright/test';
import { activePage, admin, expect, logIn, newOperator, test } from './desk.ts';
import { callAs, fetchList, waitForPendingWithdrawals } from './desk-list.ts';
import { navigateInApp } from './list-helpers.ts';

/** Left edges of the fields of a form, and the hints that take more than one line. */
const layoutOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((form) => {
      const fields = [...form.querySelectorAll<HTMLElement>('.ant-input, .ant-input-affix-wrapper, .ant-select')];
      const lefts = fields
        .filter((field) => !field.parentElement?.closest('.ant-input-affix-wrapper, .ant-select, .ht-market-network'))
        .map((field) => Math.round(field.getBoundingClientRect().left));
      const hints = [...form.querySelectorAll<HTMLElement>('.ant-form-item-extra, .ht-form-hint')];
      const long = hints.filter((hint) => hint.offsetHeight > 2 * parseFloat(getComputedStyle(hint).lineHeight) - 4);
      return { columns: new Set(lefts).size, long: long.map(({ innerText }) => innerText) };
    });

test('long forms have two columns and their buttons in sight, keys are named, authors are links', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await logIn(page, admin, '/market/update/2');
  const save = activePage(page).getByRole('button', { name: '保存', exact: true });
  await expect(save).toBeInViewport({ ratio: 1 });
  expect(await layoutOf(page, '.ht-market-form')).toEqual({ columns: 2, long: [] });
  await activePage(page).getByRole('button', { name: '添加网络' }).scrollIntoViewIfNeeded();
  await expect(save).toBeInViewport({ ratio: 1 });

  await navigateInApp(page, '/announce/add');
  await expect(activePage(page).getByRole('button', { name: '保存草稿' })).toBeInViewport({ ratio: 1 });

  await navigateInApp(page, '/signal');
  await activePage(page).getByRole('button', { name: '新增信号' }).click();
  const signal = page.getByRole('dialog', { name: '新增信号' });
  await expect(signal.getByRole('button', { name: '发布' })).toBeInViewport({ ratio: 1 });
  expect(await layoutOf(page, '.ht-signal-form')).toEqual({ columns: 2, long: [] });
  await page.keyboard.press('Escape');

  await navigateInApp(page, '/user');
  await activePage(page).getByRole('button', { name: '新增用户' }).click();
  const added = page.getByRole('dialog', { name: '新增用户' });
  await expect(added.getByRole('button', { name: '新增', exact: true })).toBeInViewport({ ratio: 1 });
  expect(await layoutOf(page, '.ant-modal .ht-form-grid')).toEqual({ columns: 2, long: [] });
  await page.keyboard.press('Escape');
  await expect(added).toBeHidden();

  await expect(page.getByRole('button', { name: '查找', exact: true })).toHaveAttribute('title', /Ctrl\+K|⌘/);
  const [user] = (await fetchList(page, 'user/list', { size: 1 })).list;
  await navigateInApp(page, '/user', { open: String(user?.id), tab: 'assets' });
  await expect(page.locator('.ht-dialog-drawer').getByTitle('关闭（Esc）')).toBeVisible();
  await page.locator('.ht-dialog-drawer').getByRole('button', { name: '调整资产' }).click();
  const adjusted = page.getByRole('dialog', { name: /^调整资产/ });
  await expect(adjusted.getByRole('button', { name: '增加', exact: true })).toBeInViewport({ ratio: 1 });
  expect(await layoutOf(page, '.ht-user-asset-fields .ht-form-grid')).toEqual({ columns: 2, long: [] });
  await page.keyboard.press('Escape');

  const text = { lang: 'zh-CN', title: '维护通知', content: '<p>今晚维护</p>', platform: 0, state: 0 };
  const drafted = await callAs(page, admin, 'POST', 'announce/add', { announceList: [text] });
  const [announcement] = drafted.data as { id: number }[];
  await navigateInApp(page, '/announce', { open: String(announcement?.id) });
  const author = page.locator('.ht-dialog-drawer').getByRole('link', { name: admin.account });
  await expect(author).toHaveAttribute('href', `/agent?who=${admin.account}`);

  const settings = (await callAs(page, admin, 'GET', 'config/list', {})).data as {
    id: number;
    key: string;
    num: string;
  }[];
  const target = settings.find(({ key }) => key.startsWith('queue.target.'));
  const changed = { id: target?.id, num: String(Number(target?.num) + 1), reason: '测试' };
  expect((await callAs(page, admin, 'POST', 'config/save', changed)).code).toBe(200);
  await navigateInApp(page, '/config');
  const setting = activePage(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: admin.account }) });
  await expect(setting.first()).toBeVisible();
});

test('accounts in notifications open the user', async ({ page }) => {
  const operator = await newOperator(page, [3, 13]);
  await waitForPendingWithdrawals(page, 1);
  await logIn(page, operator);
  const queue = activePage(page).getByRole('list', { name: '待办列表' }).getByRole('listitem').first();
  await expect(queue.locator('a[href^="/user?open="]')).toBeVisible();
  await page.getByRole('button', { name: /^通知/ }).click();
  const account = page.getByRole('region', { name: '通知' }).locator('a[href^="/user?open="]').first();
  const name = await account.innerText();
  await account.click();
  await expect(page).toHaveURL(/\/user\?.*open=\d+/);
  await expect(page.locator('.ht-lists-record-head-account')).toHaveText(name);
});
