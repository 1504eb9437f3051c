import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { BlockedTarget, NotAccepted, checkAddress, checkUrl, postJson } from './http-post.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => void response.end('{}');
});
afterAll(() => receiver.close());

const open = { hosts: ['127.0.0.1', 'localhost'], allowPrivate: true };
const never = new AbortController().signal;
const post = (path = '/', rules = open, host = '127.0.0.1') =>
  postJson(`http://${host}:${receiver.port}${path}`, { body: '{}' }, rules, never);

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
])('the private address %s needs permission', (address) => {
  expect(() => checkAddress(address, 'https:', false)).toThrow(BlockedTarget);
  expect(() => checkAddress(address, 'https:', true)).not.toThrow();
  expect(() => checkAddress(address, 'http:', true)).not.toThrow();
});

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fe80::1',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
])('the address %s is never allowed', (address) => {
  for (const isPrivateAllowed of [false, true])
    expect(() => checkAddress(address, 'https:', isPrivateAllowed)).toThrow(BlockedTarget);
});

test('a public address is allowed by HTTPS only', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1::1']) {
    expect(() => checkAddress(address, 'https:', false)).not.toThrow();
    expect(() => checkAddress(address, 'http:', true)).toThrow(BlockedTarget);
  }
});

test.each([
  ['http://hooks.example.com/', '必须以 https'],
  ['ftp://hooks.example.com/', '必须以 https'],
  ['https://user:password@hooks.example.com/', '用户名或密码'],
  ['https://other.example.com/', '不在允许的名单'],
  ['https://hooks.example.com.other.example/', '不在允许的名单'],
  ['https://127.0.0.1/', '内部网络'],
  ['https://2130706433/', '内部网络'],
  ['https://0x7f.1/', '内部网络'],
  ['https://[::ffff:127.0.0.1]/', '内部网络'],
  ['hooks', '格式不正确'],
])('refuses the address %s', (address, reason) => {
  const hosts = ['hooks.example.com', '127.0.0.1', '::ffff:7f00:1'];
  expect(() => checkUrl(address, { hosts, allowPrivate: false })).toThrow(reason);
});

test('accepts the spelling of an allowed host with capitals and a final dot', () => {
  const rules = { hosts: ['hooks.example.com'], allowPrivate: false };
  expect(checkUrl('https://HOOKS.example.com./x', rules).pathname).toBe('/x');
});

test('refuses a name that leads to a private address, without a connection', async () => {
  const rules = { hosts: ['localhost'], allowPrivate: false };
  const sent = postJson(`https://localhost:${receiver.port}/`, { body: '{}' }, rules, never);
  await expect(sent).rejects.toThrow('内部网络');
  expect(receiver.requests).toEqual([]);
  await post('/', open, 'localhost');
  expect(receiver.requests).toHaveLength(1);
});

test('follows no redirect', async () => {
  receiver.answer = (response) => void response.writeHead(302, { location: '/inside' }).end();
  await expect(post('/outside')).rejects.toThrow(new NotAccepted('对方返回 HTTP 302'));
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/outside']);
});

test('an answer without an end delays nothing, and a long one is cut', async () => {
  receiver.answer = (response) => void response.writeHead(200).write('x'.repeat(100_000));
  expect(await post()).toBe('');
  const body = { body: '{}', answerMax: 16_384 };
  expect(await postJson(`http://127.0.0.1:${receiver.port}/`, body, open, never)).toHaveLength(16_384);
});

test('ends when the process stops', async () => {
  const stopping = new AbortController();
  receiver.answer = () => stopping.abort();
  const sent = postJson(`http://127.0.0.1:${receiver.port}/`, { body: '{}' }, open, stopping.signal);
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
});
