import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { writePrivate } from './postgres-files.ts';
import { type KeyFormat, readKeyFile } from './key-file.ts';

/** Stored outside the database, so that a stolen database cannot be decrypted. */
export const OTP_KEY_FILE = 'otp-key.json';

/** A key for the secrets that the database stores: of one-time codes, channels and gateway keys. */
export interface SecretKey {
  /** Derived from the key; does not reveal it. */
  id: string;
  bytes: Buffer;
}

/** The keys of a process: the newest, and during a rotation the one before it. */
export interface SecretKeys {
  newest: SecretKey;
  previous?: SecretKey;
}

/** Keys from the environment in hexadecimal, for servers that share no directory. */
export interface SecretKeySettings {
  otpKey?: string | undefined;
  otpKeyPrevious?: string | undefined;
}

/** The keys of one process, read on first use and again by `reload`. */
export interface SecretKeyring {
  /** @throws Error for a damaged file */
  keys: () => SecretKeys;
  /** The keys that are read already; undefined while nothing needed them. */
  loadedKeys: () => SecretKeys | undefined;
  /** Reads the file again if there is one. A damaged file throws and leaves the keys as they were. */
  reload: () => void;
}

export function secretKeysIn(directory: string, settings: SecretKeySettings = {}): SecretKeyring {
  let keys = findSecretKeys(directory, settings);
  return {
    keys: () => (keys ??= readOrMakeSecretKeys(directory, settings)),
    loadedKeys: () => keys,
    reload: () => void (keys = findSecretKeys(directory, settings) ?? keys),
  };
}

/** Reads the keys without creating one; undefined if there is none yet. */
export function findSecretKeys(
  directory: string,
  { otpKey, otpKeyPrevious }: SecretKeySettings,
): SecretKeys | undefined {
  if (otpKey !== undefined) return toSecretKeys({ key: otpKey, previous: otpKeyPrevious });
  const path = join(directory, OTP_KEY_FILE);
  return existsSync(path) ? toSecretKeys(readKeyFile(path, secretKeyFormat)) : undefined;
}

function readOrMakeSecretKeys(directory: string, settings: SecretKeySettings): SecretKeys {
  const found = findSecretKeys(directory, settings);
  if (found) return found;
  const path = join(directory, OTP_KEY_FILE);
  makeFolder(directory);
  // If two processes create it at once, the first file wins and no process reads a partial file.
  writePrivate(path, secretKeyText({ key: newSecretKey() }));
  return toSecretKeys(readKeyFile(path, secretKeyFormat));
}

/** Content of the key file; keys are in hexadecimal. */
export interface SecretKeyFile {
  key: string;
  previous?: string | undefined;
}

export const newSecretKey = (): string => randomBytes(32).toString('hex');

export const secretKeyText = (file: SecretKeyFile): string => `${JSON.stringify(file)}\n`;

const isKey = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

export const secretKeyFormat: KeyFormat<SecretKeyFile> = {
  expected: '{"key"} with 64 hexadecimal digits',
  parse: ({ key, previous }) =>
    isKey(key) && (previous === undefined || isKey(previous)) ? { key, previous } : undefined,
};

function toSecretKeys({ key, previous }: SecretKeyFile): SecretKeys {
  return { newest: toSecretKey(key), ...(previous !== undefined && { previous: toSecretKey(previous) }) };
}

function toSecretKey(hex: string): SecretKey {
  const bytes = Buffer.from(hex, 'hex');
  return { id: deriveKey(bytes, 'id').toString('hex', 0, 8), bytes };
}

/** The newest first. */
export const listSecretKeys = ({ newest, previous }: SecretKeys): SecretKey[] =>
  previous ? [newest, previous] : [newest];

export const findSecretKey = (keys: SecretKeys, id: string): SecretKey | undefined =>
  listSecretKeys(keys).find((key) => key.id === id);

const deriveKey = (key: Buffer, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `hengtai otp ${label}`, 32));

const IV_BYTES = 12;
const TAG_BYTES = 16;
const ownerOf = (operatorId: number): string => `operator ${operatorId}`;

/** AES-256-GCM, bound to `context`, so that a ciphertext cannot be moved to another row. */
function encrypt(key: Buffer, context: string, plain: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** Returns undefined when the key or the context differs from those it was encrypted with. */
function decrypt(key: Buffer, context: string, encrypted: string): Buffer | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/**
 * What a secret belongs to. Each use has a derived key of its own, so that none can be stored in place of another. The labels
 * of the derivation never change: they decide what stored secrets are encrypted with.
 */
const SECRET_USES = {
  otp: { label: 'secret', name: 'one-time code secret' },
  channel: { label: 'channel', name: 'channel' },
  gateway: { label: 'gateway', name: 'key of the gateway' },
} as const;
export type SecretUse = keyof typeof SECRET_USES;

const keyFor = ({ bytes }: SecretKey, use: SecretUse): Buffer => deriveKey(bytes, SECRET_USES[use].label);

/** Encrypts a secret for one operator. */
export const encryptSecret = (key: SecretKey, operatorId: number, secret: string, use: SecretUse): string =>
  encrypt(keyFor(key, use), ownerOf(operatorId), Buffer.from(secret));

/** @throws Error when no key fits, or operator or use differ from those it was encrypted for */
export function decryptSecret(keys: SecretKeys, operatorId: number, encrypted: string, use: SecretUse): string {
  for (const key of listSecretKeys(keys)) {
    const secret = decrypt(keyFor(key, use), ownerOf(operatorId), encrypted);
    if (secret) return secret.toString('utf8');
  }
  throw new Error(`The ${SECRET_USES[use].name} of operator ${operatorId} was encrypted with another key.`);
}

/** The part of a key that hashes recovery codes. */
export const recoveryKeyOf = (key: SecretKey): Buffer => deriveKey(key.bytes, 'recovery');

const recoveryContext = (keyId: string): string => `recovery key ${keyId}`;

/** Encrypts the recovery part of the key `keyId`, so that the codes it hashed outlive that key. */
export const wrapRecoveryKey = (wrappingKey: SecretKey, keyId: string, recoveryKey: Buffer): string =>
  encrypt(deriveKey(wrappingKey.bytes, 'wrap'), recoveryContext(keyId), recoveryKey);

/** @returns undefined if it was encrypted with another key */
export const unwrapRecoveryKey = (wrappingKey: SecretKey, keyId: string, wrapped: string): Buffer | undefined =>
  decrypt(deriveKey(wrappingKey.bytes, 'wrap'), recoveryContext(keyId), wrapped);

/** The keyed hash of a recovery code that the database stores. Without the key, codes cannot be guessed offline. */
export const recoveryHash = (recoveryKey: Buffer, operatorId: number, code: string): string =>
  createHmac('sha256', recoveryKey).update(`${operatorId}\n${code}`).digest('hex');
