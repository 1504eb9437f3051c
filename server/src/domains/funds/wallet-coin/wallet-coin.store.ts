import { WALLET_COIN } from '@hengtai/contract/funds/wallet-coin/facts';
import { walletCoin as calls } from '@hengtai/contract/funds/wallet-coin/calls';
import type { WalletCoinRow } from '@hengtai/contract/funds/wallet-coin/schema';
import { type RawBuilder, sql } from 'kysely';
import { defineList } from '../../../books/lists/list.ts';
import { reportDayOf } from '../../../books/lists/report-day.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { requireHouseReader } from '../house/house.rules.ts';
import { fetchProposals } from './proposal.store.ts';
import { underWay } from './under-way.store.ts';

/** Complete report days whose outflow counts. */
const DAYS = 30;

/** Users' and house's balances of a coin sum to zero, so the few accounts of the house give what users own. */
const books = sql`
  select a.market_id, -sum(a.balance) as liabilities, -coalesce(sum(a.balance) filter (where a.owner = 'custody'), 0) as custody
  from account a where a.user_id is null group by a.market_id`;

/** Platforms with balances of a coin. With one platform the balances of all users are its own, and no user is read. */
const holders = sql`
  select b.market_id, p.id as platform_id from books b cross join platform p
  where b.liabilities <> 0 and (select count(*) from platform) = 1
  union all
  select distinct a.market_id, u.platform_id from account a join users u on u.id = a.user_id
  where a.balance > 0 and (select count(*) from platform) > 1`;

/** What wallets hold by their readings and what moved since, by coin and platform. */
const held = sql`
  select w.market_id, w.platform_id, sum(b.amount) as amount,
    sum(b.amount) filter (where w.kind = 'hot' and w.state = 1) as hot,
    min(b.read_at) filter (where w.state = 1) as read_at, count(b.reading_id) as readings
  from wallet w left join wallet_balance b on b.wallet_id = w.id group by 1, 2`;

/** Moves and reverts that the balances of wallets do not have yet. */
const pending = sql`
  select w.market_id, sum(case p.kind when 'move' then m.amount else -m.amount end) as amount,
    sum(case p.kind when 'move' then m.amount else -m.amount end) filter (where w.kind = 'hot' and w.state = 1) as hot
  from wallet_pending p join chain_move m on m.id = p.ref_id join wallet w on w.id = m.wallet_id
  where p.kind in ('move', 'revert') and m.kind <> 'fee' group by 1`;

/** 充值, 冲正, 提现 and 提现退回. */
const FLOW_TYPES = sql`(1, 25, 2, 3)`;

/** The 95th percentile of the daily net outflow of each coin; a day without one counts as zero. */
const outflowsAt = (now: number): RawBuilder<unknown> => sql`
  select x.market_id, percentile_disc(0.95) within group (order by x.amount) as amount
  from (
    select c.market_id, d.day, coalesce(sum(f.amount_out - f.amount_in), 0) as amount
    from (select market_id from books) c
    cross join (
      select t.today - n as day from (select ${reportDayOf(sql`${now}::bigint`)} - date '1970-01-01' as today) t,
        generate_series(1, ${DAYS}::int) n
    ) d
    left join fund_day f on f.day = d.day and f.market_key = c.market_id and f.type in ${FLOW_TYPES}
    group by 1, 2
  ) x
  group by 1`;

/**
 * Compares ledger and wallets of each coin with balances or wallets, and keeps the result. One statement, so that no posting or move
 * is in one side of the comparison only.
 *
 * @param since unix milliseconds: what is from before is no longer under way
 */
export async function compareCoins(db: Db, { now, since }: { now: number; since: number }): Promise<void> {
  await sql`${prepared}
    with books as materialized (${books}), holders as materialized (${holders}), held as materialized (${held}),
    pending as materialized (${pending}), outflows as materialized (${outflowsAt(now)}),
    items as materialized (select x.market_id, sum(x.amount) as amount from ${underWay(since)} x group by 1),
    missing as materialized (
      select o.market_id, array_agg(o.platform_id order by o.platform_id) as ids from holders o
      where not exists (
        select from held h where h.market_id = o.market_id and h.platform_id = o.platform_id and h.readings > 0)
      group by 1
    ),
    coins as materialized (
      select m.id, coalesce(b.liabilities, 0) as liabilities, coalesce(b.custody, 0) as custody,
        case when w.readings > 0 and n.ids is null then w.amount + coalesce(p.amount, 0) end as wallets,
        coalesce(i.amount, 0) as under_way, coalesce(w.hot, 0) + coalesce(p.hot, 0) as hot, w.read_at,
        nullif(greatest(o.amount, 0), 0) as outflow, coalesce(n.ids, '{}') as missing
      from market m
      left join books b on b.market_id = m.id
      left join (
        select market_id, sum(amount) as amount, sum(hot) as hot, min(read_at) as read_at, sum(readings) as readings
        from held group by 1
      ) w on w.market_id = m.id
      left join pending p on p.market_id = m.id
      left join items i on i.market_id = m.id
      left join missing n on n.market_id = m.id
      left join outflows o on o.market_id = m.id
      where w.market_id is not null or b.liabilities <> 0 or b.custody <> 0
    ),
    removed as (delete from wallet_coin c where not exists (select from coins x where x.id = c.market_id))
    insert into wallet_coin as c (market_id, state, liabilities, custody, wallets, under_way, difference, hot, outflow, read_at,
      missing, created_at)
    select x.id, case when x.wallets is null then ${sql.lit(WALLET_COIN.unconnected)}
        when x.wallets + x.under_way = x.custody then ${sql.lit(WALLET_COIN.equal)} else ${sql.lit(WALLET_COIN.different)} end,
      x.liabilities, x.custody, x.wallets, case when x.wallets is not null then x.under_way end,
      x.wallets + x.under_way - x.custody, case when x.wallets is not null then x.hot end, x.outflow, x.read_at, x.missing, ${now}
    from coins x
    on conflict (market_id) do update set state = excluded.state, liabilities = excluded.liabilities,
      custody = excluded.custody, wallets = excluded.wallets, under_way = excluded.under_way, difference = excluded.difference,
      hot = excluded.hot, outflow = excluded.outflow, read_at = excluded.read_at, missing = excluded.missing,
      created_at = excluded.created_at`.execute(db);
}

const fields = sql`
  c.market_id as id, c.market_id as "marketId", m.market_name as "marketName", c.state, c.liabilities, c.custody, c.wallets,
  c.under_way as "underWay", c.difference, c.hot, c.outflow, case when c.hot is not null then trunc(greatest(c.hot, 0) / c.outflow, 1) end as days,
  c.read_at as "readAt", c.created_at as "createdAt"`;

/** Each coin with what is proposed for it now. */
async function sourceAt(db: Db): Promise<ListSource> {
  const proposals = Object.fromEntries((await fetchProposals(db)).map((one) => [one.from.marketId, one]));
  return {
    ...source,
    fields: sql`${fields}, ${JSON.stringify(proposals)}::jsonb -> c.market_id::text as proposal`,
  };
}

const source: Omit<ListSource, 'fields'> = {
  from: sql`wallet_coin c join market m on m.id = c.market_id`,
  id: 'c.market_id',
  createdAt: 'c.created_at',
  filters: { marketId: 'c.market_id', state: 'c.state' },
  sort: { liabilities: 'c.liabilities', difference: 'c.difference' },
  first: sql`c.state = ${sql.lit(WALLET_COIN.different)}`,
};

export const listWalletCoins = defineList(
  calls.list,
  (ctx) => {
    requireHouseReader(ctx);
    return sourceAt(ctx.db);
  },
  { sort: 'id' },
);

/** The coin with the names of the platforms without a reading; undefined without balances and wallets. */
export async function findWalletCoin(
  db: Db,
  marketId: number,
): Promise<{ row: WalletCoinRow; missing: string[] } | undefined> {
  const { rows } = await sql<WalletCoinRow & { missing: string[] }>`
    select ${(await sourceAt(db)).fields}, array(select p.name from platform p where p.id = any(c.missing) order by p.id) as missing
    from ${source.from} where c.market_id = ${marketId}`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { missing, ...row } = found;
  return { row, missing };
}
