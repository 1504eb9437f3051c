import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { literals } from '../database/literals.ts';
import { type Db, prepared } from '../database/connect.ts';
import { isUndelivered } from './payout.store.ts';

const commandOf = (transferId: number) =>
  sql`type = 'wallet.move.requested' and ref_type = 'walletTransfer' and ref_id = ${transferId}`;

/** Locks the command of a transfer between wallets. Acks lock it before the transfer as well. */
export async function lockMoveCommand(db: Db, transferId: number): Promise<void> {
  await sql`${prepared}select 1 from command where ${commandOf(transferId)} for update`.execute(db);
}

/** Fails the command of a transfer that nobody was ever given; false if somebody was. A delivery may be first. */
export async function callBackMove(db: Db, transferId: number, reason: string, now: number): Promise<boolean> {
  const { rows } = await sql`${prepared}
    update command set state = ${COMMAND.failed}, reason = ${reason}, done_at = ${now}
    where ${commandOf(transferId)} and ${isUndelivered} returning 1`.execute(db);
  return rows.length === 1;
}

/** Finishes the command of a transfer, because the chain or an operator, not an ack, has told its outcome. */
export async function settleMove(db: Db, transferId: number, isDone: boolean, now: number): Promise<void> {
  await sql`${prepared}
    update command set state = ${isDone ? COMMAND.done : COMMAND.failed}, done_at = ${now}
    where ${commandOf(transferId)} and state in (${literals(COMMAND.waiting, COMMAND.sent, COMMAND.unknown)})`.execute(
    db,
  );
}
