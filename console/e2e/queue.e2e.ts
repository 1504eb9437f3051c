import type { Browser, Page } from '@playwright/test';
import {
  type Credentials,
  activePage,
  expect,
  expectAccessible,
  logIn,
  newOperator,
  recordComplaints,
  test,
} from './desk.ts';
import { callAs, dialog, row, searchParamsOf, waitForRows } from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';

/** Two reviewers, the second one below the first, and withdrawals of a user that both see, oldest first. */
async function createQueue(page: Page, count: number) {
  const lead = await newOperator(page, [3, 11]);
  const reviewer: Credentials = await newOperator(page, [3], lead.account);
  const { ids } = await requestWithdrawals(page, reviewer.account, ...Array.from({ length: count }, () => '10'));
  return { lead, reviewer, ids };
}

/** A second browser. */
async function openBrowser(browser: Browser, complaints: string[]): Promise<Page> {
  const context = await browser.newContext();
  await recordComplaints(context, complaints);
  return context.newPage();
}

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const title = (page: Page) => drawer(page).locator('.ant-drawer-title');
const startQueue = async (page: Page) => {
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '审核队列' }).click();
};

test(
  'two reviewers who start the queue get different records, and see each other',
  { tag: '@short' },
  async ({ page, browser, complaints }) => {
    const { lead, reviewer, ids } = await createQueue(page, 2);
    const [first = 0, second = 0] = ids;
    const other = await openBrowser(browser, complaints);
    await logIn(page, reviewer, '/withdraw');
    await startQueue(page);
    await expect(title(page)).toContainText(`提现 #${first}`);
    await expect(title(page)).toContainText('您正在处理');

    await logIn(other, lead, '/withdraw');
    await expect(row(other, first)).toContainText(`${reviewer.account} 处理中`);
    await startQueue(other);
    await expect(title(other)).toContainText(`提现 #${second}`);
    // Who opens the record sees who has it, and may decide.
    await other.goto(`/withdraw?open=${first}`);
    await expect(title(other)).toContainText(`${reviewer.account} 正在处理`);
    await expect(drawer(other).getByRole('button', { name: '驳回提现' })).toBeVisible();
    await other.keyboard.press('r');
    await expect(dialog(other, `驳回提现 #${first}`).getByRole('button', { name: '取消' })).toBeFocused();
    await other.keyboard.press('1');
    await other.keyboard.press('Control+Enter');
    await expect(dialog(other, `驳回提现 #${first}`)).toBeHidden();
    await other.context().close();
  },
);

test('a record is commented, handed over and parked from its drawer', async ({ page }) => {
  const { lead, reviewer, ids } = await createQueue(page, 1);
  const [id = 0] = ids;
  await logIn(page, lead, `/withdraw?open=${id}`);
  await expect(title(page)).toContainText('您正在处理');
  const choose = async (name: string) => {
    await drawer(page).getByRole('button', { name: '协作' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('评论');
  const comment = dialog(page, `评论 #${id}`);
  await comment.getByLabel('评论').fill('已电话核实');
  await comment.getByRole('button', { name: '添加' }).click();
  await expect(comment).toBeHidden();
  const history = drawer(page).getByRole('list', { name: '协作记录' });
  await expect(history).toContainText('已电话核实');
  await choose('转交');
  const handOver = dialog(page, `转交 #${id}`);
  await handOver.getByLabel('转交给').click();
  await page.locator('.ant-select-item-option', { hasText: reviewer.account }).click();
  await handOver.getByRole('button', { name: '转交', exact: true }).click();
  await expect(handOver).toBeHidden();
  await expect(history).toContainText(`转交给 ${reviewer.account}`);
  await choose('搁置');
  const park = dialog(page, `搁置 #${id}`);
  await park.getByText('1 小时').click();
  await expectAccessible(page, '.ant-modal');
  await park.getByRole('button', { name: '搁置', exact: true }).click();
  await expect(park).toBeHidden();
  await expect(drawer(page).getByRole('heading', { name: /协作/ })).toContainText('搁置至');
  await drawer(page).getByRole('button', { name: '关闭', exact: true }).last().click();
  await expect(drawer(page)).toBeHidden();
  await expect(row(page, id)).toContainText('已搁置');
  const { account, password } = reviewer;
  const given = await callAs(page, { account, password }, 'POST', 'queue/next', {
    queue: 'withdrawReview',
    tab: 'tab-of-the-other',
  });
  expect(given.data).toMatchObject({ id: null, waiting: 1 });
});

test('a lost call for the next record is repeated, a lost claim is said, and who looks is named', async ({
  page,
  browser,
  complaints,
}) => {
  const { reviewer, lead, ids } = await createQueue(page, 2);
  const [first = 0, second = 0] = ids;
  await page.clock.install();
  await logIn(page, lead, '/withdraw');
  let lost = 0;
  await page.route('**/queue/next', async (route) => {
    lost += 1;
    if (lost === 1) await route.abort();
    else await route.continue();
  });
  await startQueue(page);
  await expect.poll(() => lost).toBe(1);
  await page.clock.fastForward(3_000);
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(first));
  // The claims of this page are lost for longer than the lease.
  await page.route('**/queue/claim', (route) => route.abort());
  for (let n = 0; n < 3; n += 1) await page.clock.fastForward(10_000);
  await expect(title(page)).toContainText('占用可能已失效');
  await page.unrouteAll({ behavior: 'wait' });
  const other = await openBrowser(browser, complaints);
  await logIn(other, reviewer, `/withdraw?open=${second}`);
  await expect(title(other)).toContainText('您正在处理');
  await page.clock.fastForward(10_000);
  await expect(title(page)).toHaveText(/您正在处理$/);
  await other.goto(`/withdraw?open=${first}`);
  await expect(title(other)).toContainText('其他操作员 正在处理');
  await page.clock.fastForward(10_000);
  await expect(title(page)).toContainText(`您正在处理，${reviewer.account} 也在查看`);
  await drawer(other).getByRole('button', { name: '关闭', exact: true }).last().click();
  await expect(drawer(other)).toBeHidden();
  await page.clock.fastForward(10_000);
  await expect(title(page)).toHaveText(/您正在处理$/);
  await other.context().close();
  // The browser reports each call that was lost on purpose.
  const others = complaints.filter((text) => !text.includes('ERR_FAILED'));
  complaints.splice(0, complaints.length, ...others);
});
