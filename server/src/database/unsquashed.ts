import { type ClientBase, escapeIdentifier } from 'pg';
import { ConfigurationError } from '../host/configuration-error.ts';
import { createMigrationTables, type Migration, recordMigration, statementsFor } from './migration-files.ts';
import { compareSchemas, describeSchema } from './schema.ts';

/** Number of the last of the files that replaced the migrations of the time before version 0.1.0. */
export const LAST_SQUASHED = 10;

const FIRST_UNSQUASHED = '0001-foundation';
const LAST_UNSQUASHED = { version: 68, name: '0068-large-blocks' };
const LAST_REVISION = 'e322952a';
const MAX_DIFFERENCES = 20;

/**
 * Whether these are the applied migrations of the last revision before version 0.1.0.
 *
 * @throws Error if they are those of another revision before version 0.1.0
 */
export function isUnsquashed(applied: readonly { version: number; name: string }[]): boolean {
  const last = applied.at(-1);
  if (last === undefined || applied[0]?.name !== FIRST_UNSQUASHED) return false;
  if (last.version < LAST_UNSQUASHED.version) {
    throw new ConfigurationError(
      `The data is older than version 0.1.0: its last migration is ${last.name}. Start revision ${LAST_REVISION} with it ` +
        `once, which migrates it to ${LAST_UNSQUASHED.name}, and then this release. 数据版本过旧，请先用 ${LAST_REVISION} 启动一次。`,
    );
  }
  if (last.name === LAST_UNSQUASHED.name) return true;
  throw new Error(`The migration ${last.name} is of another program than this one. 数据库版本与程序不符。`);
}

/**
 * Replaces the recorded migrations of a database of the last revision before version 0.1.0 by the squashed ones. The
 * caller holds the lock in a transaction and commits it.
 *
 * @throws Error if the schema differs from that of the squashed files
 */
export async function replaceUnsquashed(client: ClientBase, files: readonly Migration[], role: string): Promise<void> {
  const squashed = files.filter(({ version }) => version <= LAST_SQUASHED);
  const differences = await findDifferences(client, squashed, role);
  if (differences.length > 0) {
    const more = differences.length > MAX_DIFFERENCES ? `\nand ${differences.length - MAX_DIFFERENCES} more` : '';
    throw new Error(
      `The schema of the database differs from that of ${LAST_UNSQUASHED.name}, so it cannot be migrated. Undo these changes:\n` +
        differences.slice(0, MAX_DIFFERENCES).join('\n') +
        more,
    );
  }
  await client.query('delete from schema_migration');
  for (const migration of squashed) await recordMigration(client, migration);
}

/**
 * Compares the schema with that of the files, which are applied to another schema and rolled back. So definitions that
 * PostgreSQL versions print differently are equal.
 */
async function findDifferences(client: ClientBase, files: readonly Migration[], role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  await client.query('savepoint comparison');
  const found = await describeSchema(client, rows[0]?.name ?? '', role);
  const expected = await describeMigrations(client, files, role);
  await client.query('rollback to savepoint comparison');
  return compareSchemas(found, expected);
}

const COMPARED = 'schema_of_migrations';

async function describeMigrations(client: ClientBase, files: readonly Migration[], role: string) {
  await client.query(
    `create schema ${escapeIdentifier(COMPARED)}; set local search_path = ${escapeIdentifier(COMPARED)}`,
  );
  await createMigrationTables(client);
  for (const file of files) await client.query(statementsFor(file, role));
  return describeSchema(client, COMPARED, role);
}
