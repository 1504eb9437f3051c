import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../programs/env.ts';
import { openCluster, readOrMakePassword } from '../host/postgres-files.ts';
import { checkFiles } from './files.ts';
import { readOrMakePlatformKeys } from '../host/platform-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const envOf = (more: Record<string, string> = {}) => readEnv({ DATA_DIR: dataDir, ...more });
const check = (): void => {
  checkFiles(envOf());
  readOrMakePlatformKeys(envOf(), dataDir);
};

const otherKey = JSON.stringify({ privateKey: 'no key' });

describe('a damaged file stops the start and is not changed', () => {
  test.each([
    [
      'platform-key.json',
      '',
      'is damaged: it is not JSON. Restore it from a backup, or delete it: the next start makes a new key',
    ],
    ['platform-key.json', '{"key":"a"}', 'is damaged: it must hold {"key", "secret"}.'],
    ['platform-key.json', 'null', 'is damaged: it must hold {"key", "secret"}.'],
    ['otp-key.json', '{"key"', 'is damaged: it is not JSON. Restore it from a backup.'],
    ['otp-key.json', '{"key":"abc"}', 'is damaged: it must hold {"key"} with 64 hexadecimal digits.'],
    ['audit-key.json', otherKey, 'is damaged: it must hold {"privateKey"} with an Ed25519 key in PEM.'],
  ])('%s holding %s', (name, content, problem) => {
    const path = join(dataDir, name);
    writeFileSync(path, content);
    expect(check).toThrow(`${path} ${problem}`);
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  test.each(['platform-key.json', 'otp-key.json', 'audit-key.json', 'simulator-state.json'])(
    '%s that cannot be read',
    (name) => {
      mkdirSync(join(dataDir, name));
      expect(check).toThrow(`${join(dataDir, name)} cannot be read (EISDIR): check its owner and permissions.`);
    },
  );

  test('the password of PostgreSQL', () => {
    const cluster = openCluster(dataDir);
    const path = join(cluster.dataDir, 'postgres-password');
    writeFileSync(path, '\n');
    expect(() => readOrMakePassword(cluster)).toThrow(`${path} is damaged: it must hold one password.`);
    rmSync(cluster.base, { recursive: true });
  });
});

test('a key from the environment makes its file irrelevant', () => {
  writeFileSync(join(dataDir, 'otp-key.json'), 'x');
  writeFileSync(join(dataDir, 'platform-key.json'), 'x');
  const env = envOf({ OTP_KEY: 'a'.repeat(64), PLATFORM_KEY: 'key', PLATFORM_SECRET: 'secret' });
  checkFiles(env);
  expect(readOrMakePlatformKeys(env, dataDir)).toEqual({ key: 'key', secret: 'secret' });
});

test('a folder that cannot be created is reported with its variable', () => {
  writeFileSync(join(dataDir, 'file'), '');
  const auditDir = join(dataDir, 'file', 'audit');
  expect(() => checkFiles(envOf({ AUDIT_DIR: auditDir }))).toThrow(
    `AUDIT_DIR=${auditDir} is not accepted: a folder that can be written (ENOTDIR).`,
  );
  checkFiles(envOf({ AUDIT_DIR: join(dataDir, 'audit') }));
  expect(statSync(join(dataDir, 'audit')).mode & 0o777).toBe(0o700);
});
