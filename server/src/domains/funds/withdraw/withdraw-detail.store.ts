import { CODE } from '@hengtai/contract/wire/envelope';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope, namedInScope } from '../../../database/scope.ts';
import { limitStates } from './withdraw-risk.store.ts';
import { type WithdrawRecord, isHeld } from './withdraw.rules.ts';

const DAY_MS = 24 * 3_600_000;
const RECENT = 10;
/** Audit action of the password reset that holds payouts. */
const USER_PASSWORD = 'user.pwdUpdate';

export async function findRecharges(ctx: Ctx, userId: number): Promise<WithdrawDetail['recharges']> {
  const { rows } = await sql<WithdrawDetail['recharges'][number]>`
    select r.id, m.market_name as "marketName", r.network, r.address, r.memo, r.tx_hash as "txHash", r.amount, r.state,
      r.created_at as "createdAt"
    from recharge r join market m on m.id = r.market_id
    where r.user_id = ${userId} order by r.id desc limit ${RECENT}`.execute(ctx.db);
  return rows;
}

type UsedAddress = WithdrawDetail['addresses'][number];

/** The beneficiaries that the user used last, each with the number of users of the operator's scope that used it. */
export async function findAddresses(
  ctx: Ctx,
  { id, userId }: Pick<WithdrawRecord, 'id' | 'userId'>,
): Promise<UsedAddress[]> {
  const hasTotals = sql`(select has_address_totals(${userId}::bigint, null))`;
  const last = await sql<Omit<UsedAddress, 'users'> & { beneficiary: string }>`
    with pending as materialized (
      select beneficiary, address, memo, network, market_id, n, amount, at from counter_address_delta where user_key = ${userId}
    ),
    total as (
      (select * from counter_address where user_key = ${userId} order by hi desc limit ${RECENT})
      union
      select * from counter_address where user_key = ${userId}
        and (beneficiary, network, market_id) in (select beneficiary, network, market_id from pending)
    ),
    part as (
      select beneficiary, address, memo, network, market_id, n, amount, lo, hi from total where ${hasTotals}
      union all select beneficiary, address, memo, network, market_id, n, amount, at, at from pending where ${hasTotals}
      union all select beneficiary, address, memo, network, market_id, 1, amount, created_at, created_at from withdraw
      where user_id = ${userId} and beneficiary is not null and not ${hasTotals}
    )
    select p.beneficiary, p.address, p.memo, p.network, m.market_name as "marketName", p.times, p.total, p."firstAt", p."lastAt",
      p.beneficiary is not distinct from (select w.beneficiary from withdraw w where w.id = ${id}) as current
    from (select beneficiary, max(address) as address, max(memo) as memo, network, market_id, sum(n)::bigint as times,
        sum(amount) as total, min(lo) as "firstAt", max(hi) as "lastAt"
      from part group by beneficiary, network, market_id order by max(hi) desc limit ${RECENT}) p
    join market m on m.id = p.market_id order by p."lastAt" desc`.execute(ctx.db);
  const users = await countUsers(ctx, [...new Set(last.rows.map(({ beneficiary }) => beneficiary))]);
  return last.rows.map(({ beneficiary, ...row }) => ({ ...row, users: users.get(beneficiary) ?? 0 }));
}

/** The number of users of the operator's scope that withdrew to each beneficiary. */
async function countUsers(ctx: Ctx, beneficiaries: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ beneficiary: string; users: number }>`
    select b.beneficiary, case when has_address_totals(null, b.beneficiary) then
        (select count(*) from (select distinct t.agent_key, t.user_key from counter_address t
          where t.beneficiary = b.beneficiary and ${inScope(ctx.scope, 't.agent_key')}) x)
        + (select count(distinct d.user_key) from counter_address_delta d
          where d.beneficiary = b.beneficiary and ${inScope(ctx.scope, 'd.agent_key')} and not exists (
            select from counter_address t where t.user_key = d.user_key and t.beneficiary = d.beneficiary))
      else (select count(distinct w.user_id) from withdraw w
        where w.beneficiary = b.beneficiary and ${inScope(ctx.scope, 'w.agent_id')})
      end as users
    from unnest(${beneficiaries}::text[]) b(beneficiary)`.execute(ctx.db);
  return new Map(rows.map(({ beneficiary, users }) => [beneficiary, users]));
}

/**
 * The withdrawal limits and the user's withdrawals of the 24 hours before this request, in USDT; null if a coin has no
 * price.
 */
export async function findLimit(ctx: Ctx, id: number): Promise<WithdrawDetail['limit']> {
  const { rows } = await sql<WithdrawDetail['limit']>`
    select used.value as used, c.num as limit, m.withdraw_min as "withdrawMin", m.withdraw_max as "withdrawMax"
    from withdraw w
    join market m on m.id = w.market_id
    join config c on c.key = 'withdraw.limit24h'
    cross join lateral (
      select case when bool_or(v.value is null) then null else coalesce(sum(v.value), 0) end as value
      from (select coalesce(o.valuation, value_of(o.market_id, o.amount)) as value from withdraw o
        where o.user_id = w.user_id and o.created_at > w.created_at - ${DAY_MS} and o.created_at <= w.created_at
          and o.state = any(${limitStates}::int[])) v
    ) used
    where w.id = ${id}`.execute(ctx.db);
  return rows[0] ?? { used: null, limit: '0', withdrawMin: '0', withdrawMax: '0' };
}

/**
 * The end of the user's payout hold in unix milliseconds and the password reset that caused it; null if payouts are
 * not held.
 */
export async function findPayoutHold(
  ctx: Ctx,
  { userId, payoutHeldUntil }: Pick<WithdrawRecord, 'userId' | 'payoutHeldUntil'>,
): Promise<WithdrawDetail['payoutHold']> {
  if (!isHeld(payoutHeldUntil, ctx.now)) return null;
  const { rows } = await sql<{ at: number; by: string | null }>`
    select a.created_at as at, ${namedInScope(ctx.scope, 'a.operator')} as by from audit a
    where a.user_id = ${userId} and a.action = ${USER_PASSWORD} and a.result = ${CODE.ok}
    order by a.id desc limit 1`.execute(ctx.db);
  return { until: payoutHeldUntil, at: rows[0]?.at ?? null, by: rows[0]?.by ?? null };
}
