import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

const ORDERS = 6;

interface SpotSetup {
  operator: { id: number; account: string; password: string };
  account: string;
  /** The orders, oldest first. */
  orders: { id: number; no: string }[];
}

/** An operator with one user who has open buy orders far below the market price. */
async function setUpOrders(page: Page, count: number): Promise<SpotSetup> {
  const operator = await newOperator(page, [ORDERS]);
  const account = `spot.${randomUUID().slice(0, 13)}`;
  const deposit = { no: randomUUID(), account, market: 'USDT', network: 'TRC20', address: 'T', amount: '1000' };
  const transfer = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 2, amount: '1000' };
  const nos = Array.from({ length: count }, () => randomUUID());
  await sendEvents(
    { type: 'user.registered', data: { account, agent: operator.account } },
    { type: 'recharge.credited', data: { ...deposit, confirmations: 20, source: 1 } },
    { type: 'transfer.made', data: { no: randomUUID(), ...transfer } },
    ...nos.map((no) => ({
      type: 'order.placed',
      data: { no, account, market: 'HTT', side: 1, type: 1, price: '0.01', amount: '1000' },
    })),
  );
  const { list } = await fetchList(page, 'trade/order/list', { account, sort: 'id', size: 200 });
  return { operator, account, orders: list.map(({ id }, index) => ({ id, no: nos[index] ?? '' })) };
}

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const fetchCommands = async (page: Page, id: number) => {
  const { data } = await callAs(page, admin, 'GET', 'trade/order/detail', { id });
  return (data as { commands: unknown[] }).commands;
};

test('an order shows its fills and ledger entries, and is cancelled once the engine confirms', async ({ page }) => {
  const { operator, orders } = await setUpOrders(page, 1);
  const [order] = orders;
  if (!order) throw new Error('no order');
  const fill = { no: order.no, tradeNo: randomUUID(), price: '0.009', amount: '400', fee: '0.4' };
  await sendEvents({ type: 'order.filled', data: fill });
  await logIn(page, operator, '/trade/order');
  await waitForRows(page);
  await expect(row(page, order.id)).toContainText('部分成交');
  await row(page, order.id).getByRole('button', { name: '详情' }).click();
  await expect(drawer(page).getByText(`现货委托 #${order.id}`)).toBeVisible();
  await expect(drawer(page).getByRole('region', { name: '成交明细' })).toContainText('0.009');
  await expect(drawer(page).getByRole('region', { name: '资金变动' })).toContainText('现货买入');
  await expectAccessible(page);
  await drawer(page).getByRole('link', { name: '全部成交' }).click();
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('0.4 HTT');
  await expectAccessible(page);
  await activePage(page)
    .getByRole('link', { name: `现货委托 #${order.id}` })
    .click();
  await drawer(page).getByRole('button', { name: '撤单' }).click();
  const modal = dialog(page, `撤销委托 #${order.id}`);
  await expect(modal).toContainText('6 USDT');
  await modal.getByRole('button', { name: '撤销委托' }).click();
  await expect(page.getByText('撤单指令已发出，等待撮合确认')).toBeVisible();
  expect(await fetchCommands(page, order.id)).toHaveLength(1);
  await sendEvents({ type: 'order.cancelled', data: { no: order.no } });
  await page.reload();
  await expect(row(page, order.id)).toContainText('已撤销');
  await expect(row(page, order.id).getByRole('button', { name: '撤单' })).toBeDisabled();
});

test(
  'a bulk cancel of selected orders requires the typed count and reports each outcome',
  { tag: '@short' },
  async ({ page }) => {
    const { operator, orders } = await setUpOrders(page, 3);
    await sendEvents({ type: 'order.cancelled', data: { no: orders[0]?.no } });
    await logIn(page, operator, '/trade/order');
    await waitForRows(page);
    await expect(rows(page)).toHaveCount(3);
    await activePage(page).locator('thead .ant-checkbox-input').check();
    await activePage(page).getByRole('button', { name: '批量撤单' }).click();
    const modal = dialog(page, '批量撤销委托');
    await modal.locator('textarea').fill('市场维护');
    await expect(modal.getByRole('button', { name: '撤销 3 条' })).toBeDisabled();
    await modal.locator('.ht-dialog-challenge input').fill('3');
    await modal.getByRole('button', { name: '撤销 3 条' }).click();
    await expect(dialog(page, '批量撤销委托')).toContainText('已撤销');
    expect(await fetchCommands(page, orders[0]?.id ?? 0)).toHaveLength(0);
    for (const { id } of orders.slice(1)) expect(await fetchCommands(page, id)).toHaveLength(1);
  },
);

test('cancelling a market counts its orders, requires its name, and is limited to the own subtree', async ({
  page,
}) => {
  const [otherSetup, { operator, orders }] = [await setUpOrders(page, 1), await setUpOrders(page, 2)];
  await logIn(page, operator, '/trade/order');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '市场撤单' }).click();
  const modal = dialog(page, '撤销市场全部委托');
  await modal.getByRole('combobox', { name: '市场' }).click();
  await page.locator('.ant-select-item-option', { hasText: 'HTT' }).click();
  await expect(modal).toContainText('2 条');
  await expect(modal).toContainText('20 USDT');
  await modal.locator('textarea').fill('市场维护');
  await modal.locator('.ht-dialog-challenge input').fill('HTT');
  await modal.getByRole('button', { name: '撤销 2 条' }).click();
  await expect(page.getByText('已发出 2 条撤单指令')).toBeVisible();
  for (const { id } of orders) expect(await fetchCommands(page, id)).toHaveLength(1);
  expect(await fetchCommands(page, otherSetup.orders[0]?.id ?? 0)).toHaveLength(0);
});
