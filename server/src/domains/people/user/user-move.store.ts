import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/** A table of users' rows, with the columns of their user and of its agent if these have other names. */
export interface UserTable {
  table: string;
  user?: string;
  agent?: string;
}

/** Actions lock a user and its approval before the rows of the resource. */
const lockedFirst: readonly UserTable[] = [{ table: 'users', user: 'id' }, { table: 'approval' }];
/** Accounts come before entries, because a posting locks the accounts until its entries are committed. */
const lockedLast: readonly UserTable[] = [
  'notice',
  'adjustment',
  'alarm',
  'hold',
  'account',
  'entry',
  'fund_check',
].map((table) => ({ table }));

/**
 * The columns that hold the agent of a user's rows, in the order in which actions lock the tables. A test compares them
 * with the database, so a new table cannot be missed. Audit rows are sealed and keep their agent; `isUserInScope` reads
 * them by the current agent of their user.
 *
 * @param tables those of the resources
 */
export const agentColumnsOf = (tables: readonly UserTable[]): Required<UserTable>[] =>
  [...lockedFirst, ...tables, ...lockedLast].map((one) => ({ user: 'user_id', agent: 'agent_id', ...one }));

/** Locks a user's accounts in the same order as transfers do, to avoid deadlocks. */
export async function lockAccounts(ctx: Ctx, userId: number): Promise<void> {
  await sql`select 1 from account a where a.user_id = ${userId} and ${inScope(ctx.scope, 'a.agent_id')}
    order by a.id for update`.execute(ctx.db);
}

/**
 * Moves a user and all its rows to another agent. Each table has its own statement, so that its snapshot includes the
 * rows of transactions that an earlier statement waited for. The caller must have locked the user with `lockUser`.
 *
 * @param beforeAccounts runs once the accounts are locked
 * @returns the number of moved rows by table
 */
export async function moveRows(
  ctx: Ctx,
  tables: readonly UserTable[],
  { id: userId, agentId }: { id: number; agentId: number },
  beforeAccounts: () => Promise<void>,
): Promise<Record<string, number>> {
  const movedRows: Record<string, number> = {};
  for (const { table, user, agent } of agentColumnsOf(tables)) {
    if (table === 'account') {
      await lockAccounts(ctx, userId);
      await beforeAccounts();
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
