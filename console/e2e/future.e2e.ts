import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, activePage, test } from './desk.ts';
import { positionOrder, drawer, setUpFuturesUser } from './desk-futures.ts';
import { dialog, callAs, waitForRows, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp } from './list-helpers.ts';

interface PlacedOrder {
  id: number;
  no: string;
}

/** Places futures orders of 0.1 BTC at 1,000 USDT and fills them for the stage `open`; demo orders hold no money. */
async function placeOrders(
  page: Page,
  account: string,
  count: number,
  stage: 'wait' | 'open',
  demo = 0,
): Promise<PlacedOrder[]> {
  const order = positionOrder(account, demo);
  const nos = Array.from({ length: count }, () => randomUUID());
  await sendEvents(...nos.map((no) => ({ type: 'position.placed', data: { no, ...order } })));
  if (stage === 'open')
    await sendEvents(...nos.map((no) => ({ type: 'position.opened', data: { no, price: '1000', fee: '0.1' } })));
  const placed: PlacedOrder[] = [];
  for (const no of nos) {
    const { data } = await callAs(page, admin, 'GET', 'future/order/list', { no });
    placed.push({ id: (data as { list: { id: number }[] }).list[0]?.id ?? 0, no });
  }
  return placed;
}

const fetchCommands = async (page: Page, id: number) => {
  const { data } = await callAs(page, admin, 'GET', 'future/order/detail', { id });
  return (data as { commands: { type: string; amount: string | null }[] }).commands;
};

test(
  'a partial close shows the expected profit and is applied once the engine confirms it',
  { tag: '@short' },
  async ({ page }) => {
    const { operator, account } = await setUpFuturesUser(page, [6]);
    const [position] = await placeOrders(page, account, 1, 'open');
    if (!position) throw new Error('no position');
    await logIn(page, operator, '/future/open');
    await waitForRows(page);
    await row(page, position.id).getByRole('button', { name: '平仓' }).click();
    const modal = dialog(page, `合约平仓 #${position.id}`);
    await expect(modal).toContainText('预计盈亏');
    await expect(modal).toContainText('只减仓');
    await modal.getByLabel('平仓数量').fill('0.2');
    await expect(modal.getByText('平仓数量不能超过未平数量')).toBeVisible();
    await modal.getByRole('button', { name: '25%' }).click();
    await expect(modal.getByLabel('平仓数量')).toHaveValue('0.025');
    await modal.getByRole('button', { name: '部分平仓' }).click();
    // The state 平仓中 may be over at once; the command stays recorded.
    await expect
      .poll(async () => fetchCommands(page, position.id))
      .toMatchObject([{ type: 'position.close', amount: '0.025' }]);
    const close = { no: position.no, closeNo: randomUUID(), amount: '0.025', price: '1100', fee: '0.1', closeType: 5 };
    await sendEvents({ type: 'position.closed', data: close });
    await row(page, position.id).getByRole('button', { name: '详情' }).click();
    await expect(drawer(page).getByRole('region', { name: '平仓记录' })).toContainText('+2.5');
    await expect(drawer(page).getByText('管理员')).toBeVisible();
    await expect(row(page, position.id)).toContainText('持仓中');
  },
);

test('selected pending orders are cancelled, and demo orders are totalled separately', async ({ page }) => {
  const { operator, account } = await setUpFuturesUser(page, [6]);
  const orders = await placeOrders(page, account, 2, 'wait');
  await placeOrders(page, account, 1, 'wait', 1);
  await logIn(page, operator, '/future/wait');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(3);
  const totals = activePage(page).getByRole('region', { name: '合计' });
  await expect(totals.locator('[data-coin="USDT"]')).toContainText('20');
  await expect(totals.locator('[data-coin="USDT（模拟）"]')).toContainText('1 笔');
  for (const { id } of orders) await row(page, id).locator('.ant-checkbox-input').check();
  await activePage(page).getByRole('button', { name: '批量撤单' }).click();
  const modal = dialog(page, '批量撤销合约委托');
  await expect(modal).toContainText('20 USDT');
  await modal.locator('textarea').fill('市场维护');
  await modal.locator('.ht-dialog-challenge input').fill('2');
  await modal.getByRole('button', { name: '撤销 2 条' }).click();
  await expect(dialog(page, '批量撤销合约委托')).toBeVisible();
  // The state 撤单中 may be over at once; the command stays recorded.
  for (const { id } of orders) await expect.poll(async () => (await fetchCommands(page, id)).length).toBe(1);
});

test('cancelling a market counts its orders, demo ones apart, and leaves those of other trees', async ({ page }) => {
  const other = await setUpFuturesUser(page, [6]);
  const { operator, account } = await setUpFuturesUser(page, [6]);
  const [foreign] = await placeOrders(page, other.account, 1, 'wait');
  const orders = [
    ...(await placeOrders(page, account, 2, 'wait')),
    ...(await placeOrders(page, account, 1, 'wait', 1)),
  ];
  await logIn(page, operator, '/future/wait');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '市场撤单' }).click();
  const modal = dialog(page, '撤销市场全部合约委托');
  await modal.getByRole('combobox', { name: '市场' }).click();
  await page.locator('.ant-select-item-option', { hasText: /^BTC$/ }).click();
  await expect(modal).toContainText('未完成3 条');
  await expect(modal).toContainText('其中模拟1 条');
  await expect(modal).toContainText('20 USDT');
  await expectAccessible(page);
  await modal.locator('textarea').fill('市场维护');
  await modal.locator('.ht-dialog-challenge input').fill('BTC');
  await modal.getByRole('button', { name: '撤销 3 条' }).click();
  await expect(page.getByText('已发出 3 条撤单指令')).toBeVisible();
  for (const { id } of orders) expect(await fetchCommands(page, id)).toHaveLength(1);
  expect(await fetchCommands(page, foreign?.id ?? 0)).toHaveLength(0);
});

test('risk and exposure are shown as charts with tables, and a closed position in both histories', async ({ page }) => {
  const { operator, account } = await setUpFuturesUser(page, []);
  const [position] = await placeOrders(page, account, 1, 'open');
  await logIn(page, operator, '/future/open');
  await waitForRows(page);
  await expect(row(page, position?.id ?? 0).getByRole('button', { name: '平仓' })).toBeDisabled();
  await row(page, position?.id ?? 0)
    .locator('.ant-checkbox-input')
    .check();
  await activePage(page).getByRole('button', { name: '查看风险' }).click();
  const risk = dialog(page, '用户合约风险');
  await expect(risk.getByRole('region', { name: `${account} 的持仓` })).toContainText('做多');
  await expectAccessible(page);
  await risk.getByRole('button', { name: '关闭' }).first().click();
  await activePage(page).getByRole('button', { name: '敞口与强平分布' }).click();
  const panel = drawer(page).getByRole('region', { name: '各市场敞口', exact: true });
  await panel.getByRole('button', { name: '表格' }).click();
  await expect(panel.getByRole('region', { name: '各市场敞口（表格）' })).toContainText('BTC');
  await drawer(page).getByText('模拟', { exact: true }).click();
  await expect(panel).toContainText('暂无数据');

  const close = { no: position?.no, closeNo: randomUUID(), amount: '0.1', price: '990', fee: '0.1', closeType: 3 };
  await sendEvents({ type: 'position.closed', data: close });
  await navigateInApp(page, '/future/close_history');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('止损');
  await rows(page).getByRole('button', { name: '详情' }).click();
  await expect(drawer(page).getByText(`合约订单 #${position?.id ?? 0}`)).toBeVisible();
  await navigateInApp(page, '/future/open_history', { open: String(position?.id ?? 0) });
  await expect(drawer(page).getByText('已平仓')).toBeVisible();
  await expect(row(page, position?.id ?? 0)).toContainText('-1');
  await expectAccessible(page);
});
