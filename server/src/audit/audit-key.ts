import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyFormat, readKeyFile } from '../db/key-file.ts';
import { writePrivate } from '../db/postgres-files.ts';
import { fingerprintOf } from './head.ts';

/** Outside the database: who can write there must not be able to sign heads. */
export const AUDIT_KEY_FILE = 'audit-key.json';

/** The Ed25519 key that signs the heads of the audit chain. */
export interface AuditKey {
  privateKey: KeyObject;
  /** SPKI in base64. */
  publicKey: string;
  /** SHA-256 of the public key, in hex. */
  fingerprint: string;
  /** Fingerprint of a lost key whose heads are continued. */
  replaces?: string;
}

interface KeyFile {
  pem: string;
  replaces?: string;
}

/** Reads the installation's key, and makes it where there is none. Earlier releases kept it in AUDIT_DIR. */
export function auditKeyIn(dataDir: string, auditDir: string): AuditKey {
  const path = join(dataDir, AUDIT_KEY_FILE);
  if (!existsSync(path)) {
    const earlier = join(auditDir, AUDIT_KEY_FILE);
    const { pem } = existsSync(earlier) ? readKeyFile(earlier, auditKeyFormat) : { pem: makePem() };
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Two processes may make one at the same moment: the first file is kept, and none is read half written.
    writePrivate(path, JSON.stringify({ privateKey: pem }));
  }
  return keyOf(readKeyFile(path, auditKeyFormat));
}

/** The installation's key, or undefined where none was made yet. */
export function findAuditKey(dataDir: string, auditDir: string): AuditKey | undefined {
  const path = [dataDir, auditDir].map((folder) => join(folder, AUDIT_KEY_FILE)).find((one) => existsSync(one));
  return path === undefined ? undefined : keyOf(readKeyFile(path, auditKeyFormat));
}

/** A new key that is kept nowhere. */
export const makeAuditKey = (): AuditKey => keyOf({ pem: makePem() });

const makePem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function keyOf({ pem, replaces }: KeyFile): AuditKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey), ...(replaces !== undefined && { replaces }) };
}

/** The fingerprints of the keys whose heads are accepted. */
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
