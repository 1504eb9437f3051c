import { findLastHead } from '../books/audit/head.store.ts';
import { findSigner } from '../books/audit/sealer.ts';
import { findAuditKey, listSigningKeys } from '../host/audit-key.ts';
import { type KeyIds, type KeyKind, fetchKnownKeys, fetchLiveServers } from '../app/known-key.store.ts';
import { findSecretKeys, listSecretKeys } from '../host/secret-key.ts';
import { findPlatformKeys, listPlatformKeys } from '../host/platform-key.ts';
import {
  countSecrets,
  fetchWrappedRecoveryKeys,
  findCurrentKeyId,
  secretTables,
} from '../domains/house/otp/secret-key.store.ts';
import type { Db } from '../database/connect.ts';
import type { Env } from '../programs/env.ts';

/** A key of this installation. */
export interface KeyState {
  kind: KeyKind;
  id: string;
  /** `current` is in use, `next` is known but not used yet, `previous` was used before. */
  role: 'current' | 'next' | 'previous';
  /** Unix ms; null if no server has reported it yet. */
  firstSeenAt: number | null;
  /** What it is used for, as the end of a line. */
  use: string;
  /** Running servers that hold it, of all running servers. */
  holders: number;
  servers: number;
}

type Described = Pick<KeyState, 'kind' | 'id' | 'role' | 'use'>;

/** Every key that this DATA_DIR and environment hold, the newest of a kind first. */
export async function findKeyStates(db: Db, env: Env): Promise<KeyState[]> {
  const known = await fetchKnownKeys(db);
  const servers = await fetchLiveServers(db);
  const described = [...(await describeOtp(db, env)), ...(await describeAudit(db, env))];
  const lastUses = new Map(known.filter(({ kind }) => kind === 'platform').map((key) => [key.id, key.lastUsedAt]));
  return [...described, ...describePlatform(env, lastUses)].map((key) => ({
    ...key,
    firstSeenAt: known.find(({ kind, id }) => kind === key.kind && id === key.id)?.firstSeenAt ?? null,
    holders: countHolders(servers, key),
    servers: servers.length,
  }));
}

const countHolders = (servers: readonly KeyIds[], { kind, id }: Pick<KeyState, 'kind' | 'id'>): number =>
  servers.filter((server) => server[kind].includes(id)).length;

async function describeOtp(db: Db, env: Env): Promise<Described[]> {
  const keys = findSecretKeys(env.dataDir, env);
  if (!keys) return [];
  const current = (await findCurrentKeyId(db)) ?? (keys.previous ?? keys.newest).id;
  const counts = (await Promise.all(secretTables.map((table) => countSecrets(db, table)))).flat();
  const wrapped = await fetchWrappedRecoveryKeys(db);
  return listSecretKeys(keys).map(({ id }, index) => {
    // Secrets of earlier releases name no key; they have the one in use.
    const own = counts.filter(({ keyId }) => keyId === id || (keyId === '' && id === current));
    const secrets = own.reduce((sum, { count }) => sum + count, 0);
    const recovery = wrapped.filter(({ wrappedBy }) => wrappedBy === id).length;
    const more = recovery === 0 ? '' : ` and the recovery codes of ${recovery} earlier keys`;
    const role = id === current ? 'current' : index === 0 ? 'next' : 'previous';
    return { kind: 'otp', id, role, use: `encrypts ${secrets} secrets${more}` };
  });
}

async function describeAudit(db: Db, env: Env): Promise<Described[]> {
  const key = findAuditKey(env.dataDir, env.auditDir);
  if (!key) return [];
  const signer = await findSigner(db, key, await findLastHead(db));
  return listSigningKeys(key)
    .toReversed()
    .map(({ fingerprint: id }, index) => {
      const isCurrent = id === signer?.fingerprint;
      const role = isCurrent ? 'current' : index === 0 ? 'next' : 'previous';
      return { kind: 'audit', id, role, use: isCurrent ? 'signs the next head' : 'signs nothing' };
    });
}

function describePlatform(env: Env, lastUses: ReadonlyMap<string, number | null>): Described[] {
  const keys = findPlatformKeys(env, env.dataDir);
  if (!keys) return [];
  return listPlatformKeys(keys).map(({ key: id }, index) => {
    const at = lastUses.get(id);
    const use = at === undefined || at === null ? 'was never used' : `was used ${describeAge(at)} ago`;
    return { kind: 'platform', id, role: index === 0 ? 'current' : 'previous', use };
  });
}

/** The time since `at` in the largest unit that fits. */
export function describeAge(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1_000));
  const units = [
    ['days', 86_400],
    ['hours', 3_600],
    ['minutes', 60],
  ] as const;
  const [name, size] = units.find(([, length]) => seconds >= 2 * length) ?? ['seconds', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}

export function describeKey({ kind, id, role, firstSeenAt, use, holders, servers }: KeyState): string {
  const age = firstSeenAt === null ? 'not reported by a server yet' : `known for ${describeAge(firstSeenAt)}`;
  return `${kind} key ${id} (${role}): ${age}, ${use}, held by ${holders} of ${servers} running servers`;
}
