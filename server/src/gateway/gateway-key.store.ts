import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared, sqlState } from '../database/connect.ts';
import type { KeyVersion, PlatformScope } from './platform-scope.ts';

export interface StoredGatewayKey {
  id: number;
  key: string;
  name: string;
  /** Encrypted. */
  secret: string;
  rights: string[];
  addresses: string[];
  expiresAt: number | null;
  nonce: number;
  platformId: number;
  /** Markets of the platform; null: every market. */
  markets: string[] | null;
  updatedAt: number;
  platformUpdatedAt: number;
}

/** The keys that were issued and are not revoked. */
export async function fetchGatewayKeys(db: Db): Promise<StoredGatewayKey[]> {
  const { rows } = await sql<StoredGatewayKey>`${prepared}
    select k.id, k.key, k.name, k.secret, k.rights, k.addresses, k.expires_at as "expiresAt", k.nonce,
      k.platform_id as "platformId", p.markets, k.updated_at as "updatedAt", p.updated_at as "platformUpdatedAt"
    from gateway_key k join platform p on p.id = k.platform_id where k.secret is not null`.execute(db);
  return rows;
}

const holdKey = ({ id, updatedAt, platformUpdatedAt }: KeyVersion): RawBuilder<boolean> =>
  sql<boolean>`hold_gateway_key(${id}, ${updatedAt}, ${platformUpdatedAt})`;

/**
 * Condition that makes a statement of a call fail if its key was changed or revoked since it was read. Until the
 * transaction ends, a change of the key waits. PostgreSQL evaluates it once, before it reads rows.
 */
export const holdsKey = ({ key }: PlatformScope): RawBuilder<boolean> =>
  key ? sql<boolean>`(select ${holdKey(key)})` : sql<boolean>`true`;

/** Whether `holdsKey` made the statement fail. */
export const isKeyChanged = (error: unknown): boolean => sqlState(error) === 'HT001';

/** Fails as `holdsKey`, for calls whose own statements do not have it. */
export async function requireKey(db: Db, { key }: PlatformScope): Promise<void> {
  if (key) await sql`${prepared}select ${holdKey(key)}`.execute(db);
}

/** Waits for running calls with keys of the table, and makes later ones wait until a key is changed. */
export async function lockGatewayKeys(db: Db): Promise<void> {
  await sql`select lock_gateway_keys()`.execute(db);
}

/** Records a nonce of a key; false if it was used before. */
export async function takeNonce(db: Db, use: { key: string; nonce: string; expiresAt: number }): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
    insert into gateway_nonce (key, nonce, expires_at) values (${use.key}, ${use.nonce}, ${use.expiresAt})
    on conflict (key, nonce) do nothing`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteOldNonces(db: Db, now: number): Promise<void> {
  await sql`delete from gateway_nonce where expires_at < ${now}`.execute(db);
}
