import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from '../actions/audit.store.ts';
import { HANDOVER, signHandover } from '../books/audit/handover.ts';
import { findLastHead, hasPendingHandover } from '../books/audit/head.store.ts';
import { findSigner } from '../books/audit/sealer.ts';
import { type AuditKey, findAuditKey } from '../host/audit-key.ts';
import { type KeyKind, fetchLiveServers, lockKeys } from '../app/known-key.store.ts';
import {
  type SecretKey,
  type SecretKeys,
  decryptSecret,
  encryptSecret,
  findSecretKeys,
  recoveryKeyOf,
  unwrapRecoveryKey,
  wrapRecoveryKey,
} from '../host/secret-key.ts';
import {
  type SecretTable,
  countSecretsOfOtherKeys,
  dropUnusedRecoveryKeys,
  fetchSecretsOfOtherKeys,
  fetchWrappedRecoveryKeys,
  findCurrentKeyId,
  nameRecoveryKey,
  putWrappedRecoveryKey,
  replaceSecrets,
  secretTables,
  setCurrentKeyId,
} from '../domains/house/otp/secret-key.store.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import { type Db, inTransaction } from '../database/connect.ts';
import type { Env } from '../programs/env.ts';
import { EXIT, writeLine } from './exit.ts';

const BATCH = 500;
const WAIT_MS = 30_000;
const PAUSE_MS = 250;

/**
 * Makes the newest key the one that new secrets are encrypted with, then encrypts the others again, batch by batch. An
 * interrupted run is continued by the next.
 *
 * @throws Error if a running server does not hold the new key
 */
export async function rotateSecretKey(pool: Db, env: Env): Promise<number> {
  const keys = findSecretKeys(env.dataDir, env);
  if (!keys?.previous) throw noNewKey('otp');
  const { newest, previous } = keys;
  await waitForServers(pool, 'otp', newest.id);
  const isBegun = await inTransaction(pool, async (db) => {
    await lockKeys(db);
    await checkServers(db, 'otp', newest.id);
    const current = await findCurrentKeyId(db);
    if (current === newest.id) return true;
    if (current !== null && current !== previous.id) throw wrongPrevious('otp', current);
    await nameRecoveryKey(db, previous.id);
    await keepRecoveryKeys(db, previous, newest);
    await setCurrentKeyId(db, newest.id);
    await audit(db, 'otp.key', { from: previous.id, to: newest.id });
    return false;
  });
  writeLine(`New secrets are encrypted with the key ${newest.id}${isBegun ? ' already' : ''}.`);
  const failed = (await Promise.all(secretTables.map((table) => encryptAgain(pool, table, keys)))).flat();
  await inTransaction(pool, dropUnusedRecoveryKeys);
  const left = await inTransaction(pool, (db) => countOtherSecrets(db, newest.id));
  if (left === 0) {
    writeLine('No secret needs another key. Run "hengtai keys remove otp". 其余密钥已不再使用。');
    return EXIT.done;
  }
  const whose =
    failed.length === 0 ? '' : ` No key here decrypts those of operators ${failed.join(', ')}: reset their codes.`;
  writeLine(`${left} secrets still need another key.${whose} 仍有密文未换用新密钥。`);
  return EXIT.refused;
}

/** Encrypts the recovery part of the old key, and those of keys before it, with the new key. */
async function keepRecoveryKeys(db: Db, from: SecretKey, to: SecretKey): Promise<void> {
  const keep = (keyId: string, recoveryKey: Buffer): Promise<void> =>
    putWrappedRecoveryKey(db, { keyId, wrappedBy: to.id, secret: wrapRecoveryKey(to, keyId, recoveryKey) });
  for (const { keyId, secret } of await fetchWrappedRecoveryKeys(db)) {
    const recoveryKey = unwrapRecoveryKey(from, keyId, secret);
    if (!recoveryKey) throw new ConfigurationError(`No key here decrypts the recovery codes of the key ${keyId}.`);
    await keep(keyId, recoveryKey);
  }
  await keep(from.id, recoveryKeyOf(from));
}

/** @returns the operators whose secret no key decrypts */
async function encryptAgain(pool: Db, table: SecretTable, keys: SecretKeys): Promise<number[]> {
  const { newest } = keys;
  const failed: number[] = [];
  let done = 0;
  for (let after = 0; ;) {
    const rows = await inTransaction(pool, (db) =>
      fetchSecretsOfOtherKeys(db, table, { keyId: newest.id, after, limit: BATCH }),
    );
    if (rows.length === 0) return failed;
    const changes = rows.flatMap(({ id, operatorId, secret: from }) => {
      try {
        const to = encryptSecret(newest, operatorId, decryptSecret(keys, operatorId, from, table.use), table.use);
        return [{ id, from, to }];
      } catch {
        failed.push(operatorId);
        return [];
      }
    });
    await inTransaction(pool, (db) => replaceSecrets(db, table, newest.id, changes));
    done += changes.length;
    after = rows.at(-1)?.id ?? after;
    writeLine(`${table.table}: ${done} secrets encrypted again`);
  }
}

/** How many secrets and recovery keys would be lost with all keys but `keyId`. */
export async function countOtherSecrets(db: Db, keyId: string): Promise<number> {
  const counts = await Promise.all(secretTables.map((table) => countSecretsOfOtherKeys(db, table, keyId)));
  const wrapped = (await fetchWrappedRecoveryKeys(db)).filter(({ wrappedBy }) => wrappedBy !== keyId);
  const isCurrent = (await findCurrentKeyId(db)) === keyId;
  return counts.reduce((sum, count) => sum + count, wrapped.length + (isCurrent ? 0 : 1));
}

/**
 * Writes the audit row by which the old key of the audit chain hands over to the new one, and waits until it is sealed.
 *
 * @throws Error if a running server does not hold the new key
 */
export async function rotateAuditKey(pool: Db, env: Env): Promise<number> {
  const key = findAuditKey(env.dataDir, env.auditDir);
  if (!key) throw noNewKey('audit');
  if (await inTransaction(pool, (db) => signsWith(db, key, key.fingerprint))) {
    if (!key.previous) throw noNewKey('audit');
    writeLine(`The key ${key.fingerprint} signs already. Run "hengtai keys remove audit".`);
    return EXIT.done;
  }
  const { previous } = key;
  if (!previous) throw noNewKey('audit');
  await waitForServers(pool, 'audit', key.fingerprint);
  const hasServers = await inTransaction(pool, async (db) => {
    await lockKeys(db);
    const servers = await checkServers(db, 'audit', key.fingerprint);
    if (!(await signsWith(db, key, previous.fingerprint))) throw wrongPrevious('audit', 'another key');
    if (!(await hasPendingHandover(db))) await audit(db, HANDOVER.action, signHandover(previous, key));
    return servers > 0;
  });
  const isSealed = hasServers && (await waitFor(pool, (db) => signsWith(db, key, key.fingerprint)));
  writeLine(
    isSealed
      ? `The key ${key.fingerprint} signs from the next head on. Run "hengtai keys remove audit". 审计链已换用新密钥。`
      : 'The handover is written. The key signs once a server has sealed it: start one, then run this command again.',
  );
  return isSealed ? EXIT.done : EXIT.refused;
}

const signsWith = async (db: Db, key: AuditKey, fingerprint: string): Promise<boolean> =>
  (await findSigner(db, key, await findLastHead(db)))?.fingerprint === fingerprint;

/** Servers read their key files every few seconds, and those that have ended are forgotten after 20 s. */
async function waitForServers(pool: Db, kind: KeyKind, id: string): Promise<void> {
  await waitFor(pool, async (db) => (await findLacking(db, kind, id)).length === 0);
}

/** @returns the number of running servers, which all hold the key */
async function checkServers(db: Db, kind: KeyKind, id: string): Promise<number> {
  const [lacking] = await findLacking(db, kind, id);
  if (lacking)
    throw new Error(
      `The server ${lacking.pid} on ${lacking.host} does not hold the ${kind} key ${id}: give it the key first. ` +
        '有服务器尚无新密钥。',
    );
  return (await fetchLiveServers(db)).length;
}

async function findLacking(db: Db, kind: KeyKind, id: string): Promise<{ host: string; pid: number }[]> {
  return (await fetchLiveServers(db)).filter((server) => !server[kind].includes(id));
}

/** @returns false if it did not come true in time */
async function waitFor(pool: Db, isTrue: (db: Db) => Promise<boolean>): Promise<boolean> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(PAUSE_MS))
    if (await inTransaction(pool, isTrue)) return true;
  return false;
}

const noNewKey = (kind: KeyKind): Error =>
  new Error(`There is no new ${kind} key: run "hengtai keys add ${kind}" first. 没有新密钥。`);

const wrongPrevious = (kind: KeyKind, id: string): ConfigurationError =>
  new ConfigurationError(`The ${kind} key in use is ${id}, but the previous key here is another one. 旧密钥不符。`);

async function audit(db: Db, action: string, after: object): Promise<void> {
  const now = Date.now();
  const caller = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
  await recordAudit(db, caller, { action, targetType: HANDOVER.targetType, result: CODE.ok, after });
}
