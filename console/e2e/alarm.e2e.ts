import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, quietTest, test } from './desk.ts';
import { dialog, callAs, fetchList, row } from './desk-list.ts';
import { callGateway, sendEvents, sendEventsTo } from './desk-platform.ts';

const wallet = { market: 'USDT', network: 'TRC20', address: 'T-alarm' };
const newAccount = () => `alarm.${randomUUID().slice(0, 13)}`;
const userRegistered = (account: string, agent: string) => ({ type: 'user.registered', data: { account, agent } });
const rechargeCredited = (account: string, no: string) => ({
  type: 'recharge.credited',
  data: { ...wallet, no, account, amount: '50', txHash: '0xgone', confirmations: 20, source: 1 },
});

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const badge = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: '主菜单' })
    .getByText(name, { exact: true })
    .locator('..')
    .getByLabel(/项待办/);

test(
  'an alarm raises the badge, explains what to do, and is closed with a reason',
  { tag: '@short' },
  async ({ page }) => {
    const operator = await newOperator(page, [2]);
    const [account, no] = [newAccount(), randomUUID()];
    await sendEvents(userRegistered(account, operator.account), rechargeCredited(account, no));
    const [user] = (await fetchList(page, 'user/list', { account })).list;
    const adjustment = { userId: user?.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: 'spent' };
    expect((await callAs(page, admin, 'POST', 'asset/active/sub', adjustment)).code).toBe(200);
    await sendEvents({ type: 'recharge.reversed', data: { no } });

    await logIn(page, operator);
    await page.keyboard.press('Control+k');
    await dialog(page, '查找').getByRole('combobox').fill('告警');
    await expect(dialog(page, '查找').getByRole('option', { name: /告警/ }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/alarm/);
    await expect(page).toHaveTitle('(1) 告警 · 衡台');
    await expect(badge(page, '告警')).toHaveText('1');
    const [alarm] = (await fetchList(page, 'alarm/list', { account })).list;
    const id = alarm?.id ?? 0;
    await expect(row(page, id)).toContainText('冲正时余额不足');

    await row(page, id).getByRole('button', { name: '详情' }).click();
    await expect(drawer(page)).toContainText('0xgone');
    await expect(drawer(page)).toContainText('20 USDT');
    await expect(drawer(page).getByRole('link', { name: /^充值 #/ })).toBeVisible();
    await expect(drawer(page).getByRole('heading', { name: '情况说明' })).toBeVisible();
    await expect(drawer(page).getByRole('heading', { name: '处理建议' })).toBeVisible();
    await expectAccessible(page, '.ht-dialog-drawer');

    await drawer(page).getByRole('button', { name: '关闭告警' }).click();
    const modal = dialog(page, `关闭告警 #${id}`);
    await expect(modal.getByRole('button', { name: '关闭告警' })).toBeDisabled();
    await modal.locator('textarea').fill('已向用户追回');
    await expectAccessible(page, '.ant-modal-container');
    await page.keyboard.press('Control+Enter');
    await expect(modal).toBeHidden();
    await expect(drawer(page)).toContainText('已向用户追回');
    await expect(page).toHaveTitle('告警 · 衡台');
    await expect(badge(page, '告警')).toHaveCount(0);
  },
);

/** Creates a spot order whose cancel command has an unknown outcome; returns the id of the command. */
async function createUnresolvedCancel(page: Page, url: string): Promise<number> {
  const [account, no] = [newAccount(), randomUUID()];
  const transfer = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 2, amount: '50' };
  const order = { no, account, market: 'BTC', side: 1, type: 1, price: '5', amount: '1' };
  await sendEventsTo(
    url,
    userRegistered(account, admin.account),
    rechargeCredited(account, randomUUID()),
    { type: 'transfer.made', data: { no: randomUUID(), ...transfer } },
    { type: 'order.placed', data: order },
  );
  const { data } = await callAs(page, admin, 'GET', 'trade/order/list', { no });
  const [placed] = (data as { list: { id: number }[] }).list;
  const cancelled = await callAs(page, admin, 'POST', 'trade/order/cancel', { id: placed?.id, reason: 'stuck' });
  expect(cancelled.code).toBe(200);
  let id: number | undefined;
  await expect
    .poll(async () => {
      const commands = (await callGateway(url, 'GET', 'commands?limit=500')) as {
        id: number;
        type: string;
        data: { no: string };
      }[];
      id = commands.find(({ type, data: commandData }) => type === 'order.cancel' && commandData.no === no)?.id;
      return id;
    })
    .toBeDefined();
  await callGateway(url, 'POST', 'commands/ack', [{ id, state: 'unknown', reason: 'engine is down' }]);
  return id ?? 0;
}

quietTest('a command with an unknown outcome raises the badge and is resolved', async ({ page, quiet }) => {
  const id = await createUnresolvedCancel(page, quiet.url);
  await logIn(page, admin, '/command?state=4');
  await expect(badge(page, '平台指令')).toHaveText('1');
  await expect(row(page, id)).toContainText('现货撤单');
  await expect(row(page, id)).toContainText('engine is down');

  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expect(drawer(page)).toContainText('先在平台核对这条指令是否已执行');
  await expect(drawer(page).getByRole('link', { name: /^现货委托 #/ })).toBeVisible();
  await expectAccessible(page, '.ht-dialog-drawer');
  await drawer(page).getByRole('button', { name: '确认结果' }).click();
  const modal = dialog(page, `确认指令结果 #${id}`);
  await modal.locator('textarea').fill('已在平台核对：未执行');
  await expect(modal.getByRole('button', { name: '确认结果' })).toBeDisabled();
  await modal.getByRole('radio', { name: '未执行' }).check();
  await expect(modal).toContainText('单据恢复到发出指令之前的状态');
  await expectAccessible(page, '.ant-modal-container');
  await modal.getByRole('button', { name: '确认结果' }).click();
  await expect(modal).toBeHidden();
  await expect(drawer(page)).toContainText('已失败');
  await expect(badge(page, '平台指令')).toHaveCount(0);

  // The failed command reopened the order, so it can be cancelled again.
  await drawer(page)
    .getByRole('link', { name: /^现货委托 #/ })
    .click();
  await expect(page).toHaveURL(/\/trade\/order\?.*open=\d+/);
  await expect(drawer(page).getByRole('button', { name: '撤单' })).toBeEnabled();
});
