import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/** The user of a record that operators decide, with its total valuation in USDT. */
export async function findCustomer(ctx: Ctx, userId: number): Promise<WithdrawDetail['user'] | undefined> {
  const { rows } = await sql<WithdrawDetail['user']>`
    select u.id, u.account, g.shown as agent, coalesce(r.account, ${ctx.operator.account}) as "agentRoot", u.remark,
      u.state, u.auth, u.created_at as "createdAt", u.last_login_at as "lastLoginAt", u.last_login_ip as "lastLoginIp",
      (select case when bool_or(a.balance > 0 and value_of(a.market_id, a.balance) is null) then null
        else coalesce(sum(value_of(a.market_id, a.balance)), 0) end from account a where a.user_id = u.id) as valuation
    from users u
    join agent g on g.id = u.agent_id
    left join lateral (select x.account from closure c join agent x on x.id = c.ancestor
      where c.descendant = u.agent_id and x.depth = 1 and ${inScope(ctx.scope, 'x.id')}) r on true
    where u.id = ${userId} and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  return rows[0];
}
