import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClientBase, escapeIdentifier } from 'pg';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /**
   * The oldest schema version whose servers the migration still serves. Undefined for one that only expands the schema, and
   * so serves every server that the schema before it served.
   */
  servesFrom: number | undefined;
}

/** Searches upwards, because source and bundle are at different depths below server/. */
export function migrationsDirectory(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'migrations'))) return join(at, 'migrations');
  }
  throw new Error('The directory server/migrations is missing: this installation is not complete.');
}

/** Reads the numbered files of a folder, in order. */
export function readMigrations(directory: string): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const version = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1];
      if (version === undefined) throw new Error(`Migration ${file}: the name must be like 0001-what-it-does.sql.`);
      // Normalizes line ends, so that a checkout on Windows has the same checksum.
      const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const name = file.slice(0, -4);
      return { version: Number(version), name, sql, checksum, servesFrom: readServesFrom(name, Number(version), sql) };
    });
  for (const [index, { version, name }] of migrations.entries()) {
    if (migrations[index - 1]?.version === version) throw new Error(`Migration ${name}: its number is taken.`);
  }
  return migrations;
}

/** Reads `-- serves-from: 0014` among the comments that a file begins with. */
function readServesFrom(name: string, version: number, sql: string): number | undefined {
  if (!sql.includes('serves-from')) return undefined;
  const number = /^(?:--.*\n)*?-- serves-from: (\d{4})\n/.exec(sql)?.[1];
  if (number === undefined || Number(number) > version)
    throw new Error(
      `Migration ${name}: its first lines must have "-- serves-from: NNNN", the oldest schema whose servers it serves.`,
    );
  return Number(number);
}

/** Hash over all migrations; names the template database of tests. */
export function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const { name, checksum } of readMigrations(migrationsDirectory())) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 12);
}

/** The statements of a file for the role with the privileges of the server. */
export const statementsFor = ({ sql }: Migration, appRole: string): string =>
  sql.replaceAll('{{app}}', () => escapeIdentifier(appRole));

/** Creates the tables of the migration runner, which migrations give policies and privileges. */
export async function createMigrationTables(client: ClientBase): Promise<void> {
  await client.query(`create table if not exists migration_lock (id int primary key)`);
  await client.query(`insert into migration_lock (id) values (1) on conflict do nothing`);
  await client.query(`create table if not exists schema_migration (
    version int primary key, name text not null, checksum text not null, applied_at bigint not null)`);
}

/** Records that a file was applied. */
export async function recordMigration(client: ClientBase, migration: Migration): Promise<void> {
  const { version, name, checksum, servesFrom } = migration;
  await client.query('insert into schema_migration (version, name, checksum, applied_at) values ($1, $2, $3, $4)', [
    version,
    name,
    checksum,
    Date.now(),
  ]);
  // The first migrations are applied before the column exists.
  if (servesFrom !== undefined)
    await client.query('update schema_migration set serves_from = $2 where version = $1', [version, servesFrom]);
}
