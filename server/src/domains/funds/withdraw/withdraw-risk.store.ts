import { type WithdrawRisk } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import { onListed } from '../../../destination/keys.ts';
import { entrySums } from '../../../books/lists/user-sums.ts';
import { findRelatedListed } from './payout-step.store.ts';

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
 * The risks of the withdrawals `w`, as a text array. A coin without a price counts as over the limit.
 *
 * `w` needs the columns of withdraw and: `now`, the end of the window of credential changes (unix milliseconds); `waiting`,
 * what waiting transfers will change on the user's fund account of the coin; `related`, whether a related account is listed;
 * `n`, its number among new withdrawals, or 0.
 *
 * @param others a relation of all withdrawals, new ones with their `n`; those behind `w` are ignored
 */
export function risksOf(others: RawBuilder<unknown>): RawBuilder<WithdrawRisk[]> {
  const entries = entrySums(sql`w.user_id`);
  const conditions: Record<WithdrawRisk, RawBuilder<unknown>> = {
    first_address: sql`not exists (select from ${others} o where o.user_id = w.user_id and o.beneficiary = w.beneficiary
      and o.state = ${WITHDRAW.paid} and o.id <> w.id and o.n <= w.n and o.account_rules >= ${sql.lit(ACCOUNT_RULES)})`,
    // Two ranges of the index instead of <>, which would read all rows of the beneficiary.
    shared_address: sql`exists (select from ${others} o
        where o.beneficiary = w.beneficiary and o.user_id < w.user_id and o.n <= w.n)
      or exists (select from ${others} o where o.beneficiary = w.beneficiary and o.user_id > w.user_id and o.n <= w.n)`,
    address_format: sql`w.address_faults <> '{}'`,
    memo_missing: sql`w.memo_key = '' and exists (select from ${others} o
      where o.account_key = w.account_key and o.memo_key > '' and o.n <= w.n)`,
    related_listed: sql`w.related`,
    over_limit: sql`coalesce((select sum(coalesce(o.valuation, value_of(o.market_id, o.amount))) from ${others} o
        where o.user_id = w.user_id and o.state = any(${limitStates}::int[]) and o.created_at > w.created_at - ${DAY_MS}
          and o.created_at <= w.created_at and o.n <= w.n), 0)
        > (select num from config where key = 'withdraw.limit24h')
      or coalesce(w.valuation, value_of(w.market_id, w.amount)) is null`,
    credential_changed: sql`exists (select from credential_change c where c.user_id = w.user_id and c.created_at <= w.now
      and c.created_at > w.now - (select num from config where key = 'withdraw.credentialHours') * 3600000)`,
    ledger_mismatch: sql`exists (
      select from account a left join (
        select market_id, dims[3] as platform, dims[4] as frozen, sum(s1) as amount from ${entries} e group by 1, 2, 3
      ) e on e.market_id = a.market_id and e.platform = a.platform and e.frozen = (a.bucket = 'frozen')::int
      where a.user_id = w.user_id and a.balance <> coalesce(e.amount, 0))`,
    manual_balance: sql`exists (
      select from (
        select sum(s1) as net from ${entries} e
        where e.market_id = w.market_id and e.dims[2] in (${ENTRY.manualAdd}, ${ENTRY.manualSub})
      ) manual
      where net > 0 and w.waiting - net + coalesce((select sum(a.balance) from account a
        where a.user_id = w.user_id and a.market_id = w.market_id and a.platform = ${PLATFORM.fund}), 0) < w.amount)`,
  };
  const names = Object.entries(conditions).map(
    ([name, applies]) => sql`case when ${applies} then ${sql.lit(name)} end`,
  );
  return sql`array_remove(array[${sql.join(names)}], null)`;
}

/** Whether an account with the same owner is blocked or sanctioned now. Needs full scope. */
export async function isRelatedListed(db: Db, withdrawId: number, now: number): Promise<boolean> {
  const { rows } = await sql<{ network: string; address: string; memo: string; listed: Network[] }>`${prepared}
    select w.network, w.address, w.memo, m.networks as listed from withdraw w join market m on m.id = w.market_id
    where w.id = ${withdrawId}`.execute(db);
  const payees = rows.map(({ listed, ...texts }) => onListed(listed, texts));
  return (await findRelatedListed(db, payees, now)).includes(true);
}

/**
 * The current risks of a withdrawal.
 *
 * @param now unix milliseconds
 */
export async function findRisks(db: Db, id: number, now: number): Promise<WithdrawRisk[]> {
  const related = await isRelatedListed(db, id, now);
  const { rows } = await sql<{ risk: WithdrawRisk[] }>`${prepared}
    select ${risksOf(sql`(select *, 0 as n from withdraw)`)} as risk
    from (select *, ${now}::bigint as now, 0 as waiting, ${related}::boolean as related, 0 as n
      from withdraw where id = ${id}) w`.execute(db);
  return rows[0]?.risk ?? [];
}
