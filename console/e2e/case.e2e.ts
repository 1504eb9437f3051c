import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import {
  type Credentials,
  activePage,
  admin,
  expect,
  expectAccessible,
  logIn,
  newOperator,
  tab,
  tabs,
  test,
} from './desk.ts';
import { callAs, dialog, fetchList, fetchWithdrawalState, row, rows, waitForRows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { secondOperator } from './server.ts';

/** A new user of an operator with pending withdrawals, oldest first. */
async function createWithdrawals(page: Page, agent: string, amounts: readonly string[]) {
  const account = `case.${randomUUID().slice(0, 13)}`;
  const wallet = { account, market: 'USDT', network: 'TRC20' };
  const deposit = { no: randomUUID(), ...wallet, address: 'T', amount: '90000', confirmations: 20, source: 1 };
  await sendEvents(
    { type: 'user.registered', data: { account, agent } },
    { type: 'recharge.credited', data: deposit },
    ...amounts.map((amount, n) => ({
      type: 'withdraw.requested',
      data: { no: randomUUID(), ...wallet, address: `T${n}`, amount, fee: '0' },
    })),
  );
  const { list } = await fetchList(page, 'withdraw/list', { account, sort: 'id', size: 200 });
  return { account, ids: list.map(({ id }) => id) };
}

async function createReviewer(page: Page, amounts: readonly string[]) {
  const operator = await newOperator(page, [3]);
  return { operator, ...(await createWithdrawals(page, operator.account, amounts)) };
}

async function reject(page: Page, { account, password }: Credentials, id: number) {
  const input = { id, reason: '流水不足' };
  expect((await callAs(page, { account, password }, 'POST', 'withdraw/reject', input)).code).toBe(200);
}

/** Words of the steps with their states. */
const stepsOf = (place: Locator) =>
  place
    .getByRole('list', { name: '流程' })
    .getByRole('listitem')
    .evaluateAll((all) => all.map((one) => `${one.querySelector('b')?.textContent} ${one.dataset['state']}`));

/** What the marks look like without their colours. */
const marksOf = (place: Locator) =>
  place
    .getByRole('list', { name: '流程' })
    .locator('i')
    .evaluateAll((all) =>
      all.map((mark) => {
        const { borderStyle, borderWidth, backgroundColor } = getComputedStyle(mark);
        const isFilled = backgroundColor !== 'rgba(0, 0, 0, 0)';
        return `${isFilled ? 'filled' : `${borderStyle} ${borderWidth}`} ${getComputedStyle(mark, '::before').content}`;
      }),
    );

test('the steps of a case say what is done, by whom, and what comes next', async ({ page }) => {
  const { operator, ids } = await createReviewer(page, ['10', '11']);
  const [first = 0, second = 0] = ids;
  await logIn(page, operator, `/withdraw?open=${first}`);
  const drawer = page.locator('.ht-dialog-drawer');
  await expect.poll(() => stepsOf(drawer)).toEqual(['申请 done', '审核 current', '打款 next', '完成 next']);
  await expect(drawer.locator('[aria-current=step]')).toContainText('等待审核');
  const [done, current, next] = await marksOf(drawer);
  expect(new Set([done, current, next]).size).toBe(3);

  await reject(page, operator, second);
  await page.goto(`/withdraw?open=${second}`);
  await expect.poll(() => stepsOf(drawer)).toEqual(['申请 done', '已驳回 stopped']);
  const decision = drawer.getByRole('listitem').filter({ hasText: '已驳回' });
  await expect(decision.getByRole('link', { name: operator.account })).toBeVisible();
  await expect(decision.locator('.ht-value-time')).toBeVisible();
  expect(new Set([done, current, next, ...(await marksOf(drawer))]).size).toBe(4);
});

test('the next case is read before it is needed', async ({ page }) => {
  const { operator, account, ids } = await createReviewer(page, ['10', '11', '12']);
  const [first = 0, second = 0, third = 0] = ids;
  const read: number[] = [];
  page.on('requestfinished', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/withdraw/detail')) read.push(Number(searchParams.get('id')));
  });
  await logIn(page, operator, `/withdraw?account=${account}&state=0&sort=createdAt&queue=1`);
  const drawer = page.locator('.ht-dialog-drawer');
  for (const [id, next] of [
    [first, second],
    [second, third],
  ] as const) {
    await expect(drawer.locator('.ant-drawer-title')).toContainText(`提现 #${id}`);
    await expect.poll(() => read).toContain(next);
    // From here on nothing is answered, so the next case shows what was read ahead.
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/withdraw/detail?*', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.keyboard.press('r');
    await expect(dialog(page, `驳回提现 #${id}`).getByRole('button', { name: '取消' })).toBeFocused();
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await expect(drawer.locator('.ant-drawer-title')).toContainText(`提现 #${next}`);
    await expect(drawer.getByText(`1${ids.indexOf(next)} USDT`).first()).toBeVisible();
    await expect(drawer.getByRole('button', { name: '通过提现' })).toBeVisible();
    answer();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

async function chooseCasePages(page: Page) {
  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '偏好设置…' }).click();
  await page.getByText('在单独的标签页', { exact: true }).click();
  await page.keyboard.press('Escape');
}

const casePage = (page: Page, id: number) => activePage(page).getByRole('heading', { level: 1, name: `提现 #${id}` });

test('cases open as pages in a tab of their own for who prefers it, and so does the queue', async ({ page }) => {
  const { operator, ids } = await createReviewer(page, ['10', '11', '12']);
  const [first = 0, second = 0, third = 0] = ids;
  await logIn(page, operator, '/withdraw?state=0');
  await waitForRows(page);
  await chooseCasePages(page);

  // A click on 详情, Enter on the row, and a link.
  await row(page, second).getByRole('button', { name: '详情' }).click();
  await expect(casePage(page, second)).toBeVisible();
  await expect(tab(page, `提现详情 #${second}`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.ht-dialog-drawer')).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(casePage(page, first)).toBeVisible();
  await expect(tabs(page).filter({ hasText: '提现详情' })).toHaveCount(1);
  await activePage(page).getByRole('button', { name: '关闭' }).click();
  await waitForRows(page);
  await expect(tabs(page).filter({ hasText: '提现详情' })).toHaveCount(0);
  await expect(page).toHaveURL(/\/withdraw\?state=0/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(casePage(page, third)).toBeVisible();
  await page.goto(`/withdraw?open=${second}`);
  await expect(casePage(page, second)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/withdraw/case\\?.*open=${second}`));

  // The list does not open the case again.
  await tab(page, '提现记录').click();
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(3);

  // The queue runs on the page of the case.
  await page.keyboard.press('q');
  await expect(casePage(page, first)).toBeVisible();
  await expect(activePage(page).getByText('审核队列 · 剩余 3 条')).toBeVisible();
  await expect(activePage(page).getByRole('button', { name: '驳回提现' })).toBeEnabled();
  await expectAccessible(page);
  await page.keyboard.press('r');
  await expect(dialog(page, `驳回提现 #${first}`)).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('Control+Enter');
  await expect(casePage(page, second)).toBeVisible();
  await expect(activePage(page).getByText(`已驳回提现 #${first} · 10 USDT`)).toBeVisible();
  expect(await fetchWithdrawalState(page, first)).toBe(5);
  await page.keyboard.press('q');
  await waitForRows(page);
  await expect(tabs(page).filter({ hasText: '提现详情' })).toHaveCount(0);
});

test('an approval shows the user of its target and what it did last', async ({ page }) => {
  const { account, ids } = await createWithdrawals(page, secondOperator.account, ['20000', '15']);
  const [large = 0, other = 0] = ids;
  const { code, data } = await callAs(page, secondOperator, 'POST', 'withdraw/pass', { id: large });
  expect(code).toBe(202);
  const { id } = data as { id: number };
  await logIn(page, admin, `/approval?open=${id}`);
  const drawer = page.locator('.ht-dialog-drawer');
  await expect.poll(() => stepsOf(drawer)).toEqual(['提交 done', '复核 current', '执行 next']);
  const timeline = drawer.getByRole('list', { name: '时间线' });
  await expect(timeline.getByRole('listitem').filter({ hasText: '充值' })).toContainText('+90,000 USDT');
  await expect(timeline.getByRole('link', { name: `提现 #${other}` })).toBeVisible();
  await expect(timeline.locator('[data-current=true]')).toContainText('20,000');
  await expect(drawer.locator('.ht-records-case-right').getByRole('link', { name: account })).toBeVisible();
  await expect(drawer.getByRole('button', { name: '备注' })).toBeVisible();
});

test('a partial scope gets links to the operators of its own tree only', async ({ page }) => {
  const lead = await newOperator(page, [3]);
  const child: Credentials = await newOperator(page, [3], lead.account);
  const { ids } = await createWithdrawals(page, child.account, ['10', '11']);
  const [byChild = 0, byAdmin = 0] = ids;
  for (const [operator, id] of [
    [child, byChild],
    [admin, byAdmin],
  ] as const) {
    await reject(page, operator, id);
  }
  await logIn(page, lead, `/withdraw?open=${byChild}`);
  const steps = page.locator('.ht-dialog-drawer').getByRole('list', { name: '流程' });
  await expect(steps.getByRole('link', { name: child.account })).toHaveAttribute('href', /\/agent\?who=/);
  const answer = page.waitForResponse((response) => response.url().includes('/agent/find'));
  await page.goto(`/withdraw?open=${byAdmin}`);
  await expect(steps).toContainText(admin.account);
  expect(await (await answer).json()).toMatchObject({ code: 404, data: null });
  await expect(steps.getByRole('link')).toHaveCount(0);
});

test('another record opens beside a case, so that both can be compared', async ({ page }) => {
  const { account, ids } = await createWithdrawals(page, secondOperator.account, ['20000', '15', '16']);
  const [large = 0, earlier = 0, last = 0] = ids;
  const { data } = await callAs(page, secondOperator, 'POST', 'withdraw/pass', { id: large });
  const { id } = data as { id: number };
  await page.setViewportSize({ width: 1200, height: 800 });
  await logIn(page, admin, `/approval?open=${id}`);
  const [shown, beside] = [page.locator('.ht-dialog-drawer:not(.ht-dialog-beside)'), page.locator('.ht-dialog-beside')];
  const link = shown.getByRole('link', { name: `提现 #${earlier}` });
  const heroes = [shown, beside].map((one) => one.locator('.ht-records-case-hero'));
  const expectBoth = async (besideId: number, amount: string) => {
    await expect(beside.locator('.ant-drawer-title')).toHaveText(`提现 #${besideId}`);
    for (const [at, text] of [`20,000 USDT`, amount].entries()) {
      await expect(heroes[at]!).toContainText(text);
      await expect(heroes[at]!).toBeInViewport({ ratio: 1 });
    }
    for (const one of [shown, beside]) {
      const box = await one.locator('.ant-drawer-section').boundingBox();
      expect(box?.width).toBeLessThanOrEqual(600);
      const scrolls = await one.locator('.ant-drawer-body').evaluate((body) => body.scrollWidth > body.clientWidth);
      expect(scrolls).toBe(false);
    }
  };
  await link.focus();
  await page.keyboard.press('Enter');
  await expectBoth(earlier, '15 USDT');
  await expect(tabs(page)).toHaveCount(2);
  await expectAccessible(page, '.ht-dialog-beside');
  await expect(beside.getByRole('link', { name: account }).first()).toBeVisible();
  // No key decides while the other record is read.
  await page.keyboard.press('a');
  await page.keyboard.press('ArrowDown');
  await beside.getByRole('link', { name: `提现 #${last}` }).click();
  await expectBoth(last, '16 USDT');
  await expect(dialog(page, `通过复核 #${id}`)).toHaveCount(0);
  await beside.locator('.ant-drawer-title').click();
  await page.keyboard.press('Escape');
  await expect(beside).toHaveCount(0);
  await expect(link).toBeFocused();
  await page.keyboard.press('a');
  await expect(dialog(page, `通过复核 #${id}`)).toBeVisible();
  await page.goto('/withdraw');
  await waitForRows(page);

  // A case on a page of its own makes room in the same way.
  await chooseCasePages(page);
  await page.goto(`/withdraw?open=${large}`);
  await activePage(page)
    .getByRole('link', { name: `提现 #${earlier}` })
    .click();
  await expect(beside.getByText('15 USDT').first()).toBeInViewport();
  await expect(activePage(page).getByText('20,000 USDT').first()).toBeInViewport({ ratio: 1 });
  await beside.getByRole('link', { name: '在标签页打开' }).click();
  await expect(casePage(page, earlier)).toBeVisible();
});
