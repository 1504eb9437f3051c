import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** An entry of a wallet that was written in this transaction. */
export interface WalletEntry {
  id: number;
  walletId: number;
  /** The move, its revert or the fee. */
  refId: number;
}

const inserted = sql`on conflict (kind, ref_id) do nothing returning id, wallet_id as "walletId", ref_id as "refId"`;

/** Moves of the kind `fee` change their wallet as the fee that they state. */
export async function insertMoveEntries(db: Db, moveIds: readonly number[]): Promise<WalletEntry[]> {
  const { rows } = await sql<WalletEntry>`${prepared}
    insert into wallet_entry (wallet_id, kind, ref_id, amount, block, created_at)
    select m.wallet_id, 'move', m.id, m.amount, m.block, m.created_at from chain_move m
    where m.id = any(${[...moveIds]}::bigint[]) and m.kind <> 'fee' ${inserted}`.execute(db);
  return rows;
}

/** A revert takes effect at its own time: readings from before it had the move. The books keep a fee that was reverted. */
export async function insertRevertEntries(db: Db, moveIds: readonly number[]): Promise<WalletEntry[]> {
  const { rows } = await sql<WalletEntry>`${prepared}
    insert into wallet_entry (wallet_id, kind, ref_id, amount, block, created_at)
    select m.wallet_id, 'revert', m.id, -m.amount, null, r.created_at
    from chain_revert r join chain_move m on m.id = r.move_id
    where m.id = any(${[...moveIds]}::bigint[]) and m.kind <> 'fee' ${inserted}`.execute(db);
  return rows;
}

/**
 * A fee of the books lowers the wallet that paid it: that which the money left or, if that has no wallet in the coin of the fee,
 * that of the move which stated it, as the receiver of a sweep. In another coin it is the wallet of the same account. A fee
 * without such a wallet is left out.
 */
export async function insertFeeEntries(db: Db, feeIds: readonly number[]): Promise<WalletEntry[]> {
  const { rows } = await sql<WalletEntry>`${prepared}
    insert into wallet_entry (wallet_id, kind, ref_id, amount, block, created_at)
    select paid.wallet_id, 'fee', f.id, -f.amount, paid.block, coalesce(paid.created_at, f.created_at)
    from chain_fee f
    cross join lateral (
      select p.id as wallet_id, m.block, m.created_at
      from chain_move m join wallet own on own.id = m.wallet_id
      join wallet p on p.platform_id = f.platform_id and p.market_id = f.market_id and p.network_key = f.network_key
        and (p.id = own.id or p.account_key = own.account_key)
      where m.platform_id = f.platform_id and m.tx_hash = f.tx_hash and own.network_key = f.network_key
        and (m.kind = 'fee' and m.id = f.move_id or m.kind <> 'fee' and m.amount < 0
          or m.id = f.move_id and exists (select from chain_move o
            where o.platform_id = f.platform_id and o.tx_hash = f.tx_hash and o.kind <> 'fee' and o.amount < 0))
      order by m.amount > 0, m.id is not distinct from f.move_id desc, m.id, p.id = own.id desc,
        p.memo_key is not distinct from own.memo_key desc, p.id
      limit 1
    ) paid
    where f.id = any(${[...feeIds]}::bigint[]) and f.effect = 'posted' ${inserted}`.execute(db);
  return rows;
}

/** Of fees without an entry, those of platforms that have a wallet on the network: their wallet may come. */
export async function findWaitingFees(db: Db, feeIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select f.id from chain_fee f where f.id = any(${[...feeIds]}::bigint[]) and exists (
      select from wallet w where w.platform_id = f.platform_id and w.network_key = f.network_key)`.execute(db);
  return rows.map(({ id }) => id);
}
