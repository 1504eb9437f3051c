import { type KeyObject, createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyFormat, readKeyFile } from './key-file.ts';
import { makeFolder } from './make-folder.ts';
import { writePrivate } from './postgres-files.ts';

/** Name of the key file. The key is not in the database, so that write access to the database cannot sign heads. */
export const AUDIT_KEY_FILE = 'audit-key.json';
const LAST_HEAD_FILE = 'audit-last-head.json';

/** An Ed25519 key that signs heads of the audit chain. */
export interface SigningKey {
  privateKey: KeyObject;
  /** SPKI in base64. */
  publicKey: string;
  /** SHA-256 of the public key, in hex. */
  fingerprint: string;
}

/** The newest key of the installation, and what it follows. */
export interface AuditKey extends SigningKey {
  /** During a rotation, the key before it, which signs until it has handed over. */
  previous?: SigningKey;
  /** Fingerprint of the first key, from which handovers lead to this one. Absent: this key is the first. */
  root?: string;
  /** Fingerprints of lost keys, the oldest first; their heads are accepted although they handed over to nobody. */
  replaces?: readonly string[];
  /** File beside the key with the last head; the chain must continue it even if AUDIT_DIR was changed. */
  lastHeadFile?: string;
}

/** Content of the key file; private keys are in PEM. */
export interface AuditKeyFile {
  privateKey: string;
  previous?: string;
  root?: string;
  replaces?: string | readonly string[];
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
    const { privateKey } = existsSync(earlier) ? readKeyFile(earlier, auditKeyFormat) : { privateKey: newAuditKey() };
    makeFolder(dataDir);
    // If two processes write at the same time, the first file is kept; the write is atomic.
    writePrivate(path, JSON.stringify({ privateKey }));
  }
  return withLastHead(dataDir, readKeyFile(path, auditKeyFormat));
}

/** Reads the key of the installation; undefined if there is none yet. */
export function findAuditKey(dataDir: string, auditDir: string): AuditKey | undefined {
  const path = [dataDir, auditDir].map((folder) => join(folder, AUDIT_KEY_FILE)).find((one) => existsSync(one));
  return path === undefined ? undefined : withLastHead(dataDir, readKeyFile(path, auditKeyFormat));
}

const withLastHead = (dataDir: string, key: AuditKeyFile): AuditKey => ({
  ...toAuditKey(key),
  lastHeadFile: join(dataDir, LAST_HEAD_FILE),
});

/** Generates a key without storing it. */
export const makeAuditKey = (): AuditKey => toAuditKey({ privateKey: newAuditKey() });

/** A new private key in PEM. */
export const newAuditKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function toSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
}

function toAuditKey({ privateKey, previous, root, replaces }: AuditKeyFile): AuditKey {
  return {
    ...toSigningKey(privateKey),
    ...(previous !== undefined && { previous: toSigningKey(previous) }),
    ...(root !== undefined && { root }),
    ...(replaces !== undefined && { replaces: [replaces].flat() }),
  };
}

/** The private keys that this process holds, the oldest first. */
export const listSigningKeys = (key: AuditKey): SigningKey[] => (key.previous ? [key.previous, key] : [key]);

/** Fingerprint of the first key: what a verifier keeps. Handovers in the chain lead from it to the newest. */
export const rootOf = ({ root, previous, fingerprint }: AuditKey): string =>
  root ?? previous?.fingerprint ?? fingerprint;

/** Fingerprints of the keys that are accepted without a handover, the oldest first. */
export const rootsOf = (key: AuditKey): string[] => [...(key.replaces ?? []), rootOf(key)];

const isFingerprint = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

export const auditKeyFormat: KeyFormat<AuditKeyFile> = {
  expected: '{"privateKey"} with an Ed25519 key in PEM',
  parse: ({ privateKey, previous, root, replaces }) => {
    if (!isEd25519(privateKey) || (previous !== undefined && !isEd25519(previous))) return undefined;
    if (root !== undefined && !isFingerprint(root)) return undefined;
    if (replaces !== undefined && ![replaces].flat().every(isFingerprint)) return undefined;
    return {
      privateKey,
      ...(previous !== undefined && { previous }),
      ...(root !== undefined && { root }),
      ...(replaces !== undefined && { replaces: replaces as string | string[] }),
    };
  },
};

function isEd25519(pem: unknown): pem is string {
  try {
    return typeof pem === 'string' && createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** SHA-256 of the public key, in hex. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
