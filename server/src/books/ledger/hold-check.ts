import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { FOLLOW } from '@hengtai/contract/trading/follow/facts';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { PLATFORM, SETTLEMENT, type platformLabels } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { SPOT } from '@hengtai/contract/trading/spot/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../database/connect.ts';

/** A difference between frozen money and the open record that should own it. Amounts are decimal strings. */
export interface HoldDiscrepancy {
  /** `account`: the frozen balance differs from the sum of the open records. `hold`: a record differs from its hold row. */
  kind: 'account' | 'hold';
  userId: number;
  account: string;
  agentId: number;
  marketId: number;
  marketName: string;
  platform: keyof typeof platformLabels;
  /** The frozen balance of the account, and the sum of its open records. */
  frozen: string;
  owned: string;
  /** The record that explains the difference; null if none does. */
  refType: string | null;
  refId: number | null;
  no: string | null;
  /** The amount that the record should hold, and the amount in its hold row or, for `account`, in its ledger entries. */
  due: string;
  actual: string;
}

const settlementId = sql`(select id from market where market_name = ${sql.lit(SETTLEMENT)})`;

/** Selects the open records that hold money, with the reference that their holds and transfers have. */
const openRecords = sql`
  select 'withdraw' as ref_type, id as ref_id, user_id, market_id, ${PLATFORM.fund}::int as platform, amount from withdraw
    where state in (${WITHDRAW.review}, ${WITHDRAW.second}, ${WITHDRAW.queued}, ${WITHDRAW.paying}, ${WITHDRAW.failed},
      ${WITHDRAW.unknown})
  union all
  select 'trade', o.id, user_id, case side when 1 then coalesce(m.quote_id, ${settlementId}) else coalesce(m.base_id, m.id) end,
      ${PLATFORM.spot}::int, frozen
    from trade_order o join market m on m.id = o.market_id where o.state in (${SPOT.open}, ${SPOT.partial}, ${SPOT.cancelling})
  union all
  select 'future', id, user_id, ${settlementId}, ${PLATFORM.future}::int, held + pending_margin from future_order
    where demo = 0 and state in (${FUTURE.pending}, ${FUTURE.open}, ${FUTURE.cancelling}, ${FUTURE.closing})
  union all
  select 'follow', id, user_id, coin_id, ${PLATFORM.future}::int, amount from follow where state <> ${FOLLOW.ended}
  union all
  select 'second', id, user_id, ${settlementId}, ${PLATFORM.second}::int, amount from second_contract
    where state = ${BINARY_CONTRACT.open}
  union all
  select 'ieo', id, user_id, ${settlementId}, ${PLATFORM.fund}::int, pay from ieo where state = ${IEO.waiting}
  union all
  select 'asset.frozen', user_id, user_id, market_id, platform,
      sum(case action when ${ASSET.frozenAdd} then amount else -amount end)
    from adjustment where action in (${ASSET.frozenAdd}, ${ASSET.frozenSub}) group by user_id, market_id, platform`;

/** Selects the number of the record that the alias `row` refers to; null for a manual freeze by an operator. */
const recordNumber = (row: RawBuilder<unknown>): RawBuilder<unknown> => sql`case ${row}.ref_type
  ${sql.join(
    ['withdraw', 'trade', 'future', 'follow', 'second', 'ieo'].map((type) => {
      const table = { trade: 'trade_order', future: 'future_order', second: 'second_contract' }[type] ?? type;
      return sql`when ${sql.lit(type)} then (select no from ${sql.table(table)} where id = ${row}.ref_id)`;
    }),
    sql` `,
  )} end`;

/**
 * Selects what the ledger froze for each record on the accounts of the CTE `account_discrepancy`. Adjustments are grouped
 * by user.
 */
const ledgerByRecord = sql`
  select f.user_id, f.market_id, f.platform,
    case t.ref_type when 'adjustment' then 'asset.frozen' else t.ref_type end as ref_type,
    case t.ref_type when 'adjustment' then f.user_id else t.ref_id end as ref_id, sum(e.amount) as amount
  from account_discrepancy f
  join account a on a.user_id = f.user_id and a.market_id = f.market_id and a.platform = f.platform and a.bucket = 'frozen'
  join entry e on e.account_id = a.id
  join leg l on l.id = e.leg_id
  join transfer t on t.id = l.transfer_id
  group by 1, 2, 3, 4, 5`;

/**
 * Compares every frozen balance with the sum of its open records, and every open record with its hold. One statement reads
 * one snapshot. Ledger entries are read only for accounts that differ.
 */
export async function findHoldDiscrepancies(db: Db): Promise<HoldDiscrepancy[]> {
  const { rows } = await sql<HoldDiscrepancy>`
    with record as materialized (select * from (${openRecords}) r where amount <> 0),
    owned_by_account as materialized (
      select user_id, market_id, platform, sum(amount) as amount from record group by user_id, market_id, platform
    ),
    hold_left as (
      select ref_type, ref_id, user_id, market_id, platform::int as platform, amount - released as amount
      from hold where amount > released
    ),
    hold_discrepancy as (
      select ref_type, ref_id, coalesce(r.user_id, h.user_id) as user_id, market_id, platform,
        coalesce(r.amount, 0) as due, coalesce(h.amount, 0) as actual
      from record r full join hold_left h using (ref_type, ref_id, market_id, platform)
      where coalesce(r.amount, 0) <> coalesce(h.amount, 0) or r.user_id <> h.user_id
    ),
    account_discrepancy as materialized (
      select user_id, market_id, platform, coalesce(a.balance, 0) as frozen, coalesce(s.amount, 0) as owned
      from (select user_id, market_id, platform::int as platform, balance from account
        where bucket = 'frozen' and user_id is not null and balance <> 0) a
      full join owned_by_account s using (user_id, market_id, platform)
      where coalesce(a.balance, 0) <> coalesce(s.amount, 0)
    ),
    traced as (
      select user_id, market_id, platform, ref_type, ref_id, coalesce(r.amount, 0) as due, coalesce(l.amount, 0) as actual
      from (${ledgerByRecord}) l
      full join (select r.* from record r join account_discrepancy using (user_id, market_id, platform)) r
        using (user_id, market_id, platform, ref_type, ref_id)
      where coalesce(r.amount, 0) <> coalesce(l.amount, 0)
    ),
    discrepancy as (
      select 'account' as kind, f.user_id, f.market_id, f.platform, f.frozen, f.owned, t.ref_type, t.ref_id,
        coalesce(t.due, f.owned) as due, coalesce(t.actual, f.frozen) as actual
      from account_discrepancy f left join traced t using (user_id, market_id, platform)
      union all
      select 'hold', h.user_id, h.market_id, h.platform, coalesce(a.balance, 0), coalesce(s.amount, 0), h.ref_type, h.ref_id,
        h.due, h.actual
      from hold_discrepancy h
      left join owned_by_account s using (user_id, market_id, platform)
      left join account a on a.user_id = h.user_id and a.market_id = h.market_id and a.platform = h.platform
        and a.bucket = 'frozen'
    )
    select f.kind, f.user_id as "userId", u.account, u.agent_id as "agentId", f.market_id as "marketId",
      m.market_name as "marketName", f.platform, f.frozen, f.owned, f.ref_type as "refType", f.ref_id as "refId",
      ${recordNumber(sql`f`)} as no, f.due, f.actual
    from discrepancy f join users u on u.id = f.user_id join market m on m.id = f.market_id
    order by f.user_id, f.market_id, f.platform, f.kind, f.ref_type, f.ref_id`.execute(db);
  return rows;
}

/** Describes a discrepancy in one line, for terminals, logs and test failures. */
export function describeDiscrepancy(discrepancy: HoldDiscrepancy): string {
  const { kind, userId, account, marketName, platform, refType, refId, no, due, actual } = discrepancy;
  const place = `user ${userId} (${account}) ${marketName} account ${platform}`;
  const record = refType === null ? 'no record' : `${refType} ${refId}${no === null ? '' : ` (${no})`}`;
  if (kind === 'hold') return `${place}: ${record} should hold ${due}, its hold says ${actual}`;
  const totals = `${place}: frozen ${discrepancy.frozen}, open records hold ${discrepancy.owned}`;
  return refType === null
    ? `${totals}, and no record explains it`
    : `${totals}: ${record} should hold ${due}, the ledger froze ${actual} for it`;
}
