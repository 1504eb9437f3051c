import { ABILITY } from '@hengtai/contract/ability';
import type { Page } from '@hengtai/contract/list';
import type { Counts, NotificationsAnswer } from '@hengtai/contract/notify.schema';
import { SUPPORT_RECEIVED_MAX, SUPPORT_SENT_MAX } from '@hengtai/contract/support';
import type { SupportMessage, SupportOperator, SupportPage, SupportRow } from '@hengtai/contract/support.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOfCsv } from '../../test/csv.ts';
import { exportFile } from '../../test/export.ts';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../test/factories.ts';
import { PNG, bytesOf } from '../../test/identity.ts';
import { auditOf } from '../../test/look.ts';
import {
  type CallOptions,
  type TestServer,
  apply,
  call,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../test/server.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let beside: TestOperator;

const ABLE = [ABILITY.users, ABILITY.export];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: ABLE });
  beside = await makeOperator(server, admin, { abilities: ABLE });
});
afterAll(() => server.stop());

const post = <T = SupportRow>(path: string, input: object, token = agent.token, options: CallOptions = {}) =>
  call<T>(server, 'POST', `service/${path}`, input, { token, ...options });
const get = <T>(path: string, input: object, token = agent.token) =>
  call<T>(server, 'GET', `service/${path}`, input, { token });
const received = (account: string, text: string, more: object = {}) => ({
  type: 'message.received',
  data: { no: unique('C'), account, text, ...more },
});
const rowOf = async (account: string, token = agent.token): Promise<SupportRow> => {
  const { data } = await get<Page<SupportRow>>('list', { account }, token);
  const [row] = data.list;
  if (!row) throw new Error(`no conversation with ${account}`);
  return row;
};
const messages = async (id: number, query: object = {}) => (await get<SupportPage>('messages', { id, ...query })).data;
const textsOf = ({ list }: SupportPage) => list.map(({ text }) => text);

/** A user of the agent who has written so many messages, numbered from 0. */
async function talk(count = 1, below = agent.account): Promise<SupportRow> {
  const account = await makeUser(server, { agent: below });
  await apply(server, ...Array.from({ length: count }, (_, index) => received(account, `${index}`)));
  return rowOf(account, admin);
}

describe('message.received', () => {
  test('is kept once, however often and under however many events it comes', async () => {
    const account = await makeUser(server, { agent: agent.account });
    const event = { eventId: unique('E'), ...received(account, '你好') };
    expect((await send(server, event)).map(({ result }) => result)).toEqual(['applied']);
    const again = await Promise.all(Array.from({ length: 6 }, () => send(server, event)));
    expect(again.flat().map(({ result }) => result)).toEqual(Array(6).fill('duplicate'));
    expect(await send(server, { ...event, eventId: unique('E') })).toMatchObject([
      { result: 'rejected', reason: 'exists' },
    ]);
    const row = await rowOf(account);
    expect(row).toMatchObject({
      unread: 1,
      lastText: '你好',
      lastSide: 1,
      state: 1,
      assigned: 0,
      agent: agent.account,
    });
    expect((await messages(row.id)).list).toMatchObject([
      { side: 1, text: '你好', by: null, delivery: null, image: '' },
    ]);
  });

  test('of many at once each is counted, and their numbers grow', async () => {
    const account = await makeUser(server, { agent: agent.account });
    const texts = Array.from({ length: 12 }, (_, index) => `m${index}`);
    await Promise.all(texts.map((text) => apply(server, received(account, text))));
    const row = await rowOf(account);
    const { list } = await messages(row.id);
    expect(row).toMatchObject({ unread: 12, lastId: list.at(-1)?.id, lastText: list.at(-1)?.text });
    expect(new Set(list.map(({ text }) => text))).toEqual(new Set(texts));
  });

  test.each([
    ['an unknown account', { account: 'nobody.at.all' }, 'unknown: account'],
    ['nothing to read', { text: ' \n ' }, 'invalid: text'],
    ['too much', { text: 'x'.repeat(SUPPORT_RECEIVED_MAX + 1) }, 'invalid: text'],
    ['a zero character', { text: 'a\u0000b' }, 'invalid: text'],
    ['a picture that is none', { image: `data:image/png;base64,${btoa('<svg onload=alert(1)>')}` }, 'invalid: image'],
    ['another kind of picture', { image: 'data:image/svg+xml;base64,AAAA' }, 'invalid: image'],
    ['a script', { image: 'javascript:alert(1)' }, 'invalid: image'],
  ])('%s is rejected and leaves nothing', async (_what, data, reason) => {
    const account = await makeUser(server, { agent: agent.account });
    const [answer] = await send(server, received(account, 'hello', data));
    expect(answer).toMatchObject({ result: 'rejected', reason });
    expect((await get<Page<SupportRow>>('list', { account })).data.total).toBe(0);
  });

  test.each([
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
    "=cmd|'/c calc'!A1",
    '𝟘😀🧑‍🚀 four bytes',
    'abc\u202Egnp.exe\u2066',
    'line\r\nline\ttab',
    '😀'.repeat(SUPPORT_RECEIVED_MAX / 2),
    'x'.repeat(SUPPORT_RECEIVED_MAX),
  ])('text is kept as it is: %.30s', async (text) => {
    const account = await makeUser(server, { agent: agent.account });
    await apply(server, received(account, text));
    const row = await rowOf(account);
    expect(textsOf(await messages(row.id))).toEqual([text]);
    expect(row.lastText).toBe(Array.from(text).slice(0, 100).join(''));
    const file = await exportFile(
      server,
      'service/excel',
      { account, format: 'csv', columns: ['lastText'] },
      agent.token,
    );
    const cell = rowsOfCsv(file.text).at(-1)?.[0] ?? '';
    expect(cell).not.toMatch(/^[=+\-@]/);
    expect(cell).toContain(row.lastText.slice(0, 4));
  });

  test('a picture is served to those whose tree holds the user, and to nobody else', async () => {
    const account = await makeUser(server, { agent: agent.account });
    await apply(
      server,
      received(account, '', { image: PNG }),
      received(account, '见图', { image: 'https://a.example/1.png' }),
    );
    const { list } = await messages((await rowOf(account)).id);
    const [mine, theirs] = list as [SupportMessage, SupportMessage];
    expect([mine.text, theirs.image]).toEqual(['', 'https://a.example/1.png']);
    const ask = (id: number, token: string) =>
      server.server.inject({ url: `/api/v1/admin/service/image?id=${id}`, headers: { token } });
    expect(mine.image).toBe(`/api/v1/admin/service/image?id=${mine.id}`);
    const shown = await ask(mine.id, agent.token);
    expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store, private' });
    expect(shown.rawPayload.equals(bytesOf(PNG))).toBe(true);
    expect((await ask(mine.id, beside.token)).json()).toMatchObject({ code: 404 });
    // What lies at the platform is not fetched from here.
    expect((await ask(theirs.id, agent.token)).json()).toMatchObject({ code: 404 });
  });
});

describe('service/messages', () => {
  test('read backwards has neither gaps nor doubles while new ones come', async () => {
    const { id, account } = await talk(23);
    const found: string[] = [];
    let before: number | undefined;
    for (;;) {
      const page = await messages(id, { size: 5, ...(before === undefined ? {} : { before }) });
      found.unshift(...textsOf(page));
      await apply(server, received(account, 'meanwhile'));
      before = page.list[0]?.id;
      if (!page.more) break;
    }
    expect(found).toEqual(Array.from({ length: 23 }, (_, index) => `${index}`));
    const later = await messages(id, {
      after: (await messages(id, { after: 0, size: 23 })).list.at(-1)?.id,
      size: 200,
    });
    expect(textsOf(later)).toEqual(Array<string>(5).fill('meanwhile'));
    expect(later.more).toBe(false);
  });
});

describe('service/send', () => {
  test('tells the platform once for a key, in the order written, and shows what became of it', async () => {
    const { id, account } = await talk();
    const key = unique('key');
    const text = '您好 <b>x</b>';
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post<SupportMessage>('send', { id, text }, agent.token, { key })),
    );
    const sent = answers.find(({ code }) => code === 200);
    expect(new Set(answers.map(({ code, data }) => (code === 200 ? data.id : 0))).size).toBe(1);
    expect(sent?.data).toMatchObject({ side: 2, text, by: agent.account, delivery: 0, fault: '' });
    const second = await post<SupportMessage>('send', { id, text: '', image: PNG });
    const taken = async () =>
      (
        (await platformCall(server, 'GET', 'commands?limit=500')).data as { id: number; type: string; data: object }[]
      ).filter(({ type, data }) => type === 'message.sent' && (data as { account: string }).account === account);
    const commands = await taken();
    expect(commands.map(({ data }) => data)).toEqual([
      { no: `M${sent?.data.id}`, account, text, at: sent?.data.createdAt },
      { no: `M${second.data.id}`, account, text: '', image: PNG, at: second.data.createdAt },
    ]);
    const states = async () => (await messages(id)).list.slice(1).map(({ delivery, fault }) => [delivery, fault]);
    expect(await states()).toEqual([
      [1, ''],
      [1, ''],
    ]);
    await platformCall(server, 'POST', 'commands/ack', [
      { id: commands[0]?.id, state: 'done' },
      { id: commands[1]?.id, state: 'failed', reason: '用户不在线' },
    ]);
    expect(await states()).toEqual([
      [2, ''],
      [3, '用户不在线'],
    ]);
  });

  test('is audited by who, to whom and how much, without the words', async () => {
    const { id, account } = await talk();
    const answer = await post<SupportMessage>('send', { id, text: '私密内容123' });
    const rows = await auditOf(server, { requestId: answer.requestId });
    expect(rows).toMatchObject([
      {
        action: 'service.send',
        targetType: 'service',
        targetId: id,
        after: { messageId: answer.data.id, characters: 7 },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('私密内容');
    const [kept] = await server.query(sql<{ account: string }>`
      select u.account from audit a join users u on u.id = a.user_id where a.request_id = ${answer.requestId}`);
    expect(kept?.account).toBe(account);
  });

  test.each([
    ['nothing', { text: ' ' }, 'text'],
    ['too much', { text: 'x'.repeat(SUPPORT_SENT_MAX + 1) }, 'text'],
    ['half a character', { text: '\ud83d' }, 'text'],
    ['no picture', { text: '', image: 'data:image/png;base64,AAAA' }, 'image'],
    ['a foreign address', { text: 'x', image: 'https://a.example/x.png' }, 'image'],
    [
      'too large a picture',
      {
        text: '',
        image: `data:image/png;base64,${Buffer.concat([bytesOf(PNG), Buffer.alloc(524_288)]).toString('base64')}`,
      },
      'image',
    ],
  ])('%s is refused', async (_what, input, field) => {
    const { id } = await talk();
    expect(await post('send', { id, ...input })).toMatchObject({ code: 422, data: [{ field }] });
    expect((await messages(id)).list).toHaveLength(1);
  });

  test('makes who answers first the one who deals with it, and opens a closed one', async () => {
    const { id, account } = await talk();
    const child = await makeOperator(server, admin, { parent: agent.account, abilities: [ABILITY.users] });
    expect(await post('close', { id })).toMatchObject({ code: 200, data: { state: 0, unread: 0 } });
    await post('send', { id, text: '您好' });
    expect(await rowOf(account)).toMatchObject({ state: 1, assignee: agent.account, assigneeId: agent.id });
    await post('send', { id, text: '补充' }, admin);
    expect(await rowOf(account)).toMatchObject({ assignee: agent.account });
    expect((await post('send', { id, text: 'x' }, child.token)).code).toBe(404);
    expect((await post('send', { id, text: 'x' }, beside.token)).code).toBe(404);
  });
});

describe('service/close', () => {
  test('is refused when the user has written since, when it is closed, and a new message opens it again', async () => {
    const row = await talk();
    await apply(server, received(row.account, '等等'));
    expect(await post('close', { id: row.id, seen: row.lastId })).toMatchObject({
      code: 409,
      msg: '会话有新消息，请查看后再关闭',
    });
    const { lastId } = await rowOf(row.account);
    expect(await post('close', { id: row.id, seen: lastId })).toMatchObject({ code: 200, data: { state: 0 } });
    expect(await post('close', { id: row.id })).toMatchObject({ code: 409, data: { state: 0 } });
    await apply(server, received(row.account, '又来了'));
    expect(await rowOf(row.account)).toMatchObject({ state: 1, unread: 1 });
  });

  test('eight at once: one does it', async () => {
    const { id } = await talk();
    const codes = (await Promise.all(Array.from({ length: 8 }, () => post('close', { id })))).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)]);
  });
});

describe('service/read', () => {
  test('goes forward only, even with concurrent marks and messages', async () => {
    const { id, account } = await talk(10);
    const ids = (await messages(id)).list.map((one) => one.id);
    expect((await post('read', { id, upTo: ids[5] ?? 0 })).data.unread).toBe(4);
    expect((await post('read', { id, upTo: ids[1] ?? 0 })).data.unread).toBe(4);
    await Promise.all([
      ...ids.map((upTo) => post('read', { id, upTo })),
      ...ids.map((_, index) => apply(server, received(account, `later ${index}`))),
    ]);
    expect((await rowOf(account)).unread).toBe(10);
    expect((await post('read', { id, upTo: Number.MAX_SAFE_INTEGER })).data.unread).toBe(0);
  });
});

describe('service/assign', () => {
  test('to operators who see the user and may write; nobody else', async () => {
    const head = await makeOperator(server, admin, { abilities: ABLE });
    const child = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const other = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const dumb = await makeOperator(server, admin, { parent: child.account });
    const { id, account } = await talk(1, child.account);
    const give = (operatorId: number, token = head.token) => post('assign', { id, operatorId }, token);
    expect(await give(child.id)).toMatchObject({ code: 200, data: { assignee: child.account, assigned: 1 } });
    expect(await give(other.id)).toMatchObject({ code: 422, data: [{ field: 'operatorId' }] });
    expect(await give(dumb.id)).toMatchObject({ code: 422 });
    expect(await give(beside.id)).toMatchObject({ code: 404 });
    expect(await give(999_999_999)).toMatchObject({ code: 404 });
    const { data } = await get<SupportOperator[]>('operators', { id }, head.token);
    expect(data.map((one) => one.account).toSorted()).toEqual([child.account, head.account].toSorted());
    // Who stands above is neither named nor to be given anything by those below.
    expect(await give(head.id)).toMatchObject({ code: 200 });
    expect(await give(head.id, child.token)).toMatchObject({ code: 404 });
    expect(await rowOf(account, child.token)).toMatchObject({ assigned: 1, assignee: null, assigneeId: null });
    const mine = async (token: string) => (await get<Page<SupportRow>>('list', { mine: 1, account }, token)).data.total;
    expect([await mine(head.token), await mine(child.token)]).toEqual([1, 0]);
    expect(await give(0)).toMatchObject({ code: 200, data: { assigned: 0 } });
  });

  const losses: Record<
    string,
    (where: { child: TestOperator; head: TestOperator; userId: number }) => Promise<unknown>
  > = {
    'the user moved away': ({ userId }) =>
      call(server, 'POST', 'user/agent/change', { userId, agent: beside.account }, { token: admin }),
    'the agent was put elsewhere': ({ child }) =>
      call(server, 'POST', 'agent/parent/change', { id: child.id, parent: beside.account }, { token: admin }),
    'the ability was taken': ({ head }) =>
      call(server, 'POST', 'agent/state', { id: head.id, type: ABILITY.users, state: 0 }, { token: admin }),
    'the operator was disabled': ({ head }) =>
      call(server, 'POST', 'agent/state', { id: head.id, type: ABILITY.enabled, state: 0 }, { token: admin }),
    'the operator was deleted': async ({ head }) => {
      await server.query(sql`update config set state = 0 where key = 'policy.agent.del'`);
      return call(server, 'POST', 'agent/del', { deleteId: head.id, replaceAccount: beside.account }, { token: admin });
    },
    'the user was deleted': ({ userId }) => call(server, 'POST', 'user/del', { id: userId }, { token: admin }),
  };
  test.each(Object.entries(losses))('%s: nobody deals with it any more', async (_what, lose) => {
    const head = await makeOperator(server, admin, { abilities: ABLE });
    const child = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const { id, account, userId } = await talk(1, child.account);
    const kept = await talk(1, beside.account);
    expect(await post('assign', { id, operatorId: head.id }, admin)).toMatchObject({ code: 200 });
    expect(await post('assign', { id: kept.id, operatorId: beside.id }, admin)).toMatchObject({ code: 200 });
    expect(await lose({ child, head, userId })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ assigned: 0, assignee: null });
    expect(await rowOf(kept.account, admin)).toMatchObject({ assignee: beside.account });
  });

  test('an operator above the one who moves a user goes on dealing with it', async () => {
    const head = await makeOperator(server, admin, { abilities: ABLE });
    const [left, right] = [
      await makeOperator(server, admin, { parent: head.account }),
      await makeOperator(server, admin, { parent: head.account }),
    ];
    const { id, account, userId } = await talk(1, left.account);
    const top = await get<SupportOperator[]>('operators', { id }, admin);
    const adminId = top.data.find((one) => one.account === 'admin')?.id ?? 0;
    expect(await post('assign', { id, operatorId: adminId }, admin)).toMatchObject({ code: 200 });
    const input = { userId, agent: right.account };
    expect(await call(server, 'POST', 'user/agent/change', input, { token: head.token })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ assignee: 'admin', agent: right.account });
  });
});

describe('a user and its conversation', () => {
  test('an operator may write first, once for all who open it at the same time', async () => {
    const account = await makeUser(server, { agent: agent.account });
    const { id: userId } = await findUser(server, admin, account);
    const opened = await Promise.all(Array.from({ length: 5 }, () => post('open', { userId })));
    expect(opened.map(({ code }) => code)).toEqual(Array(5).fill(200));
    expect(new Set(opened.map(({ data }) => data.id)).size).toBe(1);
    expect(opened[0]?.data).toMatchObject({ userId, unread: 0, lastId: null, lastSide: 0 });
    expect((await post('open', { userId }, beside.token)).code).toBe(404);
  });

  test('with a deleted user it is closed, nothing waits in it, and nobody writes into it', async () => {
    const { id, account, userId } = await talk(2);
    expect(await call(server, 'POST', 'user/del', { id: userId }, { token: admin })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ state: 0, unread: 0 });
    expect((await post('send', { id, text: 'x' }, admin)).code).toBe(409);
    expect(await send(server, received(account, 'x'))).toMatchObject([
      { result: 'rejected', reason: 'unknown: account' },
    ]);
  });
});

test('what is unread is counted and told to the tree that holds the user, and to no other', async () => {
  const head = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  const silent = await makeOperator(server, admin, { parent: head.account });
  const counted = async (token: string) =>
    (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data.serviceUnread;
  const elsewhere = await counted(beside.token);
  const { id, account } = await talk(3, silent.account);
  expect(await counted(head.token)).toBe(1);
  expect(await counted(beside.token)).toBe(elsewhere);
  expect(await counted(silent.token)).toBeUndefined();
  await numberNotifications(server.app);
  const facts = async (token: string) =>
    (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data.list.filter(
      ({ noun }) => noun === 'service',
    );
  expect((await facts(head.token)).map(({ type, refId, account: whose }) => [type, refId, whose])).toEqual(
    Array.from({ length: 3 }, () => ['service.received', id, account]),
  );
  expect(JSON.stringify(await facts(beside.token))).not.toContain(account);
  await post('read', { id, upTo: Number.MAX_SAFE_INTEGER }, head.token);
  expect(await counted(head.token)).toBe(0);
});

test('the list has what is unread first, and is filtered by whose it is', async () => {
  const head = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  const [old, read, fresh] = [await talk(1, head.account), await talk(1, head.account), await talk(1, head.account)];
  await post('send', { id: read.id, text: '您好' }, head.token);
  await post('read', { id: read.id, upTo: Number.MAX_SAFE_INTEGER }, head.token);
  server.clock.move(1000);
  await apply(server, received(fresh.account, 'again'));
  const ids = async (input: object) =>
    (await get<Page<SupportRow>>('list', { sort: '-turn', ...input }, head.token)).data.list.map(({ id }) => id);
  expect(await ids({})).toEqual([fresh.id, old.id, read.id]);
  expect(await ids({ unread: 0 })).toEqual([read.id]);
  expect(await ids({ mine: 1 })).toEqual([read.id]);
  expect(await ids({ assigned: 0 })).toEqual([fresh.id, old.id]);
  expect(await ids({ assignee: head.account })).toEqual([read.id]);
});

describe('canned replies', () => {
  test('are one’s own, or shared with everybody below, who may use and not change them', async () => {
    const head = await makeOperator(server, admin, { abilities: [ABILITY.users] });
    const child = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const save = (input: object, token: string) =>
      post<{ id: number; title: string }>(
        'reply/save',
        { title: '问候', text: '您好 {账号}', shared: 0, ...input },
        token,
      );
    const titles = async (token: string) =>
      (await get<{ title: string; mine: number; by: string | null }[]>('reply/list', {}, token)).data.map(
        ({ title, mine, by }) => [title, mine, by],
      );
    const own = await save({ title: '自用' }, head.token);
    const shared = await save({ title: '共享', shared: 1 }, head.token);
    expect(await titles(head.token)).toEqual([
      ['自用', 1, head.account],
      ['共享', 1, head.account],
    ]);
    expect(await titles(child.token)).toEqual([['共享', 0, null]]);
    expect(await titles(beside.token)).toEqual([]);
    expect((await save({ id: shared.data.id }, child.token)).code).toBe(403);
    expect((await save({ id: own.data.id }, child.token)).code).toBe(404);
    expect((await post('reply/del', { id: shared.data.id }, child.token)).code).toBe(403);
    expect((await save({ id: own.data.id, title: '改' }, head.token)).data.title).toBe('改');
    expect((await post('reply/del', { id: own.data.id }, head.token)).code).toBe(200);
    expect((await titles(head.token)).length).toBe(1);
    expect((await save({ text: '  ' }, head.token)).code).toBe(422);
  });
});
