import { sql } from 'kysely';
import type { Writer } from '../../../gateway/event-batch.ts';
import { type Db, prepared } from '../../../database/connect.ts';

/**
 * Queues requested withdrawals of coins with automatic payouts for a decision, and records rules that stop their coin, in the
 * transaction of the request. Comes after the results of rules and the requests for screening: while an answer is awaited, the
 * candidate becomes ready when the time for it is over.
 */
export const autoCandidates: Writer<{ id: number; keyId: number; now: number }> = {
  tables: ['auto_candidate', 'auto_stop_cause', 'auto_coin', 'auto_budget', 'rule_result', 'screening', 'withdraw'],
  isLast: true,
  write: async (db, withdraws) => {
    const { now = 0, keyId = null } = withdraws[0] ?? {};
    await sql`${prepared}
      with fresh as (
        select w.id, w.market_id from withdraw w join auto_coin c on c.market_id = w.market_id
        join auto_budget b on b.id = c.budget_id
        where w.id = any(${withdraws.map(({ id }) => id)}::bigint[]) and b.enabled
      ),
      caused as (
        insert into auto_stop_cause (market_id, why, withdraw_id, key_id, created_at)
        select f.market_id, 'rule', f.id, ${keyId}::bigint, ${now}::bigint from fresh f
        join rule_result x on x.withdraw_id = f.id and x.stop_coin order by f.id
      )
      insert into auto_candidate (withdraw_id, created_at, ready_at)
      select f.id, ${now}::bigint, coalesce((select max(s.due_at) from screening s
        where s.target_type = 'withdraw' and s.target_id = f.id), 0) from fresh f order by f.id`.execute(db);
  },
};

/** Makes a candidate ready whose withdrawal waited for an answer. Inserts only, so that the event waits for no decision. */
export async function addReadyCandidate(db: Db, withdrawId: number, now: number): Promise<void> {
  await sql`${prepared}
    insert into auto_candidate (withdraw_id, created_at, ready_at)
    select c.withdraw_id, c.created_at, 0 from auto_candidate c where c.withdraw_id = ${withdrawId} and c.ready_at > ${now}
    on conflict do nothing`.execute(db);
}

export async function hasCandidates(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from auto_candidate where ready_at <= ${now} limit 1`.execute(db);
  return rows.length === 1;
}

/** Takes the first ready candidate that no other transaction decides about. */
export async function takeCandidate(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    delete from auto_candidate where (ready_at, withdraw_id) = (
      select ready_at, withdraw_id from auto_candidate where ready_at <= ${now}
      order by ready_at, withdraw_id limit 1 for update skip locked)
    returning withdraw_id as id`.execute(db);
  return rows[0]?.id;
}

/** Takes one candidate, unless another transaction has. */
export async function takeThisCandidate(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`delete from auto_candidate where withdraw_id = ${id} returning 1`.execute(db);
  return rows.length > 0;
}
