import type { ClientBase } from 'pg';
import { ConfigurationError } from '../host/configuration-error.ts';
import type { Migration } from './migration-files.ts';

/** A migration as the database records it. */
export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
  /** The oldest schema version whose servers it serves; null if it serves all that the schema before it served. */
  servesFrom: number | null;
}

/** Text of `select` that reads the applied migrations. A schema of an older release has no column `serves_from`. */
export const APPLIED_MIGRATIONS = `
  select version, name, checksum, (to_jsonb(m) ->> 'serves_from')::int as "servesFrom"
  from schema_migration m order by version`;

export async function fetchApplied(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(APPLIED_MIGRATIONS);
  return rows;
}

/** Why the schema does not serve a program whose newest migration is `newest`; undefined if it does. */
export function whyUnserved(applied: readonly AppliedMigration[], newest: number): string | undefined {
  const breaking = applied.findLast(({ servesFrom }) => (servesFrom ?? 0) > newest);
  return (
    breaking &&
    `The database is newer than this program: it has ${breaking.name}, which serves only servers with migration ` +
      `${breaking.servesFrom} or later. Start the newer release. 数据库结构已不再支持此版本，请启动新版本。`
  );
}

/** The migrations of a newer release that the database has. */
export const newerThan = <T extends { version: number }>(applied: readonly T[], newest: number): T[] =>
  applied.filter(({ version }) => version > newest);

/**
 * The files that are not applied yet.
 *
 * @throws Error if a file was edited after it was applied, or if the schema does not serve this program
 */
export function pendingOf(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  const reason = whyUnserved(applied, newest);
  if (reason !== undefined) throw new ConfigurationError(reason);
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const row of applied) {
    if (row.version > newest) break;
    const file = known.get(row.version);
    if (!file) throw new ConfigurationError(`The database has ${row.name}, which this program does not know.`);
    if (file.checksum !== row.checksum) {
      throw new Error(
        `Migration ${file.name} was changed after this database had applied it as ${row.name}. ` +
          `Put the file back as it was, and make the change in a new migration.`,
      );
    }
    known.delete(row.version);
  }
  const last = applied.at(-1);
  const pending = [...known.values()];
  const skipped = pending.find(({ version }) => last && version < last.version);
  if (skipped && last)
    throw new Error(`Migration ${skipped.name} comes before ${last.name}, which is already applied.`);
  return pending;
}
