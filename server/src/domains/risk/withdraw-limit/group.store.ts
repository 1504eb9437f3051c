import type { UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { brokenConstraint, withSavepoint } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';

/** Groups that an installation can have, so that lists of them need no pages. */
const GROUPS_MAX = 100;

const groupFields = ({ scope }: Pick<Ctx, 'scope'>) => sql`g.id, g.name, g.for_agents as "forAgents",
  (select count(*) from user_group_member m join users u on u.id = m.user_id
    where m.group_id = g.id and u.deleted_at is null and ${inScope(scope, 'u.agent_id')}) as members,
  g.updated_at as "updatedAt"`;

/** All groups, with the number of their users in the operator's scope. */
export async function fetchGroups(ctx: Pick<Ctx, 'db' | 'scope'>): Promise<UserGroup[]> {
  const { rows } = await sql<UserGroup>`
    select ${groupFields(ctx)} from user_group g where g.deleted_at is null order by lower(g.name)`.execute(ctx.db);
  return rows;
}

export async function findGroup(ctx: Pick<Ctx, 'db' | 'scope'>, id: number): Promise<UserGroup | undefined> {
  const { rows } = await sql<UserGroup>`
    select ${groupFields(ctx)} from user_group g where g.id = ${id} and g.deleted_at is null`.execute(ctx.db);
  return rows[0];
}

type GroupTerms = Pick<UserGroup, 'name' | 'forAgents'>;

/** Whether the name of a group was taken by a concurrent call is decided by the unique index. */
async function unlessTaken<T>(ctx: Pick<Ctx, 'db'>, write: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await withSavepoint(ctx.db, write);
  } catch (error) {
    if (brokenConstraint(error) === 'user_group_name') return 'taken';
    throw error;
  }
}

/** Inserts a group; undefined if there are too many. */
export const insertGroup = (
  ctx: Pick<Ctx, 'db' | 'now'>,
  { name, forAgents }: GroupTerms,
): Promise<number | undefined | 'taken'> =>
  unlessTaken(ctx, async () => {
    const { rows } = await sql<{ id: number }>`
      insert into user_group (name, for_agents, created_at, updated_at)
      select ${name}::text, ${forAgents}::boolean, ${ctx.now}::bigint, ${ctx.now}::bigint
      where (select count(*) from user_group where deleted_at is null) < ${GROUPS_MAX} returning id`.execute(ctx.db);
    return rows[0]?.id;
  });

export const updateGroup = (
  ctx: Pick<Ctx, 'db' | 'now'>,
  id: number,
  { name, forAgents }: GroupTerms,
): Promise<boolean | 'taken'> =>
  unlessTaken(ctx, async () => {
    const { rows } = await sql`
      update user_group set name = ${name}, for_agents = ${forAgents}, updated_at = ${ctx.now}
      where id = ${id} and deleted_at is null returning 1`.execute(ctx.db);
    return rows.length === 1;
  });

/** Deletes a group without users; false if it has some. Needs full scope. */
export async function deleteGroup({ db, now }: Pick<Ctx, 'db' | 'now'>, id: number): Promise<boolean> {
  const { rows } = await sql`
    update user_group g set deleted_at = ${now}, updated_at = ${now} where g.id = ${id} and g.deleted_at is null
      and not exists (select from user_group_member m join users u on u.id = m.user_id
        where m.group_id = g.id and u.deleted_at is null) returning 1`.execute(db);
  return rows.length === 1;
}

/** The group of a user of the scope; undefined if it has none. */
export async function findGroupOf(ctx: Pick<Ctx, 'db' | 'scope'>, userId: number): Promise<UserGroup | undefined> {
  const { rows } = await sql<UserGroup>`
    select ${groupFields(ctx)} from user_group_member x join user_group g on g.id = x.group_id
    where x.user_id = ${userId}`.execute(ctx.db);
  return rows[0];
}

/** Puts a user whom the transaction has locked into a group, or takes it out of its group. */
export async function setGroup(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  userId: number,
  groupId: number | null,
): Promise<void> {
  if (groupId === null) {
    await sql`delete from user_group_member where user_id = ${userId}`.execute(db);
    return;
  }
  await sql`
    insert into user_group_member (user_id, group_id, updated_at) values (${userId}, ${groupId}, ${now})
    on conflict (user_id) do update set group_id = excluded.group_id, updated_at = excluded.updated_at`.execute(db);
}
