import { type KeyObject, createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyFormat, readKeyFile } from '../postgres/key-file.ts';
import { writePrivate } from '../postgres/postgres-files.ts';

/** Name of the key file. The key is not in the database, so that write access to the database cannot sign heads. */
export const AUDIT_KEY_FILE = 'audit-key.json';
const LAST_HEAD_FILE = 'audit-last-head.json';

/** The Ed25519 key that signs the heads of the audit chain. */
export interface AuditKey {
  privateKey: KeyObject;
  /** SPKI in base64. */
  publicKey: string;
  /** SHA-256 of the public key, in hex. */
  fingerprint: string;
  /** Fingerprint of the lost key that this key replaces; heads signed with it are still accepted. */
  replaces?: string;
  /** File beside the key with the last head; the chain must continue it even if AUDIT_DIR was changed. */
  lastHeadFile?: string;
}

interface KeyFile {
  pem: string;
  replaces?: string;
}

/**
 * Reads the key of the installation, or generates one. Copies the key of an earlier release from AUDIT_DIR.
 *
 * @throws Error if the file is damaged
 */
export function readOrMakeAuditKey(dataDir: string, auditDir: string): AuditKey {
  const path = join(dataDir, AUDIT_KEY_FILE);
  if (!existsSync(path)) {
    const earlier = join(auditDir, AUDIT_KEY_FILE);
    const { pem } = existsSync(earlier) ? readKeyFile(earlier, auditKeyFormat) : { pem: makePem() };
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // If two processes write at the same time, the first file is kept; the write is atomic.
    writePrivate(path, JSON.stringify({ privateKey: pem }));
  }
  return withLastHead(dataDir, readKeyFile(path, auditKeyFormat));
}

/** Reads the key of the installation; undefined if there is none yet. */
export function findAuditKey(dataDir: string, auditDir: string): AuditKey | undefined {
  const path = [dataDir, auditDir].map((folder) => join(folder, AUDIT_KEY_FILE)).find((one) => existsSync(one));
  return path === undefined ? undefined : withLastHead(dataDir, readKeyFile(path, auditKeyFormat));
}

const withLastHead = (dataDir: string, key: KeyFile): AuditKey => ({
  ...toAuditKey(key),
  lastHeadFile: join(dataDir, LAST_HEAD_FILE),
});

/** Generates a key without storing it. */
export const makeAuditKey = (): AuditKey => toAuditKey({ pem: makePem() });

const makePem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function toAuditKey({ pem, replaces }: KeyFile): AuditKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey), ...(replaces !== undefined && { replaces }) };
}

/** Fingerprints of the keys whose heads are accepted. */
export const trustedKeys = ({ fingerprint, replaces }: AuditKey): string[] =>
  replaces === undefined ? [fingerprint] : [fingerprint, replaces];

export const auditKeyFormat: KeyFormat<KeyFile> = {
  expected: '{"privateKey"} with an Ed25519 key in PEM',
  parse: ({ privateKey: pem, replaces }) => {
    if (typeof pem !== 'string') return undefined;
    if (replaces !== undefined && !(typeof replaces === 'string' && /^[0-9a-f]{64}$/.test(replaces))) return undefined;
    try {
      return createPrivateKey(pem).asymmetricKeyType === 'ed25519'
        ? { pem, ...(replaces !== undefined && { replaces }) }
        : undefined;
    } catch {
      return undefined;
    }
  },
};

/** SHA-256 of the public key, in hex. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
