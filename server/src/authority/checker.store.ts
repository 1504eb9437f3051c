import { ABILITY } from '@hengtai/contract/authority/ability';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';

/** Operators who can log in and may decide approvals, including the top-level admin. */
const fromCheckers = sql`agent o
  where o.state = 1 and o.deleted_at is null and o.password_hash is not null
    and (o.parent_id is null or ${ABILITY.approval} = any(o.abilities))`;
const hasFullScope = sql<boolean>`(o.parent_id is null or ${ABILITY.headquarters} = any(o.abilities))`;
/** Who may decide: operators above this agent, only those with full scope (null), or every approver. */
export type CheckerScope = number | null | 'everybody';
const matchCheckerScope = (checkerScope: CheckerScope): RawBuilder<boolean> =>
  checkerScope === 'everybody'
    ? sql<boolean>`true`
    : sql<boolean>`(${hasFullScope} or exists (
  select from closure c where c.ancestor = o.id and c.descendant = ${checkerScope}))`;
const excludeOperators = (ids: readonly number[]) => sql<boolean>`o.id <> all(${[...ids]}::bigint[])`;

export interface CheckerCount {
  others: number;
  /** How many of them have full scope. */
  whole: number;
}

/**
 * Counts the checkers for a target, except the given operators. Checkers may be above the caller, so this needs a
 * connection that sees every agent; only the number is returned.
 */
export const countCheckersOf = (
  system: Db,
  checkerScope: CheckerScope,
  excludedIds: readonly number[],
): Promise<CheckerCount> =>
  countWhere(system, sql<boolean>`${matchCheckerScope(checkerScope)} and ${excludeOperators(excludedIds)}`);

/** Counts the checkers in the operator's scope, except the operator. */
export const countCheckersBelow = (ctx: Ctx): Promise<CheckerCount> =>
  countWhere(ctx.db, sql<boolean>`${inScope(ctx.scope, 'o.id')} and ${excludeOperators([ctx.operator.id])}`);

async function countWhere(db: Db, where: RawBuilder<boolean>): Promise<CheckerCount> {
  const { rows } = await sql<CheckerCount>`
    select count(*) as others, count(*) filter (where ${hasFullScope}) as whole from ${fromCheckers} and ${where}`.execute(
    db,
  );
  return rows[0] ?? { others: 0, whole: 0 };
}

/** The accounts of checkers in the operator's scope, at most five. */
export async function nameCheckers(
  ctx: Ctx,
  checkerScope: CheckerScope,
  excludedIds: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    select o.account from ${fromCheckers} and ${matchCheckerScope(checkerScope)} and ${excludeOperators(excludedIds)} and ${inScope(ctx.scope, 'o.id')}
    order by o.depth desc, o.account limit 5`.execute(ctx.db);
  return rows.map(({ account }) => account);
}

/** The agent of a target in the operator's scope; undefined when there is none. */
export async function findAgentOfTarget(
  ctx: Ctx,
  { userId, agentId }: { userId?: number | undefined; agentId?: number | undefined },
): Promise<number | undefined> {
  const { rows } = await (
    userId === undefined
      ? sql<{ id: number }>`select a.id from agent a
          where a.id = ${agentId} and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')}`
      : sql<{ id: number }>`select u.agent_id as id from users u
          where u.id = ${userId} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`
  ).execute(ctx.db);
  return rows[0]?.id;
}
