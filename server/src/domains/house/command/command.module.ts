import type { AnswerHandlers } from '../../../gateway/handlers.ts';
import { publishCommands, timeOutCommands } from '../../../gateway/publisher.ts';
import { pushCommands } from '../../../gateway/webhook.ts';
import type { Job } from '../../../jobs/job.ts';
import type { Module } from '../../module.ts';
import { listCommands } from './command-list.store.ts';
import { commandResolve, commandRetry } from './command.service.ts';
import { commandWaiting } from './command-waiting.store.ts';

/** Requests at the same time, so that a command that the platform does not take holds up only its own record. */
const WEBHOOK_SENDERS = 4;

export const commandModule = (answers: AnswerHandlers) =>
  ({
    routes: {
      list: listCommands,
      retry: commandRetry,
      resolve: commandResolve(answers),
    },
    jobs: [
      { name: 'publish', everyMs: 250, run: publishCommands },
      { name: 'time-out', everyMs: 1_000, run: (app) => timeOutCommands(app, answers) },
      ...Array.from({ length: WEBHOOK_SENDERS }, (_, n): Job => ({
        name: `webhook-${n + 1}`,
        everyMs: 500,
        run: (app, stopSignal) => pushCommands(app, answers, stopSignal),
      })),
    ],
    waiting: commandWaiting,
  }) satisfies Module<'command'>;
