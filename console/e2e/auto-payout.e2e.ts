import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  activePage,
  admin,
  expect,
  expectAccessible,
  logIn,
  newOperator,
  quietTest as test,
  recordComplaints,
} from './desk.ts';
import { callAs, dialog } from './desk-list.ts';
import { sendEventsTo } from './desk-platform.ts';

/** Without a rule set in force nothing is passed. */
async function tryFirstRule(page: Page) {
  const { rules } = (await callAs(page, admin, 'GET', 'rule/list', {})).data as {
    rules: { id: number; updatedAt: number }[];
  };
  const [rule] = rules;
  const moved = await callAs(page, admin, 'POST', 'rule/state', { id: rule?.id, state: 1, seen: rule?.updatedAt });
  expect(moved.code).toBe(200);
}

/** A withdrawal that fits the budget; returns its id once the system decided, and its number. */
async function requestWithdrawal(page: Page, url: string): Promise<{ id: number; no: string }> {
  const [account, no] = [`auto.${randomUUID().slice(0, 13)}`, randomUUID()];
  const wallet = { account, market: 'USDT', network: 'ERC20' };
  await sendEventsTo(
    url,
    { type: 'user.registered', data: { account, agent: admin.account } },
    {
      type: 'recharge.credited',
      data: { ...wallet, no: randomUUID(), address: 'T', amount: '500', confirmations: 20, source: 1 },
    },
    { type: 'withdraw.requested', data: { ...wallet, no, address: `0x${'1'.repeat(40)}`, amount: '40.5', fee: '1' } },
  );
  let id = 0;
  await expect
    .poll(async () => {
      const { data } = await callAs(page, admin, 'GET', 'withdraw/list', { no, auto: 1 });
      id = (data as { list: { id: number }[] }).list[0]?.id ?? 0;
      return id;
    })
    .toBeGreaterThan(0);
  return { id, no };
}

const coin = (page: Page) =>
  activePage(page).getByRole('table', { name: '自动打款' }).getByRole('row', { name: /^USDT/ });
const drawer = (page: Page) => page.locator('.ht-dialog-drawer');

async function switchOnAndReview(page: Page, url: string) {
  await tryFirstRule(page);
  await logIn(page, admin, '/auto-payout');
  await expect(activePage(page).getByRole('heading', { name: '默认关闭' })).toBeVisible();

  await page.getByRole('button', { name: '开启币种' }).click();
  const form = dialog(page, '开启币种');
  await form.getByRole('combobox', { name: '币种' }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle('USDT', { exact: true }).click();
  await form.getByRole('button', { name: '保存额度' }).click();
  await expect(form.getByRole('alert')).toHaveText('请输入每日额度');
  const values = {
    每日额度: '1,000',
    每日笔数: '10',
    单个用户的每日额度: '100',
    未认证单笔额度: '150',
    初级认证单笔额度: '50',
    高级认证单笔额度: '100',
    复查比例: '100',
  };
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
  await expect(form.getByText('未认证单笔额度大于单个用户的每日额度')).toBeVisible();
  await expect(form.getByText('近 30 天没有 USDT 的提现。')).toBeVisible();
  await form.getByLabel('未认证单笔额度').fill('50');
  await form.getByLabel('一律人工审核').uncheck();
  await expectAccessible(page);
  await form.getByRole('button', { name: '保存额度' }).click();
  await expect(form.getByRole('alert')).toHaveText('放宽额度须输入币种 USDT');
  await form.getByLabel('放宽额度，请输入 USDT 以确认').fill('USDT');
  await form.getByRole('button', { name: '保存额度' }).click();
  await expect(coin(page)).toContainText('运行中');
  await expect(coin(page)).toContainText('0 / 1,000 USDT');

  const { id } = await requestWithdrawal(page, url);
  await coin(page).getByRole('button', { name: '修改' }).click();
  const edit = dialog(page, '自动打款额度：USDT');
  await edit.getByLabel('未认证单笔额度').fill('40');
  const closed = edit.getByRole('region', { name: '新增转人工' });
  await expect(closed).toContainText('超过该认证等级的单笔额度');
  await expect(closed.getByRole('link', { name: `#${id}` })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(coin(page)).toContainText('40.5 / 1,000 USDT');
  await expect(coin(page)).toContainText('4%');
  await expectAccessible(page);
  await coin(page).getByRole('link', { name: '1 笔' }).click();
  await expect(activePage(page).locator(`[data-row-key="${id}"] [data-col=state]`)).toContainText('系统通过');
  await activePage(page).locator(`[data-row-key="${id}"]`).getByRole('button', { name: '详情' }).click();
  await drawer(page)
    .getByText(/^1 条，命中 \d 条$/)
    .click();
  await expect(drawer(page).getByRole('list', { name: '运行的规则' })).toContainText('第 1 版，试运行');
  await expect(drawer(page)).toContainText('0 → 40.5 / 1,000 USDT');
  await expect(drawer(page).getByText('抽中', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await drawer(page).getByRole('button', { name: '复查', exact: true }).click();
  const review = dialog(page, `复查自动打款 #${id}`);
  await review.getByLabel('处理不当').check();
  await expect(review.getByRole('button', { name: '复查', exact: true })).toBeDisabled();
  await review.getByLabel('处理得当').check();
  await review.getByRole('button', { name: '复查', exact: true }).click();
  await expect(drawer(page).getByText('处理得当', { exact: true })).toBeVisible();
}

/** A reviewer stops all coins from the list, and the house starts a coin again. */
async function stopAndRestart(page: Page, reviewer: Page, url: string) {
  await logIn(reviewer, await newOperator(page, [3]), '/withdraw');
  await reviewer.getByRole('button', { name: '暂停自动打款' }).click();
  const stop = dialog(reviewer, '暂停自动打款：全部币种');
  await expect(stop).toContainText('USDT');
  await stop.getByRole('button', { name: '暂停自动打款' }).click();
  await reviewer.getByRole('link', { name: '自动打款已暂停' }).click();
  await expect(coin(reviewer)).toContainText('操作员暂停');
  await expect(coin(reviewer).getByRole('button', { name: '恢复' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(reviewer);

  await page.goto('/auto-payout');
  await coin(page).getByRole('button', { name: '恢复' }).click();
  const start = dialog(page, '恢复自动打款：USDT');
  await expect(start).toContainText('操作员暂停');
  await start.getByLabel('原因').fill('已核实');
  await start.getByLabel('请输入币种以确认').fill('USDT');
  await start.getByRole('button', { name: '恢复自动打款' }).click();
  await expect(coin(page)).toContainText('运行中');

  const { no } = await requestWithdrawal(page, url);
  await sendEventsTo(url, { type: 'withdraw.failed', data: { no, reason: 'hot wallet is empty' } });
  await expect
    .poll(async () => (await callAs(page, admin, 'GET', 'withdraw/auto/list', {})).data)
    .toMatchObject([{ stopped: { why: 'failed' } }]);
  await page.reload();
  await expect(coin(page)).toContainText('打款失败');
  await coin(page).getByRole('link', { name: 'USDT' }).click();
  const causes = drawer(page).getByRole('region', { name: '暂停的起因' });
  await expect(causes).toContainText('未核对');
  await expect(causes).toContainText('服务器配置的密钥');
  await expect(drawer(page).getByRole('list', { name: '额度的历次版本' })).toContainText('每日额度：1,000 USDT');
  await expectAccessible(page);
}

/** While four-eyes are locked, a restart waits beside the coin. It needs a look at each cause. */
async function restartUnderFourEyes(page: Page) {
  await page.route('**/admin/me', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { fourEyes: object } };
    answer.data.fourEyes = { ...answer.data.fourEyes, locked: true };
    await route.fulfill({ response, json: answer });
  });
  let openAlarms = 0;
  let started: object = {};
  await page.route('**/withdraw/auto/list', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object[] };
    await route.fulfill({ response, json: { ...answer, data: answer.data.map((one) => ({ ...one, openAlarms })) } });
  });
  const key = { id: 3, name: '钱包程序', revoked: false };
  await page.route('**/withdraw/auto/detail*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { row: { causes: object[] } } };
    answer.data.row.causes = answer.data.row.causes.map((cause) => ({ ...cause, key }));
    await route.fulfill({ response, json: answer });
  });
  const waiting = { id: 7, targetId: 1, type: 'autoPayout.start', title: '恢复自动打款', readable: true, asset: null };
  const submitted = {
    id: 7,
    title: '恢复自动打款',
    account: null,
    amount: null,
    targetType: 'autoPayout',
    targetId: 1,
  };
  let isSubmitted = false;
  await page.route(/approval\/open/, (route) =>
    route.fulfill({ json: { code: 200, msg: '', data: isSubmitted ? [waiting] : [], requestId: 'test' } }),
  );
  await page.route('**/withdraw/auto/start', (route) => {
    isSubmitted = true;
    started = route.request().postDataJSON() as object;
    return route.fulfill({ json: { code: 202, msg: '已提交复核', data: submitted, requestId: 'test' } });
  });
  await page.goto('/auto-payout');
  await coin(page).getByRole('button', { name: '恢复' }).click();
  const start = dialog(page, '恢复自动打款：USDT');
  await expect(start).toContainText('提交后由另一位复核员确认');
  const causes = start.getByRole('region', { name: '未核对的起因' });
  await expect(causes).toContainText('打款失败');
  await causes.getByRole('button', { name: '停用密钥' }).click();
  await expect(page.getByText('吊销密钥「钱包程序」？立即失效，不能恢复')).toBeVisible();
  await page.keyboard.press('Escape');
  await start.getByLabel('原因').fill('已充值热钱包');
  await expect(start.getByText('请逐条核对起因并勾选')).toBeVisible();
  await causes.getByRole('checkbox').check();
  await start.getByLabel('请输入币种以确认').fill('USDT');
  await expectAccessible(page);
  await start.getByRole('button', { name: '提交复核' }).click();
  expect(started).toMatchObject({ marketId: 1, causes: [expect.any(Number)] });
  await expect(coin(page).getByRole('link', { name: '待复核：恢复自动打款' })).toBeVisible();

  await coin(page).getByRole('button', { name: '修改' }).click();
  const form = dialog(page, '自动打款额度：USDT');
  await form.getByLabel('每日笔数').fill('9');
  await expect(form.getByRole('region', { name: '额度的变化' })).toContainText('收紧');
  await expect(form.getByRole('button', { name: '保存额度' })).toBeVisible();
  await form.getByLabel('每日笔数').fill('11');
  await expect(form.getByRole('region', { name: '额度的变化' })).toContainText('放宽');
  await expect(form.getByRole('button', { name: '提交复核' })).toBeVisible();
  await form.getByRole('button', { name: '取消' }).click();

  openAlarms = 2;
  await page.reload();
  await expect(coin(page).getByRole('link', { name: '2 条告警未处理' })).toBeVisible();
  await expect(coin(page)).toContainText('1 条起因未核对');
}

test('a coin is switched on, pays by itself, explains it, is stopped and started again', async ({
  page,
  browser,
  complaints,
  quiet,
}) => {
  const context = await browser.newContext();
  await recordComplaints(context, complaints);
  await switchOnAndReview(page, quiet.url);
  await stopAndRestart(page, await context.newPage(), quiet.url);
  await context.close();
  await restartUnderFourEyes(page);
});
