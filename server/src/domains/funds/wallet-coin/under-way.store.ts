import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { UnderWayItem } from '@hengtai/contract/funds/wallet-coin/schema';
import { type RawBuilder, sql } from 'kysely';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { type Db } from '../../../database/connect.ts';

const isReverted = (move: string) =>
  sql`exists (select from chain_revert v where v.move_id = ${sql.ref(`${move}.id`)})`;

/** Moves that a record is to be found for, or the other side of a transfer. An item is no longer under way: it is to be explained. */
const youngMoves = (since: number) => sql`
  select w.market_id, w.network, m.id, m.no, m.platform_id, m.kind, m.amount, m.tx_hash, m.created_at
  from chain_move m join wallet w on w.id = m.wallet_id
  where m.recorded_at > ${since} and m.created_at >= w.created_at and m.kind <> 'fee' and not ${isReverted('m')}
    and not exists (select from wallet_item i where i.move_id = m.id)`;

/** What the moves of a transaction between wallets give together. */
const netOfTransfer = sql`(
  select sum(n.amount) from chain_move n join wallet o on o.id = n.wallet_id
  where n.platform_id = m.platform_id and n.tx_hash = m.tx_hash and o.market_id = m.market_id
    and n.kind in ('move', 'other') and not ${isReverted('n')})`;

const hasMoveOrItem = (type: string) => sql`(
  exists (select from chain_match c where c.record_type = ${sql.lit(type)} and c.record_id = r.id and c.ended_at is null)
  or exists (select from wallet_item i where i.record_type = ${sql.lit(type)} and i.record_id = r.id))`;

/** Whether the record was posted after the first reading of a wallet of its platform and coin: what is older is in the reading. */
const isAfterReading = (at: string) => sql`exists (
  select from users u join wallet w on w.platform_id = u.platform_id join wallet_balance b on b.wallet_id = w.id
    join wallet_reading o on o.id = b.opening_id
  where u.id = r.user_id and w.market_id = r.market_id and o.created_at <= ${sql.ref(at)})`;

/**
 * What only the books or only wallets count yet: columns market_id, kind, ref_id, no, amount, tx_hash, network, at. The amount is
 * what the books have above the wallets. What has an item is no longer under way, but different, and so is what is from before
 * `since`, the longest bound; a fee without a wallet always is.
 */
export const underWay = (since: number): RawBuilder<unknown> => sql`(
  select m.market_id, m.kind, m.id as ref_id, m.no, -m.amount as amount, m.tx_hash, m.network, m.created_at as at
  from (${youngMoves(since)}) m
  where m.kind in ('deposit', 'payout')
    and not exists (select from chain_match c where c.move_id = m.id and c.ended_at is null)
  union all
  select m.market_id, m.kind, m.id, m.no, -m.amount, m.tx_hash, m.network, m.created_at
  from (${youngMoves(since)}) m
  where m.kind in ('move', 'other') and ${netOfTransfer} <> 0
    and not exists (select from chain_match c where c.move_id = m.id and c.ended_at is null)
  union all
  select r.market_id, 'recharge', r.id, r.no, r.amount, r.tx_hash, r.network, r.credited_at
  from recharge r
  where r.state = ${sql.lit(RECHARGE.credited)} and r.credited_at > ${since}
    and not ${hasMoveOrItem('recharge')} and ${isAfterReading('r.credited_at')}
  union all
  select r.market_id, 'withdraw', r.id, r.no, -r.received, r.tx_hash, r.network, r.paid_at
  from withdraw r
  where r.state = ${sql.lit(WITHDRAW.paid)} and r.paid_at > ${since}
    and not ${hasMoveOrItem('withdraw')} and ${isAfterReading('r.paid_at')}
  union all
  select f.market_id, 'fee', f.id, f.tx_hash, -f.amount, f.tx_hash, f.network_key, f.created_at
  from wallet_pending p join chain_fee f on f.id = p.ref_id
  where p.kind = 'fee')`;

/** The items of a coin, oldest first, and how many there are. */
export async function fetchUnderWay(
  db: Db,
  { marketId, since, limit }: { marketId: number; since: number; limit: number },
): Promise<{ list: UnderWayItem[]; count: number }> {
  const { rows } = await sql<UnderWayItem & { count: number }>`
    select x.kind, x.ref_id as "refId", x.no, x.amount, x.tx_hash as "txHash", ${explorerOf('k.networks', 'x.network')} as explorer,
      x.network, x.at, count(*) over () as count
    from ${underWay(since)} x join market k on k.id = x.market_id
    where x.market_id = ${marketId} order by x.at, x.kind, x.ref_id limit ${limit}`.execute(db);
  return { list: rows.map(({ count: _count, ...item }) => item), count: rows[0]?.count ?? 0 };
}
