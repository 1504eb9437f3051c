// @module-tag full
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OtpSetup } from '@hengtai/contract/house/otp/schema';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { STEP_MS, codeAt, makeOtpOperator } from '../../test/codes.ts';
import { PASSWORD, makeOperator } from '../../test/factories.ts';
import { callAs, makeKey } from '../../test/gateway-key.ts';
import { type TestServer, call, login, platformCall, testServer } from '../../test/server.ts';
import { sealPending } from '../books/audit/sealer.ts';
import { loadAnchors, verifyChain } from '../books/audit/verify.ts';
import { findAuditKey, makeAuditKey, readOrMakeAuditKey } from '../host/audit-key.ts';
import type { App } from '../app/context.ts';
import { reportKeys } from '../app/known-key.store.ts';
import { encryptSecret, findSecretKeys, secretKeysIn } from '../host/secret-key.ts';
import { findPlatformKeys, platformKeyText } from '../host/platform-key.ts';
import { createProcessState } from '../app/process-state.ts';
import { refreshKeys } from '../jobs/keys.ts';
import { inTransaction } from '../database/connect.ts';
import { type Env, readEnv } from '../programs/env.ts';
import { decryptTarget, encryptTarget } from '../domains/desk/channel/target.steps.ts';
import { checkKeys } from '../programs/key-check.ts';
import { checkKeyRotation } from './doctor-keys.ts';
import { addKey, listKeys, removeKey } from './keys.ts';
import { rotateAuditKey, rotateSecretKey } from './keys-rotate.ts';

let server: TestServer;
let admin: string;
let printed: string[];

beforeEach(async () => {
  server = await testServer({ jobs: false });
  const { key, secret } = server.app.platform;
  writeFileSync(join(server.auditDir, 'platform-key.json'), platformKeyText({ key, secret }));
  server.app.reloadKeys = () => {
    server.app.secretKeys.reload();
    server.app.auditKey = findAuditKey(server.auditDir, server.auditDir) ?? server.app.auditKey;
    const keys = findPlatformKeys({}, server.auditDir);
    if (keys) server.app.platform = { ...keys, simulated: false };
  };
  admin = await login(server);
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const env = (more: Record<string, string> = {}): Env =>
  readEnv({ DATA_DIR: server.auditDir, AUDIT_DIR: server.auditDir, ...more });
const list = async (more: Record<string, string> = {}): Promise<string> => {
  printed = [];
  await listKeys(server.urls.owner, env(more));
  return printed.join('');
};
const remove = (kind: 'otp' | 'audit' | 'platform', more: Record<string, string> = {}, force = false): Promise<void> =>
  removeKey(server.urls.owner, env(more), kind, { force });
/** Replaces the key of one-time codes by a new one, everywhere. */
async function changeOtpKey(): Promise<void> {
  addKey('otp', env());
  await refreshKeys(server.app);
  expect(await rotateSecretKey(server.owner, env())).toBe(0);
  await remove('otp');
  await refreshKeys(server.app);
}
const fetchKeyIds = () => server.query(sql<{ id: string | null }>`select distinct key_id as id from otp`);
const check = () =>
  inTransaction(server.owner, (db) =>
    checkKeys(db, {
      otp: findSecretKeys(server.auditDir, {}),
      audit: readOrMakeAuditKey(server.auditDir, server.auditDir),
    }),
  );
const logInWith = (account: string, code: string) =>
  call(server, 'POST', 'login', { account, password: PASSWORD, otp: code });

/** A server with the keys that the files held before a change. */
function otherServer(): App {
  return { ...server.app, secretKeys: secretKeysIn(server.auditDir), state: createProcessState() };
}
const report = (app: App) => inTransaction(server.app.system, (db) => reportKeys(db, app));
const end = (app: App) => server.query(sql`delete from server_key where server_id = ${app.state.id}`);

describe('the key of one-time codes', () => {
  test('changes under secrets and recovery codes, and the old one can be removed', async () => {
    const one = await makeOtpOperator(server, admin);
    const two = await makeOtpOperator(server, admin);
    const setUp = await makeOperator(server, admin);
    // As an earlier release left them.
    await server.query(sql`update otp set key_id = null where operator_id = ${one.id}`);
    await server.query(sql`update otp_recovery set key_id = null where operator_id = ${one.id}`);
    const other = otherServer();
    await report(other);
    const old = findSecretKeys(server.auditDir, {})?.newest.id ?? '';
    addKey('otp', env());
    expect(() => addKey('otp', env())).toThrow('finish that rotation first');
    expect(statSync(join(server.auditDir, 'otp-key.json')).mode & 0o777).toBe(0o600);
    await refreshKeys(server.app);
    const next = findSecretKeys(server.auditDir, {})?.newest.id ?? '';
    // Until the rotation, new secrets have the old key, which the other server can read.
    const { data } = await call<OtpSetup>(server, 'POST', 'otp/setup', { password: PASSWORD }, { token: setUp.token });
    const [stored] = await server.query(
      sql<{ id: string }>`select key_id as id from otp where operator_id = ${setUp.id}`,
    );
    expect(stored?.id).toBe(old);
    vi.useFakeTimers({ toFake: ['Date'] });
    const moving = setInterval(() => vi.setSystemTime(Date.now() + 10_000), 20);
    await expect(rotateSecretKey(server.owner, env())).rejects.toThrow(`does not hold the otp key ${next}`);
    clearInterval(moving);
    vi.useRealTimers();
    await expect(remove('otp')).rejects.toThrow('still need the key');
    expect(await list()).toContain(`otp key ${next} (next)`);
    other.secretKeys.reload();
    await report(other);
    expect(await rotateSecretKey(server.owner, env())).toBe(0);
    expect(await fetchKeyIds()).toEqual([{ id: next }]);
    expect(await server.query(sql`select after from audit where action = 'otp.key'`)).toEqual([
      { after: { from: old, to: next } },
    ]);
    await remove('otp');
    await refreshKeys(server.app);
    expect(findSecretKeys(server.auditDir, {})).toMatchObject({ newest: { id: next } });
    expect(await list()).not.toContain(old);
    server.clock.move(STEP_MS);
    expect(await logInWith(two.account, codeAt(two.secret, server.clock.now()))).toMatchObject({ code: 200 });
    expect(await logInWith(one.account, one.recoveryCodes[0] ?? '')).toMatchObject({ code: 200 });
    expect(await logInWith(one.account, one.recoveryCodes[0] ?? '')).toMatchObject({ code: 401 });
    const code = codeAt(data.secret, server.clock.now());
    expect(await call(server, 'POST', 'otp/confirm', { code }, { token: setUp.token })).toMatchObject({ code: 200 });
    await end(other);
  });

  test('changes under the targets of channels', async () => {
    const { id: operatorId } = await makeOtpOperator(server, admin);
    const target = { address: 'https://hooks.example.com/in', key: 'webhook-key' };
    const { secret, keyId } = await inTransaction(server.owner, (db) =>
      encryptTarget(server.app, db, operatorId, target),
    );
    await server.query(sql`
      insert into channel (operator_id, kind, name, secret, key_id, hint, types, enabled, created_at, recorded_at, updated_at)
      values (${operatorId}, 'webhook', 'desk', ${secret}, ${keyId}, '', '{}', 1, 1, 1, 1)`);
    await changeOtpKey();
    const [row] = await server.query(
      sql<{
        secret: string;
        keyId: string;
      }>`select secret, key_id as "keyId" from channel where operator_id = ${operatorId}`,
    );
    expect(row?.keyId).not.toBe(keyId);
    expect(row?.keyId).toBe(server.app.secretKeys.keys().newest.id);
    expect(decryptTarget(server.app, operatorId, row?.secret ?? '')).toEqual(target);
  });

  test('changes under the secrets of keys of the gateway, which stay valid', async () => {
    const key = await makeKey(server, admin);
    await changeOtpKey();
    const { id } = server.app.secretKeys.keys().newest;
    expect(await server.query(sql`select key_id as id from gateway_key where id = ${key.id}`)).toEqual([{ id }]);
    server.clock.move(1_000);
    expect(await callAs(server, key)).toMatchObject({ status: 200 });
  });

  test('changes again: recovery codes of two keys before go on working, until all are used', async () => {
    const operator = await makeOtpOperator(server, admin);
    for (let n = 0; n < 2; n += 1) {
      await makeOtpOperator(server, admin);
      await changeOtpKey();
    }
    expect(await logInWith(operator.account, operator.recoveryCodes[0] ?? '')).toMatchObject({ code: 200 });
    const kept = await server.query(sql<{ id: string }>`select key_id as id from otp_recovery_key`);
    expect(kept.length).toBeGreaterThan(1);
    await server.query(sql`update otp_recovery set used_at = 1`);
    addKey('otp', env());
    await refreshKeys(server.app);
    await rotateSecretKey(server.owner, env());
    expect(await server.query(sql`select key_id from otp_recovery_key`)).toEqual([]);
    await remove('otp');
    await refreshKeys(server.app);
  });

  test('is missing: a start names it, also after a rotation that was interrupted', async () => {
    const one = await makeOtpOperator(server, admin);
    const path = join(server.auditDir, 'otp-key.json');
    const kept = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ key: '0'.repeat(64) }));
    await expect(check()).rejects.toThrow(/are encrypted with the key [0-9a-f]{16} that is missing here/);
    expect(await checkKeyRotation(server.owner, env())).toMatchObject([{ check: 'keys', state: 'problem' }]);
    await server.query(sql`update installation set otp_key_id = null`);
    await expect(check()).rejects.toThrow('that is missing here');
    writeFileSync(path, kept);
    await check();
    addKey('otp', env());
    await refreshKeys(server.app);
    expect(await rotateSecretKey(server.owner, env())).toBe(0);
    // The run ended before it came to this operator.
    const { previous } = findSecretKeys(server.auditDir, {}) ?? {};
    if (!previous) throw new Error('no previous key');
    await server.query(sql`update otp set secret = ${encryptSecret(previous, one.id, one.secret, 'otp')}, key_id = ${previous.id}
      where operator_id = ${one.id}`);
    await expect(remove('otp')).rejects.toThrow('still need the key');
    await check();
    expect(await rotateSecretKey(server.owner, env())).toBe(0);
    expect(printed.join('')).toContain('already');
    await remove('otp');
    await refreshKeys(server.app);
  });

  test('that nobody has any more is named with its operator, and holds up the removal only', async () => {
    const { id } = await makeOtpOperator(server, admin);
    addKey('otp', env());
    await refreshKeys(server.app);
    await server.query(sql`update otp set secret = 'AAAA', created_at = 0 where operator_id = ${id}`);
    expect(await rotateSecretKey(server.owner, env())).toBe(1);
    expect(printed.join('')).toContain(`operators ${id}: reset their codes`);
    await expect(remove('otp')).rejects.toThrow('1 secrets still need');
    await server.query(sql`delete from otp where operator_id = ${id}`);
    await remove('otp');
    await refreshKeys(server.app);
  });

  test('in the environment is changed there', async () => {
    await makeOtpOperator(server, admin);
    await changeOtpKey();
    await server.query(sql`delete from server_key`);
    const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];
    expect(() => addKey('otp', env({ OTP_KEY: one }))).toThrow('set OTP_KEY_PREVIOUS to it');
    await expect(remove('otp', { OTP_KEY: one })).rejects.toThrow('There is no previous otp key');
    await expect(rotateSecretKey(server.owner, env({ OTP_KEY: two, OTP_KEY_PREVIOUS: one }))).rejects.toThrow(
      'but the previous key here is another one',
    );
    await expect(rotateSecretKey(server.owner, env())).rejects.toThrow('There is no new otp key');
  });
});

describe('the key of the audit chain', () => {
  test('hands over by an audited row that both keys sign, and the chain holds at every step', async () => {
    await sealPending(server.app);
    const first = server.app.auditKey.fingerprint;
    const holds = async (): Promise<void> => {
      const anchors = await loadAnchors(server.auditDir, findAuditKey(server.auditDir, server.auditDir));
      expect(anchors.keys).toEqual([first]);
      expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true, anchored: true });
    };
    await expect(rotateAuditKey(server.owner, env())).rejects.toThrow('There is no new audit key');
    addKey('audit', env());
    await refreshKeys(server.app);
    await expect(remove('audit')).rejects.toThrow(`The key ${first} still signs`);
    await sealPending(server.app);
    await holds();
    const sealing = setInterval(() => void sealPending(server.app), 100);
    expect(await rotateAuditKey(server.owner, env())).toBe(0);
    clearInterval(sealing);
    await holds();
    expect(await rotateAuditKey(server.owner, env())).toBe(0);
    await remove('audit');
    await refreshKeys(server.app);
    await login(server);
    await sealPending(server.app);
    await holds();
    const { fingerprint, root, previous } = server.app.auditKey;
    expect(fingerprint).not.toBe(first);
    expect({ root, previous }).toEqual({ root: first, previous: undefined });
    expect(await list()).toContain(`Verify the audit chain with the fingerprint ${first}.`);
  });

  test('waits for a server when none runs', async () => {
    await server.query(sql`delete from server_key`);
    addKey('audit', env());
    expect(await rotateAuditKey(server.owner, env())).toBe(1);
    // A second run writes no second row.
    expect(await rotateAuditKey(server.owner, env())).toBe(1);
    expect(
      await server.query(sql`select count(*)::int as n from audit_pending p join audit a on a.id = p.audit_id
      where a.action = 'audit.key'`),
    ).toEqual([{ n: 1 }]);
    await refreshKeys(server.app);
    await sealPending(server.app);
    expect(await rotateAuditKey(server.owner, env())).toBe(0);
    await remove('audit');
    await refreshKeys(server.app);
  });

  test('of another installation stops a start', async () => {
    await sealPending(server.app);
    const other = makeAuditKey();
    const work = inTransaction(server.owner, (db) =>
      checkKeys(db, { otp: findSecretKeys(server.auditDir, {}), audit: other }),
    );
    await expect(work).rejects.toThrow(`but audit-key.json holds ${other.fingerprint}`);
  });
});

describe('the key of the gateway', () => {
  test('overlaps with the one before it, and the last use of each is known', async () => {
    const old = server.app.platform.key;
    addKey('platform', env());
    await refreshKeys(server.app);
    const { key, secret } = server.app.platform;
    const older = {
      ...server,
      app: { ...server.app, platform: { key: old, secret: 'test-secret', simulated: false } },
    };
    expect(await platformCall(older, 'GET', 'markets')).toMatchObject({ code: 200 });
    await refreshKeys(server.app);
    expect(await list()).toMatch(new RegExp(`platform key ${old} \\(previous\\): .*was used \\d+ seconds ago`));
    expect(await list()).toMatch(new RegExp(`platform key ${key} \\(current\\): .*was never used`));
    await expect(remove('platform')).rejects.toThrow('would be locked out');
    expect(await platformCall(server, 'GET', 'markets')).toMatchObject({ code: 200 });
    await refreshKeys(server.app);
    await expect(remove('platform')).rejects.toThrow(`used the key ${old}`);
    // A secret of one key does not sign for the other.
    const mixed = { ...server, app: { ...server.app, platform: { key: old, secret, simulated: false } } };
    expect(await platformCall(mixed, 'GET', 'markets')).toMatchObject({ code: 401 });
    await server.query(sql`update known_key set last_used_at = last_used_at - 3600000 where key_id = ${old}`);
    server.app.state.platformKeyUses.delete(old);
    await remove('platform');
    await refreshKeys(server.app);
    expect(await platformCall(older, 'GET', 'markets')).toMatchObject({ code: 401 });
    expect(await platformCall(server, 'GET', 'markets')).toMatchObject({ code: 200 });
  });

  test('in the environment is changed there; one that somebody else has is removed at once', async () => {
    const variables = { PLATFORM_KEY: 'b', PLATFORM_SECRET: 'x' };
    expect(() => addKey('platform', env(variables))).toThrow('set PLATFORM_KEY_PREVIOUS');
    const both = { ...variables, PLATFORM_KEY_PREVIOUS: 'a', PLATFORM_SECRET_PREVIOUS: 'y' };
    await expect(remove('platform', both)).rejects.toThrow('would be locked out');
    await remove('platform', both, true);
    expect(printed.join('')).toContain('remove PLATFORM_KEY_PREVIOUS and PLATFORM_SECRET_PREVIOUS');
  });
});

test('the doctor lists every key with its age, and warns of an unfinished rotation', async () => {
  await makeOtpOperator(server, admin);
  await sealPending(server.app);
  await refreshKeys(server.app);
  const before = await checkKeyRotation(server.owner, env());
  expect(before.map(({ check: name, state }) => [name, state])).toEqual(
    ['otp', 'audit', 'platform'].map(() => ['keys', 'ok']),
  );
  for (const { text } of before)
    expect(text).toMatch(/known for \d+ (seconds|minutes).* held by 1 of 1 running servers/);
  addKey('otp', env());
  addKey('platform', env());
  const after = await checkKeyRotation(server.owner, env());
  expect(after.filter(({ state }) => state === 'warning').map(({ advice }) => advice)).toEqual([
    'run "hengtai keys rotate otp"',
    'give the key to every server: copy its file, or set its variable',
    'once nothing uses it, run "hengtai keys remove platform"',
  ]);
});
