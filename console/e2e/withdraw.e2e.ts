import { randomUUID } from 'node:crypto';
import { type Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import {
  dialog,
  callAs,
  readRowIds,
  fetchList,
  waitForRows,
  searchParamsOf,
  row,
  fetchWithdrawalState,
  waitForPendingWithdrawals,
} from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { second } from './server.ts';

const REVIEWER = [3, 13];

async function asReviewer(page: Page, path: string) {
  await logIn(page, await newOperator(page, REVIEWER), path);
}

/** Waits until the review drawer has loaded; its shortcuts do nothing before. */
async function opened(page: Page, id: number) {
  await expect(page.getByText(`提现 #${id}`)).toBeVisible();
  await expect(page.locator('.ht-page-drawer').getByRole('button', { name: /^通过提现|提交复核/ })).toBeEnabled();
}

const newest = async (page: Page) => {
  const [first] = await waitForPendingWithdrawals(page, 1);
  if (!first) throw new Error('nothing waits');
  return first;
};

test(
  'the decision dialog focuses cancel, Enter never confirms, and Ctrl+Enter confirms',
  { tag: '@short' },
  async ({ page }) => {
    const { id, account, amount } = await newest(page);
    await asReviewer(page, `/withdraw?open=${id}`);
    await opened(page, id);
    await page.keyboard.press('r');
    const ask = dialog(page, `驳回提现 #${id}`);
    await expect(ask).toContainText(account);
    const large = await ask.locator('.ht-amount-large .ht-money').innerText();
    expect(large.replaceAll(',', '')).toContain(amount);
    await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
    await expect(ask.getByRole('button', { name: '驳回提现' })).toBeDisabled();
    await page.keyboard.press('3');
    await expect(ask.getByLabel('原因', { exact: false }).last()).toHaveValue('流水不足');
    await ask.getByRole('button', { name: '驳回提现' }).focus();
    await page.keyboard.press('Enter');
    await ask.locator('textarea').fill('流水不足');
    await page.keyboard.type('，请补充');
    await expect(ask.locator('textarea')).toHaveValue('流水不足，请补充');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(400);
    expect(await fetchWithdrawalState(page, id)).toBe(0);
    await page.keyboard.press('Control+Enter');
    await expect(ask).toBeHidden();
    await expect(page.getByText('操作成功')).toBeVisible();
    expect(await fetchWithdrawalState(page, id)).toBe(5);
    await expect(page.locator('.ht-page-drawer').getByText('已驳回').first()).toBeVisible();
  },
);

test('Enter on a newly opened dialog only cancels it', async ({ page }) => {
  const { id } = await newest(page);
  await asReviewer(page, `/withdraw?open=${id}`);
  await opened(page, id);
  await page.keyboard.press('a');
  const ask = dialog(page, `通过提现 #${id}`);
  await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ask).toBeHidden();
  expect(await fetchWithdrawalState(page, id)).toBe(0);
});

/** A new operator with pending withdrawals of one user, oldest first. */
async function queueOf(page: Page, many: number) {
  const operator = await newOperator(page, [3]);
  const account = `queue.${randomUUID().slice(0, 13)}`;
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const credit = { no: randomUUID(), ...chain, address: 'T', amount: '1000', confirmations: 20, source: 1 };
  await sendEvents(
    { type: 'user.registered', data: { account, agent: operator.account } },
    { type: 'recharge.credited', data: credit },
    ...Array.from({ length: many }, (_, n) => ({
      type: 'withdraw.requested',
      data: { no: randomUUID(), ...chain, address: `T${n}`, amount: '10', fee: '0' },
    })),
  );
  const { list } = await fetchList(page, 'withdraw/list', { account, sort: 'id', size: 200 });
  return { operator, ids: list.map(({ id }) => id) };
}

test('twenty withdrawals are decided from the queue by keyboard alone', async ({ page }) => {
  const { operator, ids } = await queueOf(page, 20);
  await logIn(page, operator, '/withdraw?state=0&sort=createdAt&queue=1');
  const reader = page.locator('.ht-page-drawer');
  for (const [n, id] of ids.entries()) {
    const passes = n % 2 === 0;
    await expect(reader.locator('.ant-drawer-title')).toContainText(`提现 #${id}`);
    await expect(reader.getByText(`审核队列 · 剩余 ${ids.length - n} 条`)).toBeVisible();
    await opened(page, id);
    await page.keyboard.press(passes ? 'a' : 'r');
    await expect(
      dialog(page, `${passes ? '通过' : '驳回'}提现 #${id}`).getByRole('button', { name: '取消' }),
    ).toBeFocused();
    if (passes) await expect(dialog(page, `通过提现 #${id}`).getByRole('button', { name: '通过提现' })).toBeEnabled();
    else await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
  }
  await expect(activePage(page).getByText('审核队列已清空')).toBeVisible();
  const { list } = await fetchList(page, 'withdraw/list', { agent: operator.account, sort: 'id', size: 200 });
  expect(list.map(({ id }) => id)).toEqual(ids);
  for (const [n, { state }] of list.entries()) expect(n % 2 === 0 ? [2, 3, 4, 7, 8] : [5]).toContain(state);
});

test('the queue starts from the list, oldest first, and J skips a record', async ({ page }) => {
  await waitForPendingWithdrawals(page, 3);
  await asReviewer(page, '/withdraw');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '审核队列' }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).not.toBeNull();
  expect([
    searchParamsOf(page).get('state'),
    searchParamsOf(page).get('sort'),
    searchParamsOf(page).get('queue'),
  ]).toEqual(['0', 'createdAt', '1']);
  const [first, next] = await readRowIds(page);
  expect(Number(searchParamsOf(page).get('open'))).toBe(first);
  await page.keyboard.press('j');
  await expect.poll(() => Number(searchParamsOf(page).get('open'))).toBe(next);
  await page.keyboard.press('Escape');
  await expect.poll(() => searchParamsOf(page).get('queue')).toBeNull();
});

test('a late decision shows who decided first and when', async ({ page }) => {
  const { id } = await newest(page);
  await asReviewer(page, '/withdraw?state=0&size=50');
  await waitForRows(page);
  await row(page, id).getByRole('button', { name: '通过' }).click();
  const ask = dialog(page, `通过提现 #${id}`);
  await expect(ask.getByRole('button', { name: /通过提现|提交复核/ })).toBeEnabled();
  const moved = await callAs(page, second, 'POST', 'withdraw/reject', { id, reason: '地址有风险' });
  expect(moved.code).toBe(200);
  await page.keyboard.press('Control+Enter');
  const fault = ask.getByRole('alert');
  await expect(fault).toContainText('记录已被处理');
  await expect(fault).toContainText(second.account);
  await expect(fault).toContainText('已驳回');
  await expect(fault.locator('time')).toBeVisible();
  await expect(fault).toContainText('请求编号');
  await expect(row(page, id)).toHaveCount(0);
  await ask.getByRole('button', { name: '关闭' }).last().click();
  await expect(ask).toBeHidden();
});

test('a withdrawal that needs a checker says so and is submitted', async ({ page }) => {
  let id = 0;
  for (const { id: one } of await waitForPendingWithdrawals(page, 1)) {
    const { data } = await callAs(page, admin, 'GET', 'withdraw/detail', { id: one });
    if ((data as { approval: { needed: boolean } }).approval.needed) id = one;
    if (id) break;
  }
  expect(id).not.toBe(0);
  await asReviewer(page, `/withdraw?open=${id}`);
  await expect(page.locator('.ht-page-drawer').getByRole('button', { name: /通过提现（提交复核）/ })).toBeVisible();
  await page.keyboard.press('a');
  const ask = dialog(page, `通过提现 #${id}`);
  await expect(ask.getByRole('button', { name: '提交复核' })).toBeEnabled();
  await expect(ask).toContainText('另一位复核员确认');
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  await expect(page.getByText('已提交复核').first()).toBeVisible();
  expect(await fetchWithdrawalState(page, id)).toBe(1);
});

test('without the ability every action is disabled with a reason', async ({ page }) => {
  const { id } = await newest(page);
  await logIn(page, await newOperator(page, [13]), `/withdraw?open=${id}`);
  const pass = page.locator('.ht-page-drawer').getByRole('button', { name: /^通过提现/ });
  await expect(pass).toHaveAttribute('aria-disabled', 'true');
  await pass.hover();
  await expect(page.getByRole('tooltip', { name: '没有「提现审核」权限' })).toBeVisible();
  await page.keyboard.press('a');
  await pass.click({ force: true });
  await page.waitForTimeout(300);
  await expect(page.getByRole('dialog', { name: /通过提现/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(activePage(page).getByRole('button', { name: '审核队列' })).toHaveAttribute('aria-disabled', 'true');
});

test('a disabled action names the state that would allow it', async ({ page }) => {
  await asReviewer(page, '/withdraw?state=4');
  await waitForRows(page);
  const [id] = await readRowIds(page);
  const pass = row(page, id ?? 0).getByRole('button', { name: '通过' });
  await expect(pass).toHaveAttribute('aria-disabled', 'true');
  await pass.hover();
  await expect(page.getByRole('tooltip', { name: '当前为「已完成」，仅「待审核」可通过' })).toBeVisible();
});

test('a bulk decision requires the typed count, keeps successes and lists failures', async ({ page }) => {
  const chosen = (await waitForPendingWithdrawals(page, 4)).slice(0, 3).map(({ id }) => id);
  await asReviewer(page, '/withdraw?state=0&size=200&sort=-id');
  await waitForRows(page);
  for (const id of chosen) await row(page, id).getByRole('checkbox').check();
  await expect(activePage(page).getByText('已选 3 条')).toBeVisible();
  await activePage(page).getByRole('button', { name: '批量驳回' }).click();
  const ask = dialog(page, '批量驳回提现');
  const [lost] = chosen;
  expect((await callAs(page, second, 'POST', 'withdraw/reject', { id: lost, reason: '流水不足' })).code).toBe(200);
  await page.keyboard.press('1');
  await expect(ask.getByRole('button', { name: '驳回提现 3 条' })).toBeDisabled();
  await ask.getByRole('textbox').last().fill('3');
  await page.keyboard.press('Enter');
  await expect(ask).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const results = dialog(page, '批量驳回提现：结果');
  await expect(results).toContainText('成功 2 条，失败 1 条');
  await expect(results.getByRole('row').filter({ hasText: String(lost) })).toContainText('已被处理');
  await results.getByRole('button', { name: '关闭' }).last().click();
  for (const id of chosen) expect(await fetchWithdrawalState(page, id)).toBe(5);
});

test('a retry from the dialog reuses the idempotency key and rejects once', async ({ page, context, complaints }) => {
  const { id } = await newest(page);
  await asReviewer(page, `/withdraw?open=${id}`);
  await expect(page.locator('.ht-page-drawer').getByText('记账预览')).toBeVisible();
  await page.keyboard.press('r');
  const ask = dialog(page, `驳回提现 #${id}`);
  await page.keyboard.press('4');
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/withdraw/reject')) keys.push(request.headers()['idempotency-key']);
  });
  await context.setOffline(true);
  await page.keyboard.press('Control+Enter');
  await expect(ask.getByRole('alert')).toContainText('结果不明');
  await expect(ask.locator('textarea')).toBeDisabled();
  await context.setOffline(false);
  complaints.length = 0;
  await ask.getByRole('button', { name: '重试驳回提现' }).click();
  await expect(ask).toBeHidden();
  expect(await fetchWithdrawalState(page, id)).toBe(5);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('going back closes an open dialog, and going forward reopens it', async ({ page }) => {
  const { operator, ids } = await queueOf(page, 1);
  const id = ids[0] ?? 0;
  await logIn(page, operator, '/home');
  await page.getByRole('navigation', { name: '主菜单' }).getByText('资金管理').click();
  await page.getByRole('navigation', { name: '主菜单' }).getByText('提现记录').click();
  await waitForRows(page);
  await row(page, id).getByRole('button', { name: '驳回' }).click();
  await expect(dialog(page, `驳回提现 #${id}`)).toBeVisible();
  await page.goBack();
  await expect(dialog(page, `驳回提现 #${id}`)).toHaveCount(0);
  await page.goForward();
  await expect(dialog(page, `驳回提现 #${id}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page, `驳回提现 #${id}`)).toHaveCount(0);
  await waitForRows(page);
});

test('the list, the review drawer and the dialog are accessible', async ({ page }) => {
  const { id } = await newest(page);
  await asReviewer(page, '/withdraw');
  await waitForRows(page);
  await expectAccessible(page);
  await page.goto(`/withdraw?open=${id}`);
  await expect(page.locator('.ht-page-drawer').getByText('记账预览')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('r');
  await expect(dialog(page, `驳回提现 #${id}`)).toBeVisible();
  await expectAccessible(page);
});
