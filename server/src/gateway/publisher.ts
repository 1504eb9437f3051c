import { COMMAND, RISKY_COMMANDS } from '@hengtai/contract/gateway';
import type { App } from '../context.ts';
import { underLease } from '../jobs/job.ts';
import { answerPayout } from '../withdraw/withdraw.events.ts';
import { finishCommand, numberCommands, overdueCommands, resend } from './command.store.ts';

const BATCH = 1_000;

/** Numbers what was committed since, so that readers who wait find it. */
export async function publishCommands(app: App): Promise<boolean> {
  const numbered = await underLease(app, 'publish', (db) => numberCommands(db, BATCH));
  return numbered === BATCH;
}

/**
 * Commands that were sent and never answered: of a payout, cancel or close nobody knows what became of it, so it is an
 * operator's matter and never sent again by itself; all others are sent again.
 */
export async function timeOutCommands(app: App): Promise<boolean> {
  const now = app.clock.now();
  const handled = await underLease(app, 'time-out', async (db) => {
    const overdue = await overdueCommands(db, now, BATCH);
    for (const command of overdue) {
      if (!isRisky(command.type)) {
        await resend(db, command.id);
        continue;
      }
      await finishCommand(db, command.id, COMMAND.unknown, '60 秒内没有回应', now);
      if (command.type === 'withdraw.payout') await answerPayout(db, command, 'unknown', '钱包 60 秒内没有回应', now);
    }
    return overdue.length;
  });
  return handled === BATCH;
}

const isRisky = (type: string): boolean => RISKY_COMMANDS.some((risky) => risky === type);
