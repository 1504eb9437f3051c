import type { HandlersOf } from '../../resources.ts';
import { listCommands } from './command-list.store.ts';
import { commandResolve, commandRetry } from './command.service.ts';

export const commandRoutes: HandlersOf<'command'> = {
  list: listCommands,
  retry: commandRetry,
  resolve: commandResolve,
};
