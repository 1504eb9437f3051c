import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_KEY_FILE, auditKeyFormat, findAuditKey, newAuditKey, rootOf } from '../host/audit-key.ts';
import { type KeyKind, fetchKnownKeys } from '../app/known-key.store.ts';
import { OTP_KEY_FILE, findSecretKeys, newSecretKey, secretKeyFormat, secretKeyText } from '../host/secret-key.ts';
import {
  PLATFORM_KEY_FILE,
  findPlatformKeys,
  newPlatformKey,
  platformKeyFormat,
  platformKeyText,
} from '../host/platform-key.ts';
import { type Db, inTransaction, openPool } from '../database/connect.ts';
import { readKeyFile } from '../host/key-file.ts';
import { replacePrivate } from '../host/postgres-files.ts';
import type { Env } from '../programs/env.ts';
import { checkKeys } from '../programs/key-check.ts';
import { writeLine } from './exit.ts';
import { describeAge, describeKey, findKeyStates } from './key-state.ts';
import { countOtherSecrets, rotateAuditKey, rotateSecretKey } from './keys-rotate.ts';

/** The old key of the gateway may go after this pause without a call. */
const QUIET_MS = 10 * 60_000;

export interface RemoveOptions {
  /** Also remove a key of the gateway that is in use, because somebody else has it. */
  force?: boolean;
}

/** Runs a command on the keys with a connection of the owner. */
async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-keys', onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await end();
  }
}

/** Prints every key, its age and its use. */
export const listKeys = (url: string, env: Env): Promise<void> =>
  withDatabase(url, (pool) =>
    inTransaction(pool, async (db) => {
      for (const key of await findKeyStates(db, env)) writeLine(describeKey(key));
      const audit = findAuditKey(env.dataDir, env.auditDir);
      if (!audit) return;
      writeLine(`Verify the audit chain with the fingerprint ${rootOf(audit)}.`);
      await checkKeys(db, { otp: findSecretKeys(env.dataDir, env), audit });
    }),
  );

const files: Record<KeyKind, string> = { otp: OTP_KEY_FILE, audit: AUDIT_KEY_FILE, platform: PLATFORM_KEY_FILE };

/** Text of the file with a new key, whose former key becomes the previous one; undefined during a rotation. */
const withNewKey: Record<KeyKind, (path: string) => string | undefined> = {
  otp: (path) => {
    const { key, previous } = readKeyFile(path, secretKeyFormat);
    return previous === undefined ? secretKeyText({ key: newSecretKey(), previous: key }) : undefined;
  },
  audit: (path) => {
    const { privateKey, previous, ...rest } = readKeyFile(path, auditKeyFormat);
    return previous === undefined
      ? JSON.stringify({ privateKey: newAuditKey(), previous: privateKey, ...rest })
      : undefined;
  },
  platform: (path) => {
    const { previous, ...newest } = readKeyFile(path, platformKeyFormat);
    return previous === undefined ? platformKeyText({ ...newPlatformKey(), previous: newest }) : undefined;
  },
};

/** Adds a new key to its file in DATA_DIR. The servers read it within seconds; nothing uses it yet. */
export function addKey(kind: KeyKind, env: Env): void {
  refuseVariable(kind, env);
  const path = join(env.dataDir, files[kind]);
  if (!existsSync(path)) throw new Error(`There is no ${path}, so nothing needs another key.`);
  const text = withNewKey[kind](path);
  if (text === undefined)
    throw new Error(`${path} has a new and a previous key already: finish that rotation first ("hengtai keys").`);
  replacePrivate(path, text);
  writeLine(`${path} has a new key. Copy the file to the other machines.`);
  writeLine(
    kind === 'platform'
      ? 'Give key and secret to the platform. Once it uses them, run "hengtai keys remove platform".'
      : `Then run "hengtai keys rotate ${kind}".`,
  );
}

/** Keys from the environment are changed there, because their files are not read. */
function refuseVariable(kind: KeyKind, env: Env): void {
  if (kind === 'otp' && env.otpKey !== undefined)
    throw new Error(
      'The key is in OTP_KEY: set OTP_KEY_PREVIOUS to it and OTP_KEY to a new one ("openssl rand -hex 32"), and restart ' +
        'one server after the other. Then run "hengtai keys rotate otp".',
    );
  if (kind === 'platform' && env.platformKey !== undefined)
    throw new Error(
      'The key is in PLATFORM_KEY: set PLATFORM_KEY_PREVIOUS and PLATFORM_SECRET_PREVIOUS to the present values and ' +
        'PLATFORM_KEY and PLATFORM_SECRET to new ones, and restart one server after the other. Then give them to the platform.',
    );
}

/** Puts the newest key into use. */
export const rotateKey = (url: string, env: Env, kind: 'otp' | 'audit'): Promise<number> =>
  withDatabase(url, (db) => (kind === 'otp' ? rotateSecretKey(db, env) : rotateAuditKey(db, env)));

/** Removes the previous key once nothing uses it. */
export async function removeKey(url: string, env: Env, kind: KeyKind, { force = false }: RemoveOptions): Promise<void> {
  await withDatabase(url, (pool) => inTransaction(pool, (db) => removers[kind](db, env, force)));
}

const removers: Record<KeyKind, (db: Db, env: Env, force: boolean) => Promise<void>> = {
  otp: removeOtpKey,
  audit: removeAuditKey,
  platform: removePlatformKey,
};

const nothingToRemove = (kind: KeyKind): Error => new Error(`There is no previous ${kind} key.`);

async function removeOtpKey(db: Db, env: Env): Promise<void> {
  const keys = findSecretKeys(env.dataDir, env);
  if (!keys?.previous) throw nothingToRemove('otp');
  const left = await countOtherSecrets(db, keys.newest.id);
  if (left > 0)
    throw new Error(`${left} secrets still need the key ${keys.previous.id}: run "hengtai keys rotate otp" first.`);
  if (env.otpKey === undefined) {
    const path = join(env.dataDir, OTP_KEY_FILE);
    replacePrivate(path, secretKeyText({ key: readKeyFile(path, secretKeyFormat).key }));
  }
  report('otp', keys.previous.id, env.otpKey !== undefined && 'OTP_KEY_PREVIOUS');
}

async function removeAuditKey(db: Db, env: Env): Promise<void> {
  const key = findAuditKey(env.dataDir, env.auditDir);
  if (!key?.previous) throw nothingToRemove('audit');
  const [state] = (await findKeyStates(db, env)).filter(({ kind }) => kind === 'audit');
  if (state?.role !== 'current')
    throw new Error(`The key ${key.previous.fingerprint} still signs: run "hengtai keys rotate audit" first.`);
  const path = join(env.dataDir, AUDIT_KEY_FILE);
  const { privateKey, replaces } = readKeyFile(path, auditKeyFormat);
  replacePrivate(path, JSON.stringify({ privateKey, root: rootOf(key), ...(replaces !== undefined && { replaces }) }));
  report('audit', key.previous.fingerprint, false);
}

async function removePlatformKey(db: Db, env: Env, force: boolean): Promise<void> {
  const keys = findPlatformKeys(env, env.dataDir);
  if (!keys?.previous) throw nothingToRemove('platform');
  const { previous, ...newest } = keys;
  const known = (await fetchKnownKeys(db)).filter(({ kind }) => kind === 'platform');
  const lastUseOf = (id: string): number | null => known.find((key) => key.id === id)?.lastUsedAt ?? null;
  const lastUse = lastUseOf(previous.key);
  if (!force && lastUseOf(newest.key) === null)
    throw new Error(`The platform never used the key ${newest.key}: it would be locked out.`);
  if (!force && lastUse !== null && Date.now() - lastUse < QUIET_MS)
    throw new Error(
      `The platform used the key ${previous.key} ${describeAge(lastUse)} ago: try again after 10 minutes.`,
    );
  if (env.platformKey === undefined) replacePrivate(join(env.dataDir, PLATFORM_KEY_FILE), platformKeyText(newest));
  report(
    'platform',
    previous.key,
    env.platformKey !== undefined && 'PLATFORM_KEY_PREVIOUS and PLATFORM_SECRET_PREVIOUS',
  );
}

function report(kind: KeyKind, id: string, variables: string | false): void {
  writeLine(
    variables === false
      ? `The ${kind} key ${id} is removed from ${files[kind]}. Remove it on the other machines as well.`
      : `Nothing needs the ${kind} key ${id}: remove ${variables}, and restart one server after the other.`,
  );
}
