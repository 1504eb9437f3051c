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

const payoutsOf = (withdrawId: number) =>
  sql`type = 'withdraw.payout' and ref_type = 'withdraw' and ref_id = ${withdrawId}`;
/** No program was ever given the command, also not by a lease that has ended or a webhook that failed. */
export const isUndelivered = sql`state = ${sql.lit(COMMAND.waiting)} and lease_count = 0 and sent_at is null`;

/** Locks the payout commands of a withdrawal. Acks lock a command before its withdrawal as well. */
export async function lockPayouts(db: Db, withdrawId: number): Promise<void> {
  await sql`${prepared}select 1 from command where ${payoutsOf(withdrawId)} order by id for update`.execute(db);
}

/** The newest attempt whose command a program was given; undefined if none was. */
export async function findHandedOver(db: Db, withdrawId: number): Promise<number | undefined> {
  const { rows } = await sql<{ attempt: number | null }>`${prepared}
    select max((data ->> 'attempt')::int) as attempt from command
    where ${payoutsOf(withdrawId)} and (lease_count > 0 or sent_at is not null)`.execute(db);
  return rows[0]?.attempt ?? undefined;
}

/** Fails the payout command of a withdrawal that nobody was ever given; false if there is none. A delivery may be first. */
export async function withdrawPayout(db: Db, withdrawId: number, reason: string, now: number): Promise<boolean> {
  const { rows } = await sql`${prepared}
    update command set state = ${COMMAND.failed}, reason = ${reason}, done_at = ${now}
    where ${payoutsOf(withdrawId)} and ${isUndelivered} returning 1`.execute(db);
  return rows.length > 0;
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
