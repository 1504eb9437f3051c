import type { AgentDetail, AgentAbilityHolders } from '@hengtai/contract/people/agent/schema';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { countUsersOf } from '../../../books/lists/user-sums.ts';

export async function findGrants(ctx: Ctx, id: number): Promise<AgentDetail['grants']> {
  const { rows } = await sql<AgentDetail['grants'][number]>`
    select g.ability, g.granted_by as by, g.granted_at as at from agent_grant g
    where g.operator_id = ${id} and ${inScope(ctx.scope, 'g.operator_id')} order by g.ability`.execute(ctx.db);
  return rows;
}

/** The number of agents below that hold each ability. */
export async function countAbilitiesBelow(ctx: Ctx, id: number): Promise<AgentAbilityHolders[]> {
  const { rows } = await sql<AgentAbilityHolders>`
    select g.ability, count(*) as agents from closure c join agent_grant g on g.operator_id = c.descendant
    where c.ancestor = ${id} and c.descendant <> ${id} and ${inScope(ctx.scope, 'g.operator_id')}
    group by 1 order by 1`.execute(ctx.db);
  return rows;
}

/** Abilities that agents of the subtrees would lose below another parent, because that parent does not hold them. */
export async function findLostAbilities(
  ctx: Ctx,
  ids: readonly number[],
  parentId: number,
): Promise<AgentAbilityHolders[]> {
  const { rows } = await sql<AgentAbilityHolders>`
    select g.ability, count(distinct g.operator_id) as agents
    from closure c join agent_grant g on g.operator_id = c.descendant
    join agent p on p.id = ${parentId} and p.parent_id is not null and ${inScope(ctx.scope, 'p.id')}
    where c.ancestor = any(${[...ids]}::bigint[]) and g.ability <> all(p.abilities)
      and ${inScope(ctx.scope, 'g.operator_id')}
    group by 1 order by 1`.execute(ctx.db);
  return rows;
}

export type AgentCounts = Pick<AgentDetail, 'workingBelow' | 'children' | 'ownUsers' | 'sessions' | 'approvals'>;

/** Current counts of an agent. Users inherited from deleted agents count as its own, as lists show them (`shown`). */
export async function countRelated(ctx: Ctx, id: number): Promise<AgentCounts> {
  const isInScope = (column: string) => inScope(ctx.scope, column);
  const { rows } = await sql<Omit<AgentCounts, 'approvals'> & AgentCounts['approvals']>`
    select
      (select count(*) from closure c join agent a on a.id = c.descendant
        where c.ancestor = ${id} and a.id <> ${id} and a.state = 1 and a.deleted_at is null and ${isInScope('a.id')}) as "workingBelow",
      (select count(*) from agent a where a.parent_id = ${id} and a.deleted_at is null and ${isInScope('a.id')}) as children,
      ${countUsersOf(id)} as "ownUsers",
      (select count(*) from session s where s.operator_id = ${id} and s.ended_at is null and s.expires_at > ${ctx.now}
        and s.absolute_at > ${ctx.now} and ${isInScope('s.operator_id')}) as sessions,
      (select count(*) from approval p where p.maker_id = ${id} and p.state = ${APPROVAL.open} and p.expires_at > ${ctx.now}
        and ${isInScope('p.agent_id')}) as made,
      (select count(*) from approval p where p.target_type = 'agent' and p.target_id = ${id} and p.state = ${APPROVAL.open}
        and p.expires_at > ${ctx.now} and ${isInScope('p.agent_id')}) as about`.execute(ctx.db);
  const { made = 0, about = 0, ...counts } = rows[0] ?? { workingBelow: 0, children: 0, ownUsers: 0, sessions: 0 };
  return { ...counts, approvals: { made, about } };
}
