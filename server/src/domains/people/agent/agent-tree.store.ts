import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { AgentRoot } from '@hengtai/contract/people/agent/schema';
import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { Declared } from '../../../app/declared.ts';
import { findBranch, recordBranchMove } from '../../../actions/four-eyes.store.ts';
import type { Db } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';
import { treeChanges } from '../../../database/tree.ts';
import { deleteLink } from '../../house/oidc/oidc.store.ts';
import { dropAllAbilities, dropForeignAbilities } from './agent-grant.store.ts';

/** The path to an agent, from the topmost agent of the operator's scope. */
export async function findSteps(ctx: Ctx, id: number): Promise<{ id: number; account: string }[]> {
  const { rows } = await sql<{ id: number; account: string }>`
    select x.id, x.account from closure c join agent x on x.id = c.ancestor
    where c.descendant = ${id} and ${inScope(ctx.scope, 'x.id')} order by x.depth`.execute(ctx.db);
  return rows;
}

/** The accounts of `findSteps`. */
export const findPath = async (ctx: Ctx, id: number): Promise<string[]> =>
  (await findSteps(ctx, id)).map(({ account }) => account);

export async function countSubtree(ctx: Ctx, id: number): Promise<{ agents: number; users: number }> {
  const { rows } = await sql<{ agents: number; users: number }>`
    select count(*) filter (where a.deleted_at is null) as agents,
      coalesce(sum((select count(*) from users u where u.agent_id = a.id and u.deleted_at is null)), 0)::bigint as users
    from closure c join agent a on a.id = c.descendant
    where c.ancestor = ${id} and ${inScope(ctx.scope, 'a.id')}`.execute(ctx.db);
  return rows[0] ?? { agents: 0, users: 0 };
}

/** The branch (agent of depth 1) of each agent; null if it is outside the operator's scope. */
export async function findRoots(ctx: Ctx, ids: readonly number[]): Promise<AgentRoot[]> {
  const { rows } = await sql<AgentRoot>`
    select a.id as "agentId", r.id as root, r.account as "rootAccount"
    from unnest(${[...ids]}::bigint[]) with ordinality as requested(id, place)
    join agent a on a.id = requested.id and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')}
    left join lateral (select x.id, x.account from closure c join agent x on x.id = c.ancestor
      where c.descendant = a.id and x.depth = 1 and ${inScope(ctx.scope, 'x.id')}) r on true
    order by requested.place`.execute(ctx.db);
  return rows;
}

/**
 * Moves an agent with its subtree below another parent. Rewrites the closure, touches no row of a user, and revokes
 * abilities that the new parent does not hold. The caller must hold the exclusive tree lock and must have checked that
 * the parent is not in the subtree.
 *
 * @returns the ids of the agents that lost an ability
 */
export async function moveSubtree(db: Db, id: number, parentId: number, now: number): Promise<number[]> {
  const branch = await findBranch(db, id);
  await sql`with ${treeChanges()} delete from closure where descendant in (select descendant from closure where ancestor = ${id})
    and ancestor in (select ancestor from closure where descendant = ${id} and ancestor <> ${id})`.execute(db);
  await sql`with ${treeChanges()} insert into closure (ancestor, descendant)
    select above.ancestor, below.descendant from closure above cross join closure below
    where above.descendant = ${parentId} and below.ancestor = ${id}`.execute(db);
  await sql`update agent set depth = agent.depth + parent.depth + 1 - moved.depth
    from agent moved, agent parent
    where moved.id = ${id} and parent.id = ${parentId}
      and agent.id in (select descendant from closure where ancestor = ${id})`.execute(db);
  await sql`update agent set parent_id = ${parentId}, updated_at = ${now} where id = ${id}`.execute(db);
  await recordBranchMove(db, branch, await findBranch(db, id), now);
  return dropForeignAbilities(db, id, parentId, now);
}

/**
 * Deletes an agent softly. Its child agents move to the successor. Its users keep their agent: the row stays as a
 * tombstone below the successor and shows the successor's account, so no row of a user changes.
 *
 * @returns the ids of the agents that lost an ability, because the successor does not hold it
 */
export async function softDeleteAgent(
  db: Db,
  id: number,
  successor: { id: number; account: string },
  now: number,
): Promise<number[]> {
  await dropAllAbilities(db, id);
  await deleteLink(db, id);
  const affectedIds: number[] = [];
  const { rows: children } = await sql<{ id: number }>`select id from agent where parent_id = ${id}`.execute(db);
  for (const child of children) affectedIds.push(...(await moveSubtree(db, child.id, successor.id, now)));
  await moveSubtree(db, id, successor.id, now);
  const { rows } = await sql<{ account: string }>`
    update agent set deleted_at = ${now}, state = 0, password_hash = null, shown_account = ${successor.account}
    where id = ${id} returning account`.execute(db);
  // Tombstones that show the deleted agent now show its successor.
  await sql`update agent set shown_account = ${successor.account} where shown_account = ${rows[0]?.account ?? ''}`.execute(
    db,
  );
  return affectedIds;
}

/** The direct child agents that are not deleted. */
export async function findChildren(ctx: Ctx, id: number): Promise<{ id: number; account: string }[]> {
  const { rows } = await sql<{ id: number; account: string }>`
    select a.id, a.account from agent a where parent_id = ${id} and deleted_at is null and ${inScope(ctx.scope, 'a.id')}
    order by account`.execute(ctx.db);
  return rows;
}

/** Counts an agent's own users and their open withdrawals, recharges and approvals. */
export async function countPending(
  ctx: Ctx,
  account: string,
): Promise<{ users: number; withdraws: number; recharges: number; approvals: number }> {
  const own = sql`agent_id = any(array(select x.id from agent x where x.shown = ${account} and ${inScope(ctx.scope, 'x.id')}))`;
  const { rows } = await sql<{ users: number; withdraws: number; recharges: number; approvals: number }>`
    select (select count(*) from users where deleted_at is null and ${own}) as users,
      (select count(*) from withdraw where ${own} and state <> all(${ENDED}::int[])) as withdraws,
      (select count(*) from recharge where ${own} and state in (${RECHARGE.waiting}, ${RECHARGE.held})) as recharges,
      (select count(*) from approval where ${own} and state = ${sql.lit(APPROVAL.open)}) as approvals`.execute(ctx.db);
  return rows[0] ?? { users: 0, withdraws: 0, recharges: 0, approvals: 0 };
}

const ENDED = [WITHDRAW.paid, WITHDRAW.rejected, WITHDRAW.cancelled, WITHDRAW.refunded];

/** What follows in a module after agents of the operator's tree moved, were deleted or lost an ability. */
export type AuthorityLoss = (ctx: Ctx) => Promise<void>;

export const authorityLosses = new Declared<readonly AuthorityLoss[]>('what follows from lost authority');

export async function followLoss(ctx: Ctx): Promise<void> {
  for (const follow of authorityLosses.get()) await follow(ctx);
}
