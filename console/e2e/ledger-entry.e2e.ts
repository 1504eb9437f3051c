import { randomUUID } from 'node:crypto';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp } from './list-helpers.ts';

const LISTS = [
  { path: '/recharge', call: 'recharge/list', noun: '充值' },
  { path: '/fund/record', call: 'fund/record', noun: '资金记录' },
  { path: '/internalTransfer', call: 'internalTransfer/list', noun: '内部转账' },
] as const;

test('each list sums its page and has a drawer that is accessible', async ({ page }) => {
  await logIn(page, admin);
  for (const { path, call, noun } of LISTS) {
    // The simulator sends its history first.
    await expect.poll(async () => (await fetchList(page, call)).total, { timeout: 45_000 }).toBeGreaterThan(0);
    await navigateInApp(page, path);
    await waitForRows(page);
    await expect(activePage(page).getByRole('group', { name: '本页合计' })).toContainText(/\d 笔/);
    // Recharges by voucher have another button.
    await rows(page).getByRole('button', { name: '详情' }).first().click();
    await expect(page.locator('.ht-dialog-drawer .ant-drawer-title')).toContainText(new RegExp(`^${noun} #\\d+`));
    await expectAccessible(page);
  }
});

test('a held recharge is released from its row', { tag: '@short' }, async ({ page }) => {
  const [no, account] = [randomUUID(), `held.${randomUUID().slice(0, 13)}`];
  const wallet = { market: 'USDT', network: 'TRC20', address: 'T-held', txHash: `0x${no}`, source: 1 };
  await sendEvents(
    { type: 'user.registered', data: { account, agent: admin.account } },
    { type: 'recharge.detected', data: { ...wallet, no, account, amount: '50', confirmations: 1 } },
  );
  const heldId = (await fetchList(page, 'recharge/list', { no })).list[0]?.id ?? 0;
  expect((await callAs(page, admin, 'POST', 'recharge/hold', { id: heldId, reason: '来源待核实' })).code).toBe(200);
  await logIn(page, admin, `/recharge?id=${heldId}`);
  await waitForRows(page);
  await expect(row(page, heldId)).toContainText('风控挂起');
  await row(page, heldId).getByRole('button', { name: '挂起' }).hover();
  await expect(page.getByRole('tooltip')).toContainText('仅「待确认」可挂起');
  await row(page, heldId).getByRole('button', { name: '放行' }).click();
  await expect(dialog(page, /放行充值/)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(dialog(page, /放行充值/)).toBeHidden();
  await expect(row(page, heldId)).not.toContainText('风控挂起');
});

test('an entry is marked as checked, questioned and reset, each with a confirmation', async ({ page }) => {
  await expect
    .poll(async () => (await fetchList(page, 'fund/record', { state: 0 })).total, { timeout: 45_000 })
    .toBeGreaterThan(0);
  const id = (await fetchList(page, 'fund/record', { state: 0, sort: 'id' })).list[0]?.id ?? 0;
  await logIn(page, admin, `/fund/record?id=${id}`);
  await waitForRows(page);
  for (const [button, state] of [
    ['核对', '已核对'],
    ['存疑', '存疑'],
    ['撤销', '未核对'],
  ] as const) {
    await row(page, id).getByRole('button', { name: button, exact: true }).click();
    const confirmation = page.locator('.ant-popconfirm:visible');
    await confirmation.getByRole('button', { name: /确\s*定/ }).click();
    // The popover fades out and must not be taken for the next one.
    await expect(confirmation).toHaveCount(0);
    await expect(row(page, id).locator('td').filter({ hasText: state }).first()).toBeVisible();
  }
});

test('a recharge opens its voucher, and an entry names its record in Chinese and leads to it', async ({ page }) => {
  await logIn(page, admin);
  await expect
    .poll(async () => (await fetchList(page, 'recharge/list', { source: 2 })).total, { timeout: 45_000 })
    .toBeGreaterThan(0);
  const id = (await fetchList(page, 'recharge/list', { source: 2, sort: 'id' })).list[0]?.id ?? 0;
  await navigateInApp(page, '/recharge', { id: String(id) });
  await waitForRows(page);
  await row(page, id).getByRole('button', { name: '凭证' }).click();
  const voucher = page.locator('.ht-dialog-drawer').getByRole('img', { name: '用户上传的转账凭证' });
  await expect(voucher).toBeVisible();
  await expect.poll(() => voucher.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);

  // Type 2 is a withdrawal.
  const payments = { type: 2, sort: 'id' };
  await expect
    .poll(async () => (await fetchList(page, 'fund/record', payments)).total, { timeout: 45_000 })
    .toBeGreaterThan(0);
  const entryId = (await fetchList(page, 'fund/record', payments)).list[0]?.id ?? 0;
  await navigateInApp(page, '/fund/record', { id: String(entryId) });
  await waitForRows(page);
  const link = row(page, entryId).getByRole('link', { name: /^提现 #\d+$/ });
  const record = (await link.textContent()) ?? '';
  await link.click();
  await expect(page.locator('.ht-dialog-drawer').getByText(record).first()).toBeVisible();
});
