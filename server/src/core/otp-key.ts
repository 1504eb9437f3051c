import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../postgres/make-folder.ts';
import { writePrivate } from '../postgres/postgres-files.ts';
import { type KeyFormat, readKeyFile } from '../postgres/key-file.ts';

/** Stored outside the database, so that a stolen database cannot be decrypted. */
export const OTP_KEY_FILE = 'otp-key.json';

/** A key for the secrets of one-time codes. */
export interface OtpKey {
  /** Derived from the key; does not reveal it. */
  id: string;
  bytes: Buffer;
}

/** The keys of a process: the newest, and during a rotation the one before it. */
export interface OtpKeys {
  newest: OtpKey;
  previous?: OtpKey;
}

/** Keys from the environment in hexadecimal, for servers that share no directory. */
export interface OtpKeySettings {
  otpKey?: string | undefined;
  otpKeyPrevious?: string | undefined;
}

/** The keys of one process, read on first use and again by `reload`. */
export interface OtpKeyring {
  /** @throws Error for a damaged file */
  keys: () => OtpKeys;
  /** The keys that are read already; undefined while nothing needed them. */
  known: () => OtpKeys | undefined;
  /** Reads the file again if there is one. A damaged file throws and leaves the keys as they were. */
  reload: () => void;
}

export function otpKeysIn(directory: string, settings: OtpKeySettings = {}): OtpKeyring {
  let keys = findOtpKeys(directory, settings);
  return {
    keys: () => (keys ??= readOrMakeOtpKeys(directory, settings)),
    known: () => keys,
    reload: () => void (keys = findOtpKeys(directory, settings) ?? keys),
  };
}

/** Reads the keys without creating one; undefined if there is none yet. */
export function findOtpKeys(directory: string, { otpKey, otpKeyPrevious }: OtpKeySettings): OtpKeys | undefined {
  if (otpKey !== undefined) return toOtpKeys({ key: otpKey, previous: otpKeyPrevious });
  const path = join(directory, OTP_KEY_FILE);
  return existsSync(path) ? toOtpKeys(readKeyFile(path, otpKeyFormat)) : undefined;
}

function readOrMakeOtpKeys(directory: string, settings: OtpKeySettings): OtpKeys {
  const found = findOtpKeys(directory, settings);
  if (found) return found;
  const path = join(directory, OTP_KEY_FILE);
  makeFolder(directory);
  // If two processes create it at once, the first file wins and no process reads a partial file.
  writePrivate(path, otpKeyText({ key: newOtpKey() }));
  return toOtpKeys(readKeyFile(path, otpKeyFormat));
}

/** Content of the key file; keys are in hexadecimal. */
export interface OtpKeyFile {
  key: string;
  previous?: string | undefined;
}

export const newOtpKey = (): string => randomBytes(32).toString('hex');

export const otpKeyText = (file: OtpKeyFile): string => `${JSON.stringify(file)}\n`;

const isKey = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

export const otpKeyFormat: KeyFormat<OtpKeyFile> = {
  expected: '{"key"} with 64 hexadecimal digits',
  parse: ({ key, previous }) =>
    isKey(key) && (previous === undefined || isKey(previous)) ? { key, previous } : undefined,
};

function toOtpKeys({ key, previous }: OtpKeyFile): OtpKeys {
  return { newest: toOtpKey(key), ...(previous !== undefined && { previous: toOtpKey(previous) }) };
}

function toOtpKey(hex: string): OtpKey {
  const bytes = Buffer.from(hex, 'hex');
  return { id: deriveKey(bytes, 'id').toString('hex', 0, 8), bytes };
}

/** The newest first. */
export const listOtpKeys = ({ newest, previous }: OtpKeys): OtpKey[] => (previous ? [newest, previous] : [newest]);

export const findOtpKey = (keys: OtpKeys, id: string): OtpKey | undefined =>
  listOtpKeys(keys).find((key) => key.id === id);

const deriveKey = (key: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `hengtai otp ${use}`, 32));

const IV = 12;
const TAG = 16;
const ownerOf = (operatorId: number): string => `operator ${operatorId}`;

/** AES-256-GCM, bound to `context`, so that a ciphertext cannot be moved to another row. */
function encrypt(key: Buffer, context: string, plain: Buffer): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** Returns undefined when the key or the context differs from those it was encrypted with. */
function decrypt(key: Buffer, context: string, encrypted: string): Buffer | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** What a secret belongs to. Each use has a derived key of its own, so that none can be stored in place of another. */
export type SecretUse = 'secret' | 'channel' | 'gateway';

const SECRET_NAMES: Readonly<Record<SecretUse, string>> = {
  secret: 'one-time code secret',
  channel: 'channel',
  gateway: 'key of the gateway',
};

/** Encrypts a secret for one operator. */
export const encryptSecret = (key: OtpKey, operatorId: number, secret: string, use: SecretUse = 'secret'): string =>
  encrypt(deriveKey(key.bytes, use), ownerOf(operatorId), Buffer.from(secret));

/** @throws Error when no key fits, or operator or use differ from those it was encrypted for */
export function decryptSecret(keys: OtpKeys, operatorId: number, encrypted: string, use: SecretUse = 'secret'): string {
  for (const key of listOtpKeys(keys)) {
    const secret = decrypt(deriveKey(key.bytes, use), ownerOf(operatorId), encrypted);
    if (secret) return secret.toString('utf8');
  }
  throw new Error(`The ${SECRET_NAMES[use]} of operator ${operatorId} was encrypted with another key.`);
}

/** The part of a key that hashes recovery codes. */
export const recoveryKeyOf = (key: OtpKey): Buffer => deriveKey(key.bytes, 'recovery');

const recoveryContext = (keyId: string): string => `recovery key ${keyId}`;

/** Encrypts the recovery part of the key `keyId`, so that the codes it hashed outlive that key. */
export const wrapRecoveryKey = (by: OtpKey, keyId: string, recoveryKey: Buffer): string =>
  encrypt(deriveKey(by.bytes, 'wrap'), recoveryContext(keyId), recoveryKey);

/** @returns undefined if it was encrypted with another key */
export const unwrapRecoveryKey = (by: OtpKey, keyId: string, wrapped: string): Buffer | undefined =>
  decrypt(deriveKey(by.bytes, 'wrap'), recoveryContext(keyId), wrapped);

/** The keyed hash of a recovery code that the database stores. Without the key, codes cannot be guessed offline. */
export const recoveryHash = (recoveryKey: Buffer, operatorId: number, code: string): string =>
  createHmac('sha256', recoveryKey).update(`${operatorId}\n${code}`).digest('hex');
