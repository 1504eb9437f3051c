// @module-tag full
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_BODY_MAX, RECEIVE_LIMITS } from '../src/http/receive-limits.ts';
import { type TestServer, login, testServer } from './server.ts';
import { openStream } from './stream.ts';

/** Small limits, ordered like the real ones. */
const SHORT_LIMITS = {
  headersMs: 300,
  bodyMs: 500,
  idleMs: 600,
  checkMs: 50,
  minUploadBytes: 4,
  unfinishedPerAddress: 4,
};

let server: TestServer;
let url: string;
let token: string;
const lines: { level: number; msg: string; path?: string }[] = [];

beforeAll(async () => {
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const log = pino({ level: 'debug' }, { write });
  server = await testServer({ jobs: false, receive: SHORT_LIMITS, trustProxy: 1, log });
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  token = await login(server);
});
afterAll(() => server.stop());

interface Client {
  socket: Socket;
  received: () => string;
  isClosed: () => boolean;
  closed: Promise<void>;
}

/** Opens a connection and sends this text. */
function openConnection(text: string): Client {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => {
      isClosed = true;
      resolve();
    }),
  );
  socket.write(text);
  return { socket, received: () => received, isClosed: () => isClosed, closed };
}

const requestHead = (path: string, headers: Record<string, string | number>): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
const LOGIN = `${API_BASE}login`;
const SAVE = `${API_BASE}preference/save`;
const waitForStatusLine = (client: Client): Promise<string> =>
  expect
    .poll(client.received)
    .toContain('HTTP/1.1')
    .then(() => client.received().split('\r\n')[0] ?? '');

describe('a request that is not received in time is closed', () => {
  test('the product allows 10 s for headers, 30 s for a body and 75 s without a request', () => {
    expect(RECEIVE_LIMITS).toMatchObject({
      headersMs: 10_000,
      bodyMs: 30_000,
      idleMs: 75_000,
      unfinishedPerAddress: 64,
    });
    const { headersTimeout, keepAliveTimeout, requestTimeout } = server.server.server;
    expect([headersTimeout, keepAliveTimeout, requestTimeout]).toEqual([
      SHORT_LIMITS.headersMs,
      SHORT_LIMITS.idleMs,
      0,
    ]);
  });

  test('headers', async () => {
    const client = openConnection(`POST ${LOGIN} HTTP/1.1\r\nhost: localhost\r\n`);
    await client.closed;
    expect(client.received()).toContain('408');
  });

  test('a body, without a session or with one', async () => {
    const clients = [
      openConnection(requestHead(LOGIN, { 'content-length': 100 })),
      openConnection(requestHead(SAVE, { token, 'content-length': 100 })),
      // This client keeps sending, but slower than the minimum rate.
      openConnection(requestHead(SAVE, { token, 'content-length': 100 })),
    ];
    const slowSender = setInterval(() => clients[2]?.socket.write(' '), SHORT_LIMITS.bodyMs / 2);
    await Promise.all(clients.map(({ closed }) => closed));
    clearInterval(slowSender);
  });

  test('an idle connection', async () => {
    const client = openConnection(requestHead(LOGIN, { 'content-length': 2 }) + '{}');
    await waitForStatusLine(client);
    expect(client.isClosed()).toBe(false);
    await client.closed;
  });
});

describe('an active connection stays open', () => {
  test('an upload with a session, while it makes progress', async () => {
    const body = `{"surplus":"${'x'.repeat(4_000)}"}`;
    const client = openConnection(requestHead(SAVE, { token, 'content-length': body.length }));
    for (let at = 0; at < body.length; at += 200) {
      client.socket.write(body.slice(at, at + 200));
      await sleep((SHORT_LIMITS.bodyMs * 3) / 20);
    }
    await waitForStatusLine(client);
    expect(client.received()).toContain('"code":422');
    client.socket.destroy();
  });

  test('a stream', async () => {
    const stream = await openStream(url, token);
    let isOver = false;
    void stream.ended.then(() => (isOver = true));
    await sleep(SHORT_LIMITS.bodyMs * 3);
    expect(isOver).toBe(false);
    stream.abort();
  });
});

describe('without a session', () => {
  test('a body has at most 4 kB, with or without a declared length', async () => {
    const oversized = openConnection(requestHead(LOGIN, { 'content-length': PUBLIC_BODY_MAX + 1 }));
    expect(await waitForStatusLine(oversized)).toContain('413');
    await oversized.closed;
    const chunk = `${(PUBLIC_BODY_MAX + 1).toString(16)}\r\n${' '.repeat(PUBLIC_BODY_MAX + 1)}\r\n`;
    const chunked = openConnection(requestHead(LOGIN, { 'transfer-encoding': 'chunked' }) + chunk);
    expect(await waitForStatusLine(chunked)).toContain('413');
    await chunked.closed;
    const maximal = openConnection(
      requestHead(LOGIN, { 'content-length': PUBLIC_BODY_MAX }) + '{}'.padEnd(PUBLIC_BODY_MAX),
    );
    expect(await waitForStatusLine(maximal)).toContain('200');
    maximal.socket.destroy();
  });

  test('a body is not read without a token, on an unknown path or with invalid gateway headers', async () => {
    const time = server.clock.now();
    const key = server.app.platform.key;
    const refusals = [
      [openConnection(requestHead(SAVE, { 'content-length': 100 })), '200'],
      [openConnection(requestHead(`${API_BASE}nowhere`, { 'content-length': 100 })), '404'],
      [openConnection(requestHead('/platform/v1/events', { 'content-length': 100 })), '401'],
      [
        openConnection(requestHead('/platform/v1/events', { 'content-length': 100, 'x-key': 'other', 'x-time': time })),
        '401',
      ],
      [
        openConnection(
          requestHead('/platform/v1/events', { 'content-length': 100, 'x-key': key, 'x-time': time - 600_000 }),
        ),
        '401',
      ],
    ] as const;
    for (const [client, status] of refusals) {
      expect(await waitForStatusLine(client)).toContain(status);
      await client.closed;
    }
    const signed = openConnection(
      requestHead('/platform/v1/events', { 'content-length': 2, 'x-key': key, 'x-time': time }),
    );
    await sleep(100);
    expect([signed.received(), signed.isClosed()]).toEqual(['', false]);
    signed.socket.write('[]');
    expect(await waitForStatusLine(signed)).toContain('401');
    signed.socket.destroy();
  });

  test('an excess of unfinished requests closes the oldest of the same address only', async () => {
    const sendUnfinished = async (address: string, headers = {}): Promise<Client> => {
      const client = openConnection(
        requestHead(LOGIN, { 'content-length': 2, 'x-forwarded-for': address, ...headers }),
      );
      await sleep(20);
      return client;
    };
    const other = await sendUnfinished('10.0.0.2');
    const clients: Client[] = [];
    for (let n = 0; n < SHORT_LIMITS.unfinishedPerAddress; n += 1) clients.push(await sendUnfinished('10.0.0.1'));
    expect(clients.map((client) => client.isClosed())).toEqual([false, false, false, false]);
    clients.push(await sendUnfinished('10.0.0.1'));
    await clients[0]?.closed;
    expect(clients.map((client) => client.isClosed())).toEqual([true, false, false, false, false]);
    // A finished request frees a slot.
    clients[1]?.socket.write('{}');
    await expect.poll(() => clients[1]?.received()).toContain('"code":422');
    await sendUnfinished('10.0.0.1');
    expect([other, ...clients.slice(2)].map((client) => client.isClosed())).toEqual([false, false, false, false]);
    for (const { socket } of [other, ...clients]) socket.destroy();
  });

  test('requests with a session are not limited', async () => {
    const clients = Array.from({ length: SHORT_LIMITS.unfinishedPerAddress + 2 }, () =>
      openConnection(requestHead(SAVE, { token, 'content-length': 100 })),
    );
    await sleep(150);
    expect(clients.filter((client) => client.isClosed())).toEqual([]);
    for (const { socket } of clients) socket.destroy();
  });
});

test('an aborted body is not logged as a server error', async () => {
  lines.length = 0;
  const key = { 'x-key': server.app.platform.key, 'x-time': server.clock.now() };
  const clients = [
    openConnection(requestHead(SAVE, { token, 'content-length': 100 }) + '{'),
    openConnection(requestHead('/platform/v1/events', { ...key, 'content-length': 100 }) + '{'),
  ];
  await sleep(100);
  for (const { socket } of clients) socket.destroy();
  const aborted = (path: string): boolean => lines.some((line) => line.msg === 'request aborted' && line.path === path);
  await expect.poll(() => [SAVE, '/platform/v1/events'].map(aborted)).toEqual([true, true]);
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
});
