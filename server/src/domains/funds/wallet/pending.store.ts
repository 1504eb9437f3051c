import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

export const PENDING_KINDS = ['move', 'revert', 'fee', 'reading'] as const;
type PendingKind = (typeof PENDING_KINDS)[number];

/** What an event said of a wallet, which the job `wallet-judge` has not taken yet. */
export interface Pending {
  kind: PendingKind;
  refId: number;
}

/** The job takes it. Fees are added by `server/src/gateway/chain-fee.store.ts`. */
export async function addPending(db: Db, { kind, refId }: Pending, now: number): Promise<void> {
  await sql`${prepared}
    insert into wallet_pending (kind, ref_id, next_at) values (${kind}, ${refId}, ${now})`.execute(db);
}

/** Locks what is due, the longest due first. */
export async function lockPending(db: Db, now: number, limit: number): Promise<Pending[]> {
  const { rows } = await sql<Pending>`${prepared}
    select kind, ref_id as "refId" from wallet_pending where next_at <= ${now}
    order by next_at, ref_id limit ${limit} for update skip locked`.execute(db);
  return rows;
}

export async function removePending(db: Db, kind: PendingKind, ids: readonly number[]): Promise<void> {
  await sql`${prepared}
    delete from wallet_pending where kind = ${kind} and ref_id = any(${[...ids]}::bigint[])`.execute(db);
}

/** They are tried again at `until`. */
export async function postponePending(
  db: Db,
  { kind, ids, until }: { kind: PendingKind; ids: readonly number[]; until: number },
): Promise<void> {
  await sql`${prepared}
    update wallet_pending set next_at = ${until} where kind = ${kind} and ref_id = any(${[...ids]}::bigint[])`.execute(
    db,
  );
}
