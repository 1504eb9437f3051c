import { createHmac } from 'node:crypto';
import { EVENTS_MAX, SIGNATURE_WINDOW_MS, signedText } from '@hengtai/contract/gateway/gateway';
import { type GatewayError, gatewayErrors } from '@hengtai/contract/gateway/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint, freezeClock } from '../../test/book.ts';
import { type TestServer, platformCall, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';

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

/** The answer to a call that is refused with this code. */
const refusedWith = (error: GatewayError, data: unknown = null) => ({
  status: gatewayErrors[error].status,
  body: { code: gatewayErrors[error].status, msg: gatewayErrors[error].message, data, error },
});
const notSigned = refusedWith('bad_signature');
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
        expect(await ask(signed('GET', MARKETS, '', String(clock.at + off)))).toEqual(
          refusedWith('clock_skew', { serverTime: clock.at }),
        );
      }
    } finally {
      clock.release();
    }
  });
});

describe('refused with 401 and without effect', () => {
  test.each([
    ['x-key', 'unknown_key'],
    ['x-time', 'invalid_time'],
    ['x-signature', 'bad_signature'],
  ] as const)('without the header %s', async (header, error) => {
    const { headers, ...call } = signed('GET', MARKETS);
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header));
    expect(await ask({ ...call, headers: rest })).toEqual(refusedWith(error));
  });

  test('with another key', async () => {
    const call = signed('GET', MARKETS);
    expect(await ask({ ...call, headers: { ...call.headers, 'x-key': 'other-key' } })).toEqual(
      refusedWith('unknown_key'),
    );
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
      expect(await ask(signed('GET', MARKETS, '', time))).toEqual(refusedWith('invalid_time'));
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
    const none = { status: 404, body: { code: 404, msg: 'there is no such call', data: null, error: 'not_found' } };
    expect(await ask(signed('GET', '/platform/v1/nothing'))).toEqual(none);
    expect(await ask(signed('GET', EVENTS))).toEqual(none);
    expect(await ask(signed('POST', MARKETS))).toEqual(none);
  });

  test('a body of 8 MiB is read, a longer one is 413', async () => {
    const max = 8 * 1024 * 1024;
    expect(await ask(signed('POST', EVENTS, ' '.repeat(max)))).toMatchObject({ status: 422 });
    expect(await ask(signed('POST', EVENTS, ' '.repeat(max + 1)))).toMatchObject({
      status: 413,
      body: { code: 413, data: null, error: 'too_large' },
    });
  });

  test.each(['', '{', '[{]', 'undefined', "[{'eventId':1}]"])('the broken JSON %j is 422', async (body) => {
    expect(await ask(signed('POST', EVENTS, body))).toEqual(refusedWith('invalid_json'));
  });

  test('a body that is not UTF-8 is 422', async () => {
    const { key, secret } = server.app.platform;
    const time = String(server.clock.now());
    const body = Buffer.from('[{"eventId":"\xff"}]', 'latin1');
    const signature = createHmac('sha256', secret)
      .update(signedText(time, 'POST', EVENTS, ''))
      .update(body)
      .digest('hex');
    const headers = { 'x-key': key, 'x-time': time, 'x-signature': signature };
    const response = await server.server.inject({ method: 'POST', url: EVENTS, headers, payload: body });
    expect({ status: response.statusCode, body: response.json<unknown>() }).toEqual(refusedWith('invalid_utf8'));
  });

  test('too many events or acks are refused with the limit', async () => {
    const events = JSON.stringify(Array.from({ length: EVENTS_MAX + 1 }, () => ({})));
    expect(await ask(signed('POST', EVENTS, events))).toEqual(refusedWith('too_many_events', { limit: EVENTS_MAX }));
    expect(await ask(signed('POST', '/platform/v1/commands/ack', events))).toEqual(
      refusedWith('too_many_acks', { limit: EVENTS_MAX }),
    );
  });

  test('a query parameter that no call knows is refused', async () => {
    for (const [method, url] of [
      ['GET', `${MARKETS}?from=1`],
      ['POST', `${EVENTS}?dry=1`],
      ['GET', '/platform/v1/commands?before=1'],
    ] as const) {
      const field = /\?(\w+)/.exec(url)?.[1] ?? '';
      const { status, body } = await ask(signed(method, url, method === 'POST' ? '[]' : ''));
      expect({ status, body }).toMatchObject({ status: 422, body: { error: 'invalid', data: [{ field }] } });
    }
  });

  test('a wrong frame is named by its place', async () => {
    const good = { eventId: 'good', type: 'user.login', at: server.clock.now(), data: {} };
    const places: [object, string][] = [
      [{ ...good, at: '1' }, '/1/at: unix milliseconds expected'],
      [{ ...good, at: 1.5 }, '/1/at: unix milliseconds expected'],
      [{ ...good, extra: 1 }, '/1/extra: unknown field'],
      [{ ...good, eventId: '' }, '/1/eventId: text of 1 to 128 characters expected'],
      [{ eventId: 'x', type: 'user.login', at: 1 }, '/1/data: required: object'],
    ];
    for (const [bad, msg] of places) {
      const { body } = await ask(signed('POST', EVENTS, JSON.stringify([good, bad])));
      expect(body).toMatchObject({
        code: 422,
        error: 'invalid',
        msg,
        data: [{ field: msg.slice(1).split(':')[0], msg }],
      });
    }
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
