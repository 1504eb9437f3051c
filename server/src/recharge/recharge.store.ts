import { PLATFORM } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

export interface RechargeRecord {
  id: number;
  no: string;
  userId: number;
  agentId: number;
  userState: number;
  account: string;
  marketId: number;
  marketName: string;
  network: string;
  amount: string;
  state: number;
}

export const RECHARGE = { waiting: 0, credited: 1, failed: 2, held: 3, reversed: 4 } as const;

/** Locks the row, so that two answers about one recharge follow each other. */
export async function lockRecharge(db: Db, no: string): Promise<RechargeRecord | undefined> {
  const { rows } = await sql<RechargeRecord>`
    select r.id, r.no, r.user_id as "userId", r.agent_id as "agentId", u.state as "userState", u.account,
      r.market_id as "marketId", m.market_name as "marketName", r.network, r.amount, r.state
    from recharge r join users u on u.id = r.user_id join market m on m.id = r.market_id
    where r.no = ${no} for update of r`.execute(db);
  return rows[0];
}

export interface NewRecharge {
  no: string;
  userId: number;
  agentId: number;
  marketId: number;
  network: string;
  address: string;
  txHash: string;
  amount: string;
  confirmations: number;
  source: number;
  voucher: string;
  createdAt: number;
  now: number;
}

/** false when the number is known already. */
export async function insertRecharge(db: Db, row: NewRecharge): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into recharge (no, user_id, agent_id, market_id, network, address, tx_hash, amount, confirmations, source,
      voucher, state, created_at, recorded_at, updated_at)
    values (${row.no}, ${row.userId}, ${row.agentId}, ${row.marketId}, ${row.network}, ${row.address}, ${row.txHash},
      ${row.amount}::numeric, ${row.confirmations}, ${row.source}, ${row.voucher}, ${RECHARGE.waiting}, ${row.createdAt},
      ${row.now}, ${row.now})
    on conflict (no) do nothing`.execute(db);
  return numAffectedRows === 1n;
}

export async function moveRecharge(
  db: Db,
  id: number,
  move: {
    from: readonly number[];
    to: number;
    now: number;
    remark?: string;
    creditedAt?: number;
    confirmations?: number;
    txHash?: string;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recharge set state = ${move.to}, updated_at = ${move.now}, remark = coalesce(${move.remark ?? null}, remark),
      credited_at = coalesce(${move.creditedAt ?? null}::bigint, credited_at),
      confirmations = greatest(confirmations, ${move.confirmations ?? 0}),
      tx_hash = coalesce(${move.txHash ?? null}, tx_hash)
    where id = ${id} and state = any(${[...move.from]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}

/** How much of a credited recharge its user still has, and which transfer credited it; locks the account. */
export async function lockReversible(
  db: Db,
  row: RechargeRecord,
): Promise<{ taken: string; missing: string; transferId: number | null }> {
  const { rows } = await sql<{ taken: string; missing: string; transferId: number | null }>`
    with have as (
      select coalesce((select balance from account where user_id = ${row.userId} and market_id = ${row.marketId}
        and platform = ${PLATFORM.fund} and bucket = 'active' for update), 0) as balance
    )
    select least(balance, ${row.amount}::numeric) as taken, greatest(${row.amount}::numeric - balance, 0) as missing,
      (select max(id) from transfer where ref_type = 'recharge' and ref_id = ${row.id}) as "transferId"
    from have`.execute(db);
  return rows[0] ?? { taken: '0', missing: row.amount, transferId: null };
}
