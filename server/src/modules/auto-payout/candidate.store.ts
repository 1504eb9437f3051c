import { sql } from 'kysely';
import type { Writer } from '../../gateway/event-batch.ts';
import { type Db, prepared } from '../../postgres/connect.ts';

/**
 * Queues requested withdrawals of coins with automatic payouts for a decision, and records rules that stop their coin, in the
 * transaction of the request. Comes after the results of rules.
 */
export const autoCandidates: Writer<{ id: number; now: number }> = {
  tables: ['auto_candidate', 'auto_stop_cause', 'auto_coin', 'auto_budget', 'rule_result', 'withdraw'],
  isLast: true,
  write: async (db, withdraws) => {
    const now = withdraws[0]?.now ?? 0;
    await sql`${prepared}
      with fresh as (
        select w.id, w.market_id from withdraw w join auto_coin c on c.market_id = w.market_id
        join auto_budget b on b.id = c.budget_id
        where w.id = any(${withdraws.map(({ id }) => id)}::bigint[]) and b.enabled
      ),
      caused as (
        insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
        select f.market_id, 'rule', f.id, ${now}::bigint from fresh f
        join rule_result x on x.withdraw_id = f.id and x.stop_coin order by f.id
      )
      insert into auto_candidate (withdraw_id, created_at) select f.id, ${now}::bigint from fresh f order by f.id`.execute(
      db,
    );
  },
};

export async function hasCandidates(db: Db): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from auto_candidate limit 1`.execute(db);
  return rows.length === 1;
}

/** Takes the oldest candidate that no other transaction decides about. */
export async function takeCandidate(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    delete from auto_candidate where withdraw_id = (
      select withdraw_id from auto_candidate order by withdraw_id limit 1 for update skip locked)
    returning withdraw_id as id`.execute(db);
  return rows[0]?.id;
}

/** Takes one candidate, unless another transaction has. */
export async function takeThisCandidate(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`delete from auto_candidate where withdraw_id = ${id} returning 1`.execute(db);
  return rows.length === 1;
}
