import { LeaseAnswer, Leases, ReplayQuery, ReplayedCommand } from '@hengtai/contract/gateway/schema';
import { Type } from '@sinclair/typebox';
import { inTransaction, withRetries } from '../database/connect.ts';
import { receiveCommands, renewLeases } from './command-lease.store.ts';
import { replayCommands } from './command.store.ts';
import { type PlatformCall, platformCall } from './handlers.ts';

const DEFAULT_LIMIT = 100;

/** The calls about commands besides receiving and answering them. */
export const commandCalls: readonly PlatformCall[] = [
  platformCall(
    {
      method: 'POST',
      path: '/commands/receipt',
      right: 'commands',
      summary: 'Confirms the receipt of leased commands',
      input: Leases,
      tooMany: 'too_many_acks',
      output: Type.Array(LeaseAnswer),
    },
    (app, leases, scope) =>
      withRetries(() => inTransaction(app.system, (db) => receiveCommands(db, scope, leases, app.clock.now()))),
  ),
  platformCall(
    {
      method: 'POST',
      path: '/commands/renew',
      right: 'commands',
      summary: 'Extends leases, or the time for the answer',
      input: Leases,
      tooMany: 'too_many_acks',
      output: Type.Array(LeaseAnswer),
    },
    (app, leases, scope) =>
      withRetries(() => inTransaction(app.system, (db) => renewLeases(db, scope, leases, app.clock.now()))),
  ),
  platformCall(
    {
      method: 'GET',
      path: '/commands/replay',
      right: 'commands',
      summary: 'Returns all commands from a number, finished ones included',
      input: ReplayQuery,
      output: Type.Array(ReplayedCommand),
    },
    (app, { from, limit = DEFAULT_LIMIT }, scope) => replayCommands(app.system, scope, from, limit),
  ),
];
