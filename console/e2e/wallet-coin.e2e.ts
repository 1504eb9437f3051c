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
