import { sql } from 'kysely';
import { type Db, prepared } from '../postgres/connect.ts';

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
}

/** The keys that were issued and are not revoked. */
export async function fetchGatewayKeys(db: Db): Promise<StoredGatewayKey[]> {
  const { rows } = await sql<StoredGatewayKey>`${prepared}
    select k.id, k.key, k.name, k.secret, k.rights, k.addresses, k.expires_at as "expiresAt", k.nonce,
      k.platform_id as "platformId", p.markets
    from gateway_key k join platform p on p.id = k.platform_id where k.secret is not null`.execute(db);
  return rows;
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
