import { COMMAND } from '@hengtai/contract/gateway';
import { sql } from 'kysely';
import { type Db, prepared } from '../postgres/connect.ts';

/**
 * Closes the open payout commands of a withdrawal when an event or an operator, not an ack, has reported the outcome.
 */
export async function settlePayouts(db: Db, withdrawId: number, done: boolean, now: number): Promise<void> {
  await sql`${prepared}
    update command set state = ${done ? COMMAND.done : COMMAND.failed}, done_at = ${now}
    where type = 'withdraw.payout' and ref_type = 'withdraw' and ref_id = ${withdrawId}
      and state in (${COMMAND.waiting}, ${COMMAND.sent}, ${COMMAND.unknown})`.execute(db);
}
