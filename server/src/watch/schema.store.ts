import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

export async function fetchAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await sql<AppliedMigration>`
    select version, name, checksum from schema_migration order by version`.execute(db);
  return rows;
}
