import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { networkKey } from '@hengtai/contract/values/network';
import { sql } from 'kysely';
import { unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { settledState } from './record.store.ts';
import { type Match, type OpenMove, type OpenRecord, NEAR_MS } from './match.rules.ts';

/** A move waits for its record, or to be judged. */
export async function openMove(db: Db, moveId: number, now: number): Promise<void> {
  await sql`${prepared}
    insert into chain_move_open (move_id, next_at, opened_at) values (${moveId}, ${now}, ${now})`.execute(db);
}

/**
 * A reverted move has no record, whose record waits for another one, and no attempt ordered it. The job that matches it holds its
 * lock, so the match is ended by a later statement.
 */
export async function endMatch(db: Db, moveId: number, now: number): Promise<void> {
  await sql`${prepared}delete from chain_move_open where move_id = ${moveId}`.execute(db);
  await sql`${prepared}delete from chain_order where move_id = ${moveId}`.execute(db);
  await sql`${prepared}
    with ended as (
      update chain_match set ended_at = ${now} where move_id = ${moveId} and ended_at is null
      returning record_type, record_id
    )
    insert into chain_record_open (record_type, record_id, opened_at, next_at)
    select record_type, record_id, ${now}, ${now} from ended
    on conflict (record_type, record_id) do nothing`.execute(db);
}

/** A move that waits, with what its judgement needs. */
export interface WaitingMove extends OpenMove {
  /** The platform's number of the move. */
  no: string;
  walletNo: string;
  /** Decimal string, below zero out of the wallet. */
  signed: string;
  marketName: string;
  network: string;
  /** The other side; empty if unknown. */
  address: string;
  /** The key of the gateway by which it came, 0 for a key of the environment. */
  keyId: number;
  openedAt: number;
  tries: number;
  isJudged: boolean;
  isDue: boolean;
}

/** Locks the moves that are due, those that are due longest first. */
export async function lockOpenMoves(db: Db, now: number, limit: number): Promise<WaitingMove[]> {
  const { rows } = await sql<WaitingMove>`${prepared}
    select m.id, m.platform_id as "platformId", m.record, w.market_id as "marketId",
      -- The money of a voucher comes in by some other way.
      case when m.kind = 'other' and m.record is not null and m.amount > 0 then 'deposit' else m.kind end as kind, w.network_key as "networkKey", m.account_key as "accountKey", m.memo_key as "memoKey", abs(m.amount) as amount,
      m.tx_hash as "txHash", m.tx_index as index, m.attempt, m.created_at as at,
      m.no, w.no as "walletNo", m.amount as signed, k.market_name as "marketName", w.network, m.address,
      coalesce(m.key_id, 0) as "keyId", o.opened_at as "openedAt", o.tries, o.is_judged as "isJudged", o.is_due as "isDue"
    from chain_move_open o join chain_move m on m.id = o.move_id join wallet w on w.id = m.wallet_id
    join market k on k.id = w.market_id
    where o.next_at <= ${now} order by o.next_at, o.move_id limit ${limit} for update of o skip locked`.execute(db);
  return rows;
}

const moveTypes = { no: 'text', txHash: 'text', accountKey: 'text', amount: 'numeric', at: 'bigint' } as const;

/** The paid withdrawals and credited recharges of a platform without a move that may be those of these moves. */
export async function findOpenRecords(db: Db, platformId: number, moves: readonly OpenMove[]): Promise<OpenRecord[]> {
  const wanted = moves.map(({ record, ...move }) => ({ ...move, no: record }));
  const isFree = (type: string) => sql`not exists (
    select from chain_match c where c.record_type = ${sql.lit(type)} and c.record_id = r.id and c.ended_at is null)`;
  // Each way to find a record has an index of its own.
  const idsIn = (table: string, { amount, at }: { amount: string; at: string }) => sql`
    select r.id from said s join ${sql.table(table)} r on r.no = s.no
    union select r.id from said s join ${sql.table(table)} r on r.tx_hash = s."txHash" and r.tx_hash <> ''
    union select r.id from said s join ${sql.table(table)} r on r.account_key = s."accountKey"
      and ${sql.ref(amount)} = s.amount and r.tx_hash = '' and ${sql.ref(at)} between s.at - ${NEAR_MS}::bigint and s.at + ${NEAR_MS}::bigint`;
  const { rows } = await sql<Omit<OpenRecord, 'networkKey'> & { network: string | null }>`${prepared}
    with said as materialized (select * from ${unnestRows('r', moveTypes, wanted)})
    select 'withdraw' as type, r.id, r.no, r.market_id as "marketId", r.network, r.account_key as "accountKey",
      r.memo_key as "memoKey", r.received as amount, r.tx_hash as "txHash", p.tx_index as index,
      coalesce(p.attempt, r.attempt) as attempt, coalesce(r.paid_at, r.updated_at) as at
    from (${idsIn('withdraw', { amount: 'r.received', at: 'r.paid_at' })}) f join withdraw r on r.id = f.id join users u on u.id = r.user_id
    left join lateral (select s.tx_index, s.attempt from payout_statement s
      where s.withdraw_id = r.id and s.type = 'paid' and s.effect = 'applied' order by s.id desc limit 1) p on true
    where u.platform_id = ${platformId} and r.state = ${sql.lit(WITHDRAW.paid)} and ${isFree('withdraw')}
    union all
    -- A voucher names a bank or a method of payment, and whom the customer paid there.
    select 'recharge', r.id, r.no, r.market_id, case when r.source = 1 then r.network end,
      case when r.source = 1 then r.account_key end, case when r.source = 1 then r.memo_key end, r.amount, r.tx_hash, r.tx_index, null,
      coalesce(r.credited_at, r.updated_at)
    from (${idsIn('recharge', { amount: 'r.amount', at: 'r.credited_at' })}) f join recharge r on r.id = f.id join users u on u.id = r.user_id
    where u.platform_id = ${platformId} and r.state = ${sql.lit(RECHARGE.credited)} and ${isFree('recharge')}
    order by 1, 2`.execute(db);
  return rows.map(({ network, ...row }) => ({ ...row, networkKey: network === null ? null : networkKey(network) }));
}

/** Writes a match, whose move and record then wait no longer. False if the record was reversed meanwhile. */
export async function insertMatch(db: Db, { move, record, by, differences }: Match, now: number): Promise<boolean> {
  const { rows } = await sql`${prepared}
    insert into chain_match (move_id, record_type, record_id, found_by, differences, created_at)
    select ${move.id}, ${record.type}, r.id, ${by}, ${[...differences]}::text[], ${now}
    from ${sql.table(record.type)} r where r.id = ${record.id} and r.state = ${settledState(record.type)} for share of r returning 1`.execute(
    db,
  );
  if (rows.length === 0) return false;
  await closeMove(db, move.id);
  await sql`${prepared}
    delete from chain_record_open where record_type = ${record.type} and record_id = ${record.id}`.execute(db);
  return true;
}

/** A move waits no longer. */
export async function closeMove(db: Db, moveId: number): Promise<void> {
  await sql`${prepared}delete from chain_move_open where move_id = ${moveId}`.execute(db);
}

const waitTypes = { id: 'bigint', nextAt: 'bigint', isDue: 'boolean' } as const;

/** The moves are tried again later. */
export async function postponeMoves(
  db: Db,
  moves: readonly { id: number; nextAt: number; isDue: boolean }[],
): Promise<void> {
  await sql`${prepared}
    update chain_move_open o set next_at = s."nextAt", is_due = s."isDue", is_judged = true, tries = o.tries + 1
    from ${unnestRows('s', waitTypes, moves)} where o.move_id = s.id`.execute(db);
}
