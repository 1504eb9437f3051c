import { admin, api, expect, expectAccessible, logIn, newOperator, sight, test, tokenOf } from './desk.ts';

const CARDS = [
  '用户总数',
  '今日新增用户',
  '今日充值(USDT)',
  '今日提现(USDT)',
  '待审核提现',
  '待审核实名',
  '待审核认购',
  '待复核审批',
  '现货委托',
  '合约持仓',
  '秒合约进行中',
  '在线操作员',
];

test('the cards show the figures of the server, in their order, with separators', async ({ page }) => {
  await logIn(page, admin);
  const cards = sight(page).locator('.home-card');
  await expect(cards).toHaveCount(CARDS.length);
  await expect(sight(page).locator('.home-label')).toHaveText(CARDS);
  const state = await api(page, 'GET', 'state', {}, await tokenOf(page));
  const users = (state.data as { text: string; value: string }[])[0]?.value ?? '';
  await expect(cards.first().locator('.home-value')).toHaveText(Number(users).toLocaleString('en-US'));
});

test('an operator sees the figures of their own branch', async ({ page }) => {
  await logIn(page, await newOperator(page));
  await expect(sight(page).locator('.home-card').first().locator('.home-value')).toHaveText('0');
});

test('a figure leads to its rows', async ({ page }) => {
  await logIn(page, admin);
  await sight(page)
    .getByRole('link', { name: /^待审核提现/ })
    .click();
  await page.waitForURL(/\/withdraw\?state=0$/);
});

test('the figures refresh without blanking or moving', async ({ page }) => {
  await logIn(page, admin);
  const first = sight(page).locator('.home-card').first();
  await expect(first.locator('.home-value')).toBeVisible();
  const place = await first.boundingBox();
  let blank = 0;
  await page.exposeFunction('blanked', () => {
    blank += 1;
  });
  await page.evaluate(() => {
    const cards = document.querySelector('.home-cards');
    if (!cards) throw new Error('no cards');
    new MutationObserver(() => {
      if (cards.querySelector('.home-bone')) (window as unknown as { blanked: () => void }).blanked();
    }).observe(cards, { childList: true, subtree: true });
  });
  await page.waitForResponse(/\/state$/, { timeout: 20_000 });
  expect(await first.boundingBox()).toEqual(place);
  expect(blank).toBe(0);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`home is accessible in the ${scheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await logIn(page, admin);
    await expect(sight(page).locator('.home-value').first()).toBeVisible();
    await expectAccessible(page);
  });
}
