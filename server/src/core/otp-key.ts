import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../postgres/postgres-files.ts';
import { type KeyFormat, readKeyFile } from '../postgres/key-file.ts';

/** Stored outside the database, so that a stolen database cannot be decrypted. */
export const OTP_KEY_FILE = 'otp-key.json';

/** The installation's key for one-time code secrets, read or created on first use. */
export type OtpKey = () => Promise<Buffer>;

/** @param hexKey 64 hexadecimal digits from the environment, for servers that share no directory */
export function otpKeyIn(directory: string, hexKey?: string): OtpKey {
  let cached: Promise<Buffer> | undefined;
  return () => {
    cached ??= hexKey === undefined ? readOrCreateKey(directory) : Promise.resolve(Buffer.from(hexKey, 'hex'));
    // Do not cache a failure, so that the next use retries.
    cached.catch(() => (cached = undefined));
    return cached;
  };
}

async function readOrCreateKey(directory: string): Promise<Buffer> {
  const path = join(directory, OTP_KEY_FILE);
  if (!existsSync(path)) {
    const content = JSON.stringify({ key: randomBytes(32).toString('hex') });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // If two processes create it at once, the first file wins and no process reads a partial file.
    writePrivate(path, `${content}\n`);
  }
  return readKeyFile(path, otpKeyFormat);
}

export const otpKeyFormat: KeyFormat<Buffer> = {
  expected: '{"key"} with 64 hexadecimal digits',
  parse: ({ key }) => (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key) ? Buffer.from(key, 'hex') : undefined),
};

const deriveKey = (key: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `hengtai otp ${use}`, 32));

const IV = 12;
const TAG = 16;
const ownerOf = (operatorId: number): Buffer => Buffer.from(`operator ${operatorId}`);

/** What a secret belongs to. The two have different keys, so that one cannot be stored in place of the other. */
export type SecretUse = 'secret' | 'channel';

/** Encrypts a secret with AES-256-GCM, bound to the operator, so that it cannot be moved to another operator's row. */
export async function encryptSecret(
  key: OtpKey,
  operatorId: number,
  secret: string,
  use: SecretUse = 'secret',
): Promise<string> {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(await key(), use), iv).setAAD(ownerOf(operatorId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** @throws Error when the key, the operator or the use differs from the one it was encrypted for */
export async function decryptSecret(
  key: OtpKey,
  operatorId: number,
  encrypted: string,
  use: SecretUse = 'secret',
): Promise<string> {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(await key(), use), bytes.subarray(0, IV))
    .setAAD(ownerOf(operatorId))
    .setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

/** The keyed hash of a recovery code that the database stores. Without the key, codes cannot be guessed offline. */
export async function recoveryHash(key: OtpKey, operatorId: number, code: string): Promise<string> {
  return createHmac('sha256', deriveKey(await key(), 'recovery'))
    .update(`${operatorId}\n${code}`)
    .digest('hex');
}
