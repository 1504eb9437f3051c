import { WALLET_ITEM } from '@hengtai/contract/funds/wallet/item';
import { wallet as calls } from '@hengtai/contract/funds/wallet/calls';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { sql } from 'kysely';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import type { Db } from '../../../database/connect.ts';
import { requireHouseReader } from '../house/house.rules.ts';
import { settledState } from './record.store.ts';

const isWithdraw = sql<boolean>`x.id is not null`;
/** What the record moved, as its wallet sees it. */
const recordAmount = sql`case when ${isWithdraw} then -x.received else y.amount end`;
const isSettled = sql<boolean>`(x.state = ${sql.lit(settledState('withdraw'))} or y.state = ${sql.lit(settledState('recharge'))})`;

/** What a move or a record without its counterpart changes, and what was posted for it already. */
const excess = sql`case
  when i.kind = 'fee' or i.state in (${sql.lit(WALLET_ITEM.matched)}, ${sql.lit(WALLET_ITEM.reverted)}) then 0
  when i.kind = 'record' then (case when ${isSettled} and r.id is null then -i.amount else 0 end) - i.posted
  else (case when v.move_id is null then i.amount else 0 end)
    - (case when c.id is not null and coalesce(x.market_id, y.market_id) = i.market_id then ${recordAmount} else 0 end) - i.posted end`;

const moveJson = sql`case when m.id is not null then json_build_object('id', m.id, 'no', m.no, 'marketName', wk.market_name,
  'network', w.network, 'amount', trim_scale(m.amount)::text, 'address', m.address, 'memo', m.memo, 'txHash', m.tx_hash,
  'index', m.tx_index, 'attempt', m.attempt, 'at', m.created_at, 'kind', m.kind, 'wallet', w.no, 'walletName', w.name,
  'fee', trim_scale(m.fee)::text, 'feeMarket', m.fee_market, 'record', m.record, 'block', m.block, 'revertedAt', v.created_at) end`;

const recordJson = sql`case when u.id is not null then json_build_object('id', coalesce(x.id, y.id),
  'no', coalesce(x.no, y.no), 'marketName', rk.market_name, 'network', coalesce(x.network, y.network),
  'amount', trim_scale(${recordAmount})::text, 'address', coalesce(x.address, y.address), 'memo', coalesce(x.memo, y.memo),
  'txHash', coalesce(x.tx_hash, y.tx_hash), 'index', y.tx_index, 'attempt', x.attempt,
  'at', coalesce(x.paid_at, y.credited_at, x.updated_at, y.updated_at),
  'type', case when ${isWithdraw} then 'withdraw' else 'recharge' end, 'account', u.account,
  'state', coalesce(x.state, y.state)) end`;

const fields = sql`
  i.id, i.kind, i.why, i.state, i.platform_id as "platformId", p.name as "platformName", i.market_id as "marketId",
  coalesce(k.market_name, f.market) as "marketName", i.network, i.amount, ${excess} as excess,
  coalesce(m.tx_hash, x.tx_hash, y.tx_hash, f.tx_hash, '') as "txHash", ${explorerOf('k.networks', 'i.network')} as explorer,
  ${moveJson} as move, ${recordJson} as record, coalesce(c.differences, '{}') as differs, i.alarm_id as "alarmId", i.reason,
  i.by_account as "by", i.second_by as "secondBy", i.own, i.explained_at as "explainedAt", i.created_at as "createdAt"`;

// `c` is the match of the item's move, `r` that of its record.
const from = sql`wallet_item i
  join platform p on p.id = i.platform_id
  left join market k on k.id = i.market_id
  left join chain_fee f on f.id = i.fee_id
  left join chain_match c on c.move_id = i.move_id and c.ended_at is null
  left join chain_match r on r.record_type = i.record_type and r.record_id = i.record_id and r.ended_at is null
  left join chain_move m on m.id = coalesce(i.move_id, f.move_id, r.move_id)
  left join wallet w on w.id = m.wallet_id
  left join market wk on wk.id = w.market_id
  left join chain_revert v on v.move_id = m.id
  left join withdraw x on x.id = case coalesce(c.record_type, i.record_type, 'withdraw') when 'withdraw'
    then coalesce(c.record_id, i.record_id, f.withdraw_id) end
  left join recharge y on y.id = case coalesce(c.record_type, i.record_type) when 'recharge'
    then coalesce(c.record_id, i.record_id) end
  left join users u on u.id = coalesce(x.user_id, y.user_id)
  left join market rk on rk.id = coalesce(x.market_id, y.market_id)`;

const items: ListSource = {
  fields,
  from,
  id: 'i.id',
  createdAt: 'i.created_at',
  filters: {
    state: 'i.state',
    why: 'i.why',
    kind: 'i.kind',
    marketId: 'i.market_id',
    platformId: 'i.platform_id',
    id: 'i.id',
  },
  amount: 'i.amount',
};

export const listItems = defineList(
  calls.items,
  (ctx) => {
    requireHouseReader(ctx);
    return items;
  },
  { sort: 'id' },
);

export interface ItemTarget extends WalletItem {
  moveId: number | null;
  /** The balance of the own capital in the coin, a decimal string. */
  capital: string;
  custody: string;
  /** Of the amount of the item in USDT; null if the coin has no price. */
  valuation: string | null;
  pricedAt: number | null;
}

/** An item with what its explanation needs. */
export async function findItem(db: Db, id: number): Promise<ItemTarget | undefined> {
  const balanceOf = (house: string) => sql`
    coalesce((select sum(balance) from account where owner = ${house} and market_id = i.market_id and user_id is null), 0)`;
  const { rows } = await sql<ItemTarget>`
    select ${fields}, i.move_id as "moveId", ${balanceOf('capital')} as capital, ${balanceOf('custody')} as custody,
      value_of(i.market_id, abs(i.amount)) as valuation, usdt_price_at(i.market_id) as "pricedAt"
    from ${from} where i.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks an item, and its move before it: the job that matches the move holds that lock. */
export async function lockItem(db: Db, id: number): Promise<void> {
  await sql`select 1 from chain_move_open o join wallet_item i on i.move_id = o.move_id where i.id = ${id} for update of o`.execute(
    db,
  );
  await sql`select 1 from wallet_item where id = ${id} for update`.execute(db);
}

export interface Explanation {
  reason: string;
  own: boolean;
  /** What was posted, signed as the excess. */
  posted: string;
  by: string;
  secondBy: string | null;
  now: number;
}

/** Explains a locked item, whose move then waits no longer. */
export async function explainItem(db: Db, id: number, explanation: Explanation): Promise<void> {
  const { reason, own, posted, by, secondBy, now } = explanation;
  await sql`
    with explained as (
      update wallet_item set state = ${WALLET_ITEM.explained}, reason = ${reason}, own = ${own}, posted = posted + ${posted}::numeric,
        by_account = ${by}, second_by = ${secondBy}, explained_at = ${now}
      where id = ${id} returning move_id
    )
    delete from chain_move_open o using explained e where o.move_id = e.move_id`.execute(db);
}
