import {
  type CommandAction,
  type CommandState,
  command as calls,
  commandAbility,
  commandCan,
  isPayout,
} from '@hengtai/contract/command';
import type { CommandDo, CommandResolve, CommandRow } from '@hengtai/contract/command.schema';
import { COMMAND, commandStates } from '@hengtai/contract/gateway';
import type { NotificationType } from '@hengtai/contract/notify';
import { refusals } from '@hengtai/contract/refusals';
import { type Ctx, can } from '../context.ts';
import { applyAnswer } from '../gateway/answer.ts';
import { finishCommand } from '../gateway/command.store.ts';
import { type Done, defineAction } from '../http/action.ts';
import { reasonOf } from '../http/action-audit.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { type Refused, refuse, refuseMoved } from '../refuse.ts';
import { type CommandRecord, findCommand, recordHandler, retryCommand } from './command-list.store.ts';

/** Sends a command once more under the same id, so that a platform which carried it out before answers without effect. */
export const commandRetry = defineAction<CommandDo, CommandRow, CommandRecord>({
  name: 'command.retry',
  call: calls.retry,
  load: (ctx, { id }) => findCommand(ctx, id),
  check: (ctx, target) => {
    authorize(ctx, target, 'retry');
    if (target.superseded) throw refuse(refusals.commandSuperseded);
  },
  execute: async (ctx, _input, target) => {
    const retry = { from: commandCan('retry', target.type), by: ctx.operator.account };
    if (!(await retryCommand(ctx.db, target.id, retry))) throw await movedNow(ctx, target.id);
    return handled(ctx, target, 'command.retried');
  },
});

/** Records what an operator found out about a command with an unknown outcome; the record follows as after an answer. */
export const commandResolve = defineAction<CommandResolve, CommandRow, CommandRecord>({
  name: 'command.resolve',
  call: calls.resolve,
  load: (ctx, { id }) => findCommand(ctx, id),
  check: (ctx, target) => authorize(ctx, target, 'resolve'),
  execute: async (ctx, input, target) => {
    const { db, now } = ctx;
    const reason = reasonOf(input);
    const finished = await finishCommand(db, target.id, input.state, reason, now, commandCan('resolve', target.type));
    if (!finished) throw await movedNow(ctx, target.id);
    await recordHandler(db, target.id, ctx.operator.account);
    await applyAnswer(db, finished, input.state === COMMAND.done ? 'done' : 'failed', reason, now);
    return handled(ctx, target, 'command.resolved');
  },
});

function authorize({ operator }: Ctx, target: CommandRecord, action: CommandAction): void {
  if (!can(operator, commandAbility(target.type))) throw refuse(refusals.forbidden);
  if (isPayout(target.type)) throw refuse(refusals.payoutCommand);
  if (!commandCan(action, target.type).some((state) => state === target.state)) throw moved(target);
}

const moved = ({ state, by, doneAt, createdAt }: CommandRow): Refused =>
  refuseMoved(commandStates[state as CommandState], { state, by, at: doneAt ?? createdAt });

async function movedNow(ctx: Ctx, id: number): Promise<Refused> {
  const now = await findCommand(ctx, id);
  return now ? moved(now) : refuse(refusals.notFound);
}

async function handled(ctx: Ctx, target: CommandRecord, type: NotificationType): Promise<Done<CommandRow>> {
  const after = await findCommand(ctx, target.id);
  if (!after) throw refuse(refusals.notFound);
  const { agentId, ...row } = after;
  const { id, userId, account } = row;
  const about = { refType: 'command', refId: id, userId, agentId, detail: row.type };
  await recordNotification(ctx.db, { type, ...about, operatorId: ctx.operator.id, at: ctx.now, now: ctx.now });
  const subject = { type: 'command', id, userId, account, agentId };
  return { data: row, subject, before: shown(target), after: shown(row) };
}

const shown = ({ type, state, reason, attempt }: CommandRow) => ({ command: type, state, reason, sent: attempt });
