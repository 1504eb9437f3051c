import { sql } from 'kysely';
import { type AppliedMigration, APPLIED_MIGRATIONS } from '../database/applied-migrations.ts';
import type { Db } from '../database/connect.ts';

export async function fetchAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await sql<AppliedMigration>`${sql.raw(APPLIED_MIGRATIONS)}`.execute(db);
  return rows;
}
