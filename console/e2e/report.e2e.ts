import { readFileSync } from 'node:fs';
import { admin, expect, expectAccessible, logIn, activePage, test } from './desk.ts';
import { setUpFuturesUser } from './desk-futures.ts';
import { chooseFilterOption, dialog, callAs, fetchList, waitForRows, searchParamsOf, table } from './desk-list.ts';
import { verify } from '../../scripts/verify-liability.mjs';

test('daily inflow and outflow balance, down to each agent', { tag: '@short' }, async ({ page }) => {
  const { operator } = await setUpFuturesUser(page, []);
  await logIn(page, operator, '/report');
  await waitForRows(page);
  const currentBalances = activePage(page).getByRole('list', { name: '当前余额与账本核对' });
  await expect(currentBalances).toContainText('USDT 期末 1,000');
  await expect(currentBalances).toContainText('与账本相符');
  const day = table(page).locator('.ant-table-row').first();
  await expect(day).toContainText('平衡');
  await expect(activePage(page).getByRole('region', { name: '合计' })).toContainText(/USDT\d+ 天/);
  await expect(activePage(page).getByRole('img', { name: /期末余额的折线图：最后一天为 1,000 USDT/ })).toBeVisible();
  await activePage(page)
    .getByRole('group', { name: /转入与转出.*的显示方式/ })
    .getByRole('button', { name: '表格' })
    .click();
  await expect(activePage(page).getByRole('region', { name: /转入与转出.*（表格）/ })).toContainText('1,000');
  await expectAccessible(page);
  // The operator has no agents below, so all amounts belong to direct users.
  await day.getByRole('button', { name: `展开 ${operator.account} 的下级代理` }).click();
  await expect(day).toContainText('本级直属用户');
  expect([searchParamsOf(page).get('agent'), searchParamsOf(page).get('split')]).toEqual([operator.account, '1']);
  await activePage(page).getByRole('tab', { name: '操作员工作' }).click();
  await expect(activePage(page)).toContainText('没有「审计查看」权限');
  expect([...searchParamsOf(page)]).toEqual([['tab', 'work']]);
});

test('a proof of liabilities agrees with the ledger and verifies one user from the downloaded file', async ({
  page,
}) => {
  const { account } = await setUpFuturesUser(page, []);
  await logIn(page, admin, '/report?tab=work');
  await waitForRows(page);
  await chooseFilterOption(page, '统计', '按操作员每日');
  await expect(table(page)).toContainText('admin');
  await expectAccessible(page);
  await activePage(page).getByRole('tab', { name: '负债证明' }).click();
  await activePage(page).getByRole('button', { name: '生成负债证明' }).click();
  await page
    .getByRole('tooltip')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  const proofRow = table(page).locator('.ant-table-row').first();
  await expect(async () => {
    await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
    await expect(proofRow).toContainText('相符', { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expectAccessible(page);
  await proofRow.getByRole('button', { name: '下载用户证明' }).click();
  const modal = dialog(page, /下载用户证明/);
  await modal.getByLabel('用户账号').fill('nobody-at-all');
  await modal.getByRole('button', { name: /下\s*载/ }).click();
  await expect(modal.getByRole('alert')).toContainText('用户不存在，或不在您的数据范围内');
  await modal.getByLabel('用户账号').fill(account);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    modal.getByRole('button', { name: /下\s*载/ }).click(),
  ]);
  const proof: unknown = JSON.parse(readFileSync(await file.path(), 'utf8'));
  const { list } = await fetchList(page, 'report/liability/list', { size: 1 });
  const { root } = list[0] as unknown as { root: string };
  expect(verify(proof, root).balances).toContainEqual({ marketName: 'USDT', amount: '1000' });
  const response = await callAs(page, admin, 'GET', 'report/liability/list', { size: 1 });
  expect(response.code).toBe(200);
});
