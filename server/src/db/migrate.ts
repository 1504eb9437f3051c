import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, DatabaseError, escapeIdentifier } from 'pg';

export interface MigrateOptions {
  /** The role that holds the rights of requests; `<database>_app` unless given. */
  appRole?: string;
  /** Where the numbered SQL files are; for tests. */
  directory?: string;
  /** The number of the last one to apply; for a restore, whose data is of an older release. */
  upTo?: number;
}

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

const NO_TRANSACTION = '-- no-transaction';

/**
 * Brings the database up to date: runs the files of server/migrations that it has not seen, in their order, each in a
 * transaction of its own. Any number of processes may call this at once: a file is applied by one, the others wait.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { upTo = Number.POSITIVE_INFINITY } = options;
  const all = readMigrations(options.directory ?? migrationsDirectory());
  const migrations = all.filter(({ version }) => version <= upTo);
  const applied: string[] = [];
  await withClient(ownerUrl, async (client) => {
    await retried(() => makeTables(client));
    const role = options.appRole ?? (await defaultRole(client));
    await retried(() => makeRole(client, role));
    while ((await findPending(client, migrations)).length > 0) {
      const name = await applyNext(client, ownerUrl, migrations, role);
      if (name !== undefined) applied.push(name);
    }
  });
  return { applied };
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  // A lost connection shows in the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Changes whenever a migration does: the key of a template database. */
export function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const { name, checksum } of readMigrations(migrationsDirectory())) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 12);
}

/** Found from the source as well as from the bundle, which lie at different depths below server/. */
function migrationsDirectory(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'migrations'))) return join(at, 'migrations');
  }
  throw new Error('The directory server/migrations is missing: this installation is not complete.');
}

function readMigrations(directory: string): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const version = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1];
      if (version === undefined) throw new Error(`Migration ${file}: the name must be like 0001-what-it-does.sql.`);
      // Line ends are no content: a checkout on Windows must not look like an edit.
      const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { version: Number(version), name: file.slice(0, -4), sql, checksum };
    });
  for (const [index, { version, name }] of migrations.entries()) {
    if (migrations[index - 1]?.version === version) throw new Error(`Migration ${name}: its number is taken.`);
  }
  return migrations;
}

async function makeTables(client: Client): Promise<void> {
  await client.query(`create table if not exists migration_lock (id int primary key)`);
  await client.query(`insert into migration_lock (id) values (1) on conflict do nothing`);
  await client.query(`create table if not exists schema_migration (
    version int primary key, name text not null, checksum text not null, applied_at bigint not null)`);
}

/** "if not exists" and "grant" still collide in PostgreSQL's catalogue when two sessions do the same at once. */
export async function retried(work: () => Promise<void>): Promise<void> {
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

async function defaultRole(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return appRoleOf(rows[0]?.name ?? '');
}

/** The role that holds the rights of the server in this database. It cannot log in; login roles are members of it. */
export function appRoleOf(database: string): string {
  const role = `${database}_app`;
  if (Buffer.byteLength(role) > 63) throw new Error(`The role name ${role} is longer than the 63 bytes it may have.`);
  return role;
}

/** Roles belong to the whole server, not to one database, so another database's migration may be making it as well. */
async function makeRole(client: Client, role: string): Promise<void> {
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
  const { rows } = await client.query<Omit<Migration, 'sql'>>('select * from schema_migration order by version');
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const applied of rows) {
    const file = known.get(applied.version);
    if (!file) {
      throw new Error(`The database is newer than this program: it has ${applied.name}. Start the newer release.`);
    }
    if (file.checksum !== applied.checksum) {
      throw new Error(
        `Migration ${file.name} was changed after this database had applied it as ${applied.name}. ` +
          `Put the file back as it was, and make the change in a new migration.`,
      );
    }
    known.delete(applied.version);
  }
  const last = rows.at(-1);
  const pending = [...known.values()];
  const late = pending.find(({ version }) => last && version < last.version);
  if (late && last) throw new Error(`Migration ${late.name} comes before ${last.name}, which is already applied.`);
  return pending;
}

/** How often one that waits looks whether the lock is free. */
const LOOK_MS = 100;

/**
 * Begins a transaction with the lock. Waiting inside a statement would hold a snapshot, for which a concurrent index build
 * waits in turn, a deadlock: so a process that finds the lock taken ends its transaction and tries again.
 */
async function beginLocked(client: Client): Promise<void> {
  for (;;) {
    await client.query('begin');
    const { rowCount } = await client.query('select 1 from migration_lock where id = 1 for update skip locked');
    if (rowCount === 1) return;
    await client.query('rollback');
    await sleep(LOOK_MS);
  }
}

/** Under the lock: what is still to be done is looked up again, since another process may just have done it. */
async function applyNext(
  client: Client,
  ownerUrl: string,
  migrations: Migration[],
  role: string,
): Promise<string | undefined> {
  let at = '';
  try {
    await beginLocked(client);
    const [next] = await findPending(client, migrations);
    at = next?.name ?? '';
    if (next) {
      const sql = next.sql.replaceAll('{{app}}', () => escapeIdentifier(role));
      if (sql.startsWith(NO_TRANSACTION)) await runOutside(client, ownerUrl, sql);
      else await client.query(sql);
      await client.query('insert into schema_migration (version, name, checksum, applied_at) values ($1, $2, $3, $4)', [
        next.version,
        next.name,
        next.checksum,
        Date.now(),
      ]);
    }
    await client.query('commit');
    return next?.name;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (at === '') throw error;
    throw new Error(`Migration ${at} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * The statements run one by one on a connection of their own, because several in one message would be a transaction
 * again; the first connection keeps the lock meanwhile. A file that stops half-way runs again from its start, so its
 * statements have to bear repetition.
 */
async function runOutside(holder: Client, ownerUrl: string, sql: string): Promise<void> {
  await holder.query('set local idle_in_transaction_session_timeout = 0');
  await withClient(ownerUrl, async (client) => {
    for (const statement of sql.split(/;[ \t]*(?:\n|$)/)) {
      const bare = statement.replaceAll(/--.*$/gm, '').trim();
      if (bare === '') continue;
      await dropInvalid(client, bare);
      await client.query(statement);
    }
  });
}

/** What is left of an index whose making was interrupted has its name, is never used, and would count as made. */
async function dropInvalid(client: Client, statement: string): Promise<void> {
  const name = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${escapeIdentifier(name)}`);
}
