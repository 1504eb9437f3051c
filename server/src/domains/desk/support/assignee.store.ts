import { SUPPORT } from '@hengtai/contract/desk/support/facts';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { SupportOperator } from '@hengtai/contract/desk/support/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/**
 * SQL condition: the operator `a` is enabled, may write and sees the agent's users.
 *
 * @param agent qualified column with the agent's id; must be a literal in the code
 */
const canServe = (agent: string): RawBuilder<boolean> => sql<boolean>`(a.deleted_at is null and a.state = 1
  and (a.parent_id is null or (${ABILITY.users} = any(a.abilities) and (${ABILITY.headquarters} = any(a.abilities)
    or exists (select from closure c where c.ancestor = a.id and c.descendant = ${sql.ref(agent)})))))`;

/** Operators of the caller's scope that can be assigned to a conversation, with their number of open conversations. */
export async function findAssignableOperators(ctx: Ctx, id: number, limit: number): Promise<SupportOperator[]> {
  const { rows } = await sql<SupportOperator>`
    select a.id, a.account, (select count(*) from service d where d.assignee_id = a.id and d.state = ${sql.lit(SUPPORT.open)}
      and ${inScope(ctx.scope, 'd.agent_id')}) as open
    from service s join agent a on ${inScope(ctx.scope, 'a.id')} and ${canServe('s.agent_id')}
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')} order by a.account_key limit ${limit}`.execute(ctx.db);
  return rows;
}

/** Locks an operator, so that its abilities cannot change before the assignment commits. */
export async function lockOperator(ctx: Ctx, operatorId: number): Promise<{ id: number; account: string } | undefined> {
  const { rows } = await sql<{ id: number; account: string }>`select a.id, a.account from agent a
    where a.id = ${operatorId} and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')} for share`.execute(ctx.db);
  return rows[0];
}

/** Assigns a conversation to an operator that the caller has locked; false if that operator cannot serve it. */
export async function assign(ctx: Ctx, id: number, operatorId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update service s set assignee_id = ${operatorId}, updated_at = ${ctx.now}
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')}
      and exists (select from agent a where a.id = ${operatorId} and ${canServe('s.agent_id')})`.execute(ctx.db);
  return numAffectedRows === 1n;
}

/** Assigns a conversation to the operator who answers, if nobody is assigned yet. */
export async function assignIfUnassigned(ctx: Ctx, id: number): Promise<void> {
  await sql`update service s set assignee_id = ${ctx.operator.id}
    where s.id = ${id} and s.assignee_id is null and ${inScope(ctx.scope, 's.agent_id')}
      and exists (select from agent a where a.id = ${ctx.operator.id} and ${canServe('s.agent_id')})`.execute(ctx.db);
}

export async function unassign(ctx: Ctx, id: number): Promise<void> {
  await sql`update service s set assignee_id = null, updated_at = ${ctx.now}
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')}`.execute(ctx.db);
}

/**
 * Unassigns conversations from operators who can no longer serve them, after a user or agent moved or an operator lost
 * an ability. Assignees outside the caller's scope, above it or at headquarters, can still see them and stay.
 */
export async function unassignIneligible(ctx: Ctx, userId?: number): Promise<void> {
  await sql`update service s set assignee_id = null, updated_at = ${ctx.now}
    where s.assignee_id is not null and ${inScope(ctx.scope, 's.agent_id')}
      and (${userId ?? null}::bigint is null or s.user_id = ${userId ?? null}::bigint)
      and exists (select from agent a where a.id = s.assignee_id and ${inScope(ctx.scope, 'a.id')}
        and not ${canServe('s.agent_id')})`.execute(ctx.db);
}
