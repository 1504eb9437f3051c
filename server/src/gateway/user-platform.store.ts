import { sql } from 'kysely';
import { type Db, prepared } from '../postgres/connect.ts';

/** Those of these users that belong to a platform. */
export async function findUsersOf(db: Db, platformId: number, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from users where id = any(${[...userIds]}::bigint[]) and platform_id = ${platformId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
