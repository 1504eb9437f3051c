import { WITHDRAW, type WithdrawRisk } from '@hengtai/contract/withdraw';
import { ENTRY } from '@hengtai/contract/money';
import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';
import { entrySums } from '../lists/user-sums.ts';

const DAY_MS = 24 * 3_600_000;

/** States of withdrawals that count against the 24-hour limit. */
export const limitStates: readonly number[] = [
  WITHDRAW.review,
  WITHDRAW.second,
  WITHDRAW.queued,
  WITHDRAW.paying,
  WITHDRAW.paid,
  WITHDRAW.unknown,
];

/**
 * The current risks of a withdrawal. A coin without a price counts as over the limit.
 *
 * @param now unix milliseconds, the end of the window of credential changes
 */
export async function findRisks(db: Db, id: number, now: number): Promise<WithdrawRisk[]> {
  const { rows } = await sql<Record<WithdrawRisk, boolean>>`${prepared}
    with w as materialized (select id, user_id, address, market_id, amount, created_at from withdraw where id = ${id}),
    entries as materialized (
      select market_id, dims[1] as type, dims[2] as platform, dims[3] as frozen, sum(s1) as amount
      from ${entrySums(sql`(select user_id from w)`)} e group by 1, 2, 3, 4
    )
    select
      not exists (select from withdraw o where o.user_id = w.user_id and o.address = w.address and o.state = ${WITHDRAW.paid}
        and o.id <> w.id) as first_address,
      -- Two ranges of the index instead of <>, which would read all rows of the address.
      exists (select from withdraw o where o.address = w.address and o.user_id < w.user_id)
        or exists (select from withdraw o where o.address = w.address and o.user_id > w.user_id) as shared_address,
      coalesce((select sum(coalesce(o.valuation, value_of(o.market_id, o.amount))) from withdraw o
          where o.user_id = w.user_id and o.state = any(${limitStates}::int[]) and o.created_at > w.created_at - ${DAY_MS}
            and o.created_at <= w.created_at), 0)
        > (select num from config where key = 'withdraw.limit24h')
        or value_of(w.market_id, w.amount) is null as over_limit,
      exists (select from credential_change c where c.user_id = w.user_id and c.created_at <= ${now} and c.created_at >
        ${now} - (select num from config where key = 'withdraw.credentialHours') * 3600000) as credential_changed,
      exists (select from account a where a.user_id = w.user_id and a.balance <>
        coalesce((select sum(e.amount) from entries e where e.market_id = a.market_id and e.platform = a.platform
          and e.frozen = (a.bucket = 'frozen')::int), 0)) as ledger_mismatch,
      manual.net > 0 and held.balance - manual.net < w.amount as manual_balance
    from w
    cross join lateral (
      select coalesce(sum(e.amount), 0) as net from entries e
      where e.market_id = w.market_id and e.type in (${ENTRY.manualAdd}, ${ENTRY.manualSub})
    ) manual
    cross join lateral (
      select coalesce(sum(a.balance), 0) as balance from account a
      where a.user_id = w.user_id and a.market_id = w.market_id and a.platform = 1
    ) held`.execute(db);
  const found = rows[0];
  if (!found) return [];
  return (Object.keys(found) as WithdrawRisk[]).filter((risk) => found[risk]);
}
