import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { App, Caller } from '../context.ts';
import { type Db, openPool, scoped, sqlState } from './connect.ts';

/** A replica that does not have everything within this time is left alone for a moment. */
const CATCH_UP_MS = 100;
const ASK_EVERY_MS = 5;
/** One that was behind is asked again after this long, one that was away or the wrong one after this. */
const BEHIND_MS = 1_000;
const AWAY_MS = 5_000;
const CONNECT_WITHIN_MS = 1_000;
/** It took a query away because the replay of the primary's changes needed the rows. */
const TAKEN_AWAY = '40001';

/** How far the primary has written what its readers can see, as a column of a statement that it is asked anyway. */
export const position = sql`pg_current_wal_flush_lsn()::text as position`;

/**
 * A streaming replica. A list is read from it only when it has replayed everything that was committed when the request
 * came: nobody is ever shown less than the primary had shown, whatever process answered before.
 */
export interface Replica {
  /**
   * Runs `work` in a read-only transaction of the caller's scope there; undefined when it cannot be used now. `again`
   * says whether work that the replica broke off may be done once more elsewhere.
   */
  read<T>(
    caller: Pick<Caller, 'scope' | 'operator' | 'position'>,
    work: (db: Db) => Promise<T>,
    again: () => boolean,
  ): Promise<{ found: T } | undefined>;
  end(): Promise<void>;
}

export interface ReplicaOptions {
  url: string;
  /** Asked once in a while whether it is the same installation. */
  primary: Db;
  max: number;
  settings: Readonly<Record<string, string>>;
  log: Logger;
}

/** It cannot be used now; nothing of the work was begun. */
class Unusable extends Error {
  override name = 'Unusable';
  /** Milliseconds that it is left alone. */
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
    connectWithin: CONNECT_WITHIN_MS,
    onError: () => undefined,
  });
  /** Until when it is left alone, on the clock of the process; said once, and once when it is over. */
  let pausedUntil = 0;
  let inUse: boolean | undefined;
  let isOurs = false;
  const tell = (used: boolean, error?: unknown): void => {
    if (inUse !== used && used) log.info('lists are read from the replica');
    if (inUse !== used && !used)
      log.warn({ err: error }, 'the replica cannot be used: lists are read from the primary');
    inUse = used;
  };
  const before = (at: string) => async (connection: Db) => {
    if (!isOurs) await requireReplicaOf(connection, primary);
    isOurs = true;
    await waitUntilReplayed(connection, at);
  };
  const read: Replica['read'] = async ({ scope, operator, position: at }, work, again) => {
    if (at === undefined || performance.now() < pausedUntil) return undefined;
    let working = false;
    const noted = (connection: Db) => {
      working = true;
      return work(connection);
    };
    try {
      const found = await scoped(db, scope, operator.id, noted, 'read', before(at));
      tell(true);
      return { found };
    } catch (error) {
      const unusable = !working || isAway(error);
      if (!unusable) throw error;
      if (sqlState(error) !== TAKEN_AWAY) {
        pausedUntil = performance.now() + (error instanceof Unusable ? error.pause : AWAY_MS);
        // Behind the same address another one may answer the next time.
        isOurs &&= error instanceof Unusable;
        tell(false, error);
      }
      if (working && !again()) throw error;
      return undefined;
    }
  };
  return { read, end };
}

/** The connection broke or was ended, or the replay took the rows away; an error of the work itself is none of these. */
function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== '') return state === TAKEN_AWAY || state.startsWith('08') || state.startsWith('57P');
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return (
    (typeof code === 'string' && /^E[A-Z]+$/.test(code)) ||
    (error instanceof Error &&
      /connection (terminated|ended|error)|not queryable|timeout exceeded/i.test(error.message))
  );
}

/**
 * Waits a moment until everything up to a position is there. On its own before the transaction: the snapshot of a
 * statement is older than what the statement finds out.
 */
async function waitUntilReplayed(db: Db, at: string): Promise<void> {
  for (const until = performance.now() + CATCH_UP_MS; ; await sleep(ASK_EVERY_MS)) {
    const { rows } = await sql<{ reached: boolean | null }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${at}::pg_lsn as reached`.execute(db);
    if (rows[0]?.reached) return;
    if (performance.now() >= until) throw new Unusable('it is behind', BEHIND_MS);
  }
}

/** A copy of another installation, or a role that sees every row, would show what nobody may see. */
async function requireReplicaOf(db: Db, primary: Db): Promise<void> {
  const one = await identityOf(db);
  const other = await identityOf(primary);
  if (!one.replica) throw new Unusable('DATABASE_READ_URL names no replica', AWAY_MS);
  if (one.system !== other.system || one.database !== other.database)
    throw new Unusable('DATABASE_READ_URL names the replica of another database', AWAY_MS);
  if (!one.walled)
    throw new Unusable('DATABASE_READ_URL comes as a role for which row-level security does not apply', AWAY_MS);
}

interface Identity {
  replica: boolean;
  system: string;
  database: number;
  walled: boolean;
}

async function identityOf(db: Db): Promise<Identity> {
  const asked: RawBuilder<Identity> = sql`
    select pg_is_in_recovery() as replica, (select system_identifier::text from pg_control_system()) as system,
      (select oid::bigint from pg_database where datname = current_database()) as database,
      row_security_active('withdraw') as walled`;
  const [found] = (await asked.execute(db)).rows;
  if (!found) throw new Error('The query that identifies the replica returned no row.');
  return found;
}

/** Reads what one snapshot of the caller's scope says, as of now. */
export const readNow = <T>({ requests }: App, { scope, operator }: Caller, work: (db: Db) => Promise<T>): Promise<T> =>
  scoped(requests, scope, operator.id, work, 'read');

/** Reads a list: on the replica while there is one that has all that the caller can have seen, and else as of now. */
export async function readList<T>(
  app: App,
  caller: Caller,
  work: (db: Db) => Promise<T>,
  again: () => boolean = () => true,
): Promise<T> {
  const there = await app.replica?.read(caller, work, again);
  return there ? there.found : readNow(app, caller, work);
}
