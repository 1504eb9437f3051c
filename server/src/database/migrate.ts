import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError, escapeIdentifier } from 'pg';
import { fetchApplied, newerThan, pendingOf } from './applied-migrations.ts';
import { withClient } from './client.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import {
  createMigrationTables,
  type Migration,
  migrationsDirectory,
  readMigrations,
  recordMigration,
  statementsFor,
} from './migration-files.ts';
import { lockOutOlderServers, waitForOlderServers } from './older-servers.ts';

export interface MigrateOptions {
  /** The role with the privileges of the server; default `<database>_app`. */
  appRole?: string;
  /** Folder of the numbered SQL files; for tests. */
  directory?: string;
  /** Number of the last migration to apply; a restore first needs the schema of the backup's release. */
  upTo?: number;
  /** Receives a line before each file that is applied. */
  report?: (message: string) => void;
}

const NO_TRANSACTION = '-- no-transaction';

/**
 * Milliseconds that a migration waits for a lock. While it waits, every later statement on the table waits behind it, so it
 * gives up before a request of a server does (`connect.ts`), and before PostgreSQL looks for a deadlock, and tries again.
 */
const LOCK_TIMEOUT_MS = 500;
const LOCK_PAUSE_MS = 1_000;
const LOCK_ATTEMPTS = 200;
/** SQLSTATE of a lock that was not available, and of a deadlock. */
const LOCK_CODES = new Set(['55P03', '40P01']);

/**
 * Applies the pending files of server/migrations in order, each in its own transaction. Safe with any number of processes:
 * a lock lets one apply each file while the others wait.
 *
 * A schema of a newer release that still serves this one is left as it is.
 *
 * @throws Error if a file fails, was edited after it was applied, has a wrong name, if it would break servers that run, if the
 * schema is too old or no longer serves this release, or if the database cannot be used
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { upTo = Number.POSITIVE_INFINITY } = options;
  const migrations = readMigrations(options.directory ?? migrationsDirectory()).filter(
    ({ version }) => version <= upTo,
  );
  const applied: string[] = [];
  await withClient(ownerUrl, async (client) => {
    await checkDatabase(client);
    await retryOnCollision(() => createMigrationTables(client));
    const role = options.appRole ?? (await fetchDefaultRole(client));
    await retryOnCollision(() => createRole(client, role));
    for (;;) {
      const [next] = await findPending(client, migrations);
      if (next === undefined) break;
      await waitForOlderServers(client, next, options.report);
      const name = await applyNext(client, ownerUrl, migrations, role, options.report);
      if (name !== undefined) applied.push(name);
    }
  });
  return { applied };
}

/**
 * @throws ConfigurationError for another encoding than UTF-8, and for a role that may not create tables; Error for a database
 * that accepts no writes, which may be a standby for a moment only
 */
async function checkDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; isReadOnly: boolean; mayCreate: boolean; role: string }>(
    `select getdatabaseencoding() as encoding, current_setting('transaction_read_only')::boolean as "isReadOnly",
      has_schema_privilege(current_schema(), 'create') as "mayCreate", current_user as role`,
  );
  const [found] = rows;
  if (found === undefined) return;
  if (found.encoding !== 'UTF8')
    throw new ConfigurationError(
      `The database has the encoding ${found.encoding}: create it with encoding 'UTF8' and template0. 数据库编码须为 UTF8。`,
    );
  if (found.isReadOnly)
    throw new Error('The database accepts no writes: DATABASE_URL must lead to the primary. 数据库只读，须连接主库。');
  if (!found.mayCreate)
    throw new ConfigurationError(
      `The role ${found.role} may not create tables: DATABASE_URL must name the owner of the database. 须使用数据库所有者。`,
    );
}

export interface MigrationPlan {
  /** Names of the migrations that `migrate` would apply. */
  pending: string[];
  /** Names of applied migrations of a newer release. */
  newer: string[];
}

/** Whether a database has no tables of an installation. */
export async function isEmpty(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select where to_regclass('schema_migration') is null`);
  return rowCount === 1;
}

/**
 * Finds what `migrate` would apply. Changes nothing.
 *
 * @throws Error if a file was edited after it was applied, or if the schema is too old or no longer serves this release
 */
export async function planOf(ownerUrl: string, directory = migrationsDirectory()): Promise<MigrationPlan> {
  const migrations = readMigrations(directory);
  return withClient(ownerUrl, async (client) => {
    const applied = (await isEmpty(client)) ? [] : await fetchApplied(client);
    return {
      pending: pendingOf(applied, migrations).map(({ name }) => name),
      newer: newerThan(applied, migrations.at(-1)?.version ?? 0).map(({ name }) => name),
    };
  });
}

/** Retries, because "if not exists" and "grant" of two concurrent sessions collide in PostgreSQL's catalogue. */
export async function retryOnCollision(work: () => Promise<void>): Promise<void> {
  const collisions = new Set(['23505', '42P07', '42710', 'XX000', '40001', '40P01']);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10 || !(error instanceof DatabaseError) || !collisions.has(error.code ?? '')) throw error;
      await sleep(20 * attempt);
    }
  }
}

async function fetchDefaultRole(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return appRoleOf(rows[0]?.name ?? '');
}

/**
 * Name of the role with the privileges of the server in a database. It cannot log in; login roles are its members.
 *
 * @throws Error if the name is longer than PostgreSQL allows
 */
export function appRoleOf(database: string): string {
  const role = `${database}_app`;
  if (Buffer.byteLength(role) > 63)
    throw new Error(`The role name ${role} is longer than 63 bytes: use a shorter database name.`);
  return role;
}

/** Roles belong to the whole server, so the migration of another database may create the role at the same time. */
async function createRole(client: Client, role: string): Promise<void> {
  const name = escapeIdentifier(role);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  try {
    await client.query(`create role ${name} nologin`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
    throw new Error(
      `The database user may not create the role ${role}. Let an administrator run once: create role ${name} nologin;`,
      { cause: error },
    );
  }
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  return pendingOf(await fetchApplied(client), migrations);
}

const LOCK_POLL_MS = 100;

/**
 * Begins a transaction that holds the lock. Polls instead of waiting inside a statement: a waiting statement holds a
 * snapshot, and `create index concurrently` of the lock's holder would wait for that snapshot, a deadlock.
 */
async function beginLocked(client: Client): Promise<void> {
  for (;;) {
    await client.query('begin');
    const { rowCount } = await client.query('select 1 from migration_lock where id = 1 for update skip locked');
    if (rowCount === 1) return;
    await client.query('rollback');
    await sleep(LOCK_POLL_MS);
  }
}

/** Applies the next file; if its locks are not available, again and again. */
async function applyNext(
  client: Client,
  ownerUrl: string,
  migrations: Migration[],
  role: string,
  report: MigrateOptions['report'],
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryNext(client, ownerUrl, migrations, role, report);
    } catch (error) {
      const code = error instanceof Error && error.cause instanceof DatabaseError ? error.cause.code : undefined;
      if (attempt === LOCK_ATTEMPTS || !LOCK_CODES.has(code ?? '')) throw error;
      report?.('A table is locked by another process; trying again … 表被占用，重试中');
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** Applies the next file under the lock. Looks up the pending files again, because another process may have applied them. */
async function tryNext(
  client: Client,
  ownerUrl: string,
  migrations: Migration[],
  role: string,
  report: MigrateOptions['report'],
): Promise<string | undefined> {
  let name = '';
  try {
    await beginLocked(client);
    const [next] = await findPending(client, migrations);
    name = next?.name ?? '';
    if (next) {
      report?.(`Applying ${next.name} …`);
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      if (next.servesFrom !== undefined) await lockOutOlderServers(client, next);
      const sql = statementsFor(next, role);
      if (sql.startsWith(NO_TRANSACTION)) await runOutside(client, ownerUrl, sql);
      else await client.query(sql);
      await recordMigration(client, next);
    }
    await client.query('commit');
    return next?.name;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (name === '' || error instanceof ConfigurationError) throw error;
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * Runs a file outside a transaction: one statement per message on a second connection, because several statements in one
 * message form a transaction. The first connection keeps the lock. An interrupted file runs again from its start, so its
 * statements must be repeatable.
 */
async function runOutside(holder: Client, ownerUrl: string, sql: string): Promise<void> {
  await holder.query('set local idle_in_transaction_session_timeout = 0');
  await withClient(ownerUrl, async (client) => {
    for (const statement of sql.split(/;[ \t]*(?:\n|$)/)) {
      const bare = statement.replaceAll(/--.*$/gm, '').trim();
      if (bare === '') continue;
      await retryOnCollision(() => dropInvalid(client, bare));
      // A concurrent build blocks nobody, and waits for transactions, which a time limit for locks would end.
      const timeout = /\bconcurrently\b/i.test(bare) ? 0 : LOCK_TIMEOUT_MS;
      await client.query(`set lock_timeout = ${timeout}`);
      await client.query(statement);
    }
  });
}

/**
 * Drops the invalid index that an interrupted build leaves behind; "if not exists" would otherwise keep it. PostgreSQL may
 * still be building for a process that was killed: the index then becomes valid while this waits for its table.
 */
async function dropInvalid(client: Client, statement: string): Promise<void> {
  const name = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${escapeIdentifier(name)}`);
}
