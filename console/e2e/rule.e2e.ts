import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { dialog, rows, waitForRows } from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';

/** No withdrawal of the simulator has this amount, so that the rule affects no other test. */
const AMOUNT = '31337.5';

const name = `测试 ${randomUUID().slice(0, 8)}`;
const line = (page: Page, rule: string) =>
  activePage(page)
    .getByRole('table', { name: '提现规则' })
    .getByRole('row', { name: new RegExp(rule) });
const drawer = (page: Page) => page.locator('.ht-dialog-drawer');

async function choose(page: Page, box: Locator, option: string) {
  await box.click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click();
}

async function setPoints(editor: Locator, points: string) {
  await editor.getByLabel('记分').fill(points);
  await editor.getByRole('button', { name: '保存规则' }).click();
  await expect(editor).toBeHidden();
}

async function move(page: Page, verb: string) {
  await line(page, name).getByRole('button', { name: verb }).click();
  const question = dialog(page, `${verb}规则：${name}`);
  await expect(question).toContainText('此后申请的提现');
  const typed = question.getByLabel('请输入规则的编号以确认');
  if (verb === '停用') {
    await question.getByRole('button', { name: '开始回测' }).click();
    await expect(question.getByRole('columnheader', { name: '申请时间' })).toBeVisible();
    await typed.fill((await typed.locator('xpath=..').innerText()).replace(/\D/g, ''));
  }
  await question.getByRole('button', { name: verb, exact: true }).click();
  await expect(question).toBeHidden();
}

/** While four-eyes are locked, a second person confirms what takes effect, not what is disabled. */
async function expectLockedQuestion(page: Page) {
  await page.route('**/admin/me', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { fourEyes: object } };
    answer.data.fourEyes = { ...answer.data.fourEyes, locked: true };
    await route.fulfill({ response, json: answer });
  });
  await page.reload();
  const lineOnTrial = line(page, '快进快出');
  await lineOnTrial.getByRole('button', { name: '停用' }).click();
  await expect(dialog(page, /^停用规则/).getByRole('button', { name: '停用', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await lineOnTrial.getByRole('button', { name: '生效' }).click();
  const question = dialog(page, /^生效规则/);
  await expect(question).toContainText('提交后由另一位复核员确认');
  await expect(question.getByRole('button', { name: '提交复核' })).toBeVisible();
  await page.unroute('**/admin/me');
  await page.reload();
}

test(
  'a rule is written, tested on the past, put into effect, changed and disabled',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin, '/rule');
    await expect(line(page, '快进快出')).toContainText('试运行');
    await expectLockedQuestion(page);

    await page.getByRole('button', { name: '新增规则' }).click();
    const editor = dialog(page, '新增规则');
    await editor.getByLabel('名称').fill(name);
    await choose(page, editor.getByRole('combobox', { name: '条件 1 的事实' }), '数量');
    await choose(page, editor.getByRole('combobox', { name: '条件 1 的比较' }), '等于');
    await editor.getByRole('button', { name: '保存规则' }).click();
    await expect(editor.getByRole('alert')).toHaveText('请输入数量');
    await editor.getByLabel('条件 1 的值').fill(AMOUNT);

    await editor.getByRole('button', { name: '回测' }).click();
    await page.route('**/rule/backtest', (route) =>
      route.fulfill({ json: { code: 429, msg: '有回测正在进行，请稍后再试', data: null, requestId: 'test' } }),
    );
    await editor.getByRole('button', { name: '开始回测' }).click();
    await expect(editor.getByRole('alert')).toContainText('有回测正在进行');
    await page.unroute('**/rule/backtest');
    await editor.getByRole('button', { name: '开始回测' }).click();
    await expect(editor.getByText('这段时间没有命中')).toBeVisible();
    await expectAccessible(page);
    await setPoints(editor, '7');
    await expect(line(page, name)).toContainText('草稿');
    await expect(line(page, name)).toContainText('数量 等于 31,337.5 币');

    await move(page, '生效');
    await expect(line(page, name)).toContainText('生效');
    await line(page, name).getByRole('button', { name: '编辑' }).click();
    await setPoints(dialog(page, `编辑规则：${name}`), '8');
    await expect(line(page, name)).toContainText('第 2 版');
    const { account, ids } = await requestWithdrawals(page, admin.account, AMOUNT);

    await line(page, name).getByRole('link', { name }).click();
    const versions = drawer(page).getByRole('list', { name: '历次版本' });
    await expect(versions).toContainText('去掉 动作：记 7 分');
    await expect(versions).toContainText('增加 动作：记 8 分');
    await drawer(page).getByRole('button', { name: '开始回测' }).click();
    await expect(drawer(page).getByText('每日命中')).toBeVisible();
    await expectAccessible(page);
    await drawer(page)
      .getByRole('link', { name: `#${ids[0]}` })
      .click();

    await page.waitForURL(/\/withdraw\?/);
    const hits = drawer(page).getByRole('list', { name: '命中的规则' });
    await expect(hits.getByRole('listitem').filter({ hasText: name })).toContainText('8 分');
    await drawer(page).getByText('依据与全部事实').click();
    await expect(drawer(page).getByText('实际：').first()).toBeVisible();
    await expectAccessible(page);

    await page.goto(`/withdraw?account=${account}&rule=1`);
    await waitForRows(page);
    await expect(rows(page).locator('[data-col=rules]')).toHaveText(`8 分 ${name}`);

    await page.goto('/rule');
    await move(page, '停用');
    await expect(line(page, name)).toContainText('停用');
  },
);
