import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { subscriptionSums } from '../../../books/lists/user-sums.ts';
import type { IeoRecord } from './ieo.store.ts';

/** The subscription switches of the user, and the current state of the token. */
export async function findTerms(
  ctx: Ctx,
  { userId, marketId }: IeoRecord,
): Promise<Pick<IeoDetail, 'switches' | 'market'>> {
  const { rows } = await sql<IeoDetail['switches'] & IeoDetail['market']>`
    select u.ieo_buy as "ieoBuy", u.ieo_sell as "ieoSell", m.ieo, m.state, m.price
    from users u cross join market m
    where u.id = ${userId} and ${inScope(ctx.scope, 'u.agent_id')} and m.id = ${marketId}`.execute(ctx.db);
  const { ieoBuy = 0, ieoSell = 0, ieo = 0, state = 0, price } = rows[0] ?? {};
  return { switches: { ieoBuy, ieoSell }, market: { ieo, state, price: price ?? null } };
}

/** Funding account balances in the payment asset and the token; zeros without an account. */
export async function findBalances(
  ctx: Ctx,
  { userId, marketId, payMarketId }: IeoRecord,
): Promise<IeoDetail['balances']> {
  const { rows } = await sql<IeoDetail['balances'][number]>`
    select m.id as "marketId", m.market_name as "marketName",
      coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
      coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
    from market m left join account a on a.market_id = m.id and a.user_id = ${userId} and a.platform = ${PLATFORM.fund}
    where m.id in (${payMarketId}, ${marketId})
    group by m.id, m.market_name order by m.id <> ${payMarketId}`.execute(ctx.db);
  return rows;
}

/** All subscriptions of the user to this token, summed by state. */
export async function findTotals(ctx: Ctx, { userId, marketId }: IeoRecord): Promise<IeoDetail['totals']> {
  const { rows } = await sql<IeoDetail['totals'][number]>`
    select dims[1] as state, sum(n)::bigint as count, sum(s1) as amount, sum(s2) as pay from ${subscriptionSums(userId)} o
    where market_id = ${marketId} group by dims[1] having sum(n) > 0 order by dims[1]`.execute(ctx.db);
  return rows;
}
