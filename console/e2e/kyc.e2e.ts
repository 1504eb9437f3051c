import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test, tokenOf } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, searchParamsOf, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

const NAME = '欧阳晓明';
const NUMBER = '990105194912310028';
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REVIEWER_ABILITIES = [4, 10];

interface ReviewSetup {
  operator: { id: number; account: string; password: string };
  /** Ids of the submissions, oldest first. */
  ids: number[];
  users: string[];
}

/** An operator with new users, each with a pending submission. */
async function setUpReview(
  page: Page,
  count: number,
  abilities: readonly number[] = REVIEWER_ABILITIES,
): Promise<ReviewSetup> {
  const operator = await newOperator(page, abilities);
  const users = Array.from({ length: count }, () => `kyc.${randomUUID().slice(0, 13)}`);
  for (const account of users) {
    const document = { account, name: NAME, country: '中国', idType: 1, idNumber: NUMBER, level: 1 };
    await sendEvents(
      { type: 'user.registered', data: { account, agent: operator.account } },
      { type: 'auth.submitted', data: { ...document, front: PNG, back: PNG } },
    );
  }
  const { list } = await fetchList(page, 'auth/list', { agent: operator.account, sort: 'id', size: 200 });
  return { operator, users, ids: list.map(({ id }) => id) };
}

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const fetchState = async (page: Page, id: number) => (await fetchList(page, 'auth/list', { id })).list[0]?.state;
const fetchAudits = async (page: Page, action: string, id: number) =>
  (await callAs(page, admin, 'GET', 'audit/list', { action, targetId: id, result: 200 })).data as { total: number };

async function expectDrawerOpen(page: Page, id: number) {
  await expect(drawer(page).getByText(`实名 #${id}`)).toBeVisible();
  await expect(drawer(page).getByText('提交的信息')).toBeVisible();
}

test('the review queue is worked through by keyboard alone', async ({ page }) => {
  const { operator, ids } = await setUpReview(page, 3);
  const [first = 0, next = 0, last = 0] = ids;
  await logIn(page, operator, '/auth');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '审核队列' }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(first));
  await expectDrawerOpen(page, first);
  await expect(drawer(page).getByText('审核队列 · 剩余 3 条')).toBeVisible();

  await page.keyboard.press('a');
  await expect(dialog(page, `通过实名 #${first}`)).toContainText('欧**');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(next));
  expect(await fetchState(page, first)).toBe(1);

  await expectDrawerOpen(page, next);
  await page.keyboard.press('r');
  const modal = dialog(page, `驳回实名 #${next}`);
  await expect(modal.getByRole('button', { name: '驳回实名' })).toBeDisabled();
  await page.keyboard.press('1');
  await expect(modal.locator('textarea')).toHaveValue('证件照片模糊');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(last));
  const { data } = await callAs(page, admin, 'GET', 'auth/list', { id: next });
  expect(data).toMatchObject({ list: [{ state: 2, reason: '证件照片模糊', by: operator.account }] });

  await expectDrawerOpen(page, last);
  await page.keyboard.press('a');
  await expect(dialog(page, `通过实名 #${last}`)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(activePage(page).getByText('审核队列已清空')).toBeVisible();
});

test('a submission is found by its number, and opened from what was found', async ({ page }) => {
  const { operator, ids } = await setUpReview(page, 2);
  const [first = 0, last = 0] = ids;
  await logIn(page, operator, '/auth');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '按姓名或证件号查找' }).click();
  const modal = dialog(page, '按姓名或证件号查找');
  await modal.getByLabel('证件号码').fill(NUMBER.replace('1949', '-1949-'));
  await page.keyboard.press('Enter');
  await expect(modal.getByText('共 2 条')).toBeVisible();
  await expect(modal.getByText('欧**')).toHaveCount(2);
  await expect(modal.getByRole('link', { name: String(first), exact: true })).toBeVisible();
  await expectAccessible(page);
  await modal.getByRole('link', { name: String(last), exact: true }).click();
  await expect(modal).toBeHidden();
  await expectDrawerOpen(page, last);
  await page.keyboard.press('Escape');
  await activePage(page).getByRole('button', { name: '按姓名或证件号查找' }).click();
  await expect(modal.getByLabel('证件号码')).toHaveValue('');
});

test('images are released when the drawer closes, and revealing the full data requires a reason', async ({
  page,
  complaints,
}) => {
  const { operator, ids } = await setUpReview(page, 1);
  const [id = 0] = ids;
  await logIn(page, operator, '/auth');
  await waitForRows(page);
  await expect(row(page, id)).toContainText('欧**');
  await expect(row(page, id)).toContainText('990***********0028');
  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expectDrawerOpen(page, id);
  const image = drawer(page).getByRole('img', { name: '证件正面' });
  await expect(image).toBeVisible();
  expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
  const url = (await image.getAttribute('src')) ?? '';
  expect(url).toMatch(/^blob:/);
  await page.keyboard.press('+');
  await page.keyboard.press(']');
  await expect(image).toHaveAttribute('style', /rotate\(90deg\) scale\(1\.5\)/);
  await drawer(page).getByRole('button', { name: '还原' }).click();
  await expect(image).toHaveAttribute('style', /rotate\(0deg\) scale\(1\)/);
  await drawer(page).getByRole('button', { name: '证件反面' }).click();
  await expect(drawer(page).getByRole('img', { name: '证件反面' })).toBeVisible();
  await expect.poll(async () => (await fetchAudits(page, 'auth.image', id)).total).toBe(1);

  await expect(page.getByText(NAME)).toHaveCount(0);
  await page.keyboard.press('v');
  const modal = dialog(page, `查看完整实名信息 #${id}`);
  await expect(modal.getByRole('button', { name: '查看', exact: true })).toBeDisabled();
  await page.keyboard.press('2');
  await expect(modal.locator('textarea')).toHaveValue('用户来电核实');
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  await expect(drawer(page).getByText(NAME)).toBeVisible();
  await expect(drawer(page).getByText(NUMBER)).toBeVisible();
  expect((await fetchAudits(page, 'auth.reveal', id)).total).toBe(1);

  await page.keyboard.press('Escape');
  await expect(drawer(page).getByText(`实名 #${id}`)).toBeHidden();
  await expect(page.getByText(NUMBER)).toHaveCount(0);
  // The content policy forbids fetching a blob URL, so an image probes whether the URL was revoked.
  const isGone = await page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const probe = new Image();
        probe.addEventListener('load', () => resolve(false));
        probe.addEventListener('error', () => resolve(true));
        probe.src = src;
      }),
    url,
  );
  expect(isGone).toBe(true);
  await expect.poll(() => complaints.splice(0)).toEqual(['Failed to load resource: net::ERR_FILE_NOT_FOUND']);
  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expectDrawerOpen(page, id);
  await expect(page.getByText(NUMBER)).toHaveCount(0);
});

test('without the ability data is masked, images are hidden and actions are disabled', async ({ page }) => {
  const { operator, ids } = await setUpReview(page, 1, [1]);
  const [id = 0] = ids;
  const imageRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('auth/image')) imageRequests.push(request.url());
  });
  await logIn(page, operator, `/auth?open=${id}`);
  await expectDrawerOpen(page, id);
  await expect(drawer(page).getByText('990***********0028').first()).toBeVisible();
  await expect(drawer(page).getByText('没有「实名审核」权限，不能查看证件照片')).toBeVisible();
  await expect(drawer(page).getByRole('button', { name: /^查看完整/ })).toHaveAttribute('aria-disabled', 'true');
  await drawer(page).getByRole('button', { name: '其余操作' }).click();
  for (const name of ['通过实名', '驳回实名']) {
    const action = page.getByRole('menuitem', { name });
    await expect(action).toHaveAttribute('aria-disabled', 'true');
    await expect(action).toContainText('没有「实名审核」权限');
    await expect(drawer(page).getByRole('button', { name })).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  for (const key of ['a', 'r', 'v']) await page.keyboard.press(key);
  await expect(page.getByRole('dialog').filter({ hasText: '确认' })).toHaveCount(0);
  await expect(activePage(page).getByRole('button', { name: '审核队列' })).toHaveAttribute('aria-disabled', 'true');
  expect(imageRequests).toEqual([]);
  const token = await tokenOf(page);
  const response = await page.request.get(`/api/v1/admin/auth/list?id=${id}`, { headers: { token } });
  expect(await response.text()).not.toContain(NAME);
  expect(await fetchState(page, id)).toBe(0);
});

test('a bulk review requires the typed count and reports each outcome', async ({ page }) => {
  const { operator, ids, users } = await setUpReview(page, 3);
  const [, decidedId = 0] = ids;
  await logIn(page, operator, '/auth?state=0');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(3);
  await activePage(page).locator('.ht-table thead').getByRole('checkbox').check();
  await activePage(page).getByRole('button', { name: '批量通过' }).click();
  const modal = dialog(page, '批量通过实名');
  await modal.getByRole('button', { name: '已逐条核对' }).click();
  await expect(modal.getByRole('button', { name: '通过实名 3 条' })).toBeDisabled();
  await modal.getByLabel(/请输入条数/).fill('3');
  await callAs(page, admin, 'POST', 'auth/review/reject', { id: decidedId, reason: '证件已过期' });
  await page.keyboard.press('Control+Enter');
  const results = dialog(page, '批量通过实名').filter({ hasText: users[1] ?? '' });
  await expect(results).toContainText('已驳回');
  expect(await Promise.all(ids.map((id) => fetchState(page, id)))).toEqual([1, 2, 1]);
});

test('the user drawer shows the level and links to the review, which is accessible', async ({ page }) => {
  const { operator, ids, users } = await setUpReview(page, 1);
  const [id = 0] = ids;
  await callAs(page, admin, 'POST', 'auth/review/pass', { id });
  const { list } = await fetchList(page, 'user/list', { account: users[0] });
  await logIn(page, operator, `/user?open=${list[0]?.id}`);
  await expect(drawer(page).locator('.ht-value-state', { hasText: '初级认证' })).toBeVisible();
  await drawer(page).getByRole('link', { name: '查看认证' }).click();
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(1);
  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expectDrawerOpen(page, id);
  await page.reload();
  await expectDrawerOpen(page, id);
  await expect(drawer(page).getByRole('img', { name: '证件正面' })).toBeVisible();
  await expectAccessible(page);
});
