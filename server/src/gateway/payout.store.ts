import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';

/**
 * Closes the open payout commands of a withdrawal when an event or an operator, not an ack, has reported the outcome.
 */
export async function settlePayouts(db: Db, withdrawId: number, done: boolean, now: number): Promise<void> {
  await sql`${prepared}
    update command set state = ${done ? COMMAND.done : COMMAND.failed}, done_at = ${now}
    where type = 'withdraw.payout' and ref_type = 'withdraw' and ref_id = ${withdrawId}
      and state in (${COMMAND.waiting}, ${COMMAND.sent}, ${COMMAND.unknown})`.execute(db);
}

/**
 * Locks the payout commands of a user that nobody was ever given, also by a lease that has ended or a webhook that failed: a
 * program may have such a one. Deliveries wait for the lock, or take others. A delivery that was first is left out.
 */
export async function lockUndelivered(db: Db, userId: number): Promise<{ commandId: number; withdrawId: number }[]> {
  const { rows } = await sql<{ commandId: number; withdrawId: number }>`
    select c.id as "commandId", c.ref_id as "withdrawId" from command c
    where c.type = 'withdraw.payout' and c.ref_type = 'withdraw' and c.state = ${COMMAND.waiting} and c.lease_count = 0 and c.sent_at is null
      and c.ref_id = any(array(select w.id from withdraw w where w.user_id = ${userId} and w.state = ${WITHDRAW.queued}))
    order by c.id for update of c`.execute(db);
  return rows;
}
