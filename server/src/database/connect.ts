import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type ClientBase, DatabaseError, Pool, type QueryConfig } from 'pg';
import { agentBits } from './agent-bits.ts';
import { driverTypes } from './types.ts';

/**
 * A pool or a transaction; every store function accepts both. Statements are `sql` templates with their row type, which
 * `server/test/statements` compares with the results; the query builder has no table types.
 */
export type Db = Kysely<unknown>;

export interface PoolOptions {
  url: string;
  max: number;
  name: string;
  /** Settings of every connection, applied when it opens. */
  settings?: Readonly<Record<string, string>>;
  /**
   * Sends statements marked with `prepared`, and those that the function accepts, as named prepared statements. Must be off
   * behind a pooler that shares server connections between clients.
   */
  prepare?: boolean | ((text: string) => boolean);
  /** Refuses a standby. Pools keep their connections, so one that was opened during a failover would never accept a write. */
  primaryOnly?: boolean;
  /** Timeout of a new connection in milliseconds; 10,000 by default. */
  connectTimeoutMs?: number;
  onError: (error: Error) => void;
}

/** Connections of a pool, and requests that wait for one. */
export interface PoolUse {
  open: number;
  idle: number;
  waiting: number;
  max: number;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Ends an idle connection 20 s after its machine disappeared. Node probes ten times, once a second, after the delay. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Opens a pool. A broken connection, idle or in use, is reported to `onError` and replaced; it never throws. */
export function openPool(options: PoolOptions): { db: Db; use: () => PoolUse; end: () => Promise<void> } {
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.max,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
    ...keepAlive,
    // The pool awaits the promise; its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client) => {
      const isStandby = await applySettings(client, options.settings ?? {}, connectTimeoutMs);
      if (isStandby && options.primaryOnly) throw new Error('The database is a standby: it cannot serve writes.');
    },
    types: driverTypes,
    ...(options.prepare ? { Client: preparingClient(options.prepare === true ? () => false : options.prepare) } : {}),
  });
  // A connection that breaks between two statements of a transaction emits 'error' on the client only; an unhandled event
  // would end the process. The pool repeats the errors of idle clients, which are reported already.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const use = (): PoolUse => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    max: options.max,
  });
  return { db, use, end: () => db.destroy() };
}

const PREPARED_MARKER = '/* prepared */ ';
/**
 * Prefix of frequent statements that marks them as prepared. Only for statements with a constant text that find their rows
 * by a key: their plan does not depend on the values, and planning costs more than execution.
 */
export const prepared = sql.raw(PREPARED_MARKER);

const LATEST_MARKER = '/* prepared latest */ ';
/** Like `prepared`, for the one statement whose text changes at times: a connection keeps the plan of its latest text. */
export const preparedLatest = sql.raw(LATEST_MARKER);

const statementNames = new Map<string, string>();

/** A client class that gives marked statements, and those that `isAccepted` takes, a name: PostgreSQL caches their plan. */
function preparingClient(isAccepted: (text: string) => boolean): typeof Client {
  return class extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config);
      const plain = this.query.bind(this) as (...input: unknown[]) => Promise<unknown>;
      const latest = { text: '', number: 0 };
      const nameOfLatest = (text: string): string => {
        if (latest.text !== text) {
          if (latest.number > 0) plain(`deallocate latest${latest.number}`).catch(() => undefined);
          latest.text = text;
          latest.number += 1;
        }
        return `latest${latest.number}`;
      };
      const nameOf = (text: string): string | undefined => {
        if (text.startsWith(LATEST_MARKER)) return nameOfLatest(text);
        if (!text.startsWith(PREPARED_MARKER) && !isAccepted(text)) return undefined;
        const name = statementNames.get(text) ?? `p${statementNames.size}`;
        statementNames.set(text, name);
        return name;
      };
      const queryByName = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
        const name = typeof text === 'string' ? nameOf(text) : undefined;
        return name === undefined ? plain(text, values, ...rest) : plain({ name, text, values }, ...rest);
      };
      Object.assign(this, { query: queryByName });
    }
  };
}

/**
 * Applies settings to a new connection. They are not sent as startup options, because PgBouncer ignores or refuses those.
 *
 * @returns whether the database is a standby
 */
export async function applySettings(
  client: ClientBase,
  settings: Readonly<Record<string, string>>,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Promise<boolean> {
  // A pooler accepts a connection at once, and waits for PostgreSQL in the first statement.
  const query: QueryConfig & { query_timeout: number } = {
    text: `select pg_is_in_recovery() as "isStandby", count(set_config(name, value, false))::int as applied
      from unnest($1::text[], $2::text[]) as setting (name, value)`,
    values: [Object.keys(settings), Object.values(settings)],
    query_timeout: timeoutMs,
  };
  const { rows } = await client.query<{ isStandby: boolean; applied: number }>(query);
  return rows[0]?.isStandby ?? false;
}

/** The rows that a transaction can see: all, or those of these agents and their users. */
export type Scope = { kind: 'all' } | { kind: 'agents'; ids: readonly number[] };

/** Time limit in milliseconds of each statement of a list page. */
const LIST_TIMEOUT_MS = 2_500;
/** Milliseconds that a read waits for a locked table. Only changes of the schema and `lock table` make it wait at all. */
const READ_LOCK_TIMEOUT_MS = 1_000;
/** Milliseconds that other statements of a server wait for a lock of any kind; a setting of its pools. */
export const LOCK_TIMEOUT_MS = { requests: 3_000, system: 2_000 } as const;

const READ_ONLY = ` isolation level repeatable read read only; set local lock_timeout = ${READ_LOCK_TIMEOUT_MS}`;

const BEGIN = {
  write: '',
  action: '',
  treeChange: '',
  eventGroup: '',
  read: READ_ONLY,
  list: `${READ_ONLY}; set local statement_timeout = ${LIST_TIMEOUT_MS}`,
  snapshot: ' isolation level repeatable read',
} as const;

const isReadOnly = (mode: keyof typeof BEGIN): boolean => BEGIN[mode].startsWith(READ_ONLY);

/** Key of the advisory lock of the agent tree. */
const TREE_LOCK = 5_300_001;

/** An advisory lock, because every action takes it, and a shared row lock would write to the row each time. */
export const treeLock = {
  shared: `select pg_advisory_xact_lock_shared(${TREE_LOCK})`,
  exclusive: `select pg_advisory_xact_lock(${TREE_LOCK})`,
  tryExclusive: `select pg_try_advisory_xact_lock(${TREE_LOCK}) as locked`,
} as const;

/**
 * Milliseconds that a group of events waits for a row. A group locks many rows in no global order, so it gives up long
 * before PostgreSQL detects a deadlock, which could abort the other transaction.
 */
const GROUP_LOCK_TIMEOUT_MS = 50;

/** Statements in the first message of the transaction. Its locks let later statements see what was committed before. */
const LOCK: Partial<Record<keyof typeof BEGIN, string>> = {
  action: treeLock.shared,
  treeChange: treeLock.exclusive,
  eventGroup: `set local lock_timeout = ${GROUP_LOCK_TIMEOUT_MS}`,
};

/**
 * Runs `work` in a transaction that sees only the rows of the scope. The message that begins the transaction also sets the
 * scope, which saves a round trip; the scope is hexadecimal, so it needs no escaping.
 *
 * Modes: `read`, `list` and `snapshot` use one snapshot, so that a page and its total agree; `read` and `list` write nothing,
 * and wait only shortly for a locked table; `list` also limits the time of each statement; `action` takes the shared lock of
 * the agent tree, `treeChange` the exclusive one; `eventGroup` waits shortly for locks.
 *
 * @param before runs on the same connection, before the transaction and its snapshot
 */
export async function runInScope<T>(
  pool: Db,
  scope: Scope,
  operatorId: number,
  work: (db: Db) => Promise<T>,
  mode: keyof typeof BEGIN = 'write',
  before?: (db: Db) => Promise<void>,
): Promise<T> {
  const tree = scope.kind === 'agents' ? agentBits(scope.ids).hex : '';
  const begin =
    `begin${BEGIN[mode]}; set local app.scope = '${scope.kind}'; set local app.tree = '${tree}'; ` +
    `set local app.operator = '${operatorId}'; ${LOCK[mode] ?? ''}`;
  return new Promise((resolve, reject) => {
    const end = pool.connection().execute(async (db) => {
      await before?.(db);
      try {
        await sql.raw(begin).execute(db);
        const result = await work(db);
        // The end of a read-only transaction changes nothing, so the caller does not wait for this round trip.
        if (isReadOnly(mode)) resolve(result);
        await sql.raw('commit').execute(db);
        return result;
      } catch (error) {
        await sql
          .raw('rollback')
          .execute(db)
          .catch(() => undefined);
        throw error;
      }
    });
    end.then(resolve, reject);
  });
}

/** Runs `work` in a transaction with full scope, for the system itself. */
export async function inTransaction<T>(pool: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return runInScope(pool, { kind: 'all' }, 0, work);
}

/** Runs `work` after a savepoint; if it throws, only its own changes are rolled back. */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(db);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(db);
    throw error;
  }
}

/**
 * Runs `work` with full scope inside a transaction with a narrower one, for limits and notifications of the whole
 * installation. If it throws, the caller must roll back the transaction or savepoint, which also restores the scope.
 */
export async function withFullScope<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ scope: string }>`select current_setting('app.scope') as scope`.execute(db);
  await sql`select set_config('app.scope', 'all', true)`.execute(db);
  const result = await work();
  await sql`select set_config('app.scope', ${rows[0]?.scope ?? ''}, true)`.execute(db);
  return result;
}

const RETRYABLE = new Set(['40001', '40P01']);

/** Retries a whole transaction up to five times after a serialization failure or a deadlock. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 6 || !RETRYABLE.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }
}

/** SQLSTATE of an error, or the empty string. */
export function sqlState(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}

/** Name of the constraint that an insert or update violated, or the empty string. */
export function brokenConstraint(error: unknown): string {
  return error instanceof DatabaseError ? (error.constraint ?? '') : '';
}
