import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/server.ts';
import { buildServer } from '../programs/app.ts';
import { readEnv } from '../programs/env.ts';

let base: TestServer;
let limited: FastifyInstance;

beforeAll(async () => {
  base = await testServer({ jobs: false });
  const {
    hosts,
    publicUrl,
    securityContact: contact,
  } = readEnv({
    PUBLIC_URL: 'https://Desk.Example.com/',
    ALLOWED_HOSTS: 'desk.internal, backup.example.com',
    SECURITY_CONTACT: 'mailto:security@example.com',
  });
  limited = await buildServer(base.app, { trustProxy: false, hosts, security: { contact, publicUrl } });
});
afterAll(async () => {
  await limited.close();
  await base.stop();
});

const statusOf = async (url: string, host: string, server = limited): Promise<number> =>
  (await server.inject({ url, headers: { host } })).statusCode;

describe('host names', () => {
  test.each([
    'desk.example.com',
    'DESK.example.com',
    'desk.example.com:8443',
    'desk.example.com.',
    'desk.internal',
    'backup.example.com',
    'localhost',
    'localhost:8080',
    '127.0.0.1:8080',
    '192.168.1.20',
    '[::1]:8080',
  ])('accepts %s', async (host) => {
    expect(await statusOf('/api/v1/openapi.json', host)).toBe(200);
  });

  test.each([
    'evil.example',
    'desk.example.com.evil.example',
    'example.com',
    'notlocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '1.2.3',
  ])('refuses %s', async (host) => {
    for (const url of ['/api/v1/openapi.json', '/api/v1/admin/me', '/', '/nothing']) {
      const response = await limited.inject({ url, headers: { host } });
      expect([url, response.statusCode]).toEqual([url, 403]);
      expect(response.json()).toMatchObject({ code: 403, msg: '不支持从该域名访问' });
    }
  });

  test('ignores a forwarded host name without a trusted proxy', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'desk.example.com' };
    expect((await limited.inject({ url: '/api/v1/openapi.json', headers })).statusCode).toBe(403);
  });

  test('accepts any name for health and the gateway, which still needs a signature', async () => {
    for (const path of ['/healthz', '/livez']) expect(await statusOf(path, 'evil.example')).toBe(200);
    // The jobs of this server are not started.
    expect(await statusOf('/readyz', 'evil.example')).toBe(503);
    expect(await statusOf('/platform/v1/markets', 'evil.example')).toBe(401);
    expect(await statusOf('/healthzz', 'evil.example')).toBe(403);
    expect(await statusOf('/platform/v1', 'evil.example')).toBe(403);
  });

  test('accepts every name when none is configured', async () => {
    expect(await statusOf('/api/v1/openapi.json', 'evil.example', base.server)).toBe(200);
    expect(readEnv({}).hosts).toEqual([]);
  });
});

describe('security.txt', () => {
  test('contains the contact and an expiry date', async () => {
    const response = await limited.inject({ url: '/.well-known/security.txt', headers: { host: 'localhost' } });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      response.body
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    expect(fields).toMatchObject({
      Contact: 'mailto:security@example.com',
      'Preferred-Languages': 'zh, en',
      Canonical: 'https://desk.example.com/.well-known/security.txt',
    });
    expect(fields['Expires']).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
    const days = (Date.parse(fields['Expires'] ?? '') - base.clock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThanOrEqual(180);
  });

  test('is not served without a contact', async () => {
    expect(await statusOf('/.well-known/security.txt', 'localhost', base.server)).toBe(404);
  });
});
