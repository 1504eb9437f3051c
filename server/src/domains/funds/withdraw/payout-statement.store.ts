import type { PayoutStatement } from '@hengtai/contract/funds/withdraw/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** The cause of the alarm about payments of a withdrawal that nobody expected. */
export const causeOf = (withdrawId: number) => ({
  kind: 'withdraw.unexpected' as const,
  cause: `withdraw ${withdrawId}`,
});

/** Whether the alarm of `causeOf` is open. */
export const isUnexplained = (withdrawId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (select from alarm unexplained where unexplained.kind = 'withdraw.unexpected'
    and unexplained.cause = 'withdraw ' || ${withdrawId} and unexplained.closed_at is null)`;

export async function hasUnexplained(db: Db, withdrawId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`${prepared}
    select ${isUnexplained(sql`${withdrawId}::bigint`)} as "isOpen"`.execute(db);
  return rows[0]?.isOpen ?? false;
}

/** The hashes of the open alarm about a withdrawal; empty if none is open. */
export async function fetchUnexplainedHashes(db: Db, withdrawId: number): Promise<string[]> {
  const { kind, cause } = causeOf(withdrawId);
  const { rows } = await sql<{ txHash: string }>`
    select distinct o.detail ->> 'txHash' as "txHash" from alarm a join alarm_occurrence o on o.alarm_id = a.id
    where a.kind = ${kind} and a.cause = ${cause} and a.closed_at is null and o.detail ? 'txHash'`.execute(db);
  return rows.map(({ txHash }) => txHash);
}

/** A withdrawal that its transaction has locked. */
export interface LockedWithdraw {
  state: number;
  attempt: number;
  txHash: string;
  isUnexplained: boolean;
}

/** Locks a withdrawal. Its payouts are locked before, because acks lock them first. */
export async function lockWithdraw(db: Db, id: number): Promise<LockedWithdraw> {
  await sql`${prepared}select 1 from withdraw where id = ${id} for no key update`.execute(db);
  // A statement of its own: it sees what was committed before the lock.
  const { rows } = await sql<LockedWithdraw>`${prepared}
    select w.state, w.attempt, w.tx_hash as "txHash", ${isUnexplained(sql`w.id`)} as "isUnexplained"
    from withdraw w where w.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The withdrawal ${id} does not exist.`);
  return row;
}

export type StatementType = 'paying' | 'paid' | 'failed' | 'unknown';

export interface NewStatement {
  platformId: number;
  no: string;
  withdrawId: number | null;
  attempt: number;
  type: StatementType;
  txHash?: string | undefined;
  index?: number | undefined;
  chainFee?: string | undefined;
  feeMarket?: string | undefined;
  reason?: string | undefined;
  effect: 'applied' | 'none' | 'unexpected';
  at: number;
  now: number;
}

/** Keeps what the wallet said; false if the same is kept already. */
export async function insertStatement(db: Db, statement: NewStatement): Promise<boolean> {
  const { platformId, no, withdrawId, attempt, type, txHash, index, chainFee, feeMarket, reason, effect } = statement;
  const { rows } = await sql`${prepared}
    insert into payout_statement (platform_id, no, withdraw_id, attempt, type, tx_hash, tx_index, chain_fee, fee_market,
      reason, effect, created_at, recorded_at)
    values (${platformId}, ${no}, ${withdrawId}, ${attempt}, ${type}, ${txHash ?? ''}, ${index ?? null}, ${chainFee ?? null},
      ${feeMarket ?? null}, ${reason ?? ''}, ${effect}, ${statement.at}, ${statement.now})
    on conflict (platform_id, no, attempt, type, tx_hash) do nothing returning 1`.execute(db);
  return rows.length === 1;
}

const SHOWN_MAX = 50;

/** The last statements about a withdrawal that the caller has found in its scope, latest first. */
export async function fetchStatements(db: Db, withdrawId: number): Promise<PayoutStatement[]> {
  const { rows } = await sql<PayoutStatement>`
    select id, attempt, type, tx_hash as "txHash", tx_index as "index", trim_scale(chain_fee)::text as "chainFee",
      fee_market as "feeMarket", reason, effect, created_at as "createdAt"
    from payout_statement where withdraw_id = ${withdrawId} order by id desc limit ${SHOWN_MAX}`.execute(db);
  return rows;
}

/** The withdrawal of a number, if its user belongs to the platform. */
export async function findOwnWithdraw(db: Db, platformId: number, no: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select w.id from withdraw w join users u on u.id = w.user_id
    where w.no = ${no} and u.platform_id = ${platformId}`.execute(db);
  return rows[0]?.id;
}

/** The top-level agent, whose operators see what concerns no user. */
export async function findRootAgentId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from agent where parent_id is null`.execute(db);
  const [root] = rows;
  if (!root) throw new Error('The installation has no top-level agent.');
  return root.id;
}
