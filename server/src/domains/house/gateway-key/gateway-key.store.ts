import { GATEWAY_KEYS_MAX } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayKeyList, GatewayKeyRow, GatewayKeySave } from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { lockGatewayKeys } from '../../../gateway/gateway-key.store.ts';
import type { Db } from '../../../database/connect.ts';

const fields = sql`id, key, platform_id as "platformId", name, rights, addresses, expires_at as "expiresAt", nonce, issued_at as "issuedAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt", by_account as by, created_at as "createdAt",
  updated_at as "updatedAt"`;

/** Keys that are shown after they were revoked. */
const REVOKED_MAX = 50;

/** Valid keys, and then the last revoked ones. */
export async function listGatewayKeys(db: Db): Promise<GatewayKeyRow[]> {
  const { rows } = await sql<GatewayKeyRow>`
    select ${fields} from gateway_key order by revoked_at desc nulls first, id
    limit ${GATEWAY_KEYS_MAX + REVOKED_MAX}`.execute(db);
  return rows;
}

/** When the keys of the environment were used last. */
export async function fetchLastUses(db: Db, keys: readonly string[]): Promise<GatewayKeyList['environment']> {
  const { rows } = await sql<{ key: string; lastUsedAt: number | null }>`
    select e.key, k.last_used_at as "lastUsedAt" from unnest(${[...keys]}::text[]) with ordinality as e(key, n)
    left join known_key k on k.kind = 'platform' and k.key_id = e.key order by e.n`.execute(db);
  return rows;
}

export async function findGatewayKey(db: Db, id: number): Promise<GatewayKeyRow | undefined> {
  const { rows } = await sql<GatewayKeyRow>`select ${fields} from gateway_key where id = ${id}`.execute(db);
  return rows[0];
}

type Terms = Omit<GatewayKeySave, 'id' | 'seen' | 'platformId'>;

/** Inserts a key without a secret; undefined if there are `GATEWAY_KEYS_MAX` valid keys or no such platform. */
export async function insertGatewayKey(
  { db, operator, now }: Ctx,
  { key, platformId }: Pick<GatewayKeyRow, 'key' | 'platformId'>,
  { name, rights, addresses, expiresAt, nonce }: Terms,
): Promise<GatewayKeyRow | undefined> {
  const { rows } = await sql<GatewayKeyRow>`
    insert into gateway_key (key, platform_id, name, rights, addresses, expires_at, nonce, by_account, created_at,
      recorded_at, updated_at)
    select ${key}::text, p.id, ${name}::text, ${[...rights]}::text[], ${[...addresses]}::text[], ${expiresAt}::bigint,
      ${nonce}::smallint, ${operator.account}::text, ${now}::bigint, ${now}::bigint, ${now}::bigint
    from platform p
    where p.id = ${platformId} and (select count(*) from gateway_key where revoked_at is null) < ${GATEWAY_KEYS_MAX}
    returning ${fields}`.execute(db);
  return rows[0];
}

/** Changes a key that nobody changed since it was read. No call with it runs meanwhile, or afterwards with its old terms. */
export async function updateGatewayKey(
  { db, operator, now }: Ctx,
  { id, updatedAt }: Pick<GatewayKeyRow, 'id' | 'updatedAt'>,
  { name, rights, addresses, expiresAt, nonce }: Terms,
): Promise<GatewayKeyRow | undefined> {
  await lockGatewayKeys(db);
  const { rows } = await sql<GatewayKeyRow>`
    update gateway_key set name = ${name}, rights = ${[...rights]}::text[], addresses = ${[...addresses]}::text[],
      expires_at = ${expiresAt}::bigint, nonce = ${nonce}, by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} and updated_at = ${updatedAt} and revoked_at is null returning ${fields}`.execute(db);
  return rows[0];
}

/** Stores the secret of a key that has had none. */
export async function issueGatewayKey(
  { db, operator, now }: Ctx,
  id: number,
  { secret, keyId }: { secret: string; keyId: string },
): Promise<GatewayKeyRow | undefined> {
  const { rows } = await sql<GatewayKeyRow>`
    update gateway_key set secret = ${secret}, key_id = ${keyId}, issued_at = ${now}, by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} and issued_at is null and revoked_at is null returning ${fields}`.execute(db);
  return rows[0];
}

/** Revokes a key and deletes its secret. No call with it takes effect afterwards. */
export async function revokeGatewayKey({ db, operator, now }: Ctx, id: number): Promise<GatewayKeyRow | undefined> {
  await lockGatewayKeys(db);
  const { rows } = await sql<GatewayKeyRow>`
    update gateway_key set secret = null, key_id = null, revoked_at = ${now}, by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} and revoked_at is null returning ${fields}`.execute(db);
  return rows[0];
}
