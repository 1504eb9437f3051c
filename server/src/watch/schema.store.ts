import { sql } from 'kysely';
import { type AppliedMigration, APPLIED_MIGRATIONS } from '../postgres/applied-migrations.ts';
import type { Db } from '../postgres/connect.ts';

export async function fetchAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await sql<AppliedMigration>`${sql.raw(APPLIED_MIGRATIONS)}`.execute(db);
  return rows;
}
