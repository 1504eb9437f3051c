// @module-tag full
import { get } from 'node:http';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import {
  RESUME_NOTIFICATIONS,
  RESUME_MINUTES,
  STREAMS_PER_OPERATOR,
  notify,
} from '@hengtai/contract/desk/notify/calls';
import type { Page } from '@hengtai/contract/wire/list';
import type { NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PASSWORD, type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { startOtherProcess } from '../../test/other-process.ts';
import { apply, call, login, provideServer, testServer, unique } from '../../test/server.ts';
import { type OpenStream, openStream } from '../../test/stream.ts';
import { hashOf } from '../authority/token.ts';
import { raiseAlarm } from '../domains/house/alarm/alarm.store.ts';
import { inTransaction } from '../database/connect.ts';

const server = provideServer();
let url: string;
let admin: string;
const openStreams: OpenStream[] = [];

beforeAll(async () => {
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  admin = await login(server);
});
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.abort();
});

async function listen(token: string, query: { last?: number } = {}, base = url): Promise<OpenStream> {
  const stream = await openStream(base, token, query);
  openStreams.push(stream);
  await stream.until(() => stream.counts() !== undefined);
  return stream;
}

const operator = (parent?: string): Promise<TestOperator> =>
  makeOperator(server, admin, {
    ...(parent === undefined ? {} : { parent }),
    abilities: [ABILITY.withdraw, ABILITY.assets, ABILITY.approval],
  });
const accounts = (stream: OpenStream): (string | null)[] => stream.notifications().map(({ account }) => account);
const untilReceived = (stream: OpenStream, account: string) => stream.until(() => accounts(stream).includes(account));

/** Registers users under an agent, one after the other. */
async function register(agent: string, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) made.push(await makeUser(server, { agent }));
  return made;
}

test('a session that the identity provider limits receives what its abilities show', async () => {
  const whole = await makeOperator(server, admin, { abilities: [ABILITY.headquarters] });
  const limitedToken = await login(server, whole.account, PASSWORD);
  await server.query(sql`update session set allowed_abilities = '{}'
    where id = (select session_id from session_token where hash = ${hashOf(limitedToken)})`);
  const [all, limited] = [await listen(whole.token), await listen(limitedToken)];
  const foreign = await makeUser(server);
  const own = await makeUser(server, { agent: whole.account });
  await untilReceived(all, own);
  await untilReceived(limited, own);
  expect(accounts(all)).toContain(foreign);
  expect(accounts(limited)).not.toContain(foreign);
});

/** Waits until the newest stored notification is about this user, so that a stream that starts now is behind it. */
const untilStored = (account: string | undefined, token: string) =>
  expect
    .poll(
      async () => (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data.list[0]?.account,
    )
    .toBe(account);

test('a stream begins with the counts and is neither compressed nor cached', async () => {
  const { token } = await operator();
  const stream = await listen(token);
  expect(stream.received[0]).toMatchObject({ event: 'counts', data: { withdrawReview: 0, approvalOpen: 0 } });
  const { headers } = stream.response;
  expect(headers.get('content-encoding')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
});

test('events of the platform arrive as notifications and changed counts', async () => {
  const { account, token } = await operator();
  const stream = await listen(token);
  const user = await makeUser(server, { agent: account, amount: '1000' });
  const row = await makeWithdraw(server, admin, user);
  // A count may arrive before its notification, which must be numbered first.
  await stream.until(() => stream.counts()?.withdrawReview === 1 && stream.notifications().length === 4);
  expect(stream.notifications().map(({ type }) => type)).toEqual([
    'user.registered',
    'recharge.detected',
    'recharge.credited',
    'withdraw.requested',
  ]);
  expect(stream.notifications()[3]).toMatchObject({ refId: row.id, account: user, amount: '100', marketName: 'USDT' });
  await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: 'because' }, { token: admin });
  await stream.until(() => stream.counts()?.withdrawReview === 0);
  expect(
    stream.received.filter(({ event }) => event === 'fact').every(({ id, data }) => id === (data as { id: number }).id),
  ).toBe(true);
});

test('a stream receives nothing of other scopes, not even repeated counts', async () => {
  const [own, other] = [await operator(), await operator()];
  const child = await operator(own.account);
  const canary = unique('canary');
  const streams = [await listen(own.token), await listen(child.token), await listen(admin)];
  const [mine, below, all] = streams as [OpenStream, OpenStream, OpenStream];
  const { withdrawSecond = 0, approvalOpen = 0, alarmOpen = 0 } = all.counts() ?? {};
  const foreign = await makeUser(server, { agent: other.account, amount: '50000', account: canary });
  const foreignWithdraw = await makeWithdraw(server, admin, foreign, { amount: '20000' });
  await call(server, 'POST', 'withdraw/pass', { id: foreignWithdraw.id }, { token: other.token });
  await inTransaction(server.app.system, (db) =>
    raiseAlarm(db, {
      kind: 'recharge.reversed',
      refType: 'withdraw',
      refId: foreignWithdraw.id,
      agentId: other.id,
      detail: {},
      now: server.clock.now(),
    }),
  );
  const user = await makeUser(server, { agent: own.account });
  const last = await makeUser(server, { agent: child.account });
  for (const stream of streams) await untilReceived(stream, last);
  expect(accounts(mine)).toEqual([user, last]);
  expect(accounts(below)).toEqual([last]);
  expect(accounts(all)).toContain(canary);
  for (const stream of [mine, below]) {
    expect(JSON.stringify(stream.received)).not.toContain(canary);
    expect(stream.received.filter(({ event }) => event === 'counts')).toHaveLength(1);
  }
  expect(all.counts()).toMatchObject({
    withdrawSecond: withdrawSecond + 1,
    approvalOpen: approvalOpen + 1,
    alarmOpen: alarmOpen + 1,
  });
});

test('reading a conversation lowers the count in all windows, and is not listed as a notification', async () => {
  const abilities = [ABILITY.users];
  const reader = await makeOperator(server, admin, { abilities });
  const below = await makeOperator(server, admin, { abilities, parent: reader.account });
  const user = await makeUser(server, { agent: below.account });
  const windows = [await listen(reader.token), await listen(reader.token), await listen(below.token)];
  await apply(server, { type: 'message.received', data: { no: unique('C'), account: user, text: '您好' } });
  const unreadCount = (stream: OpenStream) => stream.counts()?.serviceUnread;
  for (const stream of windows)
    await stream.until(() => unreadCount(stream) === 1 && stream.notifications().length > 0);
  const { data } = await call<Page<{ id: number }>>(server, 'GET', 'service/list', {}, { token: reader.token });
  const id = data.list[0]?.id ?? 0;
  const markRead = () =>
    call(server, 'POST', 'service/read', { id, upTo: Number.MAX_SAFE_INTEGER }, { token: reader.token });
  await markRead();
  // The notification lowers the count, not the periodic recount.
  const readNotifications = (stream: OpenStream) =>
    stream.notifications().filter(({ type }) => type === 'service.read');
  for (const stream of windows)
    await stream.until(() => readNotifications(stream).length === 1 && unreadCount(stream) === 0);
  expect(windows.map((stream) => readNotifications(stream).map(({ refId, own }) => [refId, own]))).toEqual([
    [[id, true]],
    [[id, true]],
    [[id, false]],
  ]);
  // Marking it again has no effect, and the notification is not listed.
  await markRead();
  await apply(server, { type: 'message.received', data: { no: unique('C'), account: user, text: '在吗' } });
  for (const stream of windows) await stream.until(() => unreadCount(stream) === 1);
  expect(windows.map((stream) => readNotifications(stream).length)).toEqual([1, 1, 1]);
  const { data: latest } = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: reader.token });
  expect(latest.list.map(({ type }) => type)).not.toContain('service.read');
  expect(latest.list.map(({ type }) => type)).toContain('service.received');
});

test('a new agent in the scope is included at once', async () => {
  const head = await operator();
  const stream = await listen(head.token);
  const child = await operator(head.account);
  const user = await makeUser(server, { agent: child.account });
  await untilReceived(stream, user);
});

describe('after an interruption', () => {
  test('no notification is lost or repeated', async () => {
    const { account, token } = await operator();
    const before = await listen(token);
    const first = await register(account, 2);
    await untilReceived(before, first[1] ?? '');
    before.abort();
    await before.ended;
    const missed = await register(account, 5);
    await untilStored(missed.at(-1), token);
    const last = before.notifications().at(-1)?.id ?? 0;
    const after = await listen(token, { last });
    const [later] = await register(account, 1);
    await untilReceived(after, later ?? '');
    expect([...accounts(before), ...accounts(after)]).toEqual([...first, ...missed, later]);
    expect(after.received.some(({ event }) => event === 'reset')).toBe(false);
  });

  test('a stream continues after the notifications that were listed', async () => {
    const { account, token } = await operator();
    const users = await register(account, 3);
    const fetchLatest = async () =>
      (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data;
    await expect.poll(async () => (await fetchLatest()).list.length).toBe(3);
    const { last } = await fetchLatest();
    const stream = await listen(token, { last });
    const [next] = await register(account, 1);
    await untilReceived(stream, next ?? '');
    expect(accounts(stream)).toEqual([next]);
    expect(users).not.toContain(next);
  });

  test('a client that was disconnected too long starts over', async () => {
    const { account } = await operator();
    const users = await register(account, 2);
    const fetchLatest = async () =>
      (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: admin })).data;
    await expect.poll(async () => (await fetchLatest()).list[0]?.account).toBe(users[1]);
    const { list, last } = await fetchLatest();
    server.clock.move((RESUME_MINUTES + 1) * 60_000);
    admin = await login(server);
    const token = await login(server, account, PASSWORD);
    const late = await listen(token, { last: (list[0]?.id ?? 0) - 1 });
    expect(late.received.map(({ event }) => event)).toEqual(['reset', 'counts']);
    expect(late.received[0]?.data).toEqual({ last });
    // Disconnected for as long, but without missed notifications.
    expect((await listen(token, { last })).received.map(({ event }) => event)).toEqual(['counts']);
    // An id that this database has not assigned.
    expect((await listen(token, { last: last + 1 })).received[0]?.event).toBe('reset');
    const [user] = await register(account, 1);
    await untilReceived(late, user ?? '');
    expect(accounts(late)).toEqual([user]);
  });

  test('a client that missed too many notifications starts over', async () => {
    const { id, token } = await operator();
    const { last } = (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data;
    await server.query(sql`
      insert into notice (type, noun, ref_type, ref_id, agent_id, created_at, recorded_at)
      select 'alarm.raised', 'alarm', 'withdraw', 1, ${id}, ${server.clock.now()}, ${server.clock.now()}
      from generate_series(1, ${RESUME_NOTIFICATIONS + 1})`);
    const behind = await server.query(sql<{ n: number }>`select count(*) as n from notice where seq is null`);
    expect(behind).toHaveLength(1);
    const numbered = async () => (await server.query(sql<{ last: number }>`select last from notice_seq`))[0]?.last ?? 0;
    await expect.poll(numbered).toBeGreaterThan(last + RESUME_NOTIFICATIONS);
    expect((await listen(token, { last: (await numbered()) - RESUME_NOTIFICATIONS })).notifications()).toHaveLength(
      RESUME_NOTIFICATIONS,
    );
    expect((await listen(token, { last: (await numbered()) - RESUME_NOTIFICATIONS - 1 })).received[0]?.event).toBe(
      'reset',
    );
  });
});

test('notifications of a transaction that commits late are sent late, not lost', async () => {
  const { account, id, token } = await operator();
  const stream = await listen(token);
  let commit = (): void => undefined;
  const committing = new Promise<void>((resolve) => (commit = resolve));
  let reportWritten = (): void => undefined;
  const written = new Promise<void>((resolve) => (reportWritten = resolve));
  const slow = inTransaction(server.app.system, async (db) => {
    const about = { refType: 'withdraw', refId: 77, agentId: id, detail: {}, now: server.clock.now() };
    await raiseAlarm(db, { kind: 'recharge.reversed', ...about });
    reportWritten();
    await committing;
  });
  await written;
  // The row of the slow transaction has a lower id, and is not visible yet.
  const [user] = await register(account, 1);
  await untilReceived(stream, user ?? '');
  expect(stream.notifications().map(({ type }) => type)).toEqual(['user.registered']);
  commit();
  await slow;
  await stream.until(() => stream.notifications().length === 2);
  expect(stream.notifications()[1]).toMatchObject({ type: 'alarm.raised', refType: 'alarm' });
  await stream.until(() => stream.counts()?.alarmOpen === 1);
});

describe('a stream ends with its session', () => {
  const endings: Record<string, (who: TestOperator) => Promise<unknown>> = {
    logout: ({ token }) => call(server, 'POST', 'logout', {}, { token }),
    password: ({ token }) =>
      call(server, 'POST', 'pwd_update', { oldPassword: PASSWORD, newPassword: 'another-password' }, { token }),
    ability: ({ id }) => call(server, 'POST', 'agent/state', { id, type: 3, state: 0 }, { token: admin }),
    kick: async ({ account }) => {
      const { data } = await call<Page<SessionRow>>(server, 'GET', 'session/list', { account }, { token: admin });
      return call(server, 'POST', 'session/kick', { id: data.list[0]?.id }, { token: admin });
    },
    disabled: ({ id }) => call(server, 'POST', 'agent/state', { id, type: 0, state: 0 }, { token: admin }),
  };
  test.each(Object.entries(endings))('%s', async (reason, end) => {
    const who = await operator();
    const stream = await listen(who.token);
    const bystander = await listen(admin);
    expect(await end(who)).toMatchObject({ code: 200 });
    await stream.ended;
    expect(stream.received.at(-1)).toEqual({ event: 'session', data: { reason }, id: undefined });
    expect(bystander.received.some(({ event }) => event === 'session')).toBe(false);
  });

  test('and the stream of another session of the operator stays open', async () => {
    const who = await operator();
    const stays = await listen(await login(server, who.account, PASSWORD));
    const goes = await listen(who.token);
    await call(server, 'POST', 'logout', {}, { token: who.token });
    await goes.ended;
    const [user] = await register(who.account, 1);
    await untilReceived(stays, user ?? '');
  });
});

test('a first stream that disconnects before its first message does not block later streams', async () => {
  const own = await testServer();
  const base = await own.server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const { account, token } = await makeOperator(own, await login(own), { abilities: [ABILITY.withdraw] });
    const connections = () => new Promise<number>((resolve) => own.server.server.getConnections((_, n) => resolve(n)));
    await inTransaction(own.app.system, async (db) => {
      await sql`lock table notice_seq in access exclusive mode`.execute(db);
      const request = get(`${base}${API_BASE}${notify.stream.path}`, { headers: { token } }).on(
        'error',
        () => undefined,
      );
      const reads = sql`
        select 1 from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.relation = 'notice_seq'::regclass and l.mode = 'AccessShareLock' and not l.granted`;
      await expect.poll(async () => (await reads.execute(db)).rows.length).toBe(1);
      request.destroy();
      await expect.poll(connections).toBe(0);
    });
    const stream = await listen(token, {}, base);
    const user = await makeUser(own, { agent: account });
    await untilReceived(stream, user);
    stream.abort();
  } finally {
    await own.stop();
  }
});

test('limits the streams of an operator, and a closed one frees its slot', async () => {
  const { token } = await operator();
  for (let index = 0; index < STREAMS_PER_OPERATOR; index += 1) await listen(token);
  await expect(openStream(url, token)).rejects.toMatchObject({ status: 429, envelope: { code: 429 } });
  await listen(admin);
  openStreams[0]?.abort();
  await expect
    .poll(() =>
      listen(token).then(
        () => 'open',
        () => 'full',
      ),
    )
    .toBe('open');
});

test('another server process on the same database sends, continues and ends the streams of this one', async () => {
  const other = await startOtherProcess(server);
  onTestFinished(async () => void (await other.kill()));
  const { account, token } = await operator();
  const [here, there] = [await listen(token), await listen(token, {}, other.url)];
  const users = await register(account, 3);
  for (const stream of [here, there]) await untilReceived(stream, users[2] ?? '');
  expect(accounts(there)).toEqual(users);
  expect(there.notifications()).toEqual(here.notifications());

  here.abort();
  const [missed] = await register(account, 1);
  await untilStored(missed, token);
  const continued = await listen(token, { last: here.notifications().at(-1)?.id ?? 0 }, other.url);
  await untilReceived(continued, missed ?? '');
  expect(accounts(continued)).toEqual([missed]);

  await call(server, 'POST', 'logout', {}, { token });
  for (const stream of [there, continued]) {
    await stream.ended;
    expect(stream.received.at(-1)).toMatchObject({ event: 'session', data: { reason: 'logout' } });
  }
  const last = await listen((await operator()).token, {}, other.url);
  expect(await other.stop()).toBe(0);
  await last.ended;
  expect(last.received.some(({ event }) => event === 'session')).toBe(false);
});

test('notifications arrive in the order of their numbers', async () => {
  const { account, token } = await operator();
  const stream = await listen(token);
  const users = Array.from({ length: 40 }, () => unique('many'));
  await Promise.all(
    users.map((user) => apply(server, { type: 'user.registered', data: { account: user, agent: account } })),
  );
  await stream.until(() => stream.notifications().length === 40);
  const ids = stream.notifications().map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(accounts(stream))).toEqual(new Set(users));
});
