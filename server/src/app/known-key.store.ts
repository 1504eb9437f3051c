import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';
import { listSigningKeys } from '../host/audit-key.ts';
import type { App } from './context.ts';
import { listSecretKeys } from '../host/secret-key.ts';
import { listPlatformKeys } from '../host/platform-key.ts';

export type KeyKind = 'otp' | 'audit' | 'platform';

/** The ids of keys by kind. */
export type KeyIds = Record<KeyKind, string[]>;

/** A server that has not reported for this long has ended. */
const LIVE_MS = 20_000;
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The ids of the keys that this process holds. */
function keyIdsOf({ secretKeys, auditKey, platform }: Pick<App, 'secretKeys' | 'auditKey' | 'platform'>): KeyIds {
  const otp = secretKeys.loadedKeys();
  return {
    otp: otp ? listSecretKeys(otp).map(({ id }) => id) : [],
    audit: listSigningKeys(auditKey).map(({ fingerprint }) => fingerprint),
    platform: listPlatformKeys(platform).map(({ key }) => key),
  };
}

/**
 * Records which keys this process holds, when those of the gateway were used last, and forgets servers that have ended. A
 * rotation locks the installation and reads these rows, so neither overlooks the other.
 */
export async function reportKeys(db: Db, app: App): Promise<void> {
  const ids = keyIdsOf(app);
  await sql`select 1 from installation for key share`.execute(db);
  await sql`
    insert into server_key (server_id, host, pid, otp, audit, platform, seen_at)
    values (${app.state.id}, ${hostname()}, ${process.pid}, ${ids.otp}, ${ids.audit}, ${ids.platform}, ${databaseNow})
    on conflict (server_id) do update
    set otp = excluded.otp, audit = excluded.audit, platform = excluded.platform, seen_at = excluded.seen_at`.execute(
    db,
  );
  await sql`delete from server_key where seen_at < ${databaseNow} - ${LIVE_MS}`.execute(db);
  await recordKeys(db, ids);
  for (const [key, at] of app.state.platformKeyUses) {
    await sql`update known_key set last_used_at = ${at}
      where kind = 'platform' and key_id = ${key} and coalesce(last_used_at, 0) < ${at}`.execute(db);
    await sql`update gateway_key set last_used_at = ${at}
      where key = ${key} and coalesce(last_used_at, 0) < ${at}`.execute(db);
  }
}

/** Records keys that are seen for the first time. */
async function recordKeys(db: Db, ids: KeyIds): Promise<void> {
  for (const [kind, keys] of Object.entries(ids))
    await sql`insert into known_key (kind, key_id, first_seen_at)
      select ${kind}, id, ${databaseNow} from unnest(${keys}::text[]) as id on conflict do nothing`.execute(db);
}

/** Locks the installation against a server that starts or reports, until the transaction ends. */
export async function lockKeys(db: Db): Promise<void> {
  await sql`select 1 from installation for update`.execute(db);
}

export interface LiveServer {
  host: string;
  pid: number;
  otp: string[];
  audit: string[];
  platform: string[];
}

/** The servers that run, with the keys that they hold. */
export async function fetchLiveServers(db: Db): Promise<LiveServer[]> {
  const { rows } = await sql<LiveServer>`
    select host, pid, otp, audit, platform from server_key where seen_at >= ${databaseNow} - ${LIVE_MS}
    order by host, pid`.execute(db);
  return rows;
}

export interface KnownKey {
  kind: string;
  id: string;
  firstSeenAt: number;
  lastUsedAt: number | null;
}

export async function fetchKnownKeys(db: Db): Promise<KnownKey[]> {
  const { rows } = await sql<KnownKey>`
    select kind, key_id as id, first_seen_at as "firstSeenAt", last_used_at as "lastUsedAt" from known_key
    order by kind, first_seen_at, key_id`.execute(db);
  return rows;
}
