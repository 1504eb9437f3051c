import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';

/**
 * The columns that say whose tree a user's rows lie in, in the order in which deeds lock them: accounts come before the
 * entries, because who posts holds the accounts until its entries are there to be moved. A test derives this list from
 * the database, so that a new table cannot be forgotten. Audit rows are sealed and stay: they are read where their user
 * is (`ofUserInScope`).
 */
export const followingColumns: readonly { table: string; user: string; agent: string }[] = [
  { table: 'users', user: 'id', agent: 'agent_id' },
  { table: 'approval', user: 'user_id', agent: 'agent_id' },
  { table: 'withdraw', user: 'user_id', agent: 'agent_id' },
  { table: 'recharge', user: 'user_id', agent: 'agent_id' },
  { table: 'auth', user: 'user_id', agent: 'agent_id' },
  { table: 'ieo', user: 'user_id', agent: 'agent_id' },
  { table: 'internal_transfer', user: 'user_id', agent: 'agent_id' },
  { table: 'internal_transfer', user: 'to_user_id', agent: 'to_agent_id' },
  { table: 'credential_change', user: 'user_id', agent: 'agent_id' },
  { table: 'user_login', user: 'user_id', agent: 'agent_id' },
  { table: 'user_note', user: 'user_id', agent: 'agent_id' },
  { table: 'support_link', user: 'user_id', agent: 'agent_id' },
  { table: 'notice', user: 'user_id', agent: 'agent_id' },
  { table: 'adjustment', user: 'user_id', agent: 'agent_id' },
  { table: 'alarm', user: 'user_id', agent: 'agent_id' },
  { table: 'hold', user: 'user_id', agent: 'agent_id' },
  { table: 'account', user: 'user_id', agent: 'agent_id' },
  { table: 'entry', user: 'user_id', agent: 'agent_id' },
  { table: 'fund_check', user: 'user_id', agent: 'agent_id' },
];

/** Locks a user's accounts in the order in which transfers lock theirs. */
export async function takeAccounts(ctx: Ctx, userId: number): Promise<void> {
  await sql`select 1 from account a where a.user_id = ${userId} and ${inScope(ctx.scope, 'a.agent_id')}
    order by a.id for update`.execute(ctx.db);
}

/**
 * Puts a user and all its rows below another agent. Each table is a statement of its own, so that each sees what the
 * transactions that it waited for have written. The user must have been taken with `takeUser` before.
 *
 * @returns how many rows moved, by table
 */
export async function moveRows(ctx: Ctx, userId: number, agentId: number): Promise<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const { table, user, agent } of followingColumns) {
    if (table === 'account') await takeAccounts(ctx, userId);
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(agent)} = ${agentId}
      where ${sql.ref(user)} = ${userId} and ${sql.ref(agent)} <> ${agentId} and ${inScope(ctx.scope, agent)}`.execute(
      ctx.db,
    );
    moved[table] = (moved[table] ?? 0) + Number(numAffectedRows ?? 0n);
  }
  await sql`update users set updated_at = ${ctx.now} where id = ${userId}`.execute(ctx.db);
  return moved;
}
