import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/** Marks a user as deleted, closes its accounts and ends its support links. */
export async function closeUser(ctx: Ctx, id: number): Promise<void> {
  await sql`update account set closed = 1 where user_id = ${id} and ${inScope(ctx.scope, 'agent_id')}`.execute(ctx.db);
  await sql`update support_link set used_at = ${ctx.now}
    where user_id = ${id} and used_at is null and ${inScope(ctx.scope, 'agent_id')}`.execute(ctx.db);
  await sql`
    update users u set deleted_at = ${ctx.now}, updated_at = ${ctx.now}
    where u.id = ${id} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
}
