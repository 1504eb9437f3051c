import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import {
  dialog,
  callAs,
  readRowIds,
  fetchList,
  waitForRows,
  searchParamsOf,
  row,
  fetchWithdrawalState,
} from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';
import { navigateInApp } from './list-helpers.ts';
import { secondOperator } from './server.ts';

/** A new operator with pending withdrawals of one user, oldest first. */
async function createQueue(page: Page, count: number, { abilities = [3], amount = '10' } = {}) {
  const operator = await newOperator(page, abilities);
  const amounts = Array.from({ length: count }, () => amount);
  return { operator, ...(await requestWithdrawals(page, operator.account, ...amounts)) };
}

/** Waits until the review drawer has loaded; its shortcuts do nothing before. */
async function waitForDrawer(page: Page, id: number) {
  await expect(page.getByText(`提现 #${id}`)).toBeVisible();
  await expect(page.locator('.ht-dialog-drawer').getByRole('button', { name: /^通过提现|提交复核/ })).toBeEnabled();
}

test(
  'the decision dialog focuses cancel, Enter never confirms, and Ctrl+Enter confirms',
  { tag: '@short' },
  async ({ page }) => {
    const { operator, account, ids } = await createQueue(page, 1, { amount: '1234.5' });
    const id = ids[0] ?? 0;
    await logIn(page, operator, `/withdraw?open=${id}`);
    await waitForDrawer(page, id);
    await page.keyboard.press('r');
    const modal = dialog(page, `驳回提现 #${id}`);
    await expect(modal).toContainText(account);
    await expect(modal.locator('.ht-value-large .ht-value-money')).toContainText('1,234.5');
    await expect(modal.getByRole('button', { name: '取消' })).toBeFocused();
    await expect(modal.getByRole('button', { name: '驳回提现' })).toBeDisabled();
    await page.keyboard.press('3');
    await expect(modal.getByLabel('原因', { exact: false }).last()).toHaveValue('流水不足');
    await modal.getByRole('button', { name: '驳回提现' }).focus();
    await page.keyboard.press('Enter');
    await expect(modal).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(modal).toHaveCount(0);
    expect(await fetchWithdrawalState(page, id)).toBe(0);
    await page.keyboard.press('r');
    await expect(modal.getByRole('button', { name: '取消' })).toBeFocused();
    await page.keyboard.press('3');
    await page.keyboard.press('Control+Enter');
    await expect(modal).toBeHidden();
    const toast = page.getByText(`已驳回提现 #${id} · `);
    await expect(toast).toContainText(/ · [\d,.]+ [A-Z]+$/);
    expect(await covered(toast)).toEqual([]);
    expect(await fetchWithdrawalState(page, id)).toBe(5);
    await expect(page.locator('.ht-dialog-drawer').getByText('已驳回').first()).toBeVisible();
  },
);

/** Links, controls and texts of the page below an element; a drawer hides what is behind it. */
const covered = (element: Locator) =>
  element.evaluate((toast) => {
    const box = toast.getBoundingClientRect();
    const drawer = toast.closest('.ht-dialog-drawer');
    const found = new Set<string>();
    for (let x = box.left; x <= box.right; x += 8) {
      for (let y = box.top; y <= box.bottom; y += 8) {
        for (const one of document.elementsFromPoint(x, y)) {
          if (toast.contains(one) || one.contains(toast) || (drawer && !drawer.contains(one))) continue;
          const own = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
          if (own || one.matches('a, button, input, textarea, canvas')) found.add(one.textContent ?? one.tagName);
        }
      }
    }
    return [...found];
  });

test('withdrawals are decided from the queue by keyboard alone, oldest first', async ({ page }) => {
  const { operator, ids } = await createQueue(page, 6);
  const loaded: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/withdraw/detail')) loaded.push(searchParams.get('id'));
  });
  await logIn(page, operator, '/withdraw');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '审核队列' }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(ids[0]));
  const chosen = ['state', 'sort', 'queue'].map((name) => searchParamsOf(page).get(name));
  expect(chosen).toEqual(['0', 'createdAt', '1']);
  expect(await readRowIds(page)).toEqual(ids);
  await page.keyboard.press('j');
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(ids[1]));
  await page.keyboard.press('k');
  const drawer = page.locator('.ht-dialog-drawer');
  for (const [n, id] of ids.entries()) {
    const passes = n % 2 === 0;
    await expect(drawer.locator('.ant-drawer-title')).toContainText(`提现 #${id}`);
    await expect(drawer.getByText(`审核队列 · 剩余 ${ids.length - n} 条`)).toBeVisible();
    await waitForDrawer(page, id);
    // The record that follows is loaded while this one is read, so that it appears at once.
    if (n < 3) await expect.poll(() => loaded).toContain(String(ids[n + 1]));
    await page.keyboard.press(passes ? 'a' : 'r');
    await expect(
      dialog(page, `${passes ? '通过' : '驳回'}提现 #${id}`).getByRole('button', { name: '取消' }),
    ).toBeFocused();
    if (passes) await expect(dialog(page, `通过提现 #${id}`).getByRole('button', { name: '通过提现' })).toBeEnabled();
    else await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    if (n === 0) {
      await expect(drawer.getByText(`已通过提现 #${id} · 10 USDT`)).toBeVisible();
      await expect(drawer.getByRole('button', { name: '查看' })).toBeVisible();
    }
  }
  // The drawer says that the queue is empty, and closes by itself.
  await expect(drawer.getByText('审核队列已清空')).toBeVisible();
  await expect(drawer.locator('.ht-page-skeleton-line')).toHaveCount(0);
  await expect(drawer).toBeHidden();
  await expect(activePage(page).getByText('审核队列已清空')).toBeVisible();
  const { list } = await fetchList(page, 'withdraw/list', { agent: operator.account, sort: 'id', size: 200 });
  expect(list.map(({ id }) => id)).toEqual(ids);
  for (const [n, { state }] of list.entries()) expect(n % 2 === 0 ? [2, 3, 4, 7, 8] : [5]).toContain(state);
});

/** Parts of the open record that have more content than room. */
const overflowing = (page: Page) =>
  page
    .locator('.ht-dialog-drawer .ant-drawer-body, .ht-records-case, .ht-records-case-left, .ht-records-case-right')
    .evaluateAll((parts) =>
      parts.filter((part) => part.scrollHeight > part.clientHeight + 1).map(({ className }) => className),
    );

test('a case fits one screen; P postpones it, N adds a note about its user', async ({ page }) => {
  const { operator, account, ids } = await createQueue(page, 2, { abilities: [1, 3] });
  const [first = 0, second = 0] = ids;
  await logIn(page, operator, '/withdraw?state=0&sort=createdAt&queue=1');
  await waitForDrawer(page, first);
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer.getByText(/^等待 .* · 目标 30分$/)).toBeVisible();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1200, height: 800 },
  ]) {
    await page.setViewportSize(size);
    expect(await overflowing(page)).toEqual([]);
    await page.keyboard.press('r');
    await expect(dialog(page, `驳回提现 #${first}`).getByRole('button', { name: '取消' })).toBeInViewport({ ratio: 1 });
    await expect(drawer.getByRole('button', { name: '稍后处理' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(dialog(page, `驳回提现 #${first}`)).toBeHidden();
  }
  await expect(drawer).toBeVisible();
  await page.keyboard.press('n');
  const note = dialog(page, `添加备注 · ${account}`);
  await note.getByLabel('备注记录').fill('已电话核实');
  await page.keyboard.press('Control+Enter');
  await expect(note).toBeHidden();
  await expect(drawer.getByRole('list', { name: '时间线' })).toContainText('已电话核实');
  await page.keyboard.press('p');
  await waitForDrawer(page, second);
  await page.keyboard.press('p');
  await waitForDrawer(page, first);
  await drawer.getByRole('button', { name: '下一条' }).click();
  await waitForDrawer(page, second);
  await page.keyboard.press('?');
  for (const text of ['稍后处理', '添加备注', '开始或退出审核队列']) {
    await expect(dialog(page, '快捷键')).toContainText(text);
  }
});

test('going back closes a dialog until its page is shown again; a late decision shows who decided first', async ({
  page,
}) => {
  const { operator, ids } = await createQueue(page, 1);
  const id = ids[0] ?? 0;
  await logIn(page, operator);
  await navigateInApp(page, '/withdraw', { state: '0' });
  await waitForRows(page);
  await row(page, id).getByRole('button', { name: '通过' }).click();
  const modal = dialog(page, `通过提现 #${id}`);
  await expect(modal).toBeVisible();
  await page.goBack();
  await expect(modal).toHaveCount(0);
  await page.goForward();
  await expect(modal.getByRole('button', { name: /通过提现|提交复核/ })).toBeEnabled();
  const response = await callAs(page, secondOperator, 'POST', 'withdraw/reject', { id, reason: '地址有风险' });
  expect(response.code).toBe(200);
  await page.keyboard.press('Control+Enter');
  const error = modal.getByRole('alert');
  await expect(error).toContainText('记录已被处理');
  await expect(error).toContainText(secondOperator.account);
  await expect(error).toContainText('已驳回');
  await expect(error.locator('time')).toBeVisible();
  await expect(error).toContainText('请求编号');
  await expect(row(page, id)).toHaveCount(0);
  await modal.getByRole('button', { name: '关闭' }).last().click();
  await expect(modal).toBeHidden();
});

test('a withdrawal that needs a checker is marked as such and submitted', async ({ page }) => {
  const { operator, ids } = await createQueue(page, 1, { amount: '80000' });
  const id = ids[0] ?? 0;
  await logIn(page, operator, `/withdraw?open=${id}`);
  await expect(page.locator('.ht-dialog-drawer').getByRole('button', { name: /通过提现（提交复核）/ })).toBeVisible();
  await page.keyboard.press('a');
  const modal = dialog(page, `通过提现 #${id}`);
  await expect(modal.getByRole('button', { name: '提交复核' })).toBeEnabled();
  await expect(modal).toContainText('另一位复核员确认');
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  await expect(page.getByText('已提交复核').first()).toBeVisible();
  expect(await fetchWithdrawalState(page, id)).toBe(1);
});

test('a bulk decision requires the typed count, keeps successes and lists failures', async ({ page }) => {
  const { operator, ids } = await createQueue(page, 3);
  await logIn(page, operator, '/withdraw?state=0');
  await waitForRows(page);
  for (const id of ids) await row(page, id).getByRole('checkbox').check();
  await expect(activePage(page).getByText('已选 3 条')).toBeVisible();
  await activePage(page).getByRole('button', { name: '批量驳回' }).click();
  const modal = dialog(page, '批量驳回提现');
  const [decidedId] = ids;
  expect(
    (await callAs(page, secondOperator, 'POST', 'withdraw/reject', { id: decidedId, reason: '流水不足' })).code,
  ).toBe(200);
  await page.keyboard.press('1');
  await expect(modal.getByRole('button', { name: '驳回提现 3 条' })).toBeDisabled();
  await modal.getByRole('textbox').last().fill('3');
  await page.keyboard.press('Enter');
  await expect(modal).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const results = dialog(page, '批量驳回提现：结果');
  await expect(results).toContainText('成功 2 条，失败 1 条');
  await expect(results.getByRole('row').filter({ hasText: String(decidedId) })).toContainText('已被处理');
  await results.getByRole('button', { name: '关闭' }).last().click();
  for (const id of ids) expect(await fetchWithdrawalState(page, id)).toBe(5);
});

test('a retry from the dialog reuses the idempotency key and rejects once', async ({ page, context, complaints }) => {
  const { operator, ids } = await createQueue(page, 1);
  const id = ids[0] ?? 0;
  // A script that the network drops must not take the page with the open dialog.
  await page.route(/\/MoneyTimeline-[^/]*\.js$/, (route) => route.abort('internetdisconnected'));
  await logIn(page, operator, `/withdraw?open=${id}`);
  await expect(page.getByRole('alert').filter({ hasText: '有内容未能加载' })).toBeVisible();
  await expect(page.locator('.ht-dialog-drawer').getByRole('table', { name: '决定之后' })).toBeVisible();
  await page.keyboard.press('r');
  const modal = dialog(page, `驳回提现 #${id}`);
  await page.keyboard.press('4');
  const idempotencyKeys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/withdraw/reject')) idempotencyKeys.push(request.headers()['idempotency-key']);
  });
  await context.setOffline(true);
  await page.keyboard.press('Control+Enter');
  await expect(modal.getByRole('alert')).toContainText('结果不明');
  await expect(modal.locator('textarea')).toBeDisabled();
  await context.setOffline(false);
  await modal.getByRole('button', { name: '重试驳回提现' }).click();
  await expect(modal).toBeHidden();
  // Each request that failed offline is reported, some of them later.
  const others = complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'));
  complaints.splice(0, complaints.length, ...others);
  expect(await fetchWithdrawalState(page, id)).toBe(5);
  expect(idempotencyKeys).toHaveLength(2);
  expect(idempotencyKeys[0]).toBe(idempotencyKeys[1]);
});
