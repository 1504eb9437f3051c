import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parseCsv } from '../../server/test/csv.ts';
import { admin, type api, expect, expectAccessible, fillLogin, activePage, test } from './desk.ts';
import { waitForRows } from './desk-list.ts';
import { type Installation, startInstallation } from './server.ts';

/** A separate installation where more than five rows run in the background, at one row per second. */
let standalone: Installation;

test.beforeAll(async () => {
  standalone = await startInstallation({ SIMULATOR: 'off', EXPORT_JOB_ROWS: '5', EXPORT_ROWS_PER_SECOND: '1' });
});
test.afterAll(() => standalone.stop());

async function call(page: Page, path: string, body: object, token = '') {
  const response = await page.request.post(`${standalone.url}/api/v1/admin/${path}`, {
    data: body,
    headers: { token },
  });
  return (await response.json()) as Awaited<ReturnType<typeof api>>;
}

async function openPageAs(page: Page, path: string) {
  await page.goto(standalone.url + path);
  await page.waitForURL(/\/login/);
  await fillLogin(page, admin.account, admin.password);
  await page.waitForURL((url) => url.pathname === path);
  await waitForRows(page);
}

async function startExport(page: Page) {
  await activePage(page).getByRole('button', { name: '导出', exact: true }).click();
  await page.getByRole('menuitem', { name: 'CSV (.csv)' }).click();
}

const panel = (page: Page) => page.getByRole('region', { name: '导出任务' });
const header = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a long export runs in the background with progress, cancel, notification, download and removal', async ({
  page,
}) => {
  const { token = '' } = await call(page, 'login', admin);
  for (let n = 0; n < 16; n += 1) {
    const response = await call(page, 'agent/add', { account: `agent.${n}`, password: 'first-password-1' }, token);
    expect(response.code).toBe(200);
  }
  await openPageAs(page, '/audit');
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
  await expectAccessible(page);
  await expect(header(page, '导出任务，1 个可下载')).toBeVisible({ timeout: 90_000 });
  await expect(panel(page).getByText('已完成')).toBeVisible();
  await expect(panel(page).getByText(/剩余 6天/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await header(page, '通知，1 条未读').click();
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
