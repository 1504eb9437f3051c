import { createHmac } from 'node:crypto';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ChannelList, ChannelRow, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import type { NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import {
  type MailSink,
  type Received,
  type Receiver,
  startMailSink,
  startReceiver,
} from '../../../../test/receiver.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';
import { fillOutbox, sendDue, sweepOutbox } from './channel.jobs.ts';
import { ATTEMPTS, claimDeliveries } from './delivery.store.ts';
import { sendDelivery } from './send.ts';

let server: TestServer;
let admin: string;
let owner: TestOperator;
let user: string;
let receiver: Receiver;
let mail: MailSink;

const never = new AbortController().signal;
const MINUTE = 60_000;

beforeAll(async () => {
  [receiver, mail] = await Promise.all([startReceiver(), startMailSink()]);
  server = await testServer({
    jobs: false,
    channels: {
      publicUrl: 'https://desk.example.com',
      hosts: [`127.0.0.1:${receiver.port}`, 'example.com'],
      allowPrivate: true,
      smtp: { url: `smtp://127.0.0.1:${mail.port}`, from: 'HengTai <desk@example.com>' },
      telegram: { token: '1:token', url: `http://127.0.0.1:${receiver.port}` },
    },
  });
  admin = await login(server);
  owner = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
  user = await makeUser(server, { agent: owner.account, amount: '50000' });
  await forget();
});
beforeEach(logIn);
afterEach(async () => {
  receiver.answer = (response) => void response.end('{}');
  await forget();
});
afterAll(async () => {
  await server.stop();
  await Promise.all([receiver.close(), mail.close()]);
});

/** Sessions end when the clock moves. */
async function logIn(): Promise<void> {
  admin = await login(server);
  owner.token = await login(server, owner.account, 'operator-password');
}

/** Processes what waits, and removes all channels. */
async function forget(): Promise<void> {
  await fill();
  await server.query(sql`delete from channel`);
  receiver.requests.length = 0;
  mail.mails.length = 0;
}

async function fill(): Promise<void> {
  while (await numberNotifications(server.app));
  while (await fillOutbox(server.app));
}

/** Sends everything that is due within the time that messages collect notifications. */
async function sendAll(): Promise<void> {
  await fill();
  server.clock.move(2_100);
  while (await sendDue(server.app, never));
}

async function makeChannel(change: Partial<ChannelSave> = {}, token = owner.token): Promise<ChannelSaved> {
  const input = { kind: 'webhook', name: 'desk', address: `http://127.0.0.1:${receiver.port}/in`, enabled: 1 };
  const types = ['withdraw.requested', 'alarm.raised'];
  const answer = await call<ChannelSaved>(server, 'POST', 'channel/save', { ...input, types, ...change }, { token });
  expect(answer).toMatchObject({ code: 200 });
  return answer.data;
}

const bodies = (): { id: string; type: string; count: number; link: string }[] =>
  receiver.requests.map(({ body }) => JSON.parse(body) as never);
const readChannel = async (id: number): Promise<ChannelRow | undefined> =>
  (await call<ChannelList>(server, 'GET', 'channel/list', {}, { token: owner.token })).data.channels.find(
    (one) => one.id === id,
  );
const setState = (state: number) => server.query(sql`update agent set state = ${state} where id = ${owner.id}`);

describe('what leaves the house', () => {
  test('is the kind, the number, the time and a link, signed', async () => {
    const { secret = '' } = await makeChannel();
    const row = await makeWithdraw(server, admin, user, { amount: '123.45' });
    await sendAll();
    expect(receiver.requests).toHaveLength(1);
    const [{ headers, body, path } = {} as Received] = receiver.requests;
    const at = expect.any(Number) as number;
    expect(JSON.parse(body)).toEqual({
      id: headers['x-hengtai-delivery'],
      type: 'withdraw.requested',
      title: '新提现申请',
      count: 1,
      firstAt: at,
      lastAt: at,
      link: expect.stringMatching(/^https:\/\/desk\.example\.com\/withdraw/) as string,
    });
    expect(path).toBe('/in');
    for (const hidden of [user, owner.account, '123.45', row.no, row.address, 'USDT'])
      expect(body).not.toContain(hidden);
    const text = `${String(headers['x-hengtai-time'])}.${body}`;
    expect(headers['x-hengtai-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'));
  });

  test('counts notifications of one type in one message', async () => {
    const { channel } = await makeChannel();
    for (let n = 0; n < 3; n += 1) {
      await makeWithdraw(server, admin, user);
      await fill();
    }
    expect((await readChannel(channel.id))?.waiting).toBe(1);
    await sendAll();
    expect(bodies()).toMatchObject([
      { type: 'withdraw.requested', count: 3, link: 'https://desk.example.com/withdraw' },
    ]);
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(bodies().map(({ count }) => count)).toEqual([3, 1]);
    expect(await readChannel(channel.id)).toMatchObject({ waiting: 0, error: '', sentAt: expect.any(Number) });
  });

  test('is only what the operator may see and the channel asks for', async () => {
    const [sibling, idle] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    await makeChannel({ types: ['withdraw.requested'] }, sibling.token);
    await makeChannel({ types: ['approval.asked'] });
    await makeChannel({ enabled: 0 });
    await makeChannel({}, idle.token);
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(receiver.requests).toEqual([]);
    await makeChannel({ types: ['withdraw.requested'] }, admin);
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(receiver.requests).toHaveLength(1);
  });

  test('ends with the operator, and goes on with it', async () => {
    await makeChannel();
    await makeWithdraw(server, admin, user);
    await fill();
    await setState(0);
    await sendAll();
    await makeWithdraw(server, admin, user);
    await sendAll();
    await setState(1);
    await sendAll();
    expect(receiver.requests).toEqual([]);
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(bodies()).toMatchObject([{ count: 1 }]);
    await server.query(sql`update agent set deleted_at = 1 where id = ${owner.id}`);
    await sweepOutbox(server.app);
    expect(await server.query(sql`select 1 from channel`)).toEqual([]);
    await server.query(sql`update agent set deleted_at = null where id = ${owner.id}`);
  });
});

describe('each message is sent', () => {
  test('once, by any number of processes at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeChannel()));
    for (let n = 0; n < 4; n += 1) await makeWithdraw(server, admin, user);
    while (await numberNotifications(server.app));
    await Promise.all(Array.from({ length: 6 }, () => fillOutbox(server.app)));
    await fill();
    server.clock.move(2_100);
    await Promise.all(Array.from({ length: 6 }, () => sendDue(server.app, never)));
    await sendAll();
    expect(bodies().map(({ count }) => count)).toEqual(made.map(() => 4));
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(made.length);
  });

  test('again under the same id if the process dies before it records the result', async () => {
    await makeChannel();
    await makeWithdraw(server, admin, user);
    await fill();
    server.clock.move(2_100);
    const [claimed] = await claimDeliveries(server.app.system, server.clock.now());
    if (!claimed) throw new Error('no message is due');
    await sendDelivery(server.app, claimed, 'UTC', never);
    // What comes in after the first attempt must not change its message.
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(bodies().map(({ count }) => count)).toEqual([1, 1]);
    expect(bodies()[0]?.id).not.toBe(bodies()[1]?.id);
    server.clock.move(MINUTE);
    await sendAll();
    expect(bodies()[2]).toEqual(bodies()[0]);
    server.clock.move(10 * MINUTE);
    await sendAll();
    expect(receiver.requests).toHaveLength(3);
  });

  test('again at once if the process stops', async () => {
    await makeChannel();
    await makeWithdraw(server, admin, user);
    await fill();
    server.clock.move(2_100);
    const stopController = new AbortController();
    receiver.answer = () => stopController.abort();
    expect(await sendDue(server.app, stopController.signal)).toBe(false);
    receiver.answer = (response) => void response.end('{}');
    await sendAll();
    expect(bodies().map(({ id }) => id)).toEqual([bodies()[0]?.id, bodies()[0]?.id]);
  });

  test('not by a process whose lease has ended', async () => {
    const { channel } = await makeChannel();
    await makeWithdraw(server, admin, user);
    await fill();
    server.clock.move(2_100);
    const held = sendDue(server.app, never);
    let finish: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        finish = () => void response.writeHead(500).end();
        resolve();
      };
    });
    await arrived;
    server.clock.move(MINUTE);
    receiver.answer = (response) => void response.end('{}');
    await sendAll();
    finish?.();
    await held;
    // The late failure of the first process changes nothing.
    expect(await readChannel(channel.id)).toMatchObject({ waiting: 0, error: '', failedAt: null });
  });
});

describe('a message that is not accepted', () => {
  test('is repeated with growing pauses, then given up, and the owner is notified once', async () => {
    const { channel } = await makeChannel();
    receiver.answer = (response) => void response.writeHead(500).end();
    await makeWithdraw(server, admin, user);
    await sendAll();
    await sendAll();
    expect(receiver.requests).toHaveLength(1);
    expect(await readChannel(channel.id)).toMatchObject({ waiting: 1, error: '对方返回 HTTP 500', failedAt: null });
    for (let n = 1; n < ATTEMPTS + 3; n += 1) {
      server.clock.move(180 * MINUTE);
      await sendAll();
    }
    expect(receiver.requests).toHaveLength(ATTEMPTS);
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(1);
    await logIn();
    expect(await readChannel(channel.id)).toMatchObject({ waiting: 0, failedAt: expect.any(Number) });
    const facts = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: owner.token });
    const failures = facts.data.list.filter(({ type, refId }) => type === 'channel.failed' && refId === channel.id);
    expect(failures).toHaveLength(1);
    receiver.answer = (response) => void response.end('{}');
    await makeWithdraw(server, admin, user);
    await sendAll();
    expect(await readChannel(channel.id)).toMatchObject({ error: '', failedAt: null });
  });

  test('is given up at once if the settings no longer allow its host', async () => {
    const { channel } = await makeChannel();
    await makeWithdraw(server, admin, user);
    const { hosts } = server.app.channels;
    server.app.channels.hosts = ['example.com'];
    await sendAll();
    server.app.channels.hosts = hosts;
    expect(receiver.requests).toEqual([]);
    expect(await readChannel(channel.id)).toMatchObject({ waiting: 0, error: '该主机不在允许的名单中' });
  });
});

test('a test message is sent at once, also by a disabled channel', async () => {
  const { channel } = await makeChannel({ enabled: 0 });
  for (let n = 0; n < 3; n += 1) await call(server, 'POST', 'channel/test', { id: channel.id }, { token: owner.token });
  while (await sendDue(server.app, never));
  expect(bodies()).toMatchObject([{ type: 'channel.test', count: 1, link: 'https://desk.example.com/channel' }]);
});

test('mail has a stable id and no sender’s choice of recipients', async () => {
  await makeChannel({ kind: 'mail', address: 'duty@example.com' });
  await makeWithdraw(server, admin, user);
  await fill();
  server.clock.move(2_100);
  const [claimed] = await claimDeliveries(server.app.system, server.clock.now());
  if (!claimed) throw new Error('no message is due');
  await sendDelivery(server.app, claimed, 'Asia/Shanghai', never);
  server.clock.move(MINUTE);
  await sendAll();
  expect(mail.mails.map(({ to }) => to)).toEqual([['duty@example.com'], ['duty@example.com']]);
  for (const { text } of mail.mails) {
    expect(text).toContain(`Message-ID: <${claimed.id}@hengtai>`);
    expect(text).not.toContain(user);
  }
});

test('Telegram gets a text', async () => {
  await makeChannel({ kind: 'telegram', address: '-100123' });
  await makeWithdraw(server, admin, user);
  await sendAll();
  const [{ path, body } = {} as Received] = receiver.requests;
  expect(path).toBe('/bot1:token/sendMessage');
  expect(JSON.parse(body)).toMatchObject({
    chat_id: '-100123',
    text: expect.stringMatching(/^【衡台】新提现申请\n时间：[\d\-: ]+（Asia\/Shanghai）\nhttps:\/\/desk/) as string,
  });
});
