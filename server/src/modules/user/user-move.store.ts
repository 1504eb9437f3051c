import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { recordMove } from '../report/fund-day.store.ts';
import { inScope } from '../../postgres/scope.ts';

/**
 * The columns that hold the agent of a user's rows, in the order in which actions lock the tables. Accounts come before
 * entries, because a posting locks the accounts until its entries are committed. A test compares this list with the
 * database, so a new table cannot be missed. Audit rows are sealed and keep their agent; `isUserInScope` reads them by
 * the current agent of their user.
 */
export const agentColumns: readonly { table: string; user: string; agent: string }[] = [
  { table: 'users', user: 'id', agent: 'agent_id' },
  { table: 'approval', user: 'user_id', agent: 'agent_id' },
  { table: 'withdraw', user: 'user_id', agent: 'agent_id' },
  { table: 'trade_order', user: 'user_id', agent: 'agent_id' },
  { table: 'trade_fill', user: 'user_id', agent: 'agent_id' },
  { table: 'second_contract', user: 'user_id', agent: 'agent_id' },
  { table: 'follow', user: 'user_id', agent: 'agent_id' },
  { table: 'future_order', user: 'user_id', agent: 'agent_id' },
  { table: 'future_close', user: 'user_id', agent: 'agent_id' },
  { table: 'future_funding', user: 'user_id', agent: 'agent_id' },
  { table: 'service', user: 'user_id', agent: 'agent_id' },
  { table: 'service_message', user: 'user_id', agent: 'agent_id' },
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

/** Locks a user's accounts in the same order as transfers do, to avoid deadlocks. */
export async function lockAccounts(ctx: Ctx, userId: number): Promise<void> {
  await sql`select 1 from account a where a.user_id = ${userId} and ${inScope(ctx.scope, 'a.agent_id')}
    order by a.id for update`.execute(ctx.db);
}

/**
 * Moves a user and all its rows to another agent. Each table has its own statement, so that its snapshot includes the
 * rows of transactions that an earlier statement waited for. The caller must have locked the user with `lockUser`.
 *
 * @returns the number of moved rows by table
 */
export async function moveRows(ctx: Ctx, userId: number, agentId: number): Promise<Record<string, number>> {
  const movedRows: Record<string, number> = {};
  for (const { table, user, agent } of agentColumns) {
    if (table === 'account') {
      await lockAccounts(ctx, userId);
      await recordMove(ctx, userId, agentId);
    }
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} r set ${sql.ref(agent)} = ${agentId}
      where ${sql.ref(`r.${user}`)} = ${userId} and ${sql.ref(`r.${agent}`)} <> ${agentId}
        and ${inScope(ctx.scope, `r.${agent}`)}`.execute(ctx.db);
    movedRows[table] = (movedRows[table] ?? 0) + Number(numAffectedRows);
  }
  await sql`update users set updated_at = ${ctx.now} where id = ${userId}`.execute(ctx.db);
  return movedRows;
}
