import { randomUUID } from 'node:crypto';
import { activePage, admin, expect, expectAccessible, logIn, newOperator, test } from './desk.ts';
import { callAs, dialog, fetchList, row, rows, waitForRows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

const ASSETS = 2;

test('recharges over a network that is not listed say so, and are released together', async ({ page }) => {
  const operator = await newOperator(page, [ASSETS]);
  const account = `rc.${randomUUID().slice(0, 13)}`;
  const chain = { account, market: 'USDT', address: 'T', confirmations: 20, source: 1 };
  const nos = [randomUUID(), randomUUID(), randomUUID()];
  await sendEvents(
    { type: 'user.registered', data: { account, agent: operator.account } },
    ...nos.slice(0, 2).map((no) => ({
      type: 'recharge.credited',
      data: { ...chain, no, network: 'Own Chain', amount: '7.5' },
    })),
    { type: 'recharge.credited', data: { ...chain, no: nos[2], network: 'trc-20', amount: '3' } },
  );
  const { list } = await fetchList(page, 'recharge/list', { account, sort: 'id', size: 200 });
  const [first, second, credited] = list.map(({ id }) => id);
  await logIn(page, operator, '/recharge');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(3);
  await expect(row(page, credited ?? 0)).toContainText('已到账');
  await row(page, first ?? 0)
    .getByRole('button', { name: '详情' })
    .click();
  await expect(page.getByRole('dialog', { name: `充值 #${first}` })).toContainText('网络未开放');
  await page.keyboard.press('Escape');
  await activePage(page).locator('thead .ant-checkbox-input').check();
  await activePage(page).getByRole('button', { name: '批量放行' }).click();
  const modal = dialog(page, '批量放行充值');
  await expect(modal).toContainText('15 USDT');
  await expect(modal).toContainText('不可放行');
  await expectAccessible(page);
  await modal.locator('textarea').fill('网络已核对');
  await modal.locator('.ht-dialog-challenge input').fill('3');
  await modal.getByRole('button', { name: '放行 3 条' }).click();
  await expect(dialog(page, '批量放行充值')).toContainText('已到账');
  const fetchStates = async () =>
    ((await callAs(page, admin, 'GET', 'recharge/list', { account })).data as { list: { state: number }[] }).list.map(
      ({ state }) => state,
    );
  await expect.poll(fetchStates).toEqual([1, 1, 1]);
  await page.keyboard.press('Escape');
  await expect(row(page, second ?? 0)).toContainText('已到账');
});
