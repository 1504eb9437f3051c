import { WALLET_TRANSFER } from '@hengtai/contract/funds/wallet-transfer/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { Db } from '../../../database/connect.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { AnswerHandler } from '../../../gateway/handlers.ts';
import { lockMoveCommand, settleMove } from '../../../gateway/wallet-move.store.ts';
import { addMove, findTransferOf, moveTransfer, removeMove } from './wallet-transfer.store.ts';

const { queued, moving, failed, unknown } = WALLET_TRANSFER;

/** The wallet accepts or refuses a transfer. A late answer counts as well, until a move or a person has told more. */
export const answerMove: AnswerHandler = async (db, { refId }, answer, reason, now) => {
  const to = { done: moving, failed, unknown }[answer];
  const from = answer === 'unknown' ? [queued] : [queued, unknown];
  await moveTransfer(db, refId, { from, to, answer: reason, now });
};

const NUMBER = /^T([1-9]\d{0,14})$/;

/** Gives the move on a chain to the transfer that ordered it, if there is one. Its command needs no answer then. */
export async function joinTransfer(
  ctx: EventCtx,
  reported: EventData['chain.moved'] & { id: number; walletId: number },
): Promise<void> {
  const { batch, db, at, now } = ctx;
  const { id, walletId, kind, record, amount, txHash } = reported;
  const named = record === undefined ? undefined : NUMBER.exec(record)?.[1];
  if (kind !== 'move' || (record !== undefined && named === undefined)) return;
  const move = { id, platformId: batch.scope.id, walletId, amount, txHash, at };
  const transferId = await findTransferOf(db, move, named === undefined ? undefined : Number(named));
  if (transferId === undefined) return;
  await lockMoveCommand(db, transferId);
  if (await addMove(db, transferId, move, now)) return settleMove(db, transferId, true, now);
  // Another move was first, and the transfer lacks this one no more.
  return joinTransfer(ctx, reported);
}

/** Takes a reverted move from its transfer. */
export const leaveTransfer = (db: Db, moveId: number, now: number): Promise<void> => removeMove(db, moveId, now);
