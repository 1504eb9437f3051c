import { type RawBuilder, sql } from 'kysely';
import { type Counters, counters } from './counters.ts';

/**
 * Selects `dims`, `market_id`, `n`, `s1` and `s2` of a user's rows, several times per combination: counters and pending
 * deltas, or the rows themselves if the user has too few for counters.
 *
 * @param userId SQL of one user's id
 * @param rows selects the same columns of the user's rows, with the `dims` that the caller reads
 */
function sumsOfUser(
  { resource }: Pick<Counters, 'resource'>,
  userId: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    with scope as materialized (
      select has_counters(${sql.lit(resource)}::smallint, ${userId}) as "isCounted"
    )
    select * from sums_of_user(${sql.lit(resource)}::smallint, ${userId}) where (select "isCounted" from scope)
    union all
    select r.* from (${rows}) r where not (select "isCounted" from scope)
  )`;
}

/** The sums of a user's withdrawals; `dims[1]` is the state. */
export const withdrawSums = (userId: number): RawBuilder<unknown> =>
  sumsOfUser(
    counters.withdraw,
    sql`${userId}::bigint`,
    sql`select array[state::int] as dims, market_id, 1::bigint as n, amount as s1, fee as s2 from withdraw where user_id = ${userId}`,
  );

/** The sums of a user's recharges; `dims[1]` is the state. */
export const rechargeSums = (userId: number): RawBuilder<unknown> =>
  sumsOfUser(
    counters.recharge,
    sql`${userId}::bigint`,
    sql`select array[state::int] as dims, market_id, 1::bigint as n, amount as s1, 0::numeric as s2 from recharge where user_id = ${userId}`,
  );

/**
 * The sums of a user's ledger entries; after the state, `dims` are type, account type and 1 for frozen. One account is one coin,
 * account type and bucket of a user.
 */
export const entrySums = (userId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sumsOfUser(
    counters.entry,
    userId,
    sql`select array[null, type::int, platform::int, (bucket = 'frozen')::int] as dims, market_id, 1::bigint as n, amount as s1, 0::numeric as s2
      from entry where user_id = ${userId}`,
  );

/** The sums of a user's subscriptions: amount and payment; `dims[1]` is the state. */
export const subscriptionSums = (userId: number): RawBuilder<unknown> =>
  sumsOfUser(
    counters.ieo,
    sql`${userId}::bigint`,
    sql`select array[state::int] as dims, market_id, 1::bigint as n, amount as s1, pay as s2 from ieo where user_id = ${userId}`,
  );

/** The number of users shown under an agent. Its size is counted for every agent, also without counters. */
export const countUsersOf = (agentId: number): RawBuilder<unknown> => sql`(
  coalesce((select s.n from counter_scope s
    where s.resource = ${sql.lit(counters.users.resource)} and s.kind = 2 and s.key = ${agentId}), 0)
  + coalesce((select sum(d.n)::bigint from counter_delta d where d.resource = ${sql.lit(counters.users.resource)} and d.agent_key in (
    select own.id from agent own join agent shown on own.shown_key = shown.account_key where shown.id = ${agentId})), 0))`;
