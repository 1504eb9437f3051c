import type { FollowDetail } from '@hengtai/contract/follow.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';

/** What a following moved in its user's accounts; the lines of the house are nobody's business here. */
export async function entriesOf(ctx: Ctx, id: number): Promise<FollowDetail['entries']> {
  const { rows } = await sql<FollowDetail['entries'][number]>`
    select e.id, m.market_name as "marketName", e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id join market m on m.id = e.market_id
    where t.ref_type = 'follow' and t.ref_id = ${id} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id desc`.execute(ctx.db);
  return rows;
}

/** Every attempt to end it. The caller has found it in the operator's tree. */
export async function commandsOf(ctx: Ctx, id: number): Promise<FollowDetail['commands']> {
  const { rows } = await sql<FollowDetail['commands'][number]>`
    select c.id, c.state, c.reason, c.created_at as "createdAt", c.done_at as "doneAt" from command c
    where c.ref_type = 'follow' and c.ref_id = ${id} order by c.id desc limit 20`.execute(ctx.db);
  return rows;
}
