import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBook } from '../src/books/ledger/check.ts';
import { onTron } from './address.ts';
import {
  type BuiltClient,
  ClientFailure,
  ClientProcess,
  type Gateway,
  LANGUAGES,
  type Retry,
  buildClient,
} from './client-process.ts';
import { findWithdraw, makeUser } from './factories.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { type TestServer, call, login, platformCall, testServer, unique } from './server.ts';

let server: TestServer;
let proxy: FaultyProxy;
let gateway: Gateway;

beforeAll(async () => {
  server = await testServer();
  proxy = new FaultyProxy(await server.server.listen({ host: '127.0.0.1', port: 0 }));
  const { key, secret } = server.app.platform;
  gateway = { url: await proxy.listen(), key, secret };
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await proxy.close();
  await server.stop();
});

const at = 1_700_000_000_000;
const registered = (account: string) => ({ eventId: unique('e-'), type: 'user.registered', at, data: { account } });
const credited = (account: string, amount: string) => ({
  eventId: unique('e-'),
  type: 'recharge.credited',
  at,
  data: {
    no: unique('R-'),
    account,
    market: 'USDT',
    ...onTron('any'),
    amount,
    confirmations: 20,
    source: 1,
  },
});
const resultsOf = (answers: readonly EventAnswer[]): string[] => answers.map(({ result }) => result);
const bodiesOf = (path: string): string[] => proxy.calls.filter((one) => one.path === path).map(({ body }) => body);

async function fundsOf(account: string): Promise<string | undefined> {
  const path = `balances?account=${encodeURIComponent(account)}`;
  const { data } = await platformCall<{ active: string }[]>(server, 'GET', path);
  return data[0]?.active;
}

describe.each(LANGUAGES)('the %s client', (language) => {
  let built: BuiltClient;
  let client: ClientProcess;

  beforeAll(async () => {
    built = await buildClient(language);
    client = new ClientProcess(built, gateway);
  }, 60_000);
  afterAll(async () => {
    await client.stop();
    await built.remove();
  });

  const sendEvents = (events: readonly object[], onRetry?: (retry: Retry) => void) =>
    client.call<EventAnswer[]>('sendEvents', { events }, onRetry);

  test('signs bodies and queries with any characters', async () => {
    const account = unique(`a+b_c-d.e@${language}-`);
    const [user, money] = [registered(account), credited(account, '0.000000000000000001')];
    expect(resultsOf(await sendEvents([{ ...user, data: { account, remark: '客户 ✓ \u{1F600}' } }, money]))).toEqual([
      'applied',
      'applied',
    ]);
    const balances = await client.call('read', { path: 'balances', query: { account } });
    expect(balances).toMatchObject([{ market: 'USDT', active: '0.000000000000000001', frozen: '0' }]);
    expect(await client.call('read', { path: 'markets', query: {} })).toEqual(
      (await platformCall(server, 'GET', 'markets')).data,
    );
  });

  test('reports a refusal with its code', async () => {
    const other = new ClientProcess(built, { ...gateway, secret: 'wrong' });
    const refused: unknown = await other.call('read', { path: 'markets', query: {} }).catch((error: unknown) => error);
    await other.stop();
    expect(refused).toBeInstanceOf(ClientFailure);
    expect(refused).toMatchObject({ isRefused: true, status: 401, error: 'bad_signature' });
    const unknown = client.call('read', { path: 'balances', query: { account: 'no-such-user' } });
    await expect(unknown).rejects.toMatchObject({ isRefused: true, status: 404, error: 'not_found' });
  });

  test('sends more events than a call may have in order, and again without effect', async () => {
    const start = Date.now();
    const tick = (index: number) => ({
      eventId: unique('tick-'),
      type: 'tick',
      at: start,
      data: { market: 'BTC', price: String(60_000 + (index % 7)), at: start + index },
    });
    const ticks = Array.from({ length: 1_200 }, (_, index) => tick(index));
    proxy.calls.length = 0;
    expect(new Set(resultsOf(await sendEvents(ticks)))).toEqual(new Set(['applied']));
    const sizes = bodiesOf('/platform/v1/events').map((body) => (JSON.parse(body) as unknown[]).length);
    expect(sizes).toEqual([1_000, 200]);
    const [first] = ticks;
    expect(resultsOf(await sendEvents(ticks.slice(0, 3)))).toEqual(['duplicate', 'duplicate', 'duplicate']);
    const changed = { ...first, data: { ...first?.data, price: '1' } };
    expect(await sendEvents([changed])).toEqual([{ eventId: first?.eventId, result: 'rejected', reason: 'conflict' }]);
  });

  test('splits events that are too large for one call', async () => {
    const image = `data:image/png;base64,${'A'.repeat(1_400_000)}`;
    const message = () => ({
      eventId: unique('e-'),
      type: 'message.received',
      at,
      data: { no: unique('M-'), account: 'no-such-user', text: '', image },
    });
    proxy.calls.length = 0;
    const answers = await sendEvents(Array.from({ length: 7 }, message));
    expect(resultsOf(answers)).toEqual(Array.from({ length: 7 }, () => 'rejected'));
    const bodies = bodiesOf('/platform/v1/events');
    expect(bodies.map((body) => (JSON.parse(body) as unknown[]).length)).toEqual([5, 2]);
  });

  test('an event that is too large for any call is rejected alone', async () => {
    const [before, after] = [registered(unique('user')), registered(unique('user'))];
    const large = { ...registered(unique('user')), data: { account: unique('user'), remark: 'x'.repeat(8_400_000) } };
    const answers = await sendEvents([before, large, after]);
    expect(resultsOf(answers)).toEqual(['applied', 'rejected', 'applied']);
    expect(answers[1]).toMatchObject({ eventId: large.eventId, reason: 'too_large' });
  });

  test('a malformed event is rejected alone', async () => {
    const [before, after] = [registered(unique('user')), registered(unique('user'))];
    const malformed = { ...registered(unique('user')), at: 'yesterday' };
    const answers = await sendEvents([before, malformed, after]);
    expect(resultsOf(answers)).toEqual(['applied', 'rejected', 'applied']);
    expect(answers[1]).toMatchObject({ eventId: malformed.eventId, reason: 'invalid' });
    expect(answers[1]?.detail).toContain('/0/at');
  });

  test.each(['lost answer', 'broken answer', 'lost call', 'bad gateway'] as const)(
    'after a %s it sends the same body again, and nothing happens twice',
    async (fault) => {
      const account = await makeUser(server);
      const deposit = credited(account, '12.5');
      proxy.calls.length = 0;
      proxy.faults.push(fault, fault);
      const retries: Retry[] = [];
      const answers = await sendEvents([deposit], (retry) => void retries.push(retry));
      const isDone = fault === 'lost answer' || fault === 'broken answer';
      expect(resultsOf(answers)).toEqual([isDone ? 'duplicate' : 'applied']);
      expect(retries.map(({ tries }) => tries)).toEqual([1, 2]);
      const bodies = bodiesOf('/platform/v1/events');
      expect(bodies).toHaveLength(3);
      expect(new Set(bodies).size).toBe(1);
      expect(await fundsOf(account)).toBe('12.5');
    },
  );

  test('a killed process resumes from its outbox', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hengtai-outbox-'));
    const file = join(directory, 'outbox.json');
    const account = unique('user');
    const events = [registered(account), credited(account, '1'), credited(account, '2'), credited(account, '3')];
    await writeFile(file, JSON.stringify({ events, answers: [] }));
    const victim = new ClientProcess(built, gateway);
    proxy.faults.push('lost answer');
    let killed = false;
    const draining = victim.call('drainOutbox', { file }, async () => {
      killed = true;
      await victim.kill();
    });
    await expect(draining).rejects.toThrow('has ended');
    expect(killed).toBe(true);
    expect(await fundsOf(account)).toBe('6');

    expect(await client.call('drainOutbox', { file })).toBe(4);
    const { answers } = JSON.parse(await readFile(file, 'utf8')) as { answers: EventAnswer[] };
    expect(answers.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId));
    expect(resultsOf(answers)).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate']);
    expect(await fundsOf(account)).toBe('6');
    expect(await client.call('drainOutbox', { file })).toBe(0);
    await rm(directory, { recursive: true });
  });

  test.each([600_000, -600_000])('a clock that is %d ms off is corrected', async (offset) => {
    const skewed = new ClientProcess(built, gateway, offset);
    proxy.calls.length = 0;
    expect(await skewed.call('read', { path: 'signals', query: {} })).toEqual([]);
    expect(await skewed.call('read', { path: 'signals', query: {} })).toEqual([]);
    await skewed.stop();
    // The first call is refused once; the second one has the corrected time.
    expect(proxy.calls).toHaveLength(3);
  });

  test('receives a payout, acknowledges it once, and reports the payment', async () => {
    const account = await makeUser(server, { amount: '100' });
    const no = unique('W-');
    const data = { no, account, market: 'USDT', ...onTron('any'), amount: '10', fee: '1' };
    const requested = { eventId: unique('e-'), type: 'withdraw.requested', at: Date.now(), data };
    expect(resultsOf(await sendEvents([requested]))).toEqual(['applied']);
    const admin = await login(server);
    const { id } = await findWithdraw(server, admin, no);
    await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });

    const open = await client.call<{ id: number; type: string; data: { no?: string } }[]>('poll', {
      options: { after: 0, limit: 500, wait: 5 },
    });
    const payout = open.find((command) => command.type === 'withdraw.payout' && command.data.no === no);
    expect(payout).toMatchObject({ data: { attempt: 1, account, amount: '9' } });
    // The answer to the ack is lost, and the ack is sent again.
    proxy.faults.push('lost answer');
    const acks = [{ id: payout?.id, state: 'done' }];
    expect(await client.call('acknowledge', { acks }, () => undefined)).toEqual([
      { id: payout?.id, result: 'duplicate' },
    ]);
    expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 3 });
    const paid = { eventId: unique('e-'), type: 'withdraw.paid', at: Date.now(), data: { no, txHash: '0x1' } };
    expect(resultsOf(await sendEvents([paid]))).toEqual(['applied']);
    expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 4 });
  });

  test('handles commands in order and acknowledges each', async () => {
    const open = async () => (await platformCall<{ id: number; seq: number }[]>(server, 'GET', 'commands')).data;
    const admin = await login(server);
    for (const account of [unique('made'), unique('made')]) {
      const user = { account, password: 'a-good-password-1' };
      expect(await call(server, 'POST', 'user/add', user, { token: admin })).toMatchObject({ code: 200 });
    }
    const waiting = await open();
    expect(waiting.length).toBeGreaterThanOrEqual(2);
    const worker = new ClientProcess(built, gateway);
    const handled = await worker.call<{ id: number }[]>('handleCommands', {
      count: waiting.length,
      options: { wait: 1, limit: 2 },
    });
    await worker.stop();
    expect(handled.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    expect(await open()).toEqual([]);
  });

  test('checks webhooks', async () => {
    const [now, path, body] = [1_700_000_000_000, '/hooks/hengtai?x=1', '[{"id":1,"text":"客户"}]'];
    const signWith = (secret: string, time = String(now)) =>
      createHmac('sha256', secret).update(`${time}\nPOST\n${path}\n${body}`).digest('hex');
    const headers = (change: object = {}) => ({
      'X-Key': 'k',
      'X-Time': String(now),
      'X-Signature': signWith('s'),
      ...change,
    });
    const request = { method: 'POST', path, headers: headers(), body };
    const credentials = [
      { key: 'old', secret: 'o' },
      { key: 'k', secret: 's' },
    ];
    const check = (change: object, at = now) =>
      client.call('checkWebhook', { request: { ...request, ...change }, credentials, now: at });
    expect(await check({})).toBeNull();
    expect(await check({}, now + 299_999)).toBeNull();
    expect(await check({ headers: headers({ 'X-Key': 'old', 'X-Signature': signWith('o') }) })).toBeNull();
    expect(await check({}, now + 300_001)).toBe('clock_skew');
    expect(await check({}, now - 300_001)).toBe('clock_skew');
    expect(await check({ body: body.replace('1', '2') })).toBe('bad_signature');
    expect(await check({ path: '/hooks/hengtai?x=2' })).toBe('bad_signature');
    expect(await check({ method: 'PUT' })).toBe('bad_signature');
    expect(await check({ headers: headers({ 'X-Signature': signWith('o') }) })).toBe('bad_signature');
    expect(await check({ headers: headers({ 'X-Signature': '' }) })).toBe('bad_signature');
    expect(await check({ headers: headers({ 'X-Key': 'other' }) })).toBe('unknown_key');
    expect(await check({ headers: {} })).toBe('unknown_key');
    expect(await check({ headers: headers({ 'X-Time': '17e11' }) })).toBe('invalid_time');
  });
});
