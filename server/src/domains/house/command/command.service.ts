import type { ActionInput } from '@hengtai/contract/wire/schema';
import {
  type CommandAction,
  type CommandState,
  command as calls,
  commandAbility,
  commandActionStatesOf,
  isPayout,
  isWalletMove,
} from '@hengtai/contract/house/command/calls';
import type { CommandResolve, CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { commandStates } from '@hengtai/contract/house/command/facts';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type Ctx, can } from '../../../app/context.ts';
import type { AnswerHandlers } from '../../../gateway/handlers.ts';
import { finishCommand } from '../../../gateway/command.store.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { reasonOf } from '../../../actions/action-audit.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type Refused, refuse, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { type CommandRecord, findCommand, recordHandler, retryCommand } from './command-list.store.ts';

/** Sends a command again under the same id, so that a platform that has executed it already does nothing. */
export const commandRetry = defineAction<ActionInput, CommandRow, CommandRecord>({
  call: calls.retry,
  load: (ctx, { id }) => findCommand(ctx, id),
  check: (ctx, target) => {
    authorize(ctx, target, 'retry');
    if (target.superseded) throw refuse(refusals.commandSuperseded);
  },
  execute: async (ctx, _input, target) => {
    const retry = { from: commandActionStatesOf('retry', target.type), by: ctx.operator.account };
    if (!(await retryCommand(ctx.db, target.id, retry)))
      throw changedRefusal(requireFound(await findCommand(ctx, target.id)));
    return notifyAndReport(ctx, target, 'command.retried');
  },
});

/** Records the outcome of an unknown command as an operator found it, and updates the record as an answer would. */
export const commandResolve = (answers: AnswerHandlers) =>
  defineAction<CommandResolve, CommandRow, CommandRecord>({
    call: calls.resolve,
    load: (ctx, { id }) => findCommand(ctx, id),
    check: (ctx, target) => authorize(ctx, target, 'resolve'),
    execute: async (ctx, input, target) => {
      const { db, now } = ctx;
      const reason = reasonOf(input);
      const finished = await finishCommand(
        db,
        target.id,
        input.state,
        reason,
        now,
        commandActionStatesOf('resolve', target.type),
      );
      if (!finished) throw changedRefusal(requireFound(await findCommand(ctx, target.id)));
      await recordHandler(db, target.id, ctx.operator.account);
      await answers[finished.type]?.(db, finished, input.state === COMMAND.done ? 'done' : 'failed', reason, now);
      return notifyAndReport(ctx, target, 'command.resolved');
    },
  });

/** @throws Refused 403 without the ability, 409 for a command of a record that decides or when the state does not allow the action */
function authorize({ operator }: Ctx, target: CommandRecord, action: CommandAction): void {
  if (!can(operator, commandAbility(target.type))) throw refuse(refusals.forbidden);
  if (isPayout(target.type)) throw refuse(refusals.payoutCommand);
  if (isWalletMove(target.type)) throw refuse(refusals.transferCommand);
  if (!commandActionStatesOf(action, target.type).some((state) => state === target.state)) throw changedRefusal(target);
}

const changedRefusal = ({ state, by, doneAt, createdAt }: CommandRow): Refused =>
  refuseStateConflict(commandStates[state as CommandState], { state, by, at: doneAt ?? createdAt });

async function notifyAndReport(
  ctx: Ctx,
  target: CommandRecord,
  type: NotificationType,
): Promise<ActionResult<CommandRow>> {
  const after = requireFound(await findCommand(ctx, target.id));
  const { agentId, ...row } = after;
  const { id, userId, account } = row;
  const reference = { refType: 'command', refId: id, userId, agentId, detail: row.type };
  await recordNotification(ctx.db, { type, ...reference, operatorId: ctx.operator.id, at: ctx.now, now: ctx.now });
  const subject = { type: 'command', id, userId, account, agentId };
  return { data: row, subject, before: auditState(target), after: auditState(row) };
}

const auditState = ({ type, state, reason, attempt }: CommandRow) => ({ command: type, state, reason, sent: attempt });
