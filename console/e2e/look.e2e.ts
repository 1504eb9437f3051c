import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessibleNow, logIn, newOperator, activePage, test } from './desk.ts';
import { rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp, waitForListRows } from './list-helpers.ts';

/** Tones of the visible states and the shapes of their marks, as they look without colour. */
const shapesOf = (page: Page): Promise<string[]> =>
  activePage(page)
    .locator('.ht-table .ht-value-state')
    .evaluateAll((states) => {
      const shapes = states.map((state) => {
        const mark = state.querySelector('i') as HTMLElement;
        const { backgroundColor } = getComputedStyle(mark);
        const isFilled = backgroundColor !== 'rgba(0, 0, 0, 0)';
        const shape = mark.offsetHeight < mark.offsetWidth ? 'dash' : isFilled ? 'dot' : 'ring';
        return `${state.getAttribute('data-tone')} ${shape}`;
      });
      return [...new Set(shapes)];
    });

const SHAPES = ['wait dot', 'warn dot', 'run ring', 'good dash', 'bad dash', 'idle dash'];

/** Sizes, line heights and weights of the visible text of an element. */
const typeOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element) => {
      const { fontSize, lineHeight, fontWeight } = getComputedStyle(element);
      return { size: fontSize, line: `${Math.round(parseFloat(lineHeight))}px`, weight: fontWeight };
    });

/** Weights of all text in the window other than those of the scale. */
const oddWeights = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll<HTMLElement>('#root *, .ant-drawer *')];
    const odd = elements.filter(
      (element) =>
        // The row in which the kit measures its columns is hidden.
        !element.closest('[aria-hidden=true]') &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) &&
        !['400', '500', '600'].includes(getComputedStyle(element).fontWeight),
    );
    return odd.map((element) => `${element.className}: ${element.textContent}`);
  });

/** The longest transition of the window in seconds. Animations of loading last longer. */
const longestTransition = (page: Page) =>
  page.evaluate(() => {
    const durations = [...document.querySelectorAll('*')].flatMap((element) =>
      getComputedStyle(element).transitionDuration.split(',').map(parseFloat),
    );
    return Math.max(...durations);
  });

/** A new user with a record in each state that is shown by a shape of its own; returns its account. */
async function createRecords(): Promise<string> {
  const account = `look.${randomUUID().slice(0, 13)}`;
  const wallet = { account, market: 'USDT', network: 'TRC20', address: 'T-look' };
  const [partly, filled, cancelled] = [randomUUID(), randomUUID(), randomUUID()];
  const transfer = { no: randomUUID(), account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 2 };
  const placed = (no: string) => ({
    type: 'order.placed',
    data: { no, account, market: 'HTT', side: 1, type: 1, price: '0.01', amount: '1000' },
  });
  const fill = (no: string, amount: string) => ({
    type: 'order.filled',
    data: { no, tradeNo: randomUUID(), price: '0.01', amount, fee: '0' },
  });
  await sendEvents(
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { ...wallet, no: randomUUID(), amount: '5000', confirmations: 20, source: 1 } },
    { type: 'withdraw.requested', data: { ...wallet, no: randomUUID(), amount: '1234.5', fee: '0' } },
    { type: 'transfer.made', data: { ...transfer, amount: '100' } },
    ...[randomUUID(), partly, filled, cancelled].map(placed),
    fill(partly, '400'),
    fill(filled, '1000'),
    { type: 'order.cancelled', data: { no: cancelled } },
  );
  return account;
}

test('states differ in shape, text has the sizes and weights of the scale, and transitions are short', async ({
  page,
}) => {
  const account = await createRecords();
  await logIn(page, admin, `/trade/order?account=${account}`);
  await waitForListRows(page);
  const seen = await shapesOf(page);
  await navigateInApp(page, '/withdraw', { account });
  await expect(activePage(page).getByRole('heading', { level: 1 })).toHaveText('提现记录');
  await waitForListRows(page);
  seen.push(...(await shapesOf(page)));
  expect(SHAPES).toEqual(expect.arrayContaining(seen));
  expect(seen).toEqual(expect.arrayContaining(['wait dot', 'run ring', 'good dash']));
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await longestTransition(page)).toBeGreaterThan(0);
  expect(await longestTransition(page)).toBeLessThanOrEqual(0.12);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await longestTransition(page)).toBe(0);

  expect(await typeOf(page, '.ht-app-page .ht-lists-band > h1')).toMatchObject({ size: '20px', weight: '600' });
  expect(await typeOf(page, '.ht-app-page .ht-table td')).toMatchObject({ size: '13px', weight: '400' });
  expect(await typeOf(page, '.ht-app-page .ht-form-filters')).toMatchObject({ size: '14px', line: '22px' });
  // Second lines are grey as a whole.
  const amount = activePage(page)
    .locator('.ht-table .ht-value-money:has(.ht-value-fraction):not(.ht-table-second *)')
    .filter({ hasText: '1,234.5' })
    .first();
  await expect(amount).toHaveText(/^1,234\.5…?/);
  await expect(amount).toHaveCSS('font-variant-numeric', 'tabular-nums');
  const fraction = amount.locator('.ht-value-fraction');
  const colourOf = (element: Element) => getComputedStyle(element).color;
  expect(await fraction.evaluate(colourOf)).not.toBe(await amount.evaluate(colourOf));
  expect(await oddWeights(page)).toEqual([]);

  await rows(page).first().getByRole('button', { name: '详情' }).click();
  expect(await typeOf(page, '.ht-dialog-drawer .ht-value-large')).toMatchObject({ size: '32px', weight: '600' });
  expect(await typeOf(page, '.ht-dialog-drawer h3')).toMatchObject({ size: '16px', weight: '600' });
  expect(await oddWeights(page)).toEqual([]);
});

/** Pages with their placeholders and titles. */
const PLACEHOLDERS = [
  ['/home', 'dashboard', '首页'],
  ['/withdraw', 'list', '提现记录'],
  ['/market/add', 'form', '新增市场'],
  ['/config', 'settings', '系统设置'],
  ['/service', 'panes', '客服'],
] as const;

test('a page whose script is not there yet has a placeholder of its own shape', async ({ page }) => {
  await logIn(page, admin, '/agent');
  await page.route(/\/assets\/\w+Page-[^/]*\.js$/, () => undefined);
  for (const [path, shape, title] of PLACEHOLDERS) {
    await page.goto(path);
    const placeholder = activePage(page).getByRole('status', { name: '加载中' });
    await expect(placeholder).toHaveAttribute('data-shape', shape);
    await expect(placeholder.locator('p')).toHaveText(title);
  }
});

test('the menu has its own ground unless chosen otherwise, and before the scripts there is the frame in its colours', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await logIn(page, await newOperator(page));
  const menu = page.getByRole('navigation', { name: '主菜单' });
  const groundOf = (element: Element) => getComputedStyle(element).backgroundColor;
  const ground = await activePage(page).evaluate(groundOf);
  expect(await menu.evaluate(groundOf)).not.toBe(ground);
  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '偏好设置…' }).click();
  await page.getByText('浅色菜单', { exact: true }).click();
  await expect.poll(() => menu.evaluate(groundOf)).toBe(ground);
  await expectAccessibleNow(page, '.ht-app-side');
  await page.getByText('深色菜单', { exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '深色' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.route(/\/assets\/.*\.js$/, () => undefined);
  await page.goto('/user', { waitUntil: 'commit' });
  const root = page.locator('#root:empty');
  await expect(root).toHaveCSS('background-image', /rgb\(12, 15, 20\).*rgb\(25, 29, 37\)/);
  expect(await root.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(17, 20, 26)');
});
