import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, activePage, test } from './desk.ts';
import { drawer, setUpFuturesUser } from './desk-futures.ts';
import { dialog, callAs, fetchList, waitForRows, row } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp } from './list-helpers.ts';

/** Creates a signal that is open to followers now, with a price far from the market. */
async function newSignal(page: Page, state: 0 | 1): Promise<{ id: number; no: string; title: string }> {
  const terms = { marketId: 2, side: 1, leverage: 5, price: '100', ratio: '10', minAmount: '1', maxAmount: '500' };
  const times = { startAt: Date.now() - 60_000, endAt: Date.now() + 3_600_000 };
  const title = `信号 ${randomUUID().slice(0, 8)}`;
  const { data } = await callAs(page, admin, 'POST', 'signal/add', { title, ...terms, ...times, state });
  return data as { id: number; no: string; title: string };
}

async function openFollowOrders(
  page: Page,
  account: string,
  signal: string,
  count: number,
): Promise<{ id: number; no: string }[]> {
  const nos = Array.from({ length: count }, () => randomUUID());
  await sendEvents(...nos.map((no) => ({ type: 'follow.opened', data: { no, account, signal, amount: '40' } })));
  const { list } = await fetchList(page, 'follow/list', { account, sort: 'id', size: 200 });
  return list.map(({ id }, index) => ({ id, no: nos[index] ?? '' }));
}

test('a signal is validated, saved as a draft, published and ended', async ({ page }) => {
  const { operator } = await setUpFuturesUser(page, [7]);
  await logIn(page, operator, '/signal');
  await activePage(page).getByRole('button', { name: '新增信号' }).click();
  const form = dialog(page, '新增信号');
  const title = `日内 ${randomUUID().slice(0, 8)}`;
  await form.getByLabel('标题').fill(title);
  await form.getByRole('combobox', { name: '市场' }).click();
  await page.locator('.ant-select-item-option', { hasText: 'BTC' }).click();
  await form.getByLabel('入场价').fill('50000');
  await form.getByLabel('止盈价').fill('49000');
  await form.getByLabel('最小跟单').fill('10');
  await form.getByLabel('最大跟单').fill('100');
  await form.getByRole('button', { name: '保存草稿' }).click();
  await expect(form.getByRole('alert')).toContainText('止盈价须高于入场价');
  await form.getByLabel('止盈价').fill('55000');
  await form.getByRole('button', { name: '保存草稿' }).click();
  await expect(form).toBeHidden();
  const { data } = await callAs(page, admin, 'GET', 'signal/list', { title });
  const [{ id }] = (data as { list: [{ id: number }] }).list;
  await expect(row(page, id)).toContainText('草稿');
  await row(page, id).getByRole('button', { name: '发布' }).click();
  await dialog(page, `发布信号 #${id}`).getByRole('button', { name: '发布信号' }).click();
  await expect(row(page, id)).toContainText('进行中');
  await row(page, id).getByRole('button', { name: '编辑' }).click();
  await expect(dialog(page, `编辑信号 #${id}`).getByLabel('入场价')).toBeDisabled();
  await dialog(page, `编辑信号 #${id}`).getByRole('button', { name: '取消' }).click();
  await row(page, id).getByRole('button', { name: '结束' }).click();
  await dialog(page, `结束信号 #${id}`).getByRole('button', { name: '结束信号' }).click();
  await expect(row(page, id)).toContainText('已结束');
  await expect(row(page, id).getByRole('button', { name: '编辑' })).toBeDisabled();
});

test(
  'a follow order ends once the platform confirms it; a bulk end requires the typed count',
  { tag: '@short' },
  async ({ page }) => {
    const { operator, account } = await setUpFuturesUser(page, [6]);
    const signal = await newSignal(page, 1);
    const [first, ...others] = await openFollowOrders(page, account, signal.no, 3);
    if (!first) throw new Error('no following');
    await logIn(page, operator, `/follow?signalId=${signal.id}`);
    await waitForRows(page);
    await row(page, first.id).getByRole('button', { name: '结束' }).click();
    const modal = dialog(page, `结束跟单 #${first.id}`);
    await expect(modal).toContainText('40 USDT');
    await modal.getByRole('button', { name: '结束跟单' }).click();
    // The state 结束中 may be over at once; the operator stays recorded.
    await expect(async () => {
      const { list } = await fetchList(page, 'follow/list', { id: first.id });
      expect(list[0]).toMatchObject({ by: operator.account });
    }).toPass();
    await sendEvents({ type: 'follow.closed', data: { no: first.no, profit: '-12.5' } });
    await activePage(page).locator('thead .ant-checkbox-input').check();
    await activePage(page).getByRole('button', { name: '批量结束' }).click();
    const bulkDialog = dialog(page, '批量结束跟单');
    await bulkDialog.locator('textarea').fill('市场维护');
    await bulkDialog.locator('.ht-dialog-challenge input').fill('3');
    await bulkDialog.getByRole('button', { name: '结束 3 条' }).click();
    await expect(dialog(page, '批量结束跟单')).toContainText('已结束');
    for (const { id } of others) {
      await expect
        .poll(async () => (await fetchList(page, 'follow/list', { id })).list[0])
        .toMatchObject({ reason: '市场维护' });
    }
    await expect(row(page, first.id)).toContainText('-12.5');

    await navigateInApp(page, '/follow', { open: String(first.id), signalId: String(signal.id) });
    await expect(drawer(page).getByText(signal.title)).toBeVisible();
    await expectAccessible(page);
    await navigateInApp(page, '/signal', { open: String(signal.id), id: String(signal.id) });
    await expect(drawer(page).getByText('跟单情况')).toBeVisible();
    await expectAccessible(page);
  },
);
