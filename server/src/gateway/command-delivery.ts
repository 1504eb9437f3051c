import { randomUUID } from 'node:crypto';
import { COMMAND, COMMANDS_MAX } from '@hengtai/contract/gateway/gateway';
import type { Ack, AckAnswer, CommandsQuery } from '@hengtai/contract/gateway/schema';
import type { App } from '../app/context.ts';
import { type Db, inTransaction, withRetries } from '../database/connect.ts';
import { CallRefused } from './call-refused.ts';
import { hasLostLease, leaseCommands } from './command-lease.store.ts';
import {
  type OutgoingCommand,
  finishCommand,
  finishDone,
  hasCommand,
  numberCommands,
  peekCommands,
  takeCommands,
} from './command.store.ts';
import type { AnswerHandlers } from './handlers.ts';
import { type PlatformScope, keyIdOf } from './platform-scope.ts';

const POLL_EVERY_MS = 100;
const DEFAULT_LIMIT = 100;

/**
 * Commands for the platform, in the mode that the query chooses. With `wait`, an empty answer is delayed.
 *
 * @param asCaller runs a read in the scope of the caller, and throws if the caller lost its right while it waited
 * @throws CallRefused for parameters that exclude each other
 */
export async function pollCommands(
  app: App,
  query: CommandsQuery,
  gone: AbortSignal,
  asCaller: (read: (scope: PlatformScope) => Promise<OutgoingCommand[]>) => Promise<OutgoingCommand[]>,
): Promise<OutgoingCommand[]> {
  checkMode(query);
  const until = app.clock.now() + (query.wait ?? 0) * 1_000;
  for (;;) {
    const commands = await asCaller((scope) => readCommands(app, scope, query));
    if (commands.length > 0 || app.clock.now() >= until || gone.aborted) return commands;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** @throws CallRefused */
function checkMode({ peek, lease, after }: CommandsQuery): void {
  const refuse = (field: string, other: string): never => {
    const msg = `/${field}: not together with ${other}`;
    throw new CallRefused('invalid', [{ field, msg }], msg);
  };
  if (lease !== undefined && after !== undefined) refuse('after', 'lease');
  if (lease !== undefined && peek !== undefined) refuse('peek', 'lease');
}

async function readCommands(
  app: App,
  scope: PlatformScope,
  { after = 0, limit = DEFAULT_LIMIT, lease, peek }: CommandsQuery,
) {
  if (peek !== undefined) return peekCommands(app.system, scope, { after, limit });
  return inTransaction(app.system, async (db) => {
    const now = app.clock.now();
    await numberCommands(db, 10 * COMMANDS_MAX, now);
    if (lease !== undefined) return leaseCommands(db, { scope, lease: randomUUID(), seconds: lease, limit, now });
    return takeCommands(db, scope, { after, limit }, now);
  });
}

const ACKED = { done: COMMAND.done, failed: COMMAND.failed, unknown: COMMAND.unknown } as const;

/**
 * Records acks, each as in its own transaction. A command that already has an answer keeps it. One of another platform is
 * answered as one that does not exist.
 */
export async function acknowledge(
  app: App,
  scope: PlatformScope,
  answers: AnswerHandlers,
  acks: readonly Ack[],
): Promise<AckAnswer[]> {
  const together = await applyTogether(app, scope, answers, acks);
  const results: AckAnswer[] = [];
  for (const ack of acks) {
    const apply = () =>
      inTransaction(app.system, async (db): Promise<AckAnswer['result']> =>
        (await hasCommand(db, scope, ack.id)) ? applyAck(db, scope, answers, ack, app.clock.now()) : 'unknown',
      );
    results.push({ id: ack.id, result: together.get(ack) ?? (await withRetries(apply)) });
  }
  return results;
}

/** Records the successes that change no record, which most acks are, by one statement. */
async function applyTogether(app: App, scope: PlatformScope, answers: AnswerHandlers, acks: readonly Ack[]) {
  const firsts = new Map(acks.toReversed().map((ack) => [ack.id, ack]));
  const successes = [...firsts.values()].filter(({ state, reason }) => state === 'done' && !reason);
  const ids = successes.map(({ id }) => id);
  const isRecorded = await withRetries(() => finishDone(app.system, scope, ids, Object.keys(answers), app.clock.now()));
  const results = new Map<Ack, AckAnswer['result']>();
  for (const ack of successes) {
    const recorded = isRecorded.get(ack.id);
    if (recorded !== undefined) results.set(ack, recorded ? 'applied' : 'duplicate');
  }
  return results;
}

async function applyAck(
  db: Db,
  scope: PlatformScope,
  answers: AnswerHandlers,
  ack: Ack,
  now: number,
): Promise<AckAnswer['result']> {
  const { id, state, reason = '', lease } = ack;
  // Another program may be executing the command, so only a success of an earlier lease counts.
  if (lease !== undefined && state !== 'done' && (await hasLostLease(db, { id, lease }))) return 'lost';
  const command = await finishCommand(db, id, ACKED[state], reason, now);
  if (command) await answers[command.type]?.(db, command, state, reason, now, keyIdOf(scope));
  return command ? 'applied' : 'duplicate';
}
