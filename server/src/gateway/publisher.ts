import { COMMAND, RISKY_COMMANDS } from '@hengtai/contract/gateway/gateway';
import type { App } from '../app/context.ts';
import { underLease } from '../app/lease.store.ts';
import type { AnswerHandlers } from './handlers.ts';
import { finishCommand, numberCommands, takeOverdueCommands, resend } from './command.store.ts';

const BATCH = 1_000;

/** Numbers newly committed commands, so that waiting readers find them. Returns true if more may be left. */
export async function publishCommands(app: App): Promise<boolean> {
  const numbered = await underLease(app, 'publish', (db) => numberCommands(db, BATCH, app.clock.now()));
  return numbered === BATCH;
}

/**
 * Handles commands that were sent and not answered in time. Payouts, cancels and closes get an unknown outcome and wait
 * for an operator, because a second delivery could repeat them. All others are sent again. Returns true if more may be
 * left.
 */
export async function timeOutCommands(app: App, answers: AnswerHandlers): Promise<boolean> {
  const now = app.clock.now();
  const handled = await underLease(app, 'time-out', async (db) => {
    const overdue = await takeOverdueCommands(db, now, BATCH);
    for (const command of overdue) {
      if (!isRisky(command.type)) {
        await resend(db, command.id);
        continue;
      }
      await finishCommand(db, command.id, COMMAND.unknown, '60 秒内没有回应', now);
      // Only payouts keep this reason.
      await answers[command.type]?.(db, command, 'unknown', '钱包 60 秒内没有回应', now);
    }
    return overdue.length;
  });
  return handled === BATCH;
}

const isRisky = (type: string): boolean => RISKY_COMMANDS.some((risky) => risky === type);
