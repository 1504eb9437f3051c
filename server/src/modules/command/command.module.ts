import type { AnswerHandlers } from '../../gateway/handlers.ts';
import { publishCommands, timeOutCommands } from '../../gateway/publisher.ts';
import type { Module } from '../module.ts';
import { listCommands } from './command-list.store.ts';
import { commandResolve, commandRetry } from './command.service.ts';

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
    ],
  }) satisfies Module<'command'>;
