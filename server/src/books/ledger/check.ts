import { sql } from 'kysely';
import type { Db } from '../../database/connect.ts';
import { describeDiscrepancy, findHoldDiscrepancies } from './hold-check.ts';

/** One violated invariant of the ledger, as a sentence. */
export type Discrepancy = string;

/** Checks the ledger itself, and every frozen balance against the open records that own it. */
export async function checkBook(db: Db): Promise<Discrepancy[]> {
  return [...(await checkLedger(db)), ...(await findHoldDiscrepancies(db)).map(describeDiscrepancy)];
}

/**
 * Recomputes the ledger and returns violations: every market sums to zero, no user's balance is negative, every balance
 * equals the sum of its entries, each entry's balance equals the sum up to it, frozen balances equal their holds, every leg
 * has two entries. Does not read the records that own the holds.
 */
export async function checkLedger(db: Db): Promise<Discrepancy[]> {
  const { rows } = await sql<{ discrepancy: string }>`
    select 'market ' || market_id || ' does not sum to zero: ' || sum(balance) as discrepancy
      from account group by market_id having sum(balance) <> 0
    union all
    select 'entries of market ' || market_id || ' do not sum to zero: ' || sum(amount)
      from entry group by market_id having sum(amount) <> 0
    union all
    select 'account ' || id || ' is negative' from account where user_id is not null and balance < 0
    union all
    select 'account ' || a.id || ' has balance ' || a.balance || ', its entries sum to ' || coalesce(e.amount, 0)
      from account a left join (select account_id, sum(amount) as amount from entry group by account_id) e
        on e.account_id = a.id
      where a.balance <> coalesce(e.amount, 0)
    union all
    select 'entry ' || e.id || ' has balance ' || e.balance || ', the entries up to it sum to ' || e.replayed
      from (select id, balance, sum(amount) over (partition by account_id order by id) as replayed from entry) e
      where e.balance <> e.replayed
    union all
    select 'user ' || coalesce(a.user_id, h.user_id) || ' market ' || coalesce(a.market_id, h.market_id)
        || ' has frozen ' || coalesce(a.balance, 0) || ', holds sum to ' || coalesce(h.held, 0)
      from (select * from account where bucket = 'frozen' and user_id is not null) a
      full join (select user_id, market_id, platform, sum(amount - released) as held from hold group by 1, 2, 3) h
        on h.user_id = a.user_id and h.market_id = a.market_id and h.platform = a.platform
      where coalesce(a.balance, 0) <> coalesce(h.held, 0)
    union all
    select 'leg ' || l.id || ' does not have exactly two entries'
      from leg l where (select count(*) from entry e where e.leg_id = l.id and e.size = l.amount) <> 2`.execute(db);
  return rows.map((row) => row.discrepancy);
}
