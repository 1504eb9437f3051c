import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

test('everything has a default, and an empty variable is none', () => {
  expect(readEnv({ PORT: '', DATABASE_URL: ' ', ADMIN_PASSWORD: '' })).toMatchObject({
    port: 8080,
    processes: 1,
    host: '127.0.0.1',
    databaseUrl: undefined,
    dataDir: resolve('data'),
    auditDir: resolve('data'),
    adminAccount: 'admin',
    adminPassword: undefined,
    simulator: true,
    trustProxy: false,
    logLevel: 'info',
  });
});

test('values are read as what they are', () => {
  const env = readEnv({ DATA_DIR: '/srv/data', SIMULATOR: 'off', TRUST_PROXY: '1', ADMIN_PASSWORD: ' with space ' });
  expect(env).toMatchObject({ auditDir: '/srv/data', simulator: false, trustProxy: 1, adminPassword: ' with space ' });
  expect(readEnv({ TRUST_PROXY: '10.0.0.0/8' }).trustProxy).toBe('10.0.0.0/8');
  expect(readEnv({ TRUST_PROXY: 'on' }).trustProxy).toBe(true);
});

test('every wrong value is named at once', () => {
  const read = (): unknown =>
    readEnv({
      PORT: '70000',
      PROCESSES: '0',
      SIMULATOR: 'maybe',
      DATABASE_URL: 'mysql://x/y',
      DATABASE_READ_URL: 'nowhere',
      LOG_LEVEL: 'loud',
    });
  for (const name of ['PORT', 'PROCESSES', 'SIMULATOR', 'DATABASE_URL', 'DATABASE_READ_URL', 'LOG_LEVEL'])
    expect(read).toThrow(name);
});

test('the key of the gateway and its secret go together', () => {
  expect(() => readEnv({ PLATFORM_KEY: 'key' })).toThrow('go together');
});
