import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { recordMove } from '../db/fund-day.ts';
import { beforeOf, bothOf, countsChanged, everyRolled } from '../db/rollup.ts';
import { leaveRanges } from '../db/rollup-ranges.ts';
import { inScope } from '../db/scope.ts';

/**
 * The columns that say whose tree a user's rows lie in, in the order in which actions lock them: accounts come before the
 * entries, because who posts holds the accounts until its entries are there to be moved. A test derives this list from
 * the database, so that a new table cannot be forgotten. Audit rows are sealed and stay: they are read where their user
 * is (`ofUserInScope`).
 */
export const followingColumns: readonly { table: string; user: string; agent: string }[] = [
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
  await leaveRanges(ctx.db, userId, agentId);
  for (const { table, user, agent } of followingColumns) {
    if (table === 'account') {
      await takeAccounts(ctx, userId);
      await recordMove(ctx, userId, agentId);
    }
    const counted = everyRolled.find((what) => what.table === table);
    const rows = sql`${sql.ref(`r.${user}`)} = ${userId} and ${sql.ref(`r.${agent}`)} <> ${agentId}
      and ${inScope(ctx.scope, `r.${agent}`)}`;
    const set = sql`update ${sql.table(table)} r set ${sql.ref(agent)} = ${agentId}`;
    const action = counted
      ? sql`${beforeOf(counted, rows)},
        moved as (${set} from before where r.id = before.o_id returning ${bothOf(counted)}),
        rolled as (${countsChanged(counted)})`
      : sql`moved as (${set} where ${rows} returning 1)`;
    const { rows: done } = await sql<{ n: number }>`with ${action} select count(*) as n from moved`.execute(ctx.db);
    moved[table] = (moved[table] ?? 0) + (done[0]?.n ?? 0);
  }
  await sql`update users set updated_at = ${ctx.now} where id = ${userId}`.execute(ctx.db);
  return moved;
}
