import { ABILITY } from '@hengtai/contract/ability';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { inScope } from '../db/scope.ts';

/** Operators who can log in and may decide approvals, the top-level admin among them. */
const checkers = sql`agent o
  where o.state = 1 and o.deleted_at is null and o.password_hash is not null
    and (o.parent_id is null or ${ABILITY.approval} = any(o.abilities))`;
const everywhere = sql<boolean>`(o.parent_id is null or ${ABILITY.headquarters} = any(o.abilities))`;
/** Whose something is: an agent's, nobody's but the house's overseers', or every approver's business. */
export type Reach = number | null | 'everybody';
const reaching = (reach: Reach): RawBuilder<boolean> =>
  reach === 'everybody'
    ? sql<boolean>`true`
    : sql<boolean>`(${everywhere} or exists (
  select from closure c where c.ancestor = o.id and c.descendant = ${reach}))`;
const besides = (ids: readonly number[]) => sql<boolean>`o.id <> all(${[...ids]}::bigint[])`;

export interface CheckerCount {
  others: number;
  /** Those of them that reach the whole house. */
  whole: number;
}

/**
 * How many, besides these, could decide about something of this agent. They may well stand above the one who asks, so it
 * is counted where everything is seen; nothing but the number is told.
 */
export const countCheckersOf = (system: Db, reach: Reach, except: readonly number[]): Promise<CheckerCount> =>
  countWhere(system, sql<boolean>`${reaching(reach)} and ${besides(except)}`);

/** How many there are in the operator's own tree, besides the operator. */
export const countCheckersBelow = (ctx: Ctx): Promise<CheckerCount> =>
  countWhere(ctx.db, sql<boolean>`${inScope(ctx.scope, 'o.id')} and ${besides([ctx.operator.id])}`);

async function countWhere(db: Db, where: RawBuilder<boolean>): Promise<CheckerCount> {
  const { rows } = await sql<CheckerCount>`
    select count(*) as others, count(*) filter (where ${everywhere}) as whole from ${checkers} and ${where}`.execute(
    db,
  );
  return rows[0] ?? { others: 0, whole: 0 };
}

/** The accounts of those whom the operator can see, at most five. */
export async function nameCheckers(ctx: Ctx, reach: Reach, except: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    select o.account from ${checkers} and ${reaching(reach)} and ${besides(except)} and ${inScope(ctx.scope, 'o.id')}
    order by o.depth desc, o.account limit 5`.execute(ctx.db);
  return rows.map(({ account }) => account);
}

/** The agent whom a user or an agent of the operator's tree belongs to; undefined when there is no such one. */
export async function agentOfTarget(
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
