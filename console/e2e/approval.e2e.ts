import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { type Page } from '@playwright/test';
import { expect, expectAccessible, logIn, newOperator, sight, test } from './desk.ts';
import { dialog, elsewhere, listed, loaded, query, row, stateOf } from './desk-list.ts';
import { second } from './server.ts';

const CHECKER = [11, 13];

/** The second operator passes a withdrawal that is large enough to need another person. */
async function asked(page: Page): Promise<ApprovalRow> {
  let id: number | undefined;
  await expect
    .poll(
      async () => {
        const { list } = await listed(page, 'withdraw/list', { state: 0, size: 200, sort: '-valuation' });
        id = list.find((one) => Number((one as { valuation?: string | null }).valuation ?? 0) > 10_000)?.id;
        return id;
      },
      { timeout: 45_000 },
    )
    .toBeDefined();
  const answer = await elsewhere(page, second, 'POST', 'withdraw/pass', { id });
  expect(answer.code).toBe(202);
  return answer.data as ApprovalRow;
}

const approvalOf = async (page: Page, id: number): Promise<ApprovalRow | undefined> =>
  (await listed(page, 'approval/list', { size: 200 })).list.find((one) => one.id === id) as unknown as
    | ApprovalRow
    | undefined;

const drawer = (page: Page) => page.locator('.ht-reader');

test('nobody decides an own request; another one sends it back with a reason', async ({ page }) => {
  const { id, targetId } = await asked(page);
  await logIn(page, second, '/approval');
  await page.waitForURL(/\/approval\?state=0$/);
  await loaded(page);
  await expect(row(page, id)).toContainText('通过提现');
  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expect(drawer(page).getByRole('button', { name: '通过复核' })).toHaveAttribute('aria-disabled', 'true');
  await expect(drawer(page).getByText('不能复核自己提交的操作')).toBeVisible();
  await page.keyboard.press('a');
  await expect(dialog(page, `通过复核 #${id}`)).toBeHidden();

  await logIn(page, await newOperator(page, CHECKER), `/approval?open=${id}`);
  await expect(drawer(page).getByRole('link', { name: `提现 #${targetId}` })).toBeVisible();
  await page.keyboard.press('r');
  const ask = dialog(page, `驳回 #${id}`);
  await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
  await expect(ask.getByRole('button', { name: '驳回', exact: true })).toBeDisabled();
  await page.keyboard.press('2');
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  expect(await approvalOf(page, id)).toMatchObject({ state: 2, answer: '金额有误' });
  expect(await stateOf(page, targetId)).toBe(0);
});

test('the second person sees what will be done, and does it by keyboard', async ({ page }) => {
  const { id, targetId, maker, account } = await asked(page);
  const { list } = await listed(page, 'withdraw/list', { id: targetId });
  const { address } = list[0] as unknown as { address: string };
  await logIn(page, await newOperator(page, CHECKER), '/approval?state=0&queue=1');
  await expect(drawer(page)).toBeVisible();
  await page.goto(`/approval?state=0&open=${id}`);
  for (const text of ['通过提现', maker, account ?? '', address]) {
    await expect(drawer(page).getByText(text, { exact: false }).first()).toBeVisible();
  }
  await page.keyboard.press('a');
  const ask = dialog(page, `通过复核 #${id}`);
  await expect(ask).toContainText('执行前会重新检查全部条件');
  await page.keyboard.press('Enter');
  await expect(ask).toBeHidden();
  expect((await approvalOf(page, id))?.state).toBe(0);
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  await expect(page.getByText('操作成功')).toBeVisible();
  expect((await approvalOf(page, id))?.state).toBe(1);
  expect(await stateOf(page, targetId)).toBeGreaterThanOrEqual(2);
});

test('whoever may not decide sees why, and filters are the address', async ({ page }) => {
  await logIn(page, await newOperator(page), '/approval');
  await expect(sight(page).getByRole('button', { name: '复核队列' })).toHaveAttribute('aria-disabled', 'true');
  expect(query(page).get('state')).toBe('0');
  await expect(sight(page).getByText('没有符合条件的记录')).toBeVisible();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`approvals keep nobody out (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const { list } = await listed(page, 'approval/list', { size: 1 });
    await logIn(page, second, `/approval?open=${list[0]?.id}&state=${list[0]?.state}`);
    await loaded(page);
    await expect(drawer(page).getByText('提交与复核')).toBeVisible();
    await expectAccessible(page);
  });
}
