import type { SystemAccount } from '@hengtai/contract/values/money';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../database/connect.ts';

/**
 * Longest time between the moment that an entry carries as its time of posting and the write of another server to the same
 * account: a transaction reads its clock before it has its locks.
 */
const SKEW_MS = 60_000;

/** A balance of the house in one coin, the sum of its stripes. */
export interface HouseBalanceLine {
  marketId: number;
  marketName: string;
  house: SystemAccount;
  balance: string;
  /** In USDT at the current price; null without one. */
  valuation: string | null;
}

/** @param at unix milliseconds; undefined: now */
export async function fetchHouseBalances(
  db: Db,
  { at, marketId = null }: { at?: number | undefined; marketId?: number | null | undefined },
): Promise<HouseBalanceLine[]> {
  const stripes = at === undefined ? current : stripesAt(at);
  const { rows } = await sql<HouseBalanceLine>`
    select m.id as "marketId", m.market_name as "marketName", s.owner as house, sum(s.balance) as balance,
      value_of(m.id, sum(s.balance)) as valuation
    from (${stripes}) s join market m on m.id = s.market_id
    where m.id = coalesce(${marketId}::bigint, m.id)
    group by m.id, m.market_name, m.sort, s.owner order by m.sort, m.id, s.owner`.execute(db);
  return rows;
}

const current = sql`select a.owner, a.market_id, a.balance from account a where a.user_id is null`;

/**
 * The balance of each stripe after what was posted until a moment: that of an entry well before it, and the entries after this
 * one, by their own time. Ids and times of a stripe have the same order but for entries that were written at once. Aggregates
 * give `earlier` its one row, because under row-level security a condition with `coalesce` could not use the index.
 */
const stripesAt = (at: number): RawBuilder<unknown> => sql`
  select a.owner, a.market_id, earlier.balance + coalesce(later.amount, 0) as balance
  from account a
  cross join lateral (
    select coalesce(max(id), 0) as id, coalesce(max(balance), 0) as balance, coalesce(max(recorded_at), 0) - ${SKEW_MS}::bigint as since
    from (
      select e.id, e.balance, e.recorded_at from entry e
      where e.account_id = a.id and e.user_id is null and e.recorded_at <= ${at - SKEW_MS}::bigint
      order by e.recorded_at desc, e.id desc limit 1
    ) newest
  ) earlier
  cross join lateral (
    select sum(e.amount) as amount from entry e
    where e.account_id = a.id and e.user_id is null and e.id > earlier.id
      and e.recorded_at > earlier.since and e.recorded_at <= ${at}::bigint
  ) later
  where a.user_id is null and (earlier.id > 0 or later.amount is not null)`;
