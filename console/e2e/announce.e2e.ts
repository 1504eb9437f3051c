import { randomUUID } from 'node:crypto';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { Page } from '@playwright/test';
import { dialog, callAs, table } from './desk-list.ts';
import { navigateInApp } from './list-helpers.ts';
import { admin, expect, expectAccessible, logIn, activePage, tab, test } from './desk.ts';

const field = (page: Page, name: string) => activePage(page).getByRole('textbox', { name, exact: true });
const uniqueTitle = (): string => `公告 ${randomUUID().slice(0, 8)}`;
const announcement = (title: string, overrides: object = {}) => ({
  lang: 'zh-CN',
  title,
  content: '<p>内容</p>',
  platform: 0,
  state: 0,
  ...overrides,
});

async function createAnnouncement(
  page: Page,
  title: string,
  overrides: object = {},
): Promise<{ id: number; content: string }> {
  const { data } = await callAs(page, admin, 'POST', 'announce/add', {
    announceList: [announcement(title, overrides)],
  });
  const [first] = data as { id: number; content: string }[];
  if (!first) throw new Error('nothing was added');
  return first;
}

type Announcement = Pick<AnnounceRow, 'id' | 'lang' | 'content' | 'state' | 'publishAt'>;

async function fetchAnnouncements(page: Page, query: object): Promise<Announcement[]> {
  const { data } = await callAs(page, admin, 'GET', 'announce/list', query);
  return (data as { list: Announcement[] }).list;
}

test('an announcement in two languages is validated, previewed and published', async ({ page }) => {
  const title = uniqueTitle();
  await logIn(page, admin, '/announce');
  await activePage(page).getByRole('button', { name: '新增公告' }).click();
  await expect(page).toHaveURL(/\/announce\/add$/);
  await activePage(page).getByRole('button', { name: '发布' }).click();
  await expect(activePage(page).getByText('请输入标题')).toBeVisible();
  await expect(activePage(page).getByText('请输入内容')).toBeVisible();
  await field(page, '标题（简体中文）').fill(title);
  const text = field(page, '内容（简体中文）');
  await text.click();
  await page.keyboard.type('今晚 ');
  await activePage(page).getByRole('button', { name: '加粗' }).click();
  await page.keyboard.type('维护');
  const preview = activePage(page).getByRole('region', { name: '预览' });
  await expect(preview.locator('strong')).toHaveText('维护');
  await preview.getByText('APP', { exact: true }).click();
  await expect(preview.locator('article')).toHaveAttribute('data-place', 'app');
  await expectAccessible(page);

  await activePage(page)
    .getByRole('tab', { name: /English/ })
    .click();
  await field(page, '内容（English）').click();
  await page.keyboard.type('Tonight');
  await activePage(page).getByRole('button', { name: '发布' }).click();
  await expect(activePage(page).getByText('请输入标题')).toBeVisible();
  await field(page, '标题（English）').fill(`${title} en`);
  await activePage(page).getByRole('button', { name: '发布' }).click();
  const modal = dialog(page, '发布公告');
  await expect(modal).toContainText(title);
  await expect(modal).toContainText('2 种');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/announce(\?|$)/);
  await expect(tab(page, '新增公告')).toHaveCount(0);
  // With earlier rows in the list, new ones are only announced until the list is refreshed.
  await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
  await expect(table(page).getByText(title, { exact: true })).toBeVisible();
  const saved = await fetchAnnouncements(page, { title: `${title}*` });
  expect(saved.map(({ lang, content, state }) => [lang, content, state])).toEqual([
    ['en', '<p>Tonight</p>', 1],
    ['zh-CN', '<p>今晚 <strong>维护</strong></p>', 1],
  ]);
});

/** A PNG of 60 by 30 pixels, drawn by the browser. */
async function drawPng(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 60;
    canvas.height = 30;
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('no canvas');
    pen.fillStyle = '#1d4fc4';
    pen.fillRect(0, 0, 60, 30);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

test('an image, colour and alignment are previewed in both themes and scheduled', async ({ page }) => {
  const title = uniqueTitle();
  await logIn(page, admin, '/announce/add');
  await field(page, '标题（简体中文）').fill(title);
  await field(page, '内容（简体中文）').click();
  await activePage(page).getByRole('button', { name: '居中' }).click();
  await page.keyboard.type('红色');
  await page.keyboard.press('Shift+Home');
  await activePage(page).getByRole('combobox', { name: '文字颜色' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('红色', { exact: true }).click();
  await page.keyboard.press('End');
  const upload = activePage(page).getByLabel('图片文件').first();
  await upload.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(activePage(page).getByRole('alert')).toHaveText('只能上传 PNG、JPEG 或 WebP 图片');
  await upload.setInputFiles({ name: '活动海报.png', mimeType: 'image/png', buffer: await drawPng(page) });
  const preview = activePage(page).getByRole('region', { name: '预览' });
  for (const place of [field(page, '内容（简体中文）'), preview]) {
    const image = place.getByRole('img', { name: '活动海报' });
    await expect(image).toHaveJSProperty('complete', true);
    await expect(image).toHaveJSProperty('naturalWidth', 60);
  }
  await expect(activePage(page).getByRole('alert')).toHaveCount(0);
  const colored = preview.locator('[data-align="center"] [data-color="red"]');
  await expect(colored).toHaveCSS('color', 'rgb(185, 28, 28)');
  await preview.getByText('深色', { exact: true }).click();
  await expect(colored).toHaveCSS('color', 'rgb(249, 128, 128)');
  await expectAccessible(page);
  await preview.getByRole('button', { name: '实际宽度' }).click();
  const large = page.getByRole('dialog', { name: /实际宽度/ });
  await expect(large.locator('article')).toHaveCount(2);
  await expect(large.locator('article').first()).toHaveCSS('width', '720px');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await activePage(page).getByLabel('定时发布').fill(`${at} 09:30:00`);
  await page.keyboard.press('Enter');
  await activePage(page).getByRole('switch', { name: '置顶' }).click();
  await expect(activePage(page).getByText(/Asia\/Shanghai UTC\+8/)).toBeVisible();
  await activePage(page).getByRole('button', { name: '定时发布' }).click();
  await expect(dialog(page, '定时发布公告')).toContainText(`${at} 09:30:00（Asia/Shanghai UTC+8）`);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(`已定时发布 · 公告「${title}」`)).toBeVisible();
  await expect(page).toHaveURL(/\/announce(\?|$)/);
  const [saved] = await fetchAnnouncements(page, { title });
  expect(saved).toMatchObject({ state: 0, pinned: 1, publishAt: Date.parse(`${at}T09:30:00+08:00`), langs: ['zh-CN'] });
  expect(saved?.content).toMatch(
    /^<p data-align="center"><span data-color="red">红色<\/span><img src="[^"]*" alt="活动海报" width="60" height="30" \/><\/p>$/,
  );

  // The drawer names the time, the missing languages, and leads to adding them.
  await page.goto(`/announce?id=${saved?.id}&open=${saved?.id}`);
  const drawer = page.getByRole('dialog', { name: new RegExp(`^公告 #${saved?.id}`) });
  await expect(drawer).toContainText('由系统发布');
  await expect(drawer).toContainText('1/7，缺 繁體中文');
  await expect(table(page).getByText('置顶', { exact: true })).toBeVisible();
  await drawer.getByRole('button', { name: '取消置顶' }).click();
  await dialog(page, /取消置顶公告/)
    .getByRole('button', { name: '取消置顶' })
    .click();
  await expect(drawer.getByRole('button', { name: '置顶', exact: true })).toBeVisible();
  await drawer.getByRole('button', { name: '补充语言' }).click();
  await expect(activePage(page).getByRole('tab', { name: '简体中文' })).toHaveCount(0);
  await activePage(page).getByRole('tab', { name: 'English' }).click();
  await field(page, '标题（English）').fill(`${title} en`);
  await activePage(page).getByRole('button', { name: '保存草稿' }).click();
  await expect(page).toHaveURL(/\/announce(\?|$)/);
  const both = await fetchAnnouncements(page, { title: `${title}*` });
  expect(both).toMatchObject([
    { group: saved?.id, langs: ['en', 'zh-CN'] },
    { group: saved?.id, pinned: 0, publishAt: saved?.publishAt },
  ]);
});

test('pasted HTML is reduced to the allowed markup, and unsaved text is not lost by leaving', async ({ page }) => {
  await logIn(page, admin);
  await navigateInApp(page, '/announce/add');
  const text = field(page, '内容（简体中文）');
  await text.click();
  await text.evaluate((target) => {
    const data = new DataTransfer();
    data.setData(
      'text/html',
      '<h1>标题</h1><p>正文<img src=x onerror="document.title=1"><a href="https://a.example">链接</a></p>',
    );
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(text.locator('h2')).toHaveText('标题');
  await expect(text.getByRole('link', { name: '链接' })).toHaveAttribute('href', 'https://a.example');
  await expect(text.locator('img')).toHaveCount(0);
  // Leaving an unsaved page asks for confirmation, whichever way; 留在此页 keeps the address and the text.
  const modal = page.getByRole('dialog').filter({ hasText: '有未保存的修改' });
  await page.getByRole('link', { name: '衡台 HengTai 首页' }).click();
  await modal.getByRole('button', { name: '留在此页' }).click();
  await page.goBack();
  await modal.getByRole('button', { name: '留在此页' }).click();
  await expect(page).toHaveURL(/\/announce\/add$/);
  await expect(text.locator('h2')).toHaveText('标题');
  await page.goBack();
  await modal.getByRole('button', { name: '离开并放弃修改' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goForward();
  await text.click();
  await page.keyboard.type('再来');
  await activePage(page).getByRole('button', { name: '取消' }).click();
  await modal.getByRole('button', { name: '关闭并放弃修改' }).click();
  await expect(tab(page, '新增公告')).toHaveCount(0);
});

test('saving over a newer version fails; the latest draft is loaded, changed and published', async ({ page }) => {
  const title = uniqueTitle();
  const { id } = await createAnnouncement(page, title, { content: '<p>旧的内容</p>' });
  await logIn(page, admin, `/announce/update/${id}`);
  await expect(field(page, '内容（简体中文）')).toHaveText('旧的内容');
  await field(page, '标题（简体中文）').fill(`${title} 一`);
  await callAs(page, admin, 'POST', 'announce/save', { id, title: `${title} 二` });
  await activePage(page).getByRole('button', { name: '保存草稿' }).click();
  await expect(activePage(page).getByRole('alert')).toContainText('admin');
  await activePage(page).getByRole('button', { name: '放弃修改并载入最新内容' }).click();
  await expect(field(page, '标题（简体中文）')).toHaveValue(`${title} 二`);
  await field(page, '标题（简体中文）').fill(`${title} 三`);
  await activePage(page).getByRole('button', { name: '发布' }).click();
  await dialog(page, '发布公告').getByRole('button', { name: '发布' }).click();
  await expect(page).toHaveURL(/\/announce(\?|$)/);
  expect(await fetchAnnouncements(page, { id })).toMatchObject([{ title: `${title} 三`, state: 1 }]);
});

test('an announcement is previewed, taken down and deleted', { tag: '@short' }, async ({ page }) => {
  const title = uniqueTitle();
  const { id } = await createAnnouncement(page, title, { state: 1, content: '<h2>标题</h2><ul><li>甲</li></ul>' });
  await logIn(page, admin, `/announce?id=${id}&open=${id}`);
  const drawer = page.getByRole('dialog', { name: new RegExp(`^公告 #${id}`) });
  await expect(drawer.getByRole('listitem')).toHaveText('甲');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: '下线' }).click();
  await dialog(page, /下线公告/)
    .getByRole('button', { name: '下线' })
    .click();
  await expect(drawer.getByRole('button', { name: '发布' })).toBeVisible();
  await drawer.getByRole('button', { name: '删除' }).click();
  await dialog(page, /删除公告/)
    .getByRole('button', { name: '删除公告' })
    .click();
  await expect(drawer).toBeHidden();
  expect(await fetchAnnouncements(page, { id })).toEqual([]);
});
