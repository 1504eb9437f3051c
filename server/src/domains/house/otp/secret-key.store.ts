import { sql } from 'kysely';
import type { SecretUse } from '../../../host/secret-key.ts';
import type { Db } from '../../../database/connect.ts';

/**
 * Id of the key that new secrets are encrypted with; null if the keys were never rotated. A rotation waits for the end of the
 * transaction, and so overlooks no secret of the old key.
 */
export async function findCurrentKeyId(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select otp_key_id as id from installation for key share`.execute(db);
  return rows[0]?.id ?? null;
}

/** The caller holds the lock of `lockKeys`. */
export async function setCurrentKeyId(db: Db, id: string): Promise<void> {
  await sql`update installation set otp_key_id = ${id}`.execute(db);
}

export interface WrappedRecoveryKey {
  keyId: string;
  wrappedBy: string;
  secret: string;
}

export async function fetchWrappedRecoveryKeys(db: Db): Promise<WrappedRecoveryKey[]> {
  const { rows } = await sql<WrappedRecoveryKey>`
    select key_id as "keyId", wrapped_by as "wrappedBy", secret from otp_recovery_key order by key_id`.execute(db);
  return rows;
}

export async function putWrappedRecoveryKey(db: Db, { keyId, wrappedBy, secret }: WrappedRecoveryKey): Promise<void> {
  await sql`insert into otp_recovery_key (key_id, wrapped_by, secret) values (${keyId}, ${wrappedBy}, ${secret})
    on conflict (key_id) do update set wrapped_by = excluded.wrapped_by, secret = excluded.secret`.execute(db);
}

/** Forgets the recovery parts of keys that no unused code needs. */
export async function dropUnusedRecoveryKeys(db: Db): Promise<void> {
  await sql`delete from otp_recovery_key k
    where not exists (select from otp_recovery r where r.key_id = k.key_id and r.used_at is null)`.execute(db);
}

/** Recovery codes of earlier releases name no key; they were hashed with the only one. */
export async function nameRecoveryKey(db: Db, keyId: string): Promise<void> {
  await sql`update otp_recovery set key_id = ${keyId} where key_id is null`.execute(db);
}

/** A column with secrets, the column of the owner that they are encrypted for, and that which names their key. */
export interface SecretTable {
  table: string;
  id: string;
  operator: string;
  use: SecretUse;
}

/** Every table with such secrets. A rotation encrypts them again. */
export const secretTables: readonly SecretTable[] = [
  { table: 'otp', id: 'operator_id', operator: 'operator_id', use: 'otp' },
  { table: 'channel', id: 'id', operator: 'operator_id', use: 'channel' },
  { table: 'gateway_key', id: 'id', operator: 'id', use: 'gateway' },
];

export interface StoredSecret {
  id: number;
  operatorId: number;
  secret: string;
}

/** Secrets of other keys than `keyId`, in the order of their ids. */
export async function fetchSecretsOfOtherKeys(
  db: Db,
  { table, id, operator }: SecretTable,
  { keyId, after, limit }: { keyId: string; after: number; limit: number },
): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select ${sql.ref(id)} as id, ${sql.ref(operator)} as "operatorId", secret from ${sql.table(table)}
    where secret is not null and key_id is distinct from ${keyId} and ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Replaces secrets by those of another key, as far as nobody changed them meanwhile. */
export async function replaceSecrets(
  db: Db,
  { table, id }: SecretTable,
  keyId: string,
  changes: readonly { id: number; from: string; to: string }[],
): Promise<void> {
  await sql`update ${sql.table(table)} t set secret = c.next, key_id = ${keyId}
    from unnest(${changes.map((one) => one.id)}::bigint[], ${changes.map(({ from }) => from)}::text[],
      ${changes.map(({ to }) => to)}::text[]) as c(id, previous, next)
    where ${sql.ref(`t.${id}`)} = c.id and t.secret = c.previous`.execute(db);
}

export async function countSecretsOfOtherKeys(db: Db, { table }: SecretTable, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}
    where secret is not null and key_id is distinct from ${keyId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many secrets each key has; an empty id stands for those of earlier releases, which name none. */
export async function countSecrets(db: Db, { table }: SecretTable): Promise<{ keyId: string; count: number }[]> {
  const { rows } = await sql<{ keyId: string; count: number }>`
    select coalesce(key_id, '') as "keyId", count(*) as count from ${sql.table(table)}
    where secret is not null group by 1 order by 1`.execute(db);
  return rows;
}

/** The newest one-time code secret of each key. */
export async function fetchNewestSecrets(
  db: Db,
): Promise<{ operatorId: number; secret: string; keyId: string | null }[]> {
  const { rows } = await sql<{ operatorId: number; secret: string; keyId: string | null }>`
    select distinct on (key_id) operator_id as "operatorId", secret, key_id as "keyId" from otp
    order by key_id, created_at desc, operator_id`.execute(db);
  return rows;
}
