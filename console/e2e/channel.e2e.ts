import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, activePage, quietTest as test } from './desk.ts';
import { waitForRows } from './desk-list.ts';

/** Messages that the installation sent. */
const bodies: string[] = [];
const receiver = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
  request.on('end', () => response.end('{"code":0}'));
});

test.beforeAll(async ({ quiet }) => {
  receiver.listen(quiet.channelPort, '127.0.0.1');
  await once(receiver, 'listening');
});
test.afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const table = (page: Page, name: string) => activePage(page).getByRole('table', { name });

/** Lines of a list that its lower edge cuts. */
const cutLines = (list: Locator) =>
  list.evaluate((box) => {
    const edge = box.getBoundingClientRect().top + box.clientTop + box.clientHeight;
    return [...box.querySelectorAll('label')]
      .filter((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return top < edge - 1 && bottom > edge + 1;
      })
      .map(({ innerText }) => innerText);
  });

test('channels are added, tested, edited and deleted', async ({ page, quiet }) => {
  const url = `http://127.0.0.1:${quiet.channelPort}`;
  await logIn(page, admin, '/channel');
  await expect(activePage(page).getByText('没有通知渠道。添加后')).toBeVisible();

  await page.getByRole('button', { name: '添加渠道' }).click();
  const dialog = page.getByRole('dialog', { name: '添加渠道' });
  await dialog.getByLabel('名称').fill('值班群');
  await dialog.getByLabel('地址').fill('https://elsewhere.example.com/');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect(dialog.getByRole('button', { name: '保存渠道' })).toBeInViewport({ ratio: 1 });
  expect(await cutLines(dialog.getByRole('group', { name: '通知' }))).toEqual([]);
  await dialog.getByRole('button', { name: '保存渠道' }).click();
  await expect(dialog.getByText('该主机不在允许的名单中')).toBeVisible();
  await dialog.getByLabel('地址').fill(`${url}/in/token`);
  await dialog.getByRole('button', { name: '保存渠道' }).click();
  const secret = page.getByRole('dialog', { name: 'Webhook 签名密钥' });
  await expect(secret.getByLabel('签名密钥', { exact: true })).toHaveText(/^[A-Za-z0-9_-]{43}$/);
  await secret.getByRole('button', { name: '已保存，关闭' }).click();

  const row = table(page, '通知渠道').getByRole('row', { name: /值班群/ });
  await expect(row).toContainText(`${url}/…`);
  await row.getByRole('button', { name: '发送测试' }).click();
  await expect(row).toContainText('最近送达');
  expect(bodies.map((body) => (JSON.parse(body) as { title: string }).title)).toEqual(['测试消息']);

  await row.getByRole('button', { name: '编辑' }).click();
  const edit = page.getByRole('dialog', { name: '编辑渠道：值班群' });
  await edit.getByRole('switch', { name: '启用' }).click();
  await edit.getByRole('button', { name: '保存渠道' }).click();
  await expect(row).toContainText('已停用');
  await row.getByRole('button', { name: '删除' }).click();
  await page
    .getByRole('tooltip')
    .getByRole('button', { name: /确\s?定/ })
    .click();
  await expect(activePage(page).getByText('没有通知渠道。添加后')).toBeVisible();
  // The messages to a Feishu bot are signed.
  await page.getByRole('button', { name: '添加渠道' }).click();
  await expect(dialog.getByLabel('签名密钥')).toBeHidden();
  await dialog.getByRole('radio', { name: '飞书' }).check();
  await dialog.getByLabel('名称').fill('飞书群');
  await dialog.getByLabel('机器人地址').fill(`${url}/hook`);
  await dialog.getByLabel('签名密钥').fill('key-of-the-bot');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '保存渠道' }).click();
  const bot = table(page, '通知渠道').getByRole('row', { name: /飞书群/ });
  await bot.getByRole('button', { name: '发送测试' }).click();
  await expect(bot).toContainText('最近送达');
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ timestamp: expect.any(String), sign: expect.any(String) });
  await bot.getByRole('button', { name: '编辑' }).click();
  const editBot = page.getByRole('dialog', { name: '编辑渠道：飞书群' });
  await expect(editBot.getByLabel('签名密钥')).toHaveAttribute('placeholder', '不修改');
  await editBot.getByLabel('机器人地址').fill(`${url}/other`);
  await expect(editBot.getByLabel('签名密钥')).toHaveAttribute('placeholder', '机器人未启用签名校验则留空');
});

test('a list becomes a scheduled export, which is edited and deleted', async ({ page }) => {
  await logIn(page, admin, '/audit');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '导出', exact: true }).click();
  await page.getByRole('menuitem', { name: '定时导出…' }).click();
  const dialog = page.getByRole('dialog', { name: '定时导出' });
  await dialog.getByLabel('名称').fill('每周审计');
  await dialog.getByRole('radio', { name: '每周' }).check();
  await dialog.getByRole('radio', { name: 'CSV (.csv)' }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: admin.account }).click();
  await page.getByRole('menuitem', { name: '通知渠道与定时导出' }).click();
  const row = table(page, '定时导出').getByRole('row', { name: /每周审计/ });
  await expect(row).toContainText('审计日志');
  await expect(row).toContainText('每周 周一 09:00');
  await expect(row).toContainText('尚未执行');
  await row.getByRole('button', { name: '编辑' }).click();
  const edit = page.getByRole('dialog', { name: '编辑定时导出：每周审计' });
  await edit.getByRole('radio', { name: '每日' }).check();
  await edit.getByRole('button', { name: '保存' }).click();
  await expect(row).toContainText('每日 09:00');
  await row.getByRole('button', { name: '删除' }).click();
  await page
    .getByRole('tooltip')
    .getByRole('button', { name: /确\s?定/ })
    .click();
  await expect(activePage(page).getByText('没有定时导出。打开任一列表')).toBeVisible();
});
