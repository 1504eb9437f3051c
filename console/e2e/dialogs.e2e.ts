import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { positionOrder } from './desk-futures.ts';
import { callAs, fetchList, table, waitForRows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { secondOperator } from './server.ts';
import { type User, newUser } from './desk-user.ts';
import { navigateInApp } from './list-helpers.ts';

/** Location of the button: on the page, in a row, in the bulk actions of selected rows, or in the open record. */
type ButtonPlace = 'page' | 'row' | 'chosen' | 'record';

/** A button that opens a window with this heading; `item` is the menu item chosen in between. */
interface DialogCase {
  place: ButtonPlace;
  label: string;
  item?: string;
  heading: string;
}

/** A page with its query parameters and all windows that open from it. */
interface PageCase {
  path: string;
  search?: Readonly<Record<string, string>>;
  windows: readonly DialogCase[];
}

const dialogCase = (place: ButtonPlace, label: string, heading: string, item?: string): DialogCase => ({
  place,
  label,
  heading,
  ...(item !== undefined && { item }),
});
const menuDialogs = (label: string, ...items: readonly [item: string, heading: string][]): DialogCase[] =>
  items.map(([item, heading]) => dialogCase('row', label, heading, item));

const POPUPS = '.ant-modal-wrap:visible, .ant-drawer-open:visible, .ant-popover:visible, .ht-dialog-record:visible';
const FOOT_BUTTONS = ':is(.ant-modal-footer, .ht-dialog-record > footer) button:visible';

test.use({ viewport: { width: 1200, height: 800 } });

function buttonOf(page: Page, { place, label }: DialogCase): Locator {
  const places: Record<ButtonPlace, Locator> = {
    page: activePage(page),
    row: table(page),
    chosen: activePage(page).getByRole('group', { name: '批量操作' }),
    record: page.locator('.ht-dialog-drawer.ant-drawer-open'),
  };
  const named = `:is(:has-text("${label}"), [aria-label="${label}"])`;
  return places[place].locator(`button:not([aria-disabled=true]):not([disabled]):visible${named}`).first();
}

/** The buttons of a window are in sight, however long its content is. */
async function expectButtonsInSight(popup: Locator, name: string) {
  for (const button of await popup.locator(FOOT_BUTTONS).all()) {
    await expect(button, `${name}: ${await button.innerText()}`).toBeInViewport({ ratio: 1 });
  }
}

/** Opens one window and closes it with Escape. */
async function openAndClose(page: Page, target: DialogCase) {
  const { place, label, item, heading } = target;
  const popups = page.locator(POPUPS);
  const openBefore = await popups.count();
  const button =
    item === undefined
      ? buttonOf(page, target)
      : table(page)
          .getByRole('button', { name: /的更多操作$/ })
          .first();
  await button.click();
  if (item !== undefined) {
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: item }).click();
  }
  // The record behind a window has its words too, so only the count tells that the window has opened.
  await expect(popups, `${place} ${label} ${item ?? ''} opens`).toHaveCount(openBefore + 1);
  const popup = popups.last();
  await expect(popup, `${place} ${label} ${item ?? ''}`).toContainText(heading);
  await expect(popup.locator('.ht-page-skeleton-line')).toHaveCount(0);
  await expectButtonsInSight(popup, `${place} ${label} ${item ?? ''}`);
  // Windows of rows and of a selection are built like these.
  if (place === 'page' || label === '详情') await test.step(`accessible: ${heading}`, () => expectAccessible(page));
  await page.keyboard.press('Escape');
  await expect(popups, `${heading} closes`).toHaveCount(openBefore);
}

/** Visits all windows of the pages; an error response of the server fails the test. */
async function visitWindows(page: Page, pages: readonly PageCase[]) {
  const failedRequests: string[] = [];
  page.on(
    'response',
    (response) => response.status() >= 400 && failedRequests.push(`${response.status()} ${response.url()}`),
  );
  for (const { path, search = {}, windows } of pages) {
    await navigateInApp(page, path, search);
    await expect(activePage(page).locator('.ht-page-skeleton-line')).toHaveCount(0);
    for (const window of windows) {
      if (window.place === 'chosen' && (await buttonOf(page, window).count()) === 0) {
        await table(page).locator('.ant-table-row input[type=checkbox]').first().check();
      }
      if (window.place === 'record' && (await page.locator('.ht-dialog-drawer.ant-drawer-open').count()) === 0) {
        await waitForRows(page);
        const row = table(page).locator('.ant-table-row').first();
        const id = await row.getAttribute('data-row-key');
        await navigateInApp(page, path, { ...search, open: String(id) });
        await expect(page.locator('.ht-dialog-drawer.ant-drawer-open')).toBeVisible();
        await expect(page.locator('.ht-dialog-drawer .ht-page-skeleton-line')).toHaveCount(0);
        await test.step(`accessible: record of ${path}`, () => expectAccessible(page));
      }
      await openAndClose(page, window);
    }
  }
  expect(failedRequests).toEqual([]);
}

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IDENTITY = { name: '王小明', country: '中国', idType: 1, idNumber: 'E2E123456', level: 1, front: PNG, back: PNG };

/** A new user with one open record of every trading product, priced so that the simulator does not fill it. */
async function createTradingUser(page: Page, agent?: string): Promise<User> {
  const user = await newUser(page, agent);
  const { account } = user;
  const deposit = { account, market: 'USDT', network: 'TRC20', address: 'T', confirmations: 20, source: 1 };
  const transfer = { account, toAccount: account, market: 'USDT', platform: 1, amount: '1000' };
  const terms = { marketId: 2, side: 1, leverage: 5, price: '100', ratio: '10', minAmount: '1', maxAmount: '500' };
  const times = { startAt: Date.now() - 60_000, endAt: Date.now() + 3_600_000 };
  const input = { title: `窗口 ${randomUUID().slice(0, 8)}`, ...terms, ...times, state: 1 };
  const signal = (await callAs(page, admin, 'POST', 'signal/add', input)).data as { no: string };
  const position = positionOrder(account);
  const [pendingNo, openNo] = [randomUUID(), randomUUID()];
  await sendEvents(
    { type: 'recharge.credited', data: { no: randomUUID(), ...deposit, amount: '5000' } },
    ...[2, 3, 4].map((toPlatform) => ({ type: 'transfer.made', data: { no: randomUUID(), ...transfer, toPlatform } })),
    {
      type: 'order.placed',
      data: { no: randomUUID(), account, market: 'HTT', side: 1, type: 1, price: '0.01', amount: '1000' },
    },
    { type: 'position.placed', data: { no: pendingNo, ...position } },
    { type: 'position.placed', data: { no: openNo, ...position } },
    { type: 'position.opened', data: { no: openNo, price: '1000', fee: '0' } },
    { type: 'second.opened', data: { no: randomUUID(), account, market: 'BTC', side: 1, seconds: 300, amount: '100' } },
    { type: 'ieo.ordered', data: { no: randomUUID(), account, market: 'HTT', price: '0.5', amount: '100' } },
    { type: 'follow.opened', data: { no: randomUUID(), account, signal: signal.no, amount: '40' } },
  );
  return user;
}

test('funds: every window opens with its heading and closes with Escape', async ({ page }) => {
  const { account } = await newUser(page);
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const [pendingNo, heldNo] = [randomUUID(), randomUUID()];
  const deposit = { ...chain, address: 'T', txHash: `0x${randomUUID()}`, amount: '50', confirmations: 1, source: 1 };
  await sendEvents(
    { type: 'recharge.credited', data: { ...deposit, no: randomUUID(), confirmations: 20 } },
    { type: 'recharge.detected', data: { ...deposit, no: pendingNo } },
    { type: 'recharge.detected', data: { ...deposit, no: heldNo } },
    { type: 'withdraw.requested', data: { ...chain, no: randomUUID(), address: 'T', amount: '7', fee: '0' } },
  );
  const [heldRecharge] = (await fetchList(page, 'recharge/list', { no: heldNo })).list;
  const response = await callAs(page, admin, 'POST', 'recharge/hold', { id: heldRecharge?.id, reason: '核实来源' });
  expect(response.code).toBe(200);
  const large = { ...chain, no: randomUUID(), address: 'T', amount: '20000', fee: '0' };
  await sendEvents(
    { type: 'recharge.credited', data: { ...deposit, no: randomUUID(), amount: '20000', confirmations: 20 } },
    { type: 'withdraw.requested', data: large },
  );
  const [largeRow] = (await fetchList(page, 'withdraw/list', { no: large.no })).list;
  expect((await callAs(page, secondOperator, 'POST', 'withdraw/pass', { id: largeRow?.id })).code).toBe(202);
  await logIn(page, admin);
  await visitWindows(page, [
    // First, because other tests decide about the newest withdrawals.
    {
      path: '/withdraw',
      search: { account, state: '0' },
      windows: [
        dialogCase('row', '通过', '通过提现'),
        dialogCase('row', '驳回', '驳回提现'),
        dialogCase('chosen', '批量通过', '批量通过提现'),
        dialogCase('chosen', '批量驳回', '批量驳回提现'),
        dialogCase('record', '通过提现', '通过提现'),
        dialogCase('record', '驳回提现', '驳回提现'),
      ],
    },
    {
      path: '/approval',
      search: { state: '0', account },
      windows: [
        dialogCase('row', '通过', '通过复核'),
        dialogCase('row', '驳回', '驳回'),
        dialogCase('record', '通过复核', '通过复核'),
      ],
    },
    {
      path: '/recharge',
      search: { no: pendingNo },
      windows: [dialogCase('row', '挂起', '挂起充值'), dialogCase('row', '详情', '充值 #')],
    },
    { path: '/recharge', search: { no: heldNo }, windows: [dialogCase('row', '放行', '放行充值')] },
    {
      path: '/fund/record',
      windows: [
        dialogCase('row', '核对', '标记为已核对'),
        dialogCase('row', '存疑', '标记为存疑'),
        dialogCase('page', '保存为视图', '保存为视图'),
      ],
    },
  ]);
});

test('people: every window opens with its heading and closes with Escape', async ({ page }) => {
  const agent = await newOperator(page);
  const user = await newUser(page, agent.account);
  const { account } = user;
  const chain = { account, market: 'USDT', network: 'TRC20', address: 'T' };
  await sendEvents(
    { type: 'recharge.credited', data: { no: randomUUID(), ...chain, confirmations: 20, source: 1, amount: '50' } },
    // Holds funds, which can be released.
    { type: 'withdraw.requested', data: { no: randomUUID(), ...chain, amount: '7', fee: '0' } },
    { type: 'auth.submitted', data: { account, ...IDENTITY } },
  );
  await logIn(page, admin);
  await visitWindows(page, [
    {
      path: '/agent',
      search: { account: agent.account },
      windows: [
        dialogCase('page', '新增代理', '新增代理'),
        dialogCase('row', '权限', agent.account),
        ...menuDialogs(
          '更多',
          ['更换上级', '更换上级'],
          ['备注', '备注'],
          ['重置密码', '重置密码'],
          ['停用', '停用代理'],
          ['删除', '删除代理'],
        ),
      ],
    },
    {
      path: '/user',
      search: { account },
      windows: [
        dialogCase('page', '新增用户', '新增用户'),
        ...menuDialogs(
          '更多',
          ['修改备注', '修改备注'],
          ['重置密码', '重置密码'],
          ['收益率档位', '收益率档位'],
          ['客服链接', '客服链接'],
          ['更换代理', '更换代理'],
          ['用户组', '调整用户组'],
          ['删除', '删除用户'],
        ),
        dialogCase('chosen', '批量冻结', '批量冻结'),
        dialogCase('chosen', '批量启用', '批量启用'),
        dialogCase('chosen', '批量更换代理', '批量更换代理'),
        dialogCase('chosen', '批量调整用户组', '批量调整用户组'),
      ],
    },
    {
      path: '/user',
      search: { account, open: String(user.id), tab: 'assets' },
      windows: ['调整资产', '增加', '扣减', '冻结', '解冻'].map((label) => dialogCase('record', label, label)),
    },
    {
      path: '/auth',
      search: { account },
      windows: [
        dialogCase('row', '通过', '通过实名'),
        dialogCase('row', '驳回', '驳回实名'),
        dialogCase('chosen', '批量通过', '批量通过实名'),
        dialogCase('chosen', '批量驳回', '批量驳回实名'),
        dialogCase('record', '查看完整', '查看完整实名信息'),
      ],
    },
    { path: '/session', search: { state: '1' }, windows: [dialogCase('row', '结束', '结束会话')] },
    {
      path: '/report',
      search: { tab: 'liability' },
      windows: [dialogCase('page', '生成负债证明', '生成一份负债证明')],
    },
  ]);
});

test('the results of a bulk action with 200 failures fit the window', async ({ page }) => {
  const { account } = await newUser(page);
  const chain = { account, market: 'USDT', network: 'TRC20', address: 'T' };
  await sendEvents(
    { type: 'recharge.credited', data: { ...chain, no: randomUUID(), amount: '500', confirmations: 20, source: 1 } },
    ...Array.from({ length: 200 }, () => ({
      type: 'withdraw.requested',
      data: { ...chain, no: randomUUID(), amount: '1', fee: '0' },
    })),
  );
  const ids = (await fetchList(page, 'withdraw/list', { account, size: 200 })).list.map(({ id }) => id);
  const rejected = await callAs(page, admin, 'POST', 'withdraw/reject/many', { ids, reason: '流水不足' });
  expect(rejected.code).toBe(200);
  await logIn(page, admin, `/withdraw?account=${account}&size=200`);
  await table(page).locator('thead').getByRole('checkbox').check();
  await activePage(page).getByRole('button', { name: '批量驳回' }).click();
  await page.keyboard.press('1');
  await page.getByLabel('请输入条数以确认').fill('200');
  await page.keyboard.press('Control+Enter');
  const results = page.getByRole('dialog', { name: '批量驳回提现：结果' });
  await expect(results).toContainText('失败 200 条');
  await expectButtonsInSight(results, 'results');
  await expect(results.locator(FOOT_BUTTONS).first()).toBeVisible();
});

test('spot and futures: every window opens with its heading and closes with Escape', async ({ page }) => {
  const { account } = await createTradingUser(page);
  await logIn(page, admin);
  await visitWindows(page, [
    {
      path: '/trade/order',
      search: { account },
      windows: [
        dialogCase('page', '市场撤单', '撤销市场全部委托'),
        dialogCase('row', '撤单', '撤销委托'),
        dialogCase('chosen', '批量撤单', '批量撤销委托'),
        dialogCase('record', '撤单', '撤销委托'),
      ],
    },
    {
      path: '/future/wait',
      search: { account },
      windows: [
        dialogCase('page', '市场撤单', '撤销市场全部合约委托'),
        dialogCase('row', '撤单', '撤销合约委托'),
        dialogCase('chosen', '批量撤单', '批量撤销合约委托'),
        dialogCase('record', '用户风险', '用户合约风险'),
      ],
    },
    {
      path: '/future/open',
      search: { account },
      windows: [
        dialogCase('page', '敞口与强平分布', '敞口'),
        dialogCase('row', '风险', '用户合约风险'),
        dialogCase('row', '平仓', '合约平仓'),
        dialogCase('chosen', '查看风险', '合约风险'),
        dialogCase('chosen', '批量平仓', '批量合约平仓'),
      ],
    },
  ]);
});

test('seconds, subscriptions and signals: every window opens with its heading and closes with Escape', async ({
  page,
}) => {
  const { account } = await createTradingUser(page);
  await logIn(page, admin);
  await visitWindows(page, [
    {
      path: '/second/config',
      windows: [
        dialogCase('page', '新增设置', '新增秒合约设置'),
        dialogCase('row', '修改', '秒合约设置 #'),
        dialogCase('row', '删除', '删除秒合约设置'),
      ],
    },
    {
      path: '/second/open',
      search: { account },
      windows: [
        dialogCase('page', '风险敞口', '风险敞口'),
        dialogCase('row', '作废', '作废秒合约'),
        dialogCase('chosen', '批量作废', '批量作废秒合约'),
      ],
    },
    {
      path: '/ieo/review',
      search: { account },
      windows: [
        dialogCase('row', '通过', '通过认购'),
        dialogCase('row', '驳回', '驳回认购'),
        dialogCase('chosen', '批量通过', '批量通过认购'),
        dialogCase('chosen', '批量驳回', '批量驳回认购'),
      ],
    },
    { path: '/signal', windows: [dialogCase('page', '新增信号', '新增信号'), dialogCase('row', '编辑', '编辑信号')] },
    {
      path: '/follow',
      search: { account },
      windows: [dialogCase('row', '结束', '结束跟单'), dialogCase('chosen', '批量结束', '批量结束跟单')],
    },
  ]);
});

test('administration: every window opens with its heading and closes with Escape', async ({ page }) => {
  await logIn(page, admin);
  await visitWindows(page, [
    {
      path: '/plan',
      windows: [
        dialogCase('row', '设置', '风控计划 ·'),
        dialogCase('row', '暂停', '暂停交易'),
        dialogCase('row', '授权', '授权 ·'),
        dialogCase('row', '详情', '风控计划 ·'),
      ],
    },
    { path: '/market', windows: [dialogCase('row', '详情', '市场 ·')] },
    {
      path: '/config',
      windows: [
        dialogCase('page', '对比', '设置对比'),
        dialogCase('page', '编辑', '编辑设置'),
        dialogCase('page', '历史', '变更记录'),
      ],
    },
    { path: '/service', windows: [dialogCase('page', '快捷回复', '快捷回复')] },
  ]);
});

test('without abilities the buttons are disabled with a reason', async ({ page }) => {
  const operator = await newOperator(page);
  const { id, account } = await createTradingUser(page, operator.account);
  const deposit = { account, market: 'USDT', network: 'TRC20', address: 'T', txHash: `0x${randomUUID()}`, source: 1 };
  await sendEvents({
    type: 'recharge.detected',
    data: { no: randomUUID(), ...deposit, amount: '5', confirmations: 1 },
  });
  const cases = [
    { path: '/recharge', label: '导出', reason: '没有「数据导出」权限' },
    { path: '/recharge', label: '挂起', reason: '没有「资产调整」权限' },
    { path: '/user', search: { open: String(id), tab: 'assets' }, label: '增加', reason: '没有「资产调整」权限' },
    { path: '/ieo/review', label: '通过', reason: '没有「认购审核」权限' },
    { path: '/ieo/review', label: '审核队列', reason: '没有「认购审核」权限' },
    { path: '/second/open', label: '作废', reason: '没有「订单操作」权限' },
    { path: '/second/config', label: '新增设置', reason: '没有「' },
    { path: '/follow', label: '结束', reason: '没有「订单操作」权限' },
    { path: '/signal', label: '新增信号', reason: '没有「' },
  ];
  await logIn(page, operator);
  for (const { path, search = {}, label, reason } of cases) {
    await navigateInApp(page, path, search);
    await expect(activePage(page).locator('.ht-page-skeleton-line')).toHaveCount(0);
    const place = 'open' in search ? page.locator('.ht-dialog-drawer') : activePage(page);
    const button = place.getByRole('button', { name: label, exact: true }).first();
    await expect(button, `${path} ${label}`).toHaveAttribute('aria-disabled', 'true');
    // Cards that load later move the rows away from the pointer, which then has to enter again.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await button.hover();
      await expect(page.getByRole('tooltip').filter({ hasText: reason }).first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await button.click({ force: true });
    await expect(page.locator('.ant-modal-wrap:visible'), `${path} ${label}`).toHaveCount(0);
  }
  await navigateInApp(page, '/audit');
  await expect(
    activePage(page)
      .getByText(/没有权限/)
      .first(),
  ).toBeVisible();
  await expect(table(page).locator('.ant-table-row')).toHaveCount(0);
  await page.goto('/announce');
  await expect(page).toHaveURL(/\/home$/);
});
