import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';

/**
 * Those of these users that belong to a platform. It is no condition: without statistics, PostgreSQL would read all users of
 * the platform.
 */
export async function findUsersOf(db: Db, platformId: number, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number; isOwn: boolean }>`${prepared}
    select id, platform_id = ${platformId} as "isOwn" from users where id = any(${[...userIds]}::bigint[])`.execute(db);
  return new Set(rows.filter(({ isOwn }) => isOwn).map(({ id }) => id));
}
