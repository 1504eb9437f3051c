import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { type Db, inTransaction } from './connect.ts';

/** How often a server renews its lease, in milliseconds. */
export const LEASE_RENEWAL_MS = 5_000;
/** After this time without a renewal a lease has run out: its server is gone. */
const LEASE_MS = 30_000;
/** A contracting migration may hold the lock for long, and a server must not start under it. */
const LOCK_TIMEOUT_MS = 50_000;

/** A running server process. */
export interface ServerProcess {
  id: string;
  release: string;
  /** Number of the newest migration that the server knows. */
  schemaVersion: number;
  host: string;
  pid: number;
}

/** The clock of the database, because those of the hosts may differ. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const HAS_RUN_OUT = `seen_at <= ${NOW} - ${LEASE_MS}`;

/**
 * Starts and contracting migrations take this lock, so that each sees what the other did. It does not conflict with the
 * renewals of other servers.
 */
const LOCK = 'lock table server_lease in share update exclusive mode';

/** Registers a server. Read the applied migrations after it: a contracting one is then either applied or sees the lease. */
export async function insertLease(pool: Db, { id, release, schemaVersion, host, pid }: ServerProcess): Promise<void> {
  await inTransaction(pool, async (db) => {
    await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; ${LOCK}`).execute(db);
    await sql`delete from server_lease where ${sql.raw(HAS_RUN_OUT)}`.execute(db);
    await sql`insert into server_lease (id, release, schema_version, host, pid, started_at, seen_at)
      values (${id}, ${release}, ${schemaVersion}, ${host}, ${pid}, ${sql.raw(NOW)}, ${sql.raw(NOW)})`.execute(db);
  });
}

/** @returns false if the lease had run out and was removed */
export async function renewLease(db: Db, id: string): Promise<boolean> {
  const renewed = await sql`update server_lease set seen_at = ${sql.raw(NOW)} where id = ${id}`.execute(db);
  return renewed.numAffectedRows === 1n;
}

export async function deleteLease(db: Db, id: string): Promise<void> {
  await sql`delete from server_lease where id = ${id}`.execute(db);
}

/** Excludes starts of servers until the transaction ends, and removes leases that have run out, so that none is renewed. */
export async function lockLeases(client: ClientBase): Promise<void> {
  if (!(await hasLeases(client))) return;
  await client.query(`${LOCK}; delete from server_lease where ${HAS_RUN_OUT}`);
}

export interface ServerLease extends ServerProcess {
  startedAt: Date;
  /** Changes with each renewal. */
  seenAt: string;
}

/** The servers whose leases have not run out; none if the schema has no leases yet. */
export async function fetchLeases(client: ClientBase): Promise<ServerLease[]> {
  if (!(await hasLeases(client))) return [];
  const { rows } = await client.query<ServerLease>(
    `select id, release, schema_version as "schemaVersion", host, pid, to_timestamp(started_at / 1000.0) as "startedAt",
       seen_at::text as "seenAt"
     from server_lease where not (${HAS_RUN_OUT}) order by host, pid`,
  );
  return rows;
}

async function hasLeases(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`select where to_regclass('server_lease') is not null`);
  return rowCount === 1;
}
