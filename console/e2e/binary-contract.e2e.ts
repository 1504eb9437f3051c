import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { secondOperator as checker } from './server.ts';

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');

/** An operator with one user whose contract of five minutes has just been opened. */
async function openContract(page: Page, abilities: readonly number[]) {
  const operator = await newOperator(page, abilities);
  const account = `sec.${randomUUID().slice(0, 13)}`;
  const no = randomUUID();
  const deposit = { network: 'TRC20', address: 'T-in', amount: '1000', confirmations: 20, source: 1, txHash: 'h' };
  const transfer = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 4, amount: '1000' };
  await sendEvents(
    { type: 'user.registered', data: { account, agent: operator.account } },
    { type: 'recharge.credited', data: { no: randomUUID(), account, market: 'USDT', ...deposit } },
    { type: 'transfer.made', data: { no: randomUUID(), ...transfer } },
    { type: 'second.opened', data: { no, account, market: 'BTC', side: 1, seconds: 300, amount: '200' } },
  );
  const { list } = await fetchList(page, 'second/contract/list', { no });
  return { operator, account, id: list[0]?.id ?? 0 };
}

test('a running contract counts down, shows its exposure, and is voided with four eyes', async ({ page }) => {
  const { operator, account, id } = await openContract(page, [6]);
  await logIn(page, operator, '/second/open');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(1);
  const countdown = row(page, id).locator('.ht-binary-contract-left');
  await expect(countdown).toHaveText(/^0[0-5]:\d\d$/);
  const before = await countdown.innerText();
  await expect(countdown).not.toHaveText(before);
  const cards = activePage(page).getByRole('list', { name: '风险敞口' });
  await expect(cards.getByRole('listitem')).toHaveCount(1);
  await expect(cards).toContainText('最大净赔付 180 USDT');

  await row(page, id).getByRole('button', { name: '作废' }).click();
  const modal = dialog(page, `作废秒合约 #${id}`);
  await expect(modal).toContainText('200 USDT');
  await expect(modal.getByRole('button', { name: '提交复核' })).toBeDisabled();
  // The dialog cannot be confirmed before its preview is loaded.
  await expect(modal.getByText('秒合约作废退款').first()).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  const { data } = await callAs(page, checker, 'POST', 'approval/open', { targetType: 'second', ids: [id] });
  const [approval] = data as { id: number }[];
  const response = await callAs(page, checker, 'POST', 'approval/pass', { id: approval?.id });
  expect(response.code).toBe(200);
  await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
  await expect(rows(page)).toHaveCount(0);

  // A bulk void submits one approval per contract.
  const contract = { account, market: 'BTC', side: 2, seconds: 300, amount: '50' };
  await sendEvents(...[1, 2].map(() => ({ type: 'second.opened', data: { no: randomUUID(), ...contract } })));
  await expect(rows(page)).toHaveCount(2);
  await activePage(page).locator('thead .ant-checkbox-input').check();
  await activePage(page).getByRole('button', { name: '批量作废' }).click();
  const bulkDialog = dialog(page, '批量作废秒合约');
  await expect(bulkDialog).toContainText('100 USDT');
  await bulkDialog.locator('textarea').fill('平台故障');
  await bulkDialog.locator('.ht-dialog-challenge input').fill('2');
  await bulkDialog.getByRole('button', { name: '作废 2 条' }).click();
  await expect(dialog(page, '批量作废秒合约')).toContainText('提交复核 2 条');

  await page.goto(`/second/close?open=${id}`);
  await expect(drawer(page).getByText('已作废')).toBeVisible();
  await expect(drawer(page).getByText(`${operator.account}，复核 ${checker.account}，原因：行情异常`)).toBeVisible();
});

test('the history shows the deciding ticks and downloads them as a file', async ({ page }) => {
  const fetchSettled = () => fetchList(page, 'second/contract/list', { state: 1, size: 1 });
  await expect.poll(async () => (await fetchSettled()).list.length, { timeout: 90_000 }).toBeGreaterThan(0);
  const { list } = await fetchSettled();
  const id = list[0]?.id ?? 0;
  await logIn(page, admin, `/second/close?open=${id}`);
  const evidence = drawer(page).getByRole('region', { name: '结算依据' });
  await expect(evidence.locator('tbody tr').filter({ hasText: '开仓价' })).toHaveCount(1);
  await expect(evidence.locator('tbody tr').filter({ hasText: '结算价' })).toHaveCount(1);
  await expect(drawer(page).getByRole('button', { name: '作废并退款' })).toHaveAttribute('aria-disabled', 'true');
  const download = page.waitForEvent('download');
  await drawer(page).getByRole('button', { name: '下载凭证' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`second-contract-${id}.json`);
  const voucher = JSON.parse(await readFile(await file.path(), 'utf8')) as {
    contract: { id: number };
    recomputed: object;
  };
  expect(voucher.contract.id).toBe(id);
  expect(voucher.recomputed).toMatchObject({ state: 1, matches: true });
  await expectAccessible(page);
});

test('a contract length is added, changed and deleted', async ({ page }) => {
  const operator = await newOperator(page, [7]);
  const seconds = 40_000 + Math.floor(Math.random() * 40_000);
  await logIn(page, operator, '/second/config');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '新增设置' }).click();
  const form = dialog(page, '新增秒合约设置');
  await expect(form.getByText('请输入时长')).toBeVisible();
  await form.getByLabel('时长').fill(String(seconds));
  await form.getByLabel('收益率').fill('101');
  await expect(form.getByText('收益率不能超过 100%')).toBeVisible();
  await form.getByLabel('收益率').fill('66.5');
  await form.getByRole('button', { name: '新增', exact: true }).click();
  await expect(form).toBeHidden();
  const { list } = await fetchList(page, 'second/config/list', { seconds });
  const id = list[0]?.id ?? 0;
  expect(list[0]).toMatchObject({ payoutRate: '66.5', by: operator.account });
  await page.goto(`/second/config?seconds=${seconds}`);
  await waitForRows(page);
  await row(page, id).getByRole('button', { name: '修改' }).click();
  const edit = dialog(page, `秒合约设置 #${id}`);
  await expect(edit.getByText('没有改动')).toBeVisible();
  await edit.getByLabel('收益率').fill('70');
  await edit.getByRole('button', { name: '保存' }).click();
  await expect(row(page, id)).toContainText('70');
  await row(page, id).getByRole('button', { name: '删除' }).click();
  await dialog(page, `删除秒合约设置 #${id}`).getByRole('button', { name: '删除设置' }).click();
  await expect(rows(page)).toHaveCount(0);
});
