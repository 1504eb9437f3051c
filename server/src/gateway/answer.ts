import type { AckState } from '@hengtai/contract/gateway';
import type { Db } from '../postgres/connect.ts';
import { answerFollowClose } from '../modules/follow/follow.events.ts';
import { answerPosition } from '../modules/future/future.events.ts';
import { answerCancel } from '../modules/spot/spot.events.ts';
import { answerPayout } from '../modules/withdraw/withdraw.events.ts';
import type { FinishedCommand } from './command.store.ts';

/** Applies the answer to a command to the record that it refers to. The platform or an operator gives the answer. */
export async function applyAnswer(
  db: Db,
  command: FinishedCommand,
  answer: AckState,
  reason: string,
  now: number,
): Promise<void> {
  if (command.type === 'withdraw.payout') await answerPayout(db, command, answer, reason, now);
  if (command.type === 'order.cancel') await answerCancel(db, command, answer, reason, now);
  if (command.type === 'follow.close') await answerFollowClose(db, command, answer, reason, now);
  if (command.refType === 'future') await answerPosition(db, command, answer, reason, now);
}
