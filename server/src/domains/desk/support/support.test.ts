import { ABILITY } from '@hengtai/contract/authority/ability';
import { SUPPORT_SENT_MAX } from '@hengtai/contract/wire/input-values';
import type { Page } from '@hengtai/contract/wire/list';
import type { Counts, NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { SUPPORT_RECEIVED_MAX } from '@hengtai/contract/desk/support/calls';
import type { SupportMessage, SupportOperator, SupportPage, SupportRow } from '@hengtai/contract/desk/support/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCsv } from '../../../../test/csv.ts';
import { exportFile } from '../../../../test/export.ts';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../../../test/factories.ts';
import { PNG, bytesOf } from '../../../../test/identity.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import {
  type CallOptions,
  apply,
  call,
  login,
  platformCall,
  provideServer,
  send,
  unique,
} from '../../../../test/server.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;
let otherAgent: TestOperator;

const OPERATOR_ABILITIES = [ABILITY.users, ABILITY.export];

beforeAll(async () => {
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: OPERATOR_ABILITIES });
  otherAgent = await makeOperator(server, admin, { abilities: OPERATOR_ABILITIES });
});

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

/** Creates a user of the agent with `count` received messages, numbered from 0. */
async function makeConversation(count = 1, below = agent.account): Promise<SupportRow> {
  const account = await makeUser(server, { agent: below });
  await apply(server, ...Array.from({ length: count }, (_, index) => received(account, `${index}`)));
  return rowOf(account, admin);
}

describe('message.received', () => {
  test('is stored once, also when it is repeated under the same or another event id', async () => {
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

  test('counts every message of concurrent events', async () => {
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
    ['blank text', { text: ' \n ' }, 'invalid: text'],
    ['too long text', { text: 'x'.repeat(SUPPORT_RECEIVED_MAX + 1) }, 'invalid: text'],
    ['a zero character', { text: 'a\u0000b' }, 'invalid: text'],
    ['SVG declared as PNG', { image: `data:image/png;base64,${btoa('<svg onload=alert(1)>')}` }, 'invalid: image'],
    ['an SVG image', { image: 'data:image/svg+xml;base64,AAAA' }, 'invalid: image'],
    ['a javascript URL', { image: 'javascript:alert(1)' }, 'invalid: image'],
  ])('is rejected for %s and creates no conversation', async (_title, data, reason) => {
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
  ])('stores the text unchanged: %.30s', async (text) => {
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
    const cell = parseCsv(file.text).at(-1)?.[0] ?? '';
    expect(cell).not.toMatch(/^[=+\-@]/);
    expect(cell).toContain(row.lastText.slice(0, 4));
  });

  test('serves an image only to operators whose scope includes the user', async () => {
    const account = await makeUser(server, { agent: agent.account });
    await apply(
      server,
      received(account, '', { image: PNG }),
      received(account, '见图', { image: 'https://a.example/1.png' }),
    );
    const { list } = await messages((await rowOf(account)).id);
    const [stored, external] = list as [SupportMessage, SupportMessage];
    expect([stored.text, external.image]).toEqual(['', 'https://a.example/1.png']);
    const fetchImage = (id: number, token: string) =>
      server.server.inject({ url: `/api/v1/admin/service/image?id=${id}`, headers: { token } });
    expect(stored.image).toBe(`/api/v1/admin/service/image?id=${stored.id}`);
    const response = await fetchImage(stored.id, agent.token);
    expect(response.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store, private' });
    expect(response.rawPayload.equals(bytesOf(PNG))).toBe(true);
    expect((await fetchImage(stored.id, otherAgent.token)).json()).toMatchObject({ code: 404 });
    // URLs of the platform are never fetched.
    expect((await fetchImage(external.id, agent.token)).json()).toMatchObject({ code: 404 });
  });
});

describe('service/messages', () => {
  test('reading backwards has neither gaps nor duplicates while new messages arrive', async () => {
    const { id, account } = await makeConversation(23);
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
  test('enqueues one command per key in the order of sending and shows its delivery', async () => {
    const { id, account } = await makeConversation();
    const key = unique('key');
    const text = '您好 <b>x</b>';
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post<SupportMessage>('send', { id, text }, agent.token, { key })),
    );
    const sent = answers.find(({ code }) => code === 200);
    expect(new Set(answers.map(({ code, data }) => (code === 200 ? data.id : 0))).size).toBe(1);
    expect(sent?.data).toMatchObject({ side: 2, text, by: agent.account, delivery: 0, fault: '' });
    const second = await post<SupportMessage>('send', { id, text: '', image: PNG });
    const takeCommands = async () =>
      (
        (await platformCall(server, 'GET', 'commands?limit=500')).data as { id: number; type: string; data: object }[]
      ).filter(({ type, data }) => type === 'message.sent' && (data as { account: string }).account === account);
    const commands = await takeCommands();
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

  test('audits operator, user and length but not the text', async () => {
    const { id, account } = await makeConversation();
    const answer = await post<SupportMessage>('send', { id, text: '私密内容123' });
    const rows = await fetchAuditRows(server, { requestId: answer.requestId });
    expect(rows).toMatchObject([
      {
        action: 'service.send',
        targetType: 'service',
        targetId: id,
        after: { messageId: answer.data.id, characters: 7 },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('私密内容');
    const [audited] = await server.query(sql<{ account: string }>`
      select u.account from audit a join users u on u.id = a.user_id where a.request_id = ${answer.requestId}`);
    expect(audited?.account).toBe(account);
  });

  test.each([
    ['blank text', { text: ' ' }, 'text'],
    ['too long text', { text: 'x'.repeat(SUPPORT_SENT_MAX + 1) }, 'text'],
    ['a lone surrogate', { text: '\ud83d' }, 'text'],
    ['an invalid image', { text: '', image: 'data:image/png;base64,AAAA' }, 'image'],
    ['an external URL', { text: 'x', image: 'https://a.example/x.png' }, 'image'],
    [
      'a too large image',
      {
        text: '',
        image: `data:image/png;base64,${Buffer.concat([bytesOf(PNG), Buffer.alloc(524_288)]).toString('base64')}`,
      },
      'image',
    ],
  ])('refuses %s', async (_title, input, field) => {
    const { id } = await makeConversation();
    expect(await post('send', { id, ...input })).toMatchObject({ code: 422, data: [{ field }] });
    expect((await messages(id)).list).toHaveLength(1);
  });

  test('assigns the first operator who answers and reopens a closed conversation', async () => {
    const { id, account } = await makeConversation();
    const child = await makeOperator(server, admin, { parent: agent.account, abilities: [ABILITY.users] });
    expect(await post('close', { id })).toMatchObject({ code: 200, data: { state: 0, unread: 0 } });
    await post('send', { id, text: '您好' });
    expect(await rowOf(account)).toMatchObject({ state: 1, assignee: agent.account, assigneeId: agent.id });
    await post('send', { id, text: '补充' }, admin);
    expect(await rowOf(account)).toMatchObject({ assignee: agent.account });
    expect((await post('send', { id, text: 'x' }, child.token)).code).toBe(404);
    expect((await post('send', { id, text: 'x' }, otherAgent.token)).code).toBe(404);
  });
});

describe('service/close', () => {
  test('is refused after a newer message or if closed; a new message reopens the conversation', async () => {
    const row = await makeConversation();
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

  test('closes once when eight calls race', async () => {
    const { id } = await makeConversation();
    const codes = (await Promise.all(Array.from({ length: 8 }, () => post('close', { id })))).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)]);
  });
});

describe('service/read', () => {
  test('never moves backwards, also with concurrent calls and messages', async () => {
    const { id, account } = await makeConversation(10);
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
  test('assigns only operators who see the user and may write', async () => {
    const head = await makeOperator(server, admin, { abilities: OPERATOR_ABILITIES });
    const child = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const other = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const readOnly = await makeOperator(server, admin, { parent: child.account });
    const { id, account } = await makeConversation(1, child.account);
    const assign = (operatorId: number, token = head.token) => post('assign', { id, operatorId }, token);
    expect(await assign(child.id)).toMatchObject({ code: 200, data: { assignee: child.account, assigned: 1 } });
    expect(await assign(other.id)).toMatchObject({ code: 422, data: [{ field: 'operatorId' }] });
    expect(await assign(readOnly.id)).toMatchObject({ code: 422 });
    expect(await assign(otherAgent.id)).toMatchObject({ code: 404 });
    expect(await assign(999_999_999)).toMatchObject({ code: 404 });
    const { data } = await get<SupportOperator[]>('operators', { id }, head.token);
    expect(data.map((one) => one.account).toSorted()).toEqual([child.account, head.account].toSorted());
    // An operator above the caller is hidden and cannot be assigned by it.
    expect(await assign(head.id)).toMatchObject({ code: 200 });
    expect(await assign(head.id, child.token)).toMatchObject({ code: 404 });
    expect(await rowOf(account, child.token)).toMatchObject({ assigned: 1, assignee: null, assigneeId: null });
    const mine = async (token: string) => (await get<Page<SupportRow>>('list', { mine: 1, account }, token)).data.total;
    expect([await mine(head.token), await mine(child.token)]).toEqual([1, 0]);
    expect(await assign(0)).toMatchObject({ code: 200, data: { assigned: 0 } });
  });

  const changes: Record<
    string,
    (context: { child: TestOperator; head: TestOperator; userId: number }) => Promise<unknown>
  > = {
    'the user moved away': ({ userId }) =>
      call(server, 'POST', 'user/agent/change', { userId, agent: otherAgent.account }, { token: admin }),
    'the agent moved to another parent': ({ child }) =>
      call(server, 'POST', 'agent/parent/change', { id: child.id, parent: otherAgent.account }, { token: admin }),
    'the ability was revoked': ({ head }) =>
      call(server, 'POST', 'agent/state', { id: head.id, type: ABILITY.users, state: 0 }, { token: admin }),
    'the operator was disabled': ({ head }) =>
      call(server, 'POST', 'agent/state', { id: head.id, type: ABILITY.enabled, state: 0 }, { token: admin }),
    'the operator was deleted': async ({ head }) => {
      await server.query(sql`update config set state = 0 where key = 'policy.agent.del'`);
      return call(
        server,
        'POST',
        'agent/del',
        { deleteId: head.id, replaceAccount: otherAgent.account },
        { token: admin },
      );
    },
    'the user was deleted': ({ userId }) => call(server, 'POST', 'user/del', { id: userId }, { token: admin }),
  };
  test.each(Object.entries(changes))('unassigns the conversation after %s', async (_title, change) => {
    const head = await makeOperator(server, admin, { abilities: OPERATOR_ABILITIES });
    const child = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.users] });
    const { id, account, userId } = await makeConversation(1, child.account);
    const unaffected = await makeConversation(1, otherAgent.account);
    expect(await post('assign', { id, operatorId: head.id }, admin)).toMatchObject({ code: 200 });
    expect(await post('assign', { id: unaffected.id, operatorId: otherAgent.id }, admin)).toMatchObject({ code: 200 });
    expect(await change({ child, head, userId })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ assigned: 0, assignee: null });
    expect(await rowOf(unaffected.account, admin)).toMatchObject({ assignee: otherAgent.account });
  });

  test('keeps an assignee above the operator who moves the user', async () => {
    const head = await makeOperator(server, admin, { abilities: OPERATOR_ABILITIES });
    const [left, right] = [
      await makeOperator(server, admin, { parent: head.account }),
      await makeOperator(server, admin, { parent: head.account }),
    ];
    const { id, account, userId } = await makeConversation(1, left.account);
    const top = await get<SupportOperator[]>('operators', { id }, admin);
    const adminId = top.data.find((one) => one.account === 'admin')?.id ?? 0;
    expect(await post('assign', { id, operatorId: adminId }, admin)).toMatchObject({ code: 200 });
    const input = { userId, agent: right.account };
    expect(await call(server, 'POST', 'user/agent/change', input, { token: head.token })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ assignee: 'admin', agent: right.account });
  });
});

describe('the conversation of a user', () => {
  test('an operator may write first; concurrent calls open one conversation', async () => {
    const account = await makeUser(server, { agent: agent.account });
    const { id: userId } = await findUser(server, admin, account);
    const opened = await Promise.all(Array.from({ length: 5 }, () => post('open', { userId })));
    expect(opened.map(({ code }) => code)).toEqual(Array(5).fill(200));
    expect(new Set(opened.map(({ data }) => data.id)).size).toBe(1);
    expect(opened[0]?.data).toMatchObject({ userId, unread: 0, lastId: null, lastSide: 0 });
    expect((await post('open', { userId }, otherAgent.token)).code).toBe(404);
  });

  test('is closed and read after the deletion of the user and refuses messages', async () => {
    const { id, account, userId } = await makeConversation(2);
    expect(await call(server, 'POST', 'user/del', { id: userId }, { token: admin })).toMatchObject({ code: 200 });
    expect(await rowOf(account, admin)).toMatchObject({ state: 0, unread: 0 });
    expect((await post('send', { id, text: 'x' }, admin)).code).toBe(409);
    expect(await send(server, received(account, 'x'))).toMatchObject([
      { result: 'rejected', reason: 'unknown: account' },
    ]);
  });
});

test('unread conversations are counted and notified only within the scope of the user', async () => {
  const head = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  const withoutAbility = await makeOperator(server, admin, { parent: head.account });
  const countUnread = async (token: string) =>
    (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data.serviceUnread;
  const otherCount = await countUnread(otherAgent.token);
  const { id, account } = await makeConversation(3, withoutAbility.account);
  expect(await countUnread(head.token)).toBe(1);
  expect(await countUnread(otherAgent.token)).toBe(otherCount);
  expect(await countUnread(withoutAbility.token)).toBeUndefined();
  await numberNotifications(server.app);
  const notifications = async (token: string) =>
    (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data.list.filter(
      ({ noun }) => noun === 'service',
    );
  expect((await notifications(head.token)).map(({ type, refId, account: user }) => [type, refId, user])).toEqual(
    Array.from({ length: 3 }, () => ['service.received', id, account]),
  );
  expect(JSON.stringify(await notifications(otherAgent.token))).not.toContain(account);
  await post('read', { id, upTo: Number.MAX_SAFE_INTEGER }, head.token);
  expect(await countUnread(head.token)).toBe(0);
});

test('the list sorts unread conversations first and filters by assignee', async () => {
  const head = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  const [old, read, fresh] = [
    await makeConversation(1, head.account),
    await makeConversation(1, head.account),
    await makeConversation(1, head.account),
  ];
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
  test('are private or shared with operators below, who may use but not change them', async () => {
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
    expect(await titles(otherAgent.token)).toEqual([]);
    expect((await save({ id: shared.data.id }, child.token)).code).toBe(403);
    expect((await save({ id: own.data.id }, child.token)).code).toBe(404);
    expect((await post('reply/del', { id: shared.data.id }, child.token)).code).toBe(403);
    expect((await save({ id: own.data.id, title: '改' }, head.token)).data.title).toBe('改');
    expect((await post('reply/del', { id: own.data.id }, head.token)).code).toBe(200);
    expect((await titles(head.token)).length).toBe(1);
    expect((await save({ text: '  ' }, head.token)).code).toBe(422);
  });
});
