import { randomUUID } from 'node:crypto';
import { activePage, admin, expect, expectAccessible, logIn, quietTest as test } from './desk.ts';
import { dialog } from './desk-list.ts';
import { sendEventsTo } from './desk-platform.ts';

test('an operator sees how to connect wallets, and what ledger and wallets differ by', async ({ page, quiet }) => {
  // The job compares every 30 s.
  test.slow();
  await logIn(page, admin, '/wallet-coin');
  const list = activePage(page);
  await expect(list.getByRole('heading', { level: 1, name: '钱包对账' })).toBeVisible();
  await expectAccessible(page);

  const wallet = `wallet-${randomUUID()}`;
  const place = { market: 'SOL', network: 'Solana', kind: 'hot', name: '热钱包一', state: 1 };
  await sendEventsTo(
    quiet.url,
    { type: 'wallet.saved', data: { wallet, ...place } },
    { type: 'wallet.balance', data: { wallet, amount: '12.5' } },
  );
  const move = { no: randomUUID(), wallet, kind: 'deposit', amount: '2', txHash: `0x${randomUUID()}` };
  await sendEventsTo(quiet.url, { type: 'chain.moved', data: move });
  const row = list.getByRole('row').filter({ hasText: 'SOL' });
  await expect(async () => {
    await list.getByRole('button', { name: '刷新', exact: true }).click();
    await expect(row).toContainText('有差额', { timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  await row.getByRole('button', { name: '详情' }).click();
  const coin = dialog(page, '钱包对账 SOL');
  await expect(coin).toContainText('链上已到，尚未入账');
  await expect(coin).toContainText('平台应报告 recharge.credited');
  await expect(coin.getByRole('link', { name: '热钱包一' })).toBeVisible();
  await expect(coin).toContainText('+12.5 SOL');
  await expectAccessible(page);

  await coin.getByRole('link', { name: '热钱包一' }).click();
  await expect(page).toHaveURL(/\/wallet\?.*open=/);
  await expect(activePage(page).getByRole('heading', { level: 1, name: '钱包' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/home');
  await expect(page.getByRole('status').filter({ hasText: '个币种的钱包与账本不符' })).toBeVisible();
});

const DAY_MS = 86_400_000;

/** A coin with a net outflow of 10 on two of the last days, a hot wallet with 12, a cold one with 500, and a move that differs. */
async function makeLowCoin(url: string) {
  const [account, txHash, tag] = [`u${randomUUID().slice(0, 8)}`, `0x${randomUUID()}`, randomUUID().slice(0, 8)];
  const place = { market: 'ETH', network: 'ERC20', state: 1 };
  const [hot, cold] = [`hot-${tag}`, `cold-${tag}`];
  const [kept, first, second, credited] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const chain = {
    account,
    market: 'ETH',
    network: 'ERC20',
    address: `0x${'1'.repeat(40)}`,
    confirmations: 9,
    source: 1,
  };
  const past = (days: number) => Date.now() - days * DAY_MS;
  const credit = (no: string, amount: string) => ({ type: 'recharge.credited', data: { no, ...chain, amount } });
  await sendEventsTo(
    url,
    { type: 'user.registered', data: { account }, at: past(6) },
    ...[credit(kept, '1000'), credit(first, '10'), credit(second, '10')].map((one) => ({ ...one, at: past(5) })),
    { type: 'recharge.reversed', data: { no: first }, at: past(3) },
    { type: 'recharge.reversed', data: { no: second }, at: past(2) },
    { type: 'wallet.saved', data: { wallet: hot, kind: 'hot', name: `热钱包 ${tag}`, ...place } },
    { type: 'wallet.saved', data: { wallet: cold, kind: 'cold', name: `冷钱包 ${tag}`, ...place } },
    { type: 'wallet.balance', data: { wallet: hot, amount: '12' } },
    { type: 'wallet.balance', data: { wallet: cold, amount: '500' } },
    { type: 'recharge.credited', data: { no: credited, ...chain, amount: '4', txHash } },
    {
      type: 'chain.moved',
      data: { no: randomUUID(), wallet: cold, kind: 'deposit', amount: '9', txHash, record: credited },
    },
  );
  return { hotName: `热钱包 ${tag}`, coldName: `冷钱包 ${tag}` };
}

test('an operator orders the transfer that is proposed, and sees what does not fit', async ({ page, quiet }) => {
  // The job compares every 30 s.
  test.slow();
  const { hotName, coldName } = await makeLowCoin(quiet.url);
  await logIn(page, admin, '/wallet-coin');
  const list = activePage(page);
  const row = list.getByRole('row').filter({ hasText: 'ETH' });
  await expect(async () => {
    await list.getByRole('button', { name: '刷新', exact: true }).click();
    await expect(row).toContainText('建议补充', { timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  await row.getByRole('button', { name: '详情' }).click();
  const coin = dialog(page, '钱包对账 ETH');
  await expect(coin).toContainText('可支撑 1.2 天，低于 3 天，补到 8.5 天');
  await expect(coin.getByRole('link', { name: coldName }).first()).toBeVisible();
  const item = coin.getByRole('region', { name: '未处理的链上差异' }).getByRole('row').filter({ hasText: '数量不同' });
  await expect(item).toContainText('+9 ETH');
  await expect(item).toContainText('+4 ETH');
  await expect(item).toContainText('对照下面标出「不同」的字段');
  await expectAccessible(page);

  await coin.getByRole('button', { name: '新建调拨' }).click();
  const form = dialog(page, '新建调拨');
  await expect(form.getByLabel('数量')).toHaveValue('73');
  await expect(form.getByRole('textbox', { name: '原因' })).toHaveValue('补充热钱包：可支撑 1.2 天，低于 3 天');
  await expect(form).toContainText(`${coldName} 向 ${hotName} 转 73 ETH`);
  await expectAccessible(page);
  await form.getByRole('button', { name: /^提交(调拨|复核)$/ }).click();
  await expect(form).toBeHidden();
  await expect(coin.getByRole('button', { name: '新建调拨' })).toBeHidden();
  await expect(row).not.toContainText('建议补充');
});
