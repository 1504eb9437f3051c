import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { networkKey } from '@hengtai/contract/values/network';
import { sql } from 'kysely';
import { unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import type { RecordType } from './match.rules.ts';

/** A paid withdrawal or a credited recharge without a move. */
export interface WaitingRecord {
  type: RecordType;
  id: number;
  no: string;
  platformId: number;
  marketId: number;
  network: string;
  accountKey: string | null;
  /** Decimal string above zero; of a withdrawal what is paid out. */
  amount: string;
  txHash: string;
  /** When it was paid or credited, Unix milliseconds. */
  settledAt: number;
  openedAt: number;
  /** Nobody has looked for its move yet. */
  isNew: boolean;
}

/** Locks the records that are due: new ones, and those whose bound has ended. */
export async function lockOpenRecords(db: Db, now: number, limit: number): Promise<WaitingRecord[]> {
  const { rows } = await sql<WaitingRecord>`${prepared}
    select o.record_type as type, o.record_id as id, coalesce(w.no, r.no) as no, u.platform_id as "platformId",
      coalesce(w.market_id, r.market_id) as "marketId", coalesce(w.network, r.network) as network,
      coalesce(w.account_key, r.account_key) as "accountKey", coalesce(w.received, r.amount) as amount,
      coalesce(w.tx_hash, r.tx_hash) as "txHash",
      coalesce(w.paid_at, r.credited_at, w.updated_at, r.updated_at) as "settledAt",
      o.opened_at as "openedAt", o.next_at = o.opened_at as "isNew"
    from chain_record_open o
    left join withdraw w on o.record_type = 'withdraw' and w.id = o.record_id
    left join recharge r on o.record_type = 'recharge' and r.id = o.record_id
    join users u on u.id = coalesce(w.user_id, r.user_id)
    where o.next_at <= ${now} order by o.next_at limit ${limit} for update of o skip locked`.execute(db);
  return rows;
}

const recordTypes = { no: 'text', txHash: 'text', accountKey: 'text', amount: 'numeric' } as const;

/** The moves that may belong to these records are tried now. */
export async function wakeMoves(db: Db, records: readonly WaitingRecord[], now: number): Promise<void> {
  await sql`${prepared}
    with said as materialized (select * from ${unnestRows('s', recordTypes, records)})
    update chain_move_open o set next_at = ${now}
    where o.next_at > ${now} and o.move_id = any(array(
      select m.id from said s join chain_move m on m.record = s.no
      union select m.id from said s join chain_move m on m.tx_hash = s."txHash" and s."txHash" <> ''
      union select m.id from said s join chain_move m on m.account_key = s."accountKey" and abs(m.amount) = s.amount))`.execute(
    db,
  );
}

const waitTypes = { type: 'text', id: 'bigint', nextAt: 'bigint' } as const;

/** The records are read again later. */
export async function postponeRecords(
  db: Db,
  records: readonly { type: RecordType; id: number; nextAt: number }[],
): Promise<void> {
  await sql`${prepared}
    update chain_record_open o set next_at = s."nextAt" from ${unnestRows('s', waitTypes, records)}
    where o.record_type = s.type and o.record_id = s.id`.execute(db);
}

/**
 * Opens an item for a record that still has no move, and waits for it no longer. Only if the platform had a wallet of the coin and
 * network when the record was settled.
 */
export async function openRecordItem(db: Db, record: WaitingRecord, now: number): Promise<void> {
  const { type, id, platformId, marketId, network, amount, settledAt } = record;
  const { rows } = await sql`${prepared}
    delete from chain_record_open where record_type = ${type} and record_id = ${id} returning 1`.execute(db);
  if (rows.length === 0) return;
  await sql`${prepared}
    insert into wallet_item (kind, why, state, platform_id, market_id, network, amount, record_type, record_id, created_at)
    select 'record', 'noMove', 0, ${platformId}, ${marketId}, ${network},
      ${type === 'withdraw' ? sql`-${amount}::numeric` : sql`${amount}::numeric`}, ${type}, ${id}, ${now}
    where exists (select from wallet w where w.platform_id = ${platformId} and w.market_id = ${marketId}
        and w.network_key = ${networkKey(network)} and w.created_at <= ${settledAt})
    on conflict (record_type, record_id) where record_id is not null do update set state = 0 where wallet_item.state in (1, 4)`.execute(
    db,
  );
}

/** The state in which a record has moved money on a chain. */
export const settledState = (type: RecordType): number => (type === 'withdraw' ? WITHDRAW.paid : RECHARGE.credited);
