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
}

/** Reads the installation's key, and makes it where there is none. Earlier releases kept it in AUDIT_DIR. */
export function auditKeyIn(dataDir: string, auditDir: string): AuditKey {
  const path = join(dataDir, AUDIT_KEY_FILE);
  if (!existsSync(path)) {
    const earlier = join(auditDir, AUDIT_KEY_FILE);
    const pem = existsSync(earlier) ? readKeyFile(earlier, auditKeyFormat) : makePem();
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

const makePem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function keyOf(pem: string): AuditKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
}

export const auditKeyFormat: KeyFormat<string> = {
  expected: '{"privateKey"} with an Ed25519 key in PEM',
  parse: ({ privateKey: pem }) => {
    if (typeof pem !== 'string') return undefined;
    try {
      return createPrivateKey(pem).asymmetricKeyType === 'ed25519' ? pem : undefined;
    } catch {
      return undefined;
    }
  },
};
