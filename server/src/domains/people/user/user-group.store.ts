import { type RawBuilder, sql } from 'kysely';
import type { Within } from '../../../books/lists/source.ts';

/** The name of a user's group, as an expression. */
export const userGroupOf = (userId: string): RawBuilder<unknown> =>
  sql`(select y.name from user_group_member x join user_group y on y.id = x.group_id where x.user_id = ${sql.ref(userId)})`;

/** The condition of the filter of users by their group. */
export const isInGroup = (userId: string, groupId: string | number, within: Within): RawBuilder<boolean> =>
  sql`${sql.ref(userId)} in (select x.user_id from user_group_member x
    where x.group_id = ${groupId}::bigint and ${within(sql`x.user_id`)})`;
