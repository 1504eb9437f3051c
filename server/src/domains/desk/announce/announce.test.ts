import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, login, platformCall, provideServer } from '../../../../test/server.ts';
import { publishScheduled } from './announce.jobs.ts';

const server = provideServer({ jobs: false });
let writer: string;

beforeAll(async () => {
  writer = (await makeOperator(server, await login(server), { abilities: [ABILITY.platform] })).token;
});

const item = (more: object = {}) => ({
  lang: 'zh-CN',
  title: '系统维护',
  content: '<p>今晚维护</p>',
  platform: 0,
  state: 1,
  ...more,
});
const add = (...announceList: object[]) =>
  call<AnnounceRow[]>(server, 'POST', 'announce/add', { announceList }, { token: writer });
const save = (id: number, input: object) =>
  call<AnnounceRow>(server, 'POST', 'announce/save', { id, ...input }, { token: writer });
const del = (id: number) => call<AnnounceRow>(server, 'POST', 'announce/del', { id }, { token: writer });
const list = async (query: object = {}) =>
  (await call<Page<AnnounceRow>>(server, 'GET', 'announce/list', query, { token: writer })).data;
const commandsOf = (id: number) =>
  server.query(sql<{ data: object }>`
    select data from command where type = 'announce.published' and ref_id = ${id} order by id`);

async function addOne(more: object = {}): Promise<AnnounceRow> {
  const { data } = await add(item(more));
  if (!data[0]) throw new Error('nothing was added');
  return data[0];
}

describe('announce/add', () => {
  test('adds all languages, sends a command for each and writes an audit row', async () => {
    const answer = await add(item(), item({ lang: 'en', title: 'Maintenance', content: '<p>Tonight</p>', state: 0 }));
    expect(answer).toMatchObject({ code: 200, msg: '操作成功' });
    const [first, second] = answer.data as [AnnounceRow, AnnounceRow];
    expect(first).toMatchObject({ lang: 'zh-CN', title: '系统维护', content: '<p>今晚维护</p>', state: 1 });
    expect(second).toMatchObject({ lang: 'en', state: 0 });
    expect(await commandsOf(first.id)).toEqual([
      {
        data: {
          no: `A${first.id}`,
          lang: 'zh-CN',
          title: '系统维护',
          content: '<p>今晚维护</p>',
          platform: 0,
          state: 1,
          deleted: 0,
          at: first.updatedAt,
          pinned: 0,
          publishAt: null,
          group: `A${first.id}`,
        },
      },
    ]);
    expect(await commandsOf(second.id)).toHaveLength(1);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'announce.add', result: 200, targetType: 'announce', targetId: first.id },
    ]);
  });

  test.each([
    ['no language at all', [], 'announceList'],
    ['an unknown language', [item({ lang: 'de' })], 'announceList/0/lang'],
    ['no title', [item({ title: ' ' })], 'announceList/0/title'],
    ['an unknown platform', [item({ platform: 3 })], 'announceList/0/platform'],
    ['an unknown field', [item({ by: 'me' })], 'announceList/0/by'],
    ['blank content', [item(), item({ lang: 'en', content: '<p> &nbsp;<br></p>' })], 'announceList/1/content'],
    ['only forbidden elements', [item({ content: '<script>alert(1)</script>' })], 'announceList/0/content'],
  ])('adds nothing for %s', async (_title, items, field) => {
    const { total } = await list();
    expect(await add(...items)).toMatchObject({ code: 422, data: [{ field }] });
    expect((await list()).total).toBe(total);
  });

  test.each([
    ['<p onclick="x()">a<img src=x onerror=alert(1)></p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<a href="//evil.example">a</a>', 'a'],
    [
      '<a href="https://a.example/?b=1&c=2" style="x">a</a>',
      '<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">a</a>',
    ],
    ['<b>a</b><i>b</i><h1>c</h1>', '<strong>a</strong><em>b</em><h2>c</h2>'],
    ['a<svg><p>b</p><style><img src=x onerror=alert(1)></style></svg>', 'a'],
    ['<scr<script>ipt>alert(1)</scr</script>ipt>x', 'ipt&gt;alert(1)ipt&gt;x'],
    ['<p>1 < 2 & 3</p>', '<p>1 &lt; 2 &amp; 3</p>'],
    ['<p data-align="center" style="x" class="y">a</p>', '<p data-align="center">a</p>'],
    ['<h2 data-align="right">a</h2><li data-align="right">b</li>', '<h2 data-align="right">a</h2><li>b</li>'],
    ['<p data-align="justify;x">a</p>', '<p>a</p>'],
    ['<span data-color="red" style="color:#fff">a</span>', '<span data-color="red">a</span>'],
    ['<span data-color="white">a</span><span>b</span>', 'ab'],
    ['<p>a<img src="data:image/png;base64,AAAA"><img src="//evil.example/a.png"></p>', '<p>a</p>'],
    ['<math><mtext></p><style><!--</style><img src onerror=alert(1)>', ''],
  ])('sanitizes %s to %s', async (content, sanitized) => {
    const row = await addOne({ content, state: 0 });
    expect(row.content).not.toMatch(/<(script|img|svg|style|iframe)|onerror|onclick|javascript:/i);
    if (sanitized !== '') expect(row.content).toBe(sanitized);
    const again = await save(row.id, { content: row.content });
    expect(again.data.content).toBe(row.content);
  });
});

describe('announce/save', () => {
  test('changes only the given fields', async () => {
    const row = await addOne();
    const answer = await save(row.id, { title: '维护延期' });
    expect(answer.data).toMatchObject({ title: '维护延期', content: row.content, lang: 'zh-CN', state: 1 });
    expect(answer.data.updatedAt).toBeGreaterThan(row.updatedAt);
    expect((await commandsOf(row.id)).at(-1)).toMatchObject({ data: { title: '维护延期', state: 1 } });
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { before: { title: '系统维护' }, after: { title: '维护延期' } },
    ]);
  });

  test('answers 409 with the operator if the row changed since it was loaded', async () => {
    const row = await addOne();
    expect(await save(row.id, { title: '一', seen: row.updatedAt })).toMatchObject({ code: 200 });
    const second = await save(row.id, { title: '二', seen: row.updatedAt });
    expect(second).toMatchObject({ code: 409, data: { by: expect.any(String) as string } });
    expect((await list({ id: row.id })).list[0]).toMatchObject({ title: '一' });
  });

  test('saves once when eight calls with the same version race', async () => {
    const row = await addOne();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => save(row.id, { title: `第${index}`, seen: row.updatedAt })),
    );
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  test('publishes a draft only if it has text', async () => {
    const row = await addOne({ state: 0, content: '' });
    expect(await save(row.id, { state: 1 })).toMatchObject({ code: 422, data: [{ field: 'content' }] });
    expect(await save(row.id, { state: 1, content: '<p>x</p>' })).toMatchObject({ code: 200 });
  });
});

test('a deletion removes the row, sends a command and audits the content', async () => {
  const row = await addOne();
  const answer = await del(row.id);
  expect(answer).toMatchObject({ code: 200 });
  expect((await list({ id: row.id })).total).toBe(0);
  expect((await commandsOf(row.id)).at(-1)).toMatchObject({ data: { state: 0, deleted: 1 } });
  expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
    { action: 'announce.del', before: { title: '系统维护', content: '<p>今晚维护</p>' } },
  ]);
  expect(await del(row.id)).toMatchObject({ code: 404 });
});

test('the list is filtered by title, language, platform and state', async () => {
  const row = await addOne({ title: 'Zeta_100%', lang: 'vi', platform: 2, state: 0 });
  await addOne({ title: 'Zeta-other', lang: 'vi', platform: 1 });
  expect((await list({ title: 'zeta_1*', lang: 'vi', platform: 2, state: 0 })).list).toEqual([row]);
  expect((await list({ title: 'TA_', lang: 'vi' })).list).toEqual([row]);
  expect((await list({ title: '=zeta', lang: 'vi' })).list).toEqual([]);
  expect((await list({ title: 'zeta', lang: 'vi' })).total).toBe(2);
});

test('the platform reads published announcements by language and platform', async () => {
  const nos = (rows: AnnounceRow[]) => rows.map(({ id }) => `A${id}`);
  const web = await addOne({ lang: 'ko', platform: 1 });
  const app = await addOne({ lang: 'ko', platform: 2 });
  const all = await addOne({ lang: 'ko', platform: 0 });
  const own = new Set(nos([web, app, all, await addOne({ lang: 'ko', state: 0 })]));
  const read = async (query: string) =>
    ((await platformCall(server, 'GET', `announcements${query}`)).data as { no: string }[])
      .map(({ no }) => no)
      .filter((no) => own.has(no));
  expect(await read('?lang=ko')).toEqual(nos([all, app, web]));
  expect(await read('?lang=ko&platform=1')).toEqual(nos([all, web]));
  expect(await read('?lang=ja')).toEqual([]);
});

describe('a scheduled draft', () => {
  const HOUR = 3_600_000;
  const schedule = (at: number) => addOne({ state: 0, publishAt: at });

  test('is published once at its time, with a command and an audit row of the system', async () => {
    const early = server.clock.now() + HOUR;
    const due = await schedule(early);
    const later = await schedule(early + HOUR);
    const edited = await schedule(early);
    expect(due).toMatchObject({ state: 0, publishAt: early });
    expect((await save(edited.id, { title: '另一个标题' })).data).toMatchObject({ state: 0, publishAt: null });
    await publishScheduled(server.app);
    expect((await list({ id: due.id })).list[0]).toMatchObject({ state: 0 });
    server.clock.move(HOUR + 1_000);
    writer = (await makeOperator(server, await login(server), { abilities: [ABILITY.platform] })).token;
    await Promise.all([publishScheduled(server.app), publishScheduled(server.app), publishScheduled(server.app)]);
    const [published] = (await list({ id: due.id })).list;
    expect(published).toMatchObject({ state: 1, publishAt: null });
    expect(published?.updatedAt).toBeGreaterThan(due.updatedAt);
    expect((await commandsOf(due.id)).map(({ data }) => data)).toMatchObject([
      { state: 0, publishAt: early },
      { state: 1, publishAt: null },
    ]);
    const rows = await fetchAuditRows(server, { targetType: 'announce', targetId: due.id });
    expect(rows.filter(({ action }) => action === 'announce.published')).toMatchObject([
      { operator: null, result: 200, before: { state: 0, publishAt: early }, after: { state: 1 } },
    ]);
    expect((await list({ scheduled: 1 })).list.map(({ id }) => id)).toEqual([later.id]);
    expect((await list({ id: edited.id })).list[0]).toMatchObject({ state: 0 });
    expect(await save(due.id, { title: 'x', seen: due.updatedAt })).toMatchObject({ code: 409 });
  });

  test.each([
    ['a time that has passed', { state: 0, publishAt: 1_000 }, 'publishAt'],
    ['a time in more than a year', { state: 0, publishAt: 8_000_000_000_000_000 }, 'publishAt'],
    ['no content', { state: 0, publishAt: Date.now() + 86_400_000, content: '' }, 'content'],
    ['the published state', { state: 1, publishAt: Date.now() + 86_400_000 }, 'publishAt'],
  ])('is refused with %s', async (_title, more, field) => {
    expect(await add(item(more))).toMatchObject({ code: 422, data: [{ field: `announceList/0/${field}` }] });
    const { lang, title, content, platform } = item();
    const single = { lang, title, content, platform, ...more };
    expect(await call(server, 'POST', 'announce/add', single, { token: writer })).toMatchObject({
      code: 422,
      data: [{ field }],
    });
  });
});

test('pinned announcements come first in the list and for the platform', async () => {
  const pinned = await addOne({ lang: 'th', pinned: 1 });
  const other = await addOne({ lang: 'th' });
  const own = new Set([pinned.id, other.id]);
  const shown = async () => (await list({ lang: 'th' })).list.map(({ id }) => id).filter((id) => own.has(id));
  expect(await shown()).toEqual([pinned.id, other.id]);
  const offered = (await platformCall<{ no: string }[]>(server, 'GET', 'announcements?lang=th')).data;
  expect(offered.filter(({ no }) => own.has(Number(no.slice(1))))).toMatchObject([
    { no: `A${pinned.id}`, pinned: 1 },
    { no: `A${other.id}`, pinned: 0 },
  ]);
  await save(pinned.id, { pinned: 0 });
  expect(await shown()).toEqual([other.id, pinned.id]);
  expect((await commandsOf(pinned.id)).at(-1)).toMatchObject({ data: { pinned: 0 } });
});

test('a pin applies to all languages of an announcement', async () => {
  const { data } = await add(item({ lang: 'vi' }), item({ lang: 'ko', pinned: 1 }));
  const [vi, ko] = data as [AnnounceRow, AnnounceRow];
  const other = await addOne({ lang: 'vi' });
  expect([vi.pinned, ko.pinned]).toEqual([1, 1]);
  const addLang = async (lang: string, more: object = {}) => {
    const input = { announceList: [{ ...item({ lang }), ...more }], group: vi.id };
    return (await call<AnnounceRow[]>(server, 'POST', 'announce/add', input, { token: writer })).data[0];
  };
  const later = await addLang('ja');
  expect(later).toMatchObject({ group: vi.id, pinned: 1 });

  // A save in another language takes the pin away from all of them, and tells the platform of each.
  expect((await save(ko.id, { pinned: 0, seen: ko.updatedAt })).code).toBe(200);
  const pins = async () => (await list({ group: vi.id })).list.map(({ pinned }) => pinned);
  expect(await pins()).toEqual([0, 0, 0]);
  for (const id of [vi.id, ko.id, later?.id ?? 0]) {
    expect((await commandsOf(id)).at(-1)).toMatchObject({ data: { no: `A${id}`, pinned: 0, state: 1 } });
  }
  // An operator who still has another language open does not overwrite the pin.
  expect((await save(vi.id, { pinned: 1, seen: vi.updatedAt })).code).toBe(409);
  expect((await addLang('th', { pinned: 1 }))?.pinned).toBe(1);
  expect(await pins()).toEqual([1, 1, 1, 1]);
  expect((await list({ id: other.id })).list).toMatchObject([{ pinned: 0 }]);
  expect(await commandsOf(other.id)).toHaveLength(1);

  const twoAtOnce = await Promise.all([save(vi.id, { pinned: 0 }), save(ko.id, { pinned: 1 })]);
  expect(twoAtOnce.map(({ code }) => code)).toEqual([200, 200]);
  expect(new Set(await pins()).size).toBe(1);
});

test('languages that are added together or later belong to one announcement', async () => {
  const { data } = await add(item(), item({ lang: 'en' }));
  const [zh, en] = data as [AnnounceRow, AnnounceRow];
  expect(data).toMatchObject([
    { group: zh.id, langs: ['en', 'zh-CN'] },
    { group: zh.id, langs: ['en', 'zh-CN'] },
  ]);
  const more = { announceList: [item({ lang: 'ja' })], group: zh.id };
  const added = await call<AnnounceRow[]>(server, 'POST', 'announce/add', more, { token: writer });
  expect(added.data).toMatchObject([{ group: zh.id, langs: ['en', 'ja', 'zh-CN'] }]);
  await del(zh.id);
  expect((await list({ group: zh.id })).list).toMatchObject([{ lang: 'ja' }, { id: en.id, langs: ['en', 'ja'] }]);
  const unknown = { announceList: [item()], group: 999_999_999 };
  expect(await call(server, 'POST', 'announce/add', unknown, { token: writer })).toMatchObject({ code: 404 });
});
