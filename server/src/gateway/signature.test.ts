import { createHmac } from 'node:crypto';
import { EVENTS_MAX, SIGNATURE_WINDOW_MS, signedText } from '@hengtai/contract/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint, freezeClock } from '../../test/book.ts';
import { type TestServer, platformCall, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

interface Sent {
  method: 'GET' | 'POST';
  url: string;
  body: string;
  headers: Record<string, string>;
}

const MARKETS = '/platform/v1/markets';
const EVENTS = '/platform/v1/events';

/** A signed call. What a test alters afterwards is not covered by the signature. */
function signed(method: 'GET' | 'POST', url: string, body = '', time = String(server.clock.now())): Sent {
  const { key, secret } = server.app.platform;
  const signature = createHmac('sha256', secret)
    .update(signedText(time, method, url, body))
    .digest('hex');
  return { method, url, body, headers: { 'x-key': key, 'x-time': time, 'x-signature': signature } };
}

async function ask({ method, url, body, headers }: Sent): Promise<{ status: number; body: unknown }> {
  const type = method === 'POST' ? { 'content-type': 'application/json' } : {};
  const response = await server.server.inject({
    method,
    url,
    headers: { ...type, ...headers },
    ...(method === 'POST' ? { payload: body } : {}),
  });
  return { status: response.statusCode, body: response.json() };
}

const notSigned = { status: 401, body: { code: 401, msg: '签名无效', data: null } };
const registration = (account: string): string =>
  JSON.stringify([{ eventId: unique('signed-'), type: 'user.registered', at: server.clock.now(), data: { account } }]);

describe('a signed call', () => {
  test('is accepted as GET and as POST', async () => {
    expect(await ask(signed('GET', MARKETS))).toMatchObject({ status: 200, body: { code: 200, msg: 'ok' } });
    const answer = await ask(signed('POST', EVENTS, registration(unique('user'))));
    expect(answer).toMatchObject({ status: 200, body: { code: 200, data: [{ result: 'applied' }] } });
  });

  test('is accepted with any content type and without one', async () => {
    const bare = signed('POST', EVENTS, registration(unique('user')));
    const response = await server.server.inject({
      method: 'POST',
      url: EVENTS,
      headers: bare.headers,
      payload: bare.body,
    });
    expect(response.statusCode).toBe(200);
    const plain = signed('POST', EVENTS, registration(unique('user')));
    expect(await ask({ ...plain, headers: { ...plain.headers, 'content-type': 'text/plain' } })).toMatchObject({
      status: 200,
    });
  });

  test('signs the raw body: characters outside ASCII count as UTF-8', async () => {
    const body = JSON.stringify([
      {
        eventId: unique('signed-'),
        type: 'user.registered',
        at: 1,
        data: { account: unique('user'), remark: '重要客户 ✓' },
      },
    ]);
    expect(await ask(signed('POST', EVENTS, body))).toMatchObject({
      status: 200,
      body: { data: [{ result: 'applied' }] },
    });
  });

  test('may be five minutes off in either direction, and not a millisecond more', async () => {
    const clock = freezeClock(server);
    try {
      for (const off of [-SIGNATURE_WINDOW_MS, SIGNATURE_WINDOW_MS]) {
        expect(await ask(signed('GET', MARKETS, '', String(clock.at + off)))).toMatchObject({ status: 200 });
      }
      for (const off of [-SIGNATURE_WINDOW_MS - 1, SIGNATURE_WINDOW_MS + 1]) {
        expect(await ask(signed('GET', MARKETS, '', String(clock.at + off)))).toEqual(notSigned);
      }
    } finally {
      clock.release();
    }
  });
});

describe('refused with 401 and without effect', () => {
  test.each(['x-key', 'x-time', 'x-signature'])('without the header %s', async (header) => {
    const { headers, ...call } = signed('GET', MARKETS);
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header));
    expect(await ask({ ...call, headers: rest })).toEqual(notSigned);
  });

  test('with another key', async () => {
    const call = signed('GET', MARKETS);
    expect(await ask({ ...call, headers: { ...call.headers, 'x-key': 'other-key' } })).toEqual(notSigned);
  });

  test('with another secret', async () => {
    const call = signed('GET', MARKETS);
    const text = signedText(call.headers['x-time'] ?? '', 'GET', MARKETS, '');
    const signature = createHmac('sha256', 'other-secret').update(text).digest('hex');
    expect(await ask({ ...call, headers: { ...call.headers, 'x-signature': signature } })).toEqual(notSigned);
  });

  test('with a signature that is empty, cut, lengthened or in upper case', async () => {
    const call = signed('GET', MARKETS);
    const right = call.headers['x-signature'] ?? '';
    for (const signature of ['', right.slice(0, -1), `${right}0`, right.toUpperCase()]) {
      expect(await ask({ ...call, headers: { ...call.headers, 'x-signature': signature } })).toEqual(notSigned);
    }
  });

  test.each(['', 'now', '1e12', '-1', '1700000000000.5', '0x10', '12345678901234567'])(
    'with x-time %j',
    async (time) => {
      expect(await ask(signed('GET', MARKETS, '', time))).toEqual(notSigned);
    },
  );

  test('with a time that was not signed', async () => {
    const call = signed('GET', MARKETS);
    const time = String(Number(call.headers['x-time']) + 1);
    expect(await ask({ ...call, headers: { ...call.headers, 'x-time': time } })).toEqual(notSigned);
  });

  test('with another body', async () => {
    const before = await fingerprint(server);
    const call = signed('POST', EVENTS, registration('honest'));
    expect(await ask({ ...call, body: call.body.replace('honest', 'forged') })).toEqual(notSigned);
    expect(await ask({ ...call, body: `${call.body} ` })).toEqual(notSigned);
    expect(await fingerprint(server)).toEqual(before);
  });

  test('for another path', async () => {
    expect(await ask({ ...signed('GET', MARKETS), url: '/platform/v1/commands' })).toEqual(notSigned);
  });

  test('for another query', async () => {
    const call = signed('GET', '/platform/v1/commands?after=0');
    for (const url of [
      '/platform/v1/commands?after=1',
      '/platform/v1/commands',
      '/platform/v1/commands?after=0&limit=1',
    ]) {
      expect(await ask({ ...call, url })).toEqual(notSigned);
    }
  });

  test('for another method', async () => {
    expect(await ask({ ...signed('POST', MARKETS), method: 'GET' })).toEqual(notSigned);
  });
});

describe('a malformed call', () => {
  test('an unknown path or method is 404, with an envelope', async () => {
    const none = { status: 404, body: { code: 404, msg: '接口不存在', data: null } };
    expect(await ask(signed('GET', '/platform/v1/nothing'))).toEqual(none);
    expect(await ask(signed('GET', EVENTS))).toEqual(none);
    expect(await ask(signed('POST', MARKETS))).toEqual(none);
  });

  test('a body of 8 MiB is read, a longer one is 413', async () => {
    const max = 8 * 1024 * 1024;
    expect(await ask(signed('POST', EVENTS, ' '.repeat(max)))).toMatchObject({ status: 422 });
    expect(await ask(signed('POST', EVENTS, ' '.repeat(max + 1)))).toMatchObject({
      status: 413,
      body: { code: 413, data: null },
    });
  });

  test.each(['', '{', '[{]', 'undefined', "[{'eventId':1}]"])('the broken JSON %j is 422', async (body) => {
    expect(await ask(signed('POST', EVENTS, body))).toMatchObject({ status: 422, body: { code: 422 } });
  });

  const event = { eventId: 'shape', type: 'user.login', at: 1, data: {} };
  const malformed: [string, unknown][] = [
    ['an object', event],
    ['null', null],
    ['a text', 'events'],
    ['no event', []],
    [
      'a thousand and one events',
      Array.from({ length: EVENTS_MAX + 1 }, (_, n) => ({ ...event, eventId: `shape-${n}` })),
    ],
    ['an event that is no object', [1]],
    ['no eventId', [{ type: 'user.login', at: 1, data: {} }]],
    ['no type', [{ eventId: 'shape', at: 1, data: {} }]],
    ['no time', [{ eventId: 'shape', type: 'user.login', data: {} }]],
    ['no data', [{ eventId: 'shape', type: 'user.login', at: 1 }]],
    ['an unknown field', [{ ...event, extra: 1 }]],
    ['an empty eventId', [{ ...event, eventId: '' }]],
    ['an eventId of 129 characters', [{ ...event, eventId: 'x'.repeat(129) }]],
    ['a line end in an eventId', [{ ...event, eventId: 'a\nb' }]],
    ['an eventId that is a number', [{ ...event, eventId: 7 }]],
    ['a negative time', [{ ...event, at: -1 }]],
    ['a time with a fraction', [{ ...event, at: 1.5 }]],
    ['a time as text', [{ ...event, at: '1' }]],
    ['data that is a list', [{ ...event, data: [] }]],
    ['data that is null', [{ ...event, data: null }]],
  ];
  test.each(malformed)('%s is 422 as a whole', async (_name, body) => {
    expect(await platformCall(server, 'POST', 'events', body)).toMatchObject({ status: 422, code: 422 });
  });

  test('one malformed event stops the call before the first effect', async () => {
    const before = await fingerprint(server);
    const good = { eventId: unique('good-'), type: 'user.registered', at: 1, data: { account: unique('user') } };
    expect(await platformCall(server, 'POST', 'events', [good, { ...event, at: -1 }])).toMatchObject({ status: 422 });
    expect(await fingerprint(server)).toEqual(before);
  });

  test.each(['after=-1', 'after=x', 'after=1.5', 'limit=0', 'limit=501', 'wait=31', 'wait=-1', 'before=1'])(
    'commands?%s is 422',
    async (query) => {
      expect(await platformCall(server, 'GET', `commands?${query}`)).toMatchObject({ status: 422, code: 422 });
    },
  );

  const acks: [string, unknown][] = [
    ['no list', {}],
    ['no ack', []],
    ['more than a thousand acks', Array.from({ length: 1_001 }, (_, n) => ({ id: n + 1, state: 'done' }))],
    ['an unknown state', [{ id: 1, state: 'maybe' }]],
    ['no state', [{ id: 1 }]],
    ['the id 0', [{ id: 0, state: 'done' }]],
    ['an id as text', [{ id: '1', state: 'done' }]],
    ['a reason of 201 characters', [{ id: 1, state: 'failed', reason: 'x'.repeat(201) }]],
    ['an unknown field', [{ id: 1, state: 'done', at: 1 }]],
  ];
  test.each(acks)('an ack with %s is 422', async (_name, body) => {
    expect(await platformCall(server, 'POST', 'commands/ack', body)).toMatchObject({ status: 422, code: 422 });
  });
});
