import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { type Db, type Scope, openPool, runInScope, sqlState } from './connect.ts';

/** How long a request waits for the replica to catch up before it reads from the primary. */
const CATCH_UP_MS = 100;
const POLL_MS = 5;
/** How long the replica is not used after it lagged behind, and after it was unreachable or misconfigured. */
const LAG_PAUSE_MS = 1_000;
const FAILURE_PAUSE_MS = 5_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** SQLSTATE of a query that the replica cancelled because WAL replay conflicted with its snapshot. */
const RECOVERY_CONFLICT = '40001';

/** Column with the primary's flushed WAL position; added to a statement that every request runs anyway. */
export const position = sql`pg_current_wal_flush_lsn()::text as position`;

/**
 * A streaming replica for lists. It serves a request only after it has replayed everything that was committed when the
 * request arrived, so that no reader sees older data than in a previous response.
 */
export interface Replica {
  /**
   * Runs `work` on the replica in a read-only transaction with the caller's scope.
   *
   * @param mode `list` limits the time of each statement
   * @param mayRetry whether work that the replica aborted may run again on the primary
   * @returns undefined if the replica cannot be used now; then nothing was read
   * @throws the error of `work`, and that of an aborted read that may not be retried
   */
  read<T>(
    caller: { scope: Scope; operator: { id: number }; position?: string | undefined },
    work: (db: Db) => Promise<T>,
    mode: 'read' | 'list',
    mayRetry: () => boolean,
  ): Promise<{ found: T } | undefined>;
  /** How far the replay is behind the primary; undefined if the replica cannot tell. */
  lag(): Promise<ReplicaLag | undefined>;
  end(): Promise<void>;
}

export interface ReplicaLag {
  bytes: number;
  /** Age of the last transaction that was replayed; 0 if nothing is missing. */
  seconds: number;
}

export interface ReplicaOptions {
  url: string;
  /** Pool of the primary, used to check that the replica belongs to the same installation. */
  primary: Db;
  max: number;
  settings: Readonly<Record<string, string>>;
  log: Logger;
}

/** The replica cannot be used now; `work` has not started. */
class Unusable extends Error {
  override name = 'Unusable';
  /** Milliseconds until the replica is tried again. */
  readonly pause: number;
  constructor(message: string, pause: number) {
    super(message);
    this.pause = pause;
  }
}

export function openReplica({ url, primary, max, settings, log }: ReplicaOptions): Replica {
  const { db, end } = openPool({
    url,
    max,
    name: 'hengtai-lists',
    settings,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onError: () => undefined,
  });
  /** End of the pause on the monotonic clock of the process. */
  let pausedUntil = 0;
  let isInUse: boolean | undefined;
  let isVerified = false;
  const logChange = (isUsed: boolean, error?: unknown): void => {
    if (isInUse !== isUsed && isUsed) log.info('lists are read from the replica');
    if (isInUse !== isUsed && !isUsed)
      log.warn({ err: error }, 'the replica cannot be used: lists are read from the primary');
    isInUse = isUsed;
  };
  const prepare = (at: string) => async (connection: Db) => {
    if (!isVerified) await requireReplicaOf(connection, primary);
    isVerified = true;
    await waitUntilReplayed(connection, at);
  };
  const read: Replica['read'] = async ({ scope, operator, position: at }, work, mode, mayRetry) => {
    if (at === undefined || performance.now() < pausedUntil) return undefined;
    let hasStarted = false;
    const start = (connection: Db) => {
      hasStarted = true;
      return work(connection);
    };
    try {
      const found = await runInScope(db, scope, operator.id, start, mode, prepare(at));
      logChange(true);
      return { found };
    } catch (error) {
      const isUnusable = !hasStarted || isReplicaFailure(error);
      if (!isUnusable) throw error;
      if (sqlState(error) !== RECOVERY_CONFLICT) {
        pausedUntil = performance.now() + (error instanceof Unusable ? error.pause : FAILURE_PAUSE_MS);
        // After a lost connection the same address may lead to another database.
        isVerified &&= error instanceof Unusable;
        logChange(false, error);
      }
      if (hasStarted && !mayRetry()) throw error;
      return undefined;
    }
  };
  return { read, lag: () => measureLag(db, primary), end };
}

async function measureLag(db: Db, primary: Db): Promise<ReplicaLag | undefined> {
  const at = (await sql<{ position: string }>`select ${position}`.execute(primary)).rows[0]?.position ?? null;
  const { rows } = await sql<{ bytes: number | null; seconds: number | null }>`
    select greatest(pg_wal_lsn_diff(${at}::pg_lsn, pg_last_wal_replay_lsn()), 0)::bigint as bytes,
      case when pg_last_wal_replay_lsn() >= ${at}::pg_lsn then 0
        else greatest(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8 as seconds
    where pg_is_in_recovery()`.execute(db);
  const [found] = rows;
  return found ? { bytes: found.bytes ?? 0, seconds: found.seconds ?? 0 } : undefined;
}

/** Whether the connection broke or a recovery conflict cancelled the query. Errors of the work itself are not included. */
function isReplicaFailure(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== '') return state === RECOVERY_CONFLICT || state.startsWith('08') || state.startsWith('57P');
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return (
    (typeof code === 'string' && /^E[A-Z]+$/.test(code)) ||
    (error instanceof Error &&
      /connection (terminated|ended|error)|not queryable|timeout exceeded/i.test(error.message))
  );
}

/**
 * Waits until the replica has replayed the WAL up to a position. Runs before the transaction, because the snapshot of a
 * statement is taken before the statement reads the position.
 *
 * @throws Unusable after CATCH_UP_MS
 */
async function waitUntilReplayed(db: Db, at: string): Promise<void> {
  for (const until = performance.now() + CATCH_UP_MS; ; await sleep(POLL_MS)) {
    const { rows } = await sql<{ reached: boolean | null }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${at}::pg_lsn as reached`.execute(db);
    if (rows[0]?.reached) return;
    if (performance.now() >= until) throw new Unusable('it is behind', LAG_PAUSE_MS);
  }
}

/** Rejects another installation, and a role without row-level security: both would return rows outside the scope. */
async function requireReplicaOf(db: Db, primary: Db): Promise<void> {
  const one = await fetchIdentity(db);
  const other = await fetchIdentity(primary);
  if (!one.isReplica) throw new Unusable('DATABASE_READ_URL names no replica', FAILURE_PAUSE_MS);
  if (one.system !== other.system || one.database !== other.database)
    throw new Unusable('DATABASE_READ_URL names the replica of another database', FAILURE_PAUSE_MS);
  if (!one.hasRowSecurity)
    throw new Unusable(
      'DATABASE_READ_URL logs in as a role for which row-level security does not apply',
      FAILURE_PAUSE_MS,
    );
}

interface Identity {
  isReplica: boolean;
  system: string;
  database: number;
  hasRowSecurity: boolean;
}

async function fetchIdentity(db: Db): Promise<Identity> {
  const query: RawBuilder<Identity> = sql`
    select pg_is_in_recovery() as "isReplica", (select system_identifier::text from pg_control_system()) as system,
      (select oid::bigint from pg_database where datname = current_database()) as database,
      row_security_active('withdraw') as "hasRowSecurity"`;
  const [found] = (await query.execute(db)).rows;
  if (!found) throw new Error('The query that identifies the replica returned no row.');
  return found;
}
