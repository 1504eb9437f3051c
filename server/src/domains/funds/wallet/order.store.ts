import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { networkKey } from '@hengtai/contract/values/network';
import { sql } from 'kysely';
import { unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import type { OpenAttempt, Order, PayoutMove } from './order.rules.ts';

const moveTypes = {
  record: 'text',
  txHash: 'text',
  accountKey: 'text',
  marketId: 'bigint',
  amount: 'numeric',
} as const;

/** A withdrawal whose payout may be on its way. */
const underWay = [WITHDRAW.queued, WITHDRAW.paying, WITHDRAW.unknown];

/**
 * The attempts of a platform that a program was given, or that were paid before they were imported, that no move has taken, and
 * that may have ordered these moves.
 */
export async function findOpenAttempts(
  db: Db,
  platformId: number,
  moves: readonly PayoutMove[],
): Promise<OpenAttempt[]> {
  // Each way to find a withdrawal has an index of its own. The last one is for what names no account.
  const { rows } = await sql<Omit<OpenAttempt, 'networkKey'> & { network: string }>`${prepared}
    with said as materialized (select * from ${unnestRows('s', moveTypes, moves)}),
    found as (
      select w.id from said s join withdraw w on w.no = s.record
      union select w.id from said s join withdraw w on w.tx_hash = s."txHash" and w.tx_hash <> ''
      union select w.id from said s join withdraw w on w.account_key = s."accountKey" and w.received = s.amount
      union select w.id from said s join withdraw w on w.market_id = s."marketId" and w.received = s.amount
        where w.state = any(${underWay}::int[]) and (w.account_key is null or s."accountKey" is null)
    )
    select w.id as "withdrawId", w.no, a.attempt, w.market_id as "marketId", w.network, w.account_key as "accountKey",
      w.memo_key as "memoKey", w.received as amount, w.tx_hash as "txHash", null::int as index, w.created_at as at
    from found f join withdraw w on w.id = f.id join users u on u.id = w.user_id
    join lateral (select distinct coalesce((c.data ->> 'attempt')::int, 1) as attempt from command c
      where c.type = 'withdraw.payout' and c.ref_type = 'withdraw' and c.ref_id = w.id
        and (c.lease_count > 0 or c.sent_at is not null)
      -- What was paid before it was imported.
      union select 0 where w.state = ${WITHDRAW.paid} and w.attempt = 0) a on true
    where u.platform_id = ${platformId}
      and not exists (select from chain_order o where o.withdraw_id = w.id and o.attempt = a.attempt)
    order by w.id, a.attempt`.execute(db);
  return rows.map(({ network, ...row }) => ({ ...row, networkKey: networkKey(network) }));
}

const orderTypes = { moveId: 'bigint', withdrawId: 'bigint', attempt: 'int' } as const;

/** Keeps which attempt ordered each move. */
export async function insertOrders(db: Db, orders: readonly Order[]): Promise<void> {
  const rows = orders.map(({ move, attempt: { withdrawId, attempt } }) => ({ moveId: move.id, withdrawId, attempt }));
  await sql`${prepared}
    insert into chain_order (move_id, withdraw_id, attempt)
    select "moveId", "withdrawId", attempt from ${unnestRows('o', orderTypes, rows)}`.execute(db);
}
