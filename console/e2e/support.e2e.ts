import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, logIn, newOperator, activePage, tab, test } from './desk.ts';
import { callAs, fetchList, searchParamsOf } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

const messageReceived = (account: string, text: string) => ({
  type: 'message.received',
  data: { no: randomUUID(), account, text },
});

/** An operator with users who have each sent a message; the first user sent the latest one. */
async function setUpConversations(page: Page, count: number) {
  const operator = await newOperator(page, [1]);
  const users = Array.from({ length: count }, () => `sv.${randomUUID().slice(0, 13)}`);
  for (const account of users.toReversed()) {
    await sendEvents(
      { type: 'user.registered', data: { account, agent: operator.account } },
      messageReceived(account, `${account} 你好`),
    );
  }
  return { operator, users };
}

const conversations = (page: Page) => activePage(page).locator('.ht-support-conversation');
const messages = (page: Page) => activePage(page).locator('.ht-support-text');
const field = (page: Page) => activePage(page).getByLabel('回复内容');
const fetchConversationId = async (page: Page, account: string) =>
  (await fetchList(page, 'service/list', { account })).list[0]?.id ?? 0;

test(
  'a message is announced, read and answered by keyboard, and markup is shown as text',
  { tag: '@short' },
  async ({ page }) => {
    const { operator, users } = await setUpConversations(page, 2);
    const [first = '', second = ''] = users;
    await logIn(page, operator, '/service');
    await expect(conversations(page)).toHaveCount(2);
    await expect(tab(page, '客服').locator('.ht-app-tab-count')).toHaveText('2');
    await page.keyboard.press('j');
    await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(await fetchConversationId(page, first)));
    await expect(messages(page)).toHaveText([`${first} 你好`]);
    await expect(activePage(page).getByRole('complementary', { name: '用户资料' })).toContainText(first);

    const hostile = '<img src=x onerror=alert(1)>\u202Egnp.exe';
    await sendEvents(messageReceived(first, hostile));
    await expect(messages(page).last()).toHaveText(hostile);
    expect(await activePage(page).locator('.ht-support-text img').count()).toBe(0);

    await page.keyboard.press('Enter');
    await page.keyboard.type('您好');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('请稍等');
    await page.keyboard.press('Enter');
    await expect(messages(page).last()).toHaveText('您好\n请稍等');
    await expect(field(page)).toHaveValue('');
    await expect(activePage(page).getByRole('button', { name: /处理人：我/ })).toBeVisible();
    await expect(tab(page, '客服').locator('.ht-app-tab-count')).toHaveText('1');

    // The open conversation keeps its place and its mark.
    await expect(conversations(page).first()).toContainText(first);
    await expect(conversations(page).first()).toHaveAttribute('aria-current', 'true');
    await field(page).blur();
    const otherPage = await page.context().newPage();
    await otherPage.goto('/signal');
    const expectBell = (window: Page, name: string) =>
      expect(window.getByRole('button', { name, exact: true })).toBeVisible();
    await sendEvents(messageReceived(second, '在吗'));
    // The first conversation was open when its message arrived, so it does not count as unread.
    await expectBell(otherPage, '通知，1 条未读，1 项待办');
    await page.keyboard.press('j');
    await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(await fetchConversationId(page, second)));
    // Reading in one window clears the notification in all windows.
    for (const window of [page, otherPage]) await expectBell(window, '通知');
  },
);

test('a conversation is started; a composition sends nothing, a failed message is kept, and a reply is inserted', async ({
  page,
  complaints,
}) => {
  const { operator, users } = await setUpConversations(page, 1);
  const [account = ''] = users;
  const reply = { title: '问候', text: '您好 {账号}，我是 {客服}', shared: 0 };
  const who = { account: operator.account, password: operator.password };
  expect((await callAs(page, who, 'POST', 'service/reply/save', reply)).code).toBe(200);
  const newcomer = `sv.${randomUUID().slice(0, 13)}`;
  await sendEvents({ type: 'user.registered', data: { account: newcomer, agent: operator.account } });
  const userId = (await fetchList(page, 'user/list', { account: newcomer })).list[0]?.id ?? 0;
  await logIn(page, operator, `/service?userId=${userId}`);
  await activePage(page).getByRole('button', { name: '开始会话' }).click();
  await expect(activePage(page).locator('.ht-support-head')).toContainText(newcomer);
  await conversations(page).filter({ hasText: account }).click();
  await expect(messages(page)).toHaveCount(1);
  await expectAccessible(page);

  await field(page).fill('nihao');
  await field(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229, bubbles: true });
  await expect(field(page)).toHaveValue('nihao');
  await expect(messages(page)).toHaveCount(1);

  await page.route('**/service/send', (route) => route.abort());
  await field(page).press('Enter');
  await expect(activePage(page).getByRole('button', { name: '重新发送' })).toBeVisible();
  await page.unroute('**/service/send');
  complaints.length = 0;
  await activePage(page).getByRole('button', { name: '重新发送' }).click();
  await expect(activePage(page).getByRole('button', { name: '重新发送' })).toHaveCount(0);
  await expect(messages(page)).toHaveText([`${account} 你好`, 'nihao']);

  await field(page).fill('/问');
  await expect(activePage(page).getByRole('option')).toHaveCount(1);
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue(`您好 ${account}，我是 ${operator.account}`);
  await field(page).fill('');

  // A conversation cannot be closed while a reply is being sent.
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/service/send', async (route) => {
    await released;
    await route.continue();
  });
  await field(page).fill('zaijian');
  await field(page).press('Enter');
  const close = activePage(page).getByRole('button', { name: '关闭会话' });
  await expect(close).toHaveAttribute('aria-disabled', 'true');
  release?.();
  await expect(messages(page)).toHaveText([`${account} 你好`, 'nihao', 'zaijian']);
  await close.click();
  await page.locator('.ant-popconfirm-buttons .ant-btn-primary').click();
  await expect(activePage(page).locator('.ht-support-head')).toContainText('已关闭');
});
