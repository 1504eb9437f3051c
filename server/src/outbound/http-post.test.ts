import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { BlockedTarget, checkAddress } from './checked-address.ts';
import { NotAccepted, checkUrl, postJson } from './http-post.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => void response.end('{}');
});
afterAll(() => receiver.close());

const never = new AbortController().signal;
const post = (path = '/', host = '127.0.0.1', body: Parameters<typeof postJson>[1] = { body: '{}' }) => {
  const rules = { hosts: [`${host}:${receiver.port}`], allowPrivate: true };
  return postJson(`http://${host}:${receiver.port}${path}`, body, rules, never);
};

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

/** IPv4 as it is written in IPv6: mapped, compatible, translated by NAT64 and SIIT, by 6to4 and by Teredo. */
function formsOf(address: string): string[] {
  if (address.includes(':')) return [address];
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    address,
    ...['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'].map((prefix) => prefix + hex),
    ...['2002:', '2001:0:'].map((prefix) => `${prefix}${hex}::`),
  ];
}

const metadata = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'];
const metadata6 = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'];
test.each([...metadata, ...metadata6, 'fd00:100::100:200', 'fd00:a9fe:a9fe::1', 'fe80::a9fe:a9fe'].flatMap(formsOf))(
  'the metadata service %s of a cloud is refused, also where private addresses are allowed',
  (address) => {
    for (const protocol of ['https:', 'http:']) expect(() => checkAddress(address, protocol, true)).toThrow('内部网络');
    const literal = address.includes(':') ? `[${address}]` : address;
    const { hostname } = new URL(`https://${literal}`);
    const rules = { hosts: [hostname.replace(/^\[|\]$/g, '')], allowPrivate: true };
    expect(() => checkUrl(`https://${literal}/latest`, rules)).toThrow('内部网络');
  },
);

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

test.each([
  ['https://hooks.example.com/', ''],
  ['https://hooks.example.com:443/', ''],
  ['https://hooks.example.com:8443/', '该主机的端口 8443 不在允许的名单中'],
  ['http://hooks.example.com/', '该主机的端口 80 不在允许的名单中'],
  ['https://ports.example.com:8443/', ''],
  ['https://ports.example.com/', '该主机的端口 443 不在允许的名单中'],
  ['https://ports.example.com:84/', '该主机的端口 84 不在允许的名单中'],
  ['https://mail.example.com:25/', '该主机的端口 25 不在允许的名单中'],
  ['https://[2606:2800:220:1::1]/', ''],
  ['https://[2606:2800:220:1::2]:8443/', ''],
  ['https://[2606:2800:220:1::2]/', '该主机的端口 443 不在允许的名单中'],
  ['https://elsewhere.example.com:8443/', '该主机不在允许的名单中'],
])('an entry allows a host at its port only: %s', (address, reason) => {
  const hosts = ['hooks.example.com', 'ports.example.com:8443', 'mail.example.com:25'];
  hosts.push('2606:2800:220:1::1', '[2606:2800:220:1::2]:8443');
  const check = () => checkUrl(address, { hosts, allowPrivate: true });
  if (reason === '') expect(check().href).toBe(address.replace(':443', ''));
  else expect(check).toThrow(reason);
});

test('refuses a name that leads to a private address, without a connection', async () => {
  const rules = { hosts: [`localhost:${receiver.port}`], allowPrivate: false };
  const sent = postJson(`https://localhost:${receiver.port}/`, { body: '{}' }, rules, never);
  await expect(sent).rejects.toThrow('内部网络');
  expect(receiver.requests).toEqual([]);
  await post('/', 'localhost');
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
  expect(await post('/', '127.0.0.1', { body: '{}', answerBytesMax: 16_384 })).toHaveLength(16_384);
});

test('ends when the process stops', async () => {
  const stopController = new AbortController();
  receiver.answer = () => stopController.abort();
  const [host, body] = [`127.0.0.1:${receiver.port}`, { body: '{}' }];
  const sent = postJson(`http://${host}/`, body, { hosts: [host], allowPrivate: true }, stopController.signal);
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
});
