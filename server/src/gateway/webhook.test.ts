import { createHmac } from 'node:crypto';
import { COMMAND, UNKNOWN_AFTER_MS, signedText } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freezeClock } from '../../test/book.ts';
import * as commands from '../../test/commands.ts';
import type { LeasedCommand } from '../../test/commands.ts';
import { findWithdraw } from '../../test/factories.ts';
import { startOtherProcess } from '../../test/other-process.ts';
import { type Received, type Receiver, startReceiver } from '../../test/receiver.ts';
import { type TestServer, login, testServer } from '../../test/server.ts';
import type { App } from '../app/context.ts';
import { platform } from '../modules.ts';
import { publishCommands, timeOutCommands } from './publisher.ts';
import { pushCommands } from './webhook.ts';

let server: TestServer;
let app: App;
let admin: string;
let receiver: Receiver;
let url: string;
let clock: ReturnType<typeof freezeClock>;

const never = new AbortController().signal;
const PATH = '/hook?of=exchange';

beforeAll(async () => {
  [receiver, server] = await Promise.all([startReceiver(), testServer({ jobs: false })]);
  url = `http://127.0.0.1:${receiver.port}${PATH}`;
  app = { ...server.app, platformWebhook: url };
  admin = await login(server);
});
beforeEach(async () => {
  await commands.finishAll(server);
  receiver.requests.length = 0;
  receiver.answer = (response) => void response.end();
  clock = freezeClock(server);
});
afterEach(() => clock.release());
afterAll(async () => {
  vi.restoreAllMocks();
  await server.stop();
  await receiver.close();
});

const push = (one = app, stopSignal = never) => pushCommands(one, platform.answers, stopSignal);
async function pushAll(): Promise<void> {
  await publishCommands(server.app);
  while (await push());
}
const timeOut = () => timeOutCommands(server.app, platform.answers);
const stored = (id: number) => commands.stored(server, id);

const parse = (body: string): LeasedCommand[] => JSON.parse(body) as LeasedCommand[];
/** The record numbers of the commands of each request, in order of arrival. */
const received = (): string[][] =>
  receiver.requests.map(({ body }) => parse(body).map(({ data }) => String(data['no'])));
const nothing: Received = { path: '', headers: {}, body: '' };
const lastBody = (): LeasedCommand[] => parse(receiver.requests.at(-1)?.body ?? '[]');

test('nothing is sent without an address', async () => {
  await commands.enqueueFor(server, 1);
  expect(await push(server.app)).toBe(false);
  expect(await commands.lease(server)).toHaveLength(1);
});

describe('a request', () => {
  test('has the commands as a program with leases gets them, signed as a call of the gateway', async () => {
    const { no } = await commands.makePassedWithdraw(server, admin);
    await commands.enqueueFor(server, 1);
    await pushAll();
    const [{ headers, body, path } = nothing, ...more] = receiver.requests;
    expect(more).toEqual([]);
    expect(parse(body)).toEqual([
      {
        seq: expect.any(Number),
        id: expect.any(Number),
        type: 'withdraw.payout',
        at: expect.any(Number),
        attempt: 1,
        data: expect.objectContaining({ no, amount: '99' }),
        lease: expect.any(String),
        leaseUntil: server.clock.now() + 60_000,
      },
      expect.objectContaining({ type: 'recharge.reviewed' }),
    ]);
    expect(path).toBe(PATH);
    const time = String(headers['x-time']);
    expect(Number(time)).toBe(server.clock.now());
    const { key, secret } = server.app.platform;
    const signature = createHmac('sha256', secret)
      .update(signedText(time, 'POST', PATH, body))
      .digest('hex');
    expect(headers).toMatchObject({ 'x-key': key, 'x-signature': signature });
  });

  test('is signed with the older key during a rotation', async () => {
    const previous = { key: 'older-key', secret: 'older-secret' };
    await commands.enqueueFor(server, 1);
    await publishCommands(server.app);
    await push({ ...app, platform: { ...app.platform, previous } });
    const [{ headers, body } = nothing] = receiver.requests;
    const text = signedText(String(headers['x-time']), 'POST', PATH, body);
    const signature = createHmac('sha256', previous.secret).update(text).digest('hex');
    expect(headers).toMatchObject({ 'x-key': previous.key, 'x-signature': signature });
  });

  test('never goes to an address that no receiver has', async () => {
    await commands.enqueueFor(server, 1);
    await publishCommands(server.app);
    expect(await push({ ...app, platformWebhook: 'http://169.254.169.254/hook' })).toBe(false);
    expect(await commands.pull(server, 'peek=1')).toHaveLength(1);
  });
});

describe('an answer with 2xx', () => {
  test('is the receipt: without an ack a payout becomes unknown, anything else is sent again', async () => {
    const { no } = await commands.makePassedWithdraw(server, admin);
    await commands.enqueueFor(server, 1);
    receiver.answer = (response) => void response.writeHead(204).end();
    await pushAll();
    const [payout, review] = lastBody();
    expect(await stored(payout?.id ?? 0)).toMatchObject({ state: COMMAND.sent });
    clock.move(UNKNOWN_AFTER_MS);
    await timeOut();
    expect((await findWithdraw(server, admin, no)).state).toBe(8);
    await pushAll();
    expect(received().map((numbers) => numbers.toSorted())).toEqual([
      ['R-1', no],
      ['R-1', no],
    ]);
    expect(lastBody().map(({ type, id }) => [type, id])).toEqual([
      ['withdraw.reviewed', expect.any(Number)],
      ['recharge.reviewed', review?.id],
    ]);
  });

  test('may have acks of its commands; other acks and texts are ignored', async () => {
    const { no } = await commands.makePassedWithdraw(server, admin);
    await commands.enqueueFor(server, 1);
    const [other] = await commands.lease(server, 600, '&limit=1');
    receiver.answer = (response) => {
      const acks = lastBody().map(({ id, lease }) => ({ id, lease, state: 'done' }));
      response.end(JSON.stringify([...acks, { id: other?.id, state: 'failed' }]));
    };
    await pushAll();
    expect(received()).toEqual([['R-1']]);
    expect(await stored(lastBody()[0]?.id ?? 0)).toMatchObject({ state: COMMAND.done });
    expect(await stored(other?.id ?? 0)).toMatchObject({ state: COMMAND.waiting });
    expect((await findWithdraw(server, admin, no)).state).toBe(2);
    for (const text of ['ok', '{"code":200}', '[{"id":1,"state":"paid"}]']) {
      await commands.enqueueFor(server, 2);
      receiver.answer = (response) => void response.end(text);
      await pushAll();
      expect(await stored(lastBody()[0]?.id ?? 0)).toMatchObject({ state: COMMAND.sent });
      await commands.finishAll(server);
    }
  });
});

/** The time limits of the requests, which tests let run out. */
const limits: AbortController[] = [];
vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
  const limit = new AbortController();
  limits.push(limit);
  return limit.signal;
});

/** What a receiver does that takes no command. */
const failures: readonly [string, Receiver['answer']][] = [
  ['answers 500', (response) => void response.writeHead(500).end()],
  ['answers 302', (response) => void response.writeHead(302, { location: '/' }).end()],
  ['does not answer in time', () => limits.at(-1)?.abort(new DOMException('The time is over.', 'TimeoutError'))],
  ['breaks the connection without an answer', (response) => void response.destroy()],
  [
    'breaks the connection within its answer',
    (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('[', () => response.destroy());
    },
  ],
];

describe.each(failures)('a receiver that %s', (_what, answer) => {
  test('gets the commands again after pauses that double, and nothing becomes unknown', async () => {
    const { no } = await commands.makePassedWithdraw(server, admin);
    await commands.enqueueFor(server, 1);
    receiver.answer = answer;
    await pushAll();
    expect(received()).toEqual([[no, 'R-1']]);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      receiver.requests.length = 0;
      clock.move(seconds * 1_000 - 1);
      await timeOut();
      await pushAll();
      expect(received()).toEqual([]);
      clock.move(1);
      // One by one, so that one of them cannot hold up the other.
      await pushAll();
      await pushAll();
      expect(received().map(String).toSorted()).toEqual(['R-1', no].toSorted());
    }
    expect((await findWithdraw(server, admin, no)).state).toBe(2);
    receiver.answer = (response) =>
      void response.end(JSON.stringify(lastBody().map(({ id }) => ({ id, state: 'done' }))));
    clock.move(300_000);
    await pushAll();
    expect((await findWithdraw(server, admin, no)).state).toBe(3);
  });
});

describe('commands of one record', () => {
  test('arrive in order, whatever fails, while others go on', async () => {
    await commands.enqueueFor(server, 1, 2, 1, 3);
    receiver.answer = (response) => {
      const isRefused = lastBody().some(({ data }) => data['no'] === 'R-1');
      response.writeHead(isRefused ? 500 : 200).end();
    };
    await pushAll();
    expect(received()).toEqual([['R-1', 'R-2', 'R-3']]);
    await commands.enqueueFor(server, 4);
    clock.move(1_000);
    for (let n = 0; n < 3; n += 1) await pushAll();
    expect(received().slice(1).map(String).toSorted()).toEqual(['R-1', 'R-2', 'R-3', 'R-4']);
    const [first] = parse(
      receiver.requests.find(({ body }) => body.startsWith('[') && parse(body)[0]?.data['no'] === 'R-1')?.body ?? '[]',
    );
    receiver.answer = (response) => void response.end();
    clock.move(2_000);
    receiver.requests.length = 0;
    await pushAll();
    expect(lastBody()).toMatchObject([{ id: first?.id }]);
    await commands.post(server, 'ack', [{ id: first?.id, state: 'done' }]);
    await pushAll();
    expect(lastBody()).toMatchObject([{ data: { no: 'R-1' } }]);
    expect(lastBody()[0]?.seq).toBeGreaterThan(first?.seq ?? Infinity);
  });

  test('wait for a receiver that hangs, others do not; a stop returns them', async () => {
    await commands.enqueueFor(server, 1, 1);
    await publishCommands(server.app);
    receiver.answer = () => undefined;
    const stopController = new AbortController();
    const hanging = push(app, stopController.signal);
    await vi.waitFor(() => expect(received()).toEqual([['R-1']]));
    receiver.answer = (response) => void response.end();
    await commands.enqueueFor(server, 2);
    await pushAll();
    expect(received()).toEqual([['R-1'], ['R-2']]);
    stopController.abort();
    expect(await hanging).toBe(false);
    clock.move(1_000);
    await pushAll();
    expect(received()).toEqual([['R-1'], ['R-2'], ['R-1']]);
  });
});

describe('several servers', () => {
  test('never send the same at once', async () => {
    const records = Array.from({ length: 200 }, (_, n) => 1_000 + n);
    await commands.enqueueFor(server, ...records);
    await publishCommands(server.app);
    const sender = async (): Promise<void> => {
      while (await push({ ...app }));
    };
    await Promise.all([sender(), sender(), sender(), sender()]);
    expect(received().flat().toSorted()).toEqual(records.map((id) => `R-${id}`));
  });

  test('send again what a killed one was sending', { tags: ['full'] }, async () => {
    clock.release();
    receiver.answer = () => undefined;
    await commands.enqueueFor(server, 1);
    const other = await startOtherProcess(server, { PLATFORM_WEBHOOK: url });
    await vi.waitFor(() => expect(received()).toEqual([['R-1']]), { timeout: 30_000 });
    await other.kill();
    await pushAll();
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = (response) => void response.end();
    server.clock.move(61_000);
    await pushAll();
    expect(received()).toEqual([['R-1'], ['R-1']]);
    const [rows] = await server.query(sql<{ open: number }>`select count(*) as open from command where state = 0`);
    expect(rows).toEqual({ open: 0 });
  });
});
