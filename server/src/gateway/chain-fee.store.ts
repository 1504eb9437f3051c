import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';

/** A fee as an event states it. */
export interface NewFee {
  platformId: number;
  networkKey: string;
  txHash: string;
  market: string;
  /** Null if the platform has no coin of this name. */
  marketId: number | null;
  /** Decimal string; below zero: given back. */
  amount: string;
  moveId?: number;
  withdrawId?: number;
  at: number;
  now: number;
}

/** Keeps a fee. Undefined if the fee of its transaction is known; what was given back is kept each time. */
export async function insertFee(db: Db, fee: NewFee): Promise<number | undefined> {
  const { platformId, networkKey, txHash, market, marketId, amount, moveId, withdrawId, at, now } = fee;
  const effect = marketId === null ? 'unlisted' : 'posted';
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into chain_fee (platform_id, network_key, tx_hash, market, market_id, amount, effect, move_id, withdraw_id,
      created_at, recorded_at)
    values (${platformId}, ${networkKey}, ${txHash}, ${market}, ${marketId}, ${amount}, ${effect}, ${moveId ?? null},
      ${withdrawId ?? null}, ${at}, ${now})
    on conflict (platform_id, network_key, tx_hash) where effect <> 'different' and amount > 0 do nothing
    returning id`.execute(db);
  return rows[0]?.id;
}

/** The fee lowers a wallet, which the job `wallet-judge` finds. */
export async function addPendingFee(db: Db, id: number, now: number): Promise<void> {
  await sql`${prepared}insert into wallet_pending (kind, ref_id, next_at) values ('fee', ${id}, ${now})`.execute(db);
}

/** Keeps a statement about the fee of a transaction that contradicts the first one. */
export async function insertDifference(db: Db, fee: NewFee): Promise<void> {
  const { platformId, networkKey, txHash, market, marketId, amount, moveId, withdrawId, at, now } = fee;
  await sql`${prepared}
    insert into chain_fee (platform_id, network_key, tx_hash, market, market_id, amount, effect, move_id, withdraw_id,
      created_at, recorded_at)
    select f.platform_id, f.network_key, f.tx_hash, ${market}, ${marketId}, ${amount}, 'different', ${moveId ?? null},
      ${withdrawId ?? null}, ${at}, ${now}
    from chain_fee f where f.platform_id = ${platformId} and f.network_key = ${networkKey} and f.tx_hash = ${txHash}
      and f.effect <> 'different' and f.amount > 0
      and (f.market, f.amount) is distinct from (${market}, ${amount}::numeric)`.execute(db);
}
