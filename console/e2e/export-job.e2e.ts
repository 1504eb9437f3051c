import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parseCsv } from '../../server/test/csv.ts';
import { admin, expect, expectAccessible, logIn, activePage, quietTest as test } from './desk.ts';
import { callAs, waitForRows } from './desk-list.ts';

async function startExport(page: Page) {
  await activePage(page).getByRole('button', { name: '导出', exact: true }).click();
  await page.getByRole('menuitem', { name: 'CSV (.csv)' }).click();
}

const panel = (page: Page) => page.getByRole('region', { name: '导出任务' });
const header = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a long export runs in the background with progress, cancel, notification, download and removal', async ({
  page,
}) => {
  const draft = { lang: 'zh-CN', title: '导出', content: '<p>导出</p>', platform: 0, state: 0 };
  for (let n = 0; n < 16; n += 1) {
    expect((await callAs(page, admin, 'POST', 'announce/add', { announceList: [draft] })).code).toBe(200);
  }
  await logIn(page, admin, '/audit?action=announce.add');
  await waitForRows(page);
  await expect(header(page, '导出任务')).toBeVisible();

  await startExport(page);
  await expect(page.getByText('超过 5 行，将在后台生成，请在「导出任务」中下载')).toBeVisible();
  await expect(panel(page).getByText('生成中')).toBeVisible();
  await expect(panel(page).getByRole('progressbar')).toBeVisible();
  await expect(header(page, '导出任务，1 个进行中')).toBeVisible();
  await panel(page).getByRole('button', { name: '取消审计日志' }).click();
  await expect(panel(page).getByText('已取消')).toBeVisible();
  await panel(page).getByRole('button', { name: '删除审计日志' }).click();
  await expect(panel(page).getByText('没有导出任务')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();

  await startExport(page);
  await expect(panel(page).getByRole('progressbar')).toBeVisible();
  await expect(header(page, '导出任务，1 个可下载')).toBeVisible({ timeout: 90_000 });
  await expect(panel(page).getByText('已完成')).toBeVisible();
  await expect(panel(page).getByText(/剩余 6天/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await header(page, /^通知，\d+ 条未读/).click();
  const notifications = page.getByRole('region', { name: '通知' });
  await expect(notifications.getByText('导出文件已生成')).toBeVisible();
  await expect(notifications.getByText('审计日志', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');

  await header(page, '导出任务，1 个可下载').focus();
  await page.keyboard.press('Enter');
  const download = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: '下载审计日志' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^审计日志-\d{8}-\d{6}\.csv$/);
  expect(parseCsv(readFileSync(await file.path()).toString()).length).toBeGreaterThan(12);
  await panel(page).getByRole('button', { name: '删除审计日志' }).click();
  await expect(panel(page).getByText('没有导出任务')).toBeVisible();
});
