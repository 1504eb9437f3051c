import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../db/postgres-files.ts';
import { type KeyFormat, readKeyFile } from '../db/key-file.ts';

/** Outside the database: who steals the database cannot decrypt its secrets. */
export const OTP_KEY_FILE = 'otp-key.json';

/** The installation's key for secrets of one-time codes; read or created when it is first needed. */
export type OtpKey = () => Promise<Buffer>;

/** @param given 64 hexadecimal digits from the environment, for servers that share no directory */
export function otpKeyIn(directory: string, given?: string): OtpKey {
  let read: Promise<Buffer> | undefined;
  return () => {
    read ??= given === undefined ? keyIn(directory) : Promise.resolve(Buffer.from(given, 'hex'));
    // A directory that could not be read may be there the next time.
    read.catch(() => (read = undefined));
    return read;
  };
}

async function keyIn(directory: string): Promise<Buffer> {
  const path = join(directory, OTP_KEY_FILE);
  if (!existsSync(path)) {
    const made = JSON.stringify({ key: randomBytes(32).toString('hex') });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Two processes may make one at the same moment: the first file is kept, and none is read half written.
    writePrivate(path, `${made}\n`);
  }
  return readKeyFile(path, otpKeyFormat);
}

export const otpKeyFormat: KeyFormat<Buffer> = {
  expected: '{"key"} with 64 hexadecimal digits',
  parse: ({ key }) => (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key) ? Buffer.from(key, 'hex') : undefined),
};

const derived = (key: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `hengtai otp ${use}`, 32));

const IV = 12;
const TAG = 16;
const ownerOf = (operatorId: number): Buffer => Buffer.from(`operator ${operatorId}`);

/** Seals a secret for one operator; in the row of another one it cannot be opened. */
export async function seal(key: OtpKey, operatorId: number, secret: string): Promise<string> {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', derived(await key(), 'secret'), iv).setAAD(ownerOf(operatorId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws Error when the key is not the one that it was sealed with, or the row is not the operator's */
export async function unseal(key: OtpKey, operatorId: number, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', derived(await key(), 'secret'), bytes.subarray(0, IV))
    .setAAD(ownerOf(operatorId))
    .setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

/** What the database keeps of a recovery code: without the key not even a guess can be tried against it. */
export async function recoveryHash(key: OtpKey, operatorId: number, code: string): Promise<string> {
  return createHmac('sha256', derived(await key(), 'recovery'))
    .update(`${operatorId}\n${code}`)
    .digest('hex');
}
