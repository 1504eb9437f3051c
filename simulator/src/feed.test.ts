import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformEvent } from '@hengtai/contract/gateway-events.schema';
import { expect, test } from 'vitest';
import { createFakeGateway, KEY, SECRET } from '../test/fake-gateway.ts';
import { systemClock } from './clock.ts';
import { createFeed, sign, StoppedError } from './feed.ts';

const options = (url: string, signal = new AbortController().signal) => ({
  url,
  key: KEY,
  secret: SECRET,
  clock: systemClock,
  signal,
  wait: 1,
});
const event = (number: number): PlatformEvent => ({
  eventId: `e${number}`,
  type: 'user.registered',
  at: 1_700_000_000_000,
  data: { account: `user${number}` },
});

test('sign gives the same signature as openssl', () => {
  // printf '1700000000000\nPOST\n/platform/v1/events\n[{"eventId":"e1"}]' | openssl dgst -sha256 -hmac 's3cret'
  expect(sign('s3cret', '1700000000000', 'POST', '/platform/v1/events', '[{"eventId":"e1"}]')).toBe(
    '54a0dd91884f4ef6fd64730561b8d97303941f3e8667b15754bee9ef79553504',
  );
});

test('requests are signed over path, query and body', async () => {
  const gateway = createFakeGateway();
  const feed = createFeed(options(await gateway.listen()));
  expect(await feed.send([event(1), event(2)])).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
  gateway.addCommand('user.created', { account: '中文', agent: 'a', password: 'hash' });
  expect(await feed.poll(0)).toHaveLength(1);
  await feed.ack([{ id: 101, state: 'done', reason: '完成' }]);
  expect(gateway.acks).toEqual([{ id: 101, state: 'done', reason: '完成' }]);
  expect(gateway.problems).toEqual([]);
  await gateway.close();
});

test('a request with a lost response is sent again with the same ids', async () => {
  const gateway = createFakeGateway();
  const feed = createFeed(options(await gateway.listen()));
  gateway.responsesToLose = 2;
  expect(await feed.send([event(1)])).toMatchObject([{ eventId: 'e1', result: 'duplicate' }]);
  expect(gateway.applied).toEqual([event(1)]);
  await gateway.close();
});

test('more than a thousand events are split into several calls in order', async () => {
  const gateway = createFakeGateway();
  const feed = createFeed(options(await gateway.listen()));
  const events = Array.from({ length: 2_300 }, (_, number) => event(number));
  expect(await feed.send(events)).toHaveLength(2_300);
  expect(gateway.applied).toEqual(events);
  await gateway.close();
});

test('one bad row does not block the others', async () => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const rows = JSON.parse(body) as PlatformEvent[];
      const bad = rows.some((row) => row.eventId === 'e3');
      response.writeHead(bad ? 422 : 200);
      response.end(JSON.stringify({ data: rows.map(({ eventId }) => ({ eventId, result: 'applied' })) }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const feed = createFeed(options(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const answers = await feed.send([0, 1, 2, 3, 4, 5].map(event));
  expect(answers.map((answer) => answer.result)).toEqual(
    [0, 1, 2, 3, 4, 5].map((number) => (number === 3 ? 'rejected' : 'applied')),
  );
  server.closeAllConnections();
  server.close();
});

test('a call retries an unreachable server until the signal aborts', async () => {
  const stop = new AbortController();
  const feed = createFeed(options('http://127.0.0.1:9', stop.signal));
  const sent = feed.send([event(1)]);
  setTimeout(() => stop.abort(), 50);
  await expect(sent).rejects.toBeInstanceOf(StoppedError);
});
