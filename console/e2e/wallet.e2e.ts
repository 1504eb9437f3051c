import { randomUUID } from 'node:crypto';
import { type Page } from '@playwright/test';
import { activePage, admin, expect, expectAccessible, logIn, quietTest as test } from './desk.ts';
import { dialog } from './desk-list.ts';
import { callGateway, sendEventsTo } from './desk-platform.ts';

const place = { market: 'USDT', network: 'TRC20', state: 1 };

/** Two wallets of one coin and network, the first with 100. */
async function makeWallets(url: string) {
  const tag = randomUUID().slice(0, 8);
  const [hot, cold] = [`hot-${tag}`, `cold-${tag}`];
  await sendEventsTo(
    url,
    { type: 'wallet.saved', data: { wallet: hot, kind: 'hot', name: `热钱包 ${tag}`, ...place } },
    { type: 'wallet.saved', data: { wallet: cold, kind: 'cold', name: `冷钱包 ${tag}`, ...place } },
    { type: 'wallet.balance', data: { wallet: hot, amount: '100' } },
  );
  return { hot, hotName: `热钱包 ${tag}`, cold, coldName: `冷钱包 ${tag}` };
}

test('an operator compares a move with its record, and explains what no user owns', async ({ page, quiet }) => {
  const { hot, hotName } = await makeWallets(quiet.url);
  const [account, no, txHash] = [`u${randomUUID().slice(0, 8)}`, randomUUID(), `0x${randomUUID()}`];
  const chain = { market: 'USDT', network: 'TRC20', address: 'T-own', amount: '5', confirmations: 9, source: 1 };
  await sendEventsTo(
    quiet.url,
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { no, account, ...chain, txHash } },
    { type: 'chain.moved', data: { no: randomUUID(), wallet: hot, kind: 'deposit', amount: '7', txHash, record: no } },
  );
  await logIn(page, admin, '/wallet-item');
  const list = activePage(page);
  const row = list.getByRole('row').filter({ hasText: '链上与记录不符' }).filter({ hasText: '+7' });
  await expect(async () => {
    await list.getByRole('button', { name: '刷新', exact: true }).click();
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/wallet-item(\?|$)/);
  await expectAccessible(page);

  await row.getByRole('button', { name: '详情' }).click();
  const item = dialog(page, /^链上差异 #/);
  await expect(item.getByRole('row').filter({ hasText: '数量不同' })).toContainText('+7');
  await expect(item.getByRole('row').filter({ hasText: '数量不同' })).toContainText('+5');
  await expect(item.getByRole('link', { name: hotName })).toBeVisible();
  await expect(item.getByRole('link', { name: /^充值 #/ })).toBeVisible();
  await expect(item).toContainText('对照下面标出「不同」的字段');
  await expectAccessible(page);

  await item.getByRole('button', { name: '说明' }).click();
  const form = dialog(page, /^说明链上差异 #/);
  await form.getByText('自有资金，入账').click();
  await expect(form).toContainText('自有资金增加 2 USDT，账面托管同时增加 2 USDT，不能撤销');
  await form.getByRole('button', { name: '自有资金的转入' }).click();
  const [, id = ''] = /^说明链上差异 #(\d+)/.exec(await form.innerText()) ?? [];
  await form.getByLabel('请输入编号以确认').fill(id);
  await expectAccessible(page);
  await form.getByRole('button', { name: '说明链上差异' }).click();
  await expect(form).toBeHidden();
  await expect(item).toContainText('已说明');
  await expect(item).toContainText('自有资金的转入');
});

async function chooseWallet(page: Page, label: string, name: string) {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.locator('.ant-select-dropdown:visible').getByText(name).click();
}

test('an operator orders transfers between wallets, cancels one and resolves another', async ({ page, quiet }) => {
  const { hotName, coldName } = await makeWallets(quiet.url);
  await logIn(page, admin, '/wallet-coin');
  await activePage(page).getByRole('link', { name: '钱包调拨' }).click();
  const list = activePage(page);
  await expect(list.getByRole('heading', { level: 1, name: '钱包调拨' })).toBeVisible();
  await expectAccessible(page);

  const order = async (amount: string) => {
    await list.getByRole('button', { name: '新建调拨' }).click();
    const form = dialog(page, '新建调拨');
    await chooseWallet(page, '转出钱包', hotName);
    await chooseWallet(page, '转入钱包', coldName);
    await expect(form).toContainText('100 USDT');
    await form.getByLabel('数量').fill('101');
    await expect(form).toContainText('可用 100 USDT');
    await form.getByLabel('数量').fill(amount);
    await form.getByRole('button', { name: '归集到冷钱包' }).click();
    await expect(form).toContainText(`${hotName} 向 ${coldName} 转 ${amount} USDT`);
    await expectAccessible(page);
    await form.getByRole('button', { name: '提交调拨' }).click();
    await expect(form).toBeHidden();
    const row = list.getByRole('row').filter({ hasText: coldName }).filter({ hasText: amount });
    await expect(row).toContainText('待下发');
    return row;
  };

  const cancelled = await order('12.5');
  await cancelled.getByRole('button', { name: '撤销' }).click();
  const question = dialog(page, /^撤销钱包调拨 #/);
  await expectAccessible(page);
  await question.getByRole('button', { name: '撤销钱包调拨' }).click();
  await expect(cancelled).toContainText('已撤销');

  const unknown = await order('33.5');
  const commands = (await callGateway(quiet.url, 'GET', 'commands?limit=500')) as { id: number; type: string }[];
  const answers = commands.filter(({ type }) => type === 'wallet.move.requested');
  await callGateway(
    quiet.url,
    'POST',
    'commands/ack',
    answers.map(({ id }) => ({ id, state: 'unknown' })),
  );
  await list.getByRole('button', { name: '刷新', exact: true }).click();
  await expect(unknown).toContainText('结果不明');
  await unknown.getByRole('button', { name: '详情' }).click();
  const transfer = dialog(page, /^钱包调拨 #/);
  await expect(transfer).toContainText('系统不会再次下发');
  await expectAccessible(page);
  await transfer.getByRole('button', { name: '确认结果' }).click();
  const outcome = dialog(page, /^确认调拨结果 #/);
  await outcome.getByText('未调拨', { exact: true }).click();
  await outcome.getByRole('button', { name: '已在链上核对：未转出' }).click();
  await expectAccessible(page);
  await outcome.getByRole('button', { name: '确认调拨结果' }).click();
  await expect(transfer).toContainText('调拨失败');

  await transfer.getByRole('link', { name: hotName }).click();
  await expect(dialog(page, /^钱包 #/)).toContainText(hotName);
  await page.keyboard.press('Escape');
  await activePage(page).getByRole('button', { name: '调拨', exact: true }).click();
  await expect(dialog(page, '新建调拨')).toContainText(hotName);
});
