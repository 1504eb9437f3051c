import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oidcSettingsOf } from './env-oidc.ts';
import { readEnv } from './env.ts';

const given = {
  OIDC_ISSUER: 'https://login.example.com/realms/house/',
  OIDC_CLIENT_ID: 'hengtai',
  OIDC_CLIENT_SECRET: 'secret',
};
const settings = (source: Record<string, string>) => oidcSettingsOf(readEnv(source).oidc, 'https://desk.example.com');

test('reads the variables, with defaults', () => {
  expect(settings({})).toBeUndefined();
  expect(settings(given)).toEqual({
    issuer: 'https://login.example.com/realms/house/',
    clientId: 'hengtai',
    clientSecret: 'secret',
    scope: 'openid',
    groupsClaim: 'groups',
    groups: undefined,
    sessionMinutes: 240,
    timeoutSeconds: 5,
    origin: 'https://desk.example.com',
  });
  const groups = 'CN=Finance,OU=Desk = 2, 3; staff=; owners=all;';
  expect(settings({ ...given, OIDC_GROUPS: groups })?.groups).toEqual(
    new Map<string, readonly number[] | 'all'>([
      ['CN=Finance,OU=Desk', [2, 3]],
      ['staff', []],
      ['owners', 'all'],
    ]),
  );
});

test('reads the secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hengtai-oidc-'));
  const file = join(folder, 'secret');
  writeFileSync(file, 'from the file\n');
  const { OIDC_CLIENT_SECRET: _secret, ...others } = given;
  expect(settings({ ...others, OIDC_CLIENT_SECRET_FILE: file })).toMatchObject({ clientSecret: 'from the file' });
  rmSync(folder, { recursive: true });
  expect(() => settings({ ...others, OIDC_CLIENT_SECRET_FILE: file })).toThrow('OIDC_CLIENT_SECRET_FILE');
});

const refused: [Record<string, string>, string][] = [
  [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'https://user:password@login.example.com' }, 'OIDC_ISSUER'],
  [{ OIDC_CLIENT_SECRET: '' }, 'go together'],
  [{ OIDC_CLIENT_SECRET_FILE: '/secret' }, 'exclude each other'],
  [{ OIDC_SCOPE: 'profile' }, 'OIDC_SCOPE'],
  [{ OIDC_GROUPS: 'finance' }, 'OIDC_GROUPS'],
  [{ OIDC_GROUPS: 'finance=2,14' }, 'OIDC_GROUPS'],
  [{ OIDC_GROUPS: 'finance=0' }, 'OIDC_GROUPS'],
  [{ OIDC_GROUPS: 'finance=2;finance=3' }, 'OIDC_GROUPS'],
  [{ OIDC_GROUPS: '=2' }, 'OIDC_GROUPS'],
  [{ OIDC_SESSION_MINUTES: '4' }, 'OIDC_SESSION_MINUTES'],
];
test.each(refused)('refuses %j', (more, problem) => {
  expect(() => readEnv({ ...given, ...more })).toThrow(problem);
});

test('refuses settings of a provider without its address', () => {
  expect(() => readEnv({ OIDC_GROUPS: 'finance=2' })).toThrow('OIDC_GROUPS needs OIDC_ISSUER');
});
