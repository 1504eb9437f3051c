import type { ActionInput, IdInput } from '@hengtai/contract/wire/schema';
import { type FollowState, follow as calls, followActionStates } from '@hengtai/contract/trading/follow/calls';
import { followStates, FOLLOW } from '@hengtai/contract/trading/follow/facts';
import type { FollowDetail, FollowRow } from '@hengtai/contract/trading/follow/schema';
import { type FutureSide, futureSides } from '@hengtai/contract/trading/future/calls';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { needsChecker, valueInUsdt } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { fetchRecordCommands, enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type Preview, amountItem, codeItem, textItem } from '../../../actions/preview.ts';
import { fetchRequestEntries } from '../../../books/ledger/request-entries.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { requireFound, refuseState } from '../../../app/refuse.ts';
import { type FollowRecord, findFollow, fetchSignal, startClose } from './follow.store.ts';

const subjectOf = recordSubject('follow');

/** Sends the platform a close command. The follow ends and its stake is released only by the event of the platform. */
export const followClose = defineAction<ActionInput, FollowRow, FollowRecord>({
  call: calls.close,
  load: (ctx, { id }) => findFollow(ctx, id),
  check: (_ctx, target) => {
    if (!canClose(target)) throw refuseState(followStates, target);
  },
  policy: {
    subject: subjectOf,
    amount: ({ amount }) => valueInUsdt(amount),
    preview: async (ctx, { id }) => {
      const target = requireFound(await findFollow(ctx, id));
      return previewClose(target);
    },
  },
  execute: async (ctx, input, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    const started = await startClose(ctx, target.id, { by, reason: reasonOf(input) });
    const after = requireFound(await findFollow(ctx, target.id));
    if (!started) throw refuseState(followStates, after);
    const { id, agentId, userId } = target;
    await enqueue(ctx.db, { type: 'follow.close', refType: 'follow', refId: id, data: started, now: ctx.now });
    await recordNotification(ctx.db, {
      type: 'follow.closing',
      refType: 'follow',
      refId: id,
      userId,
      agentId,
      at: ctx.now,
      now: ctx.now,
    });
    const { agentId: _agent, ...row } = after;
    return {
      data: { ...row, command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state },
      after: { state: FOLLOW.ending, reason: after.reason },
    };
  },
});

export async function followDetail(ctx: Ctx, { id }: IdInput): Promise<FollowDetail> {
  const follow = requireFound(await findFollow(ctx, id));
  const { agentId: _agent, ...row } = follow;
  return {
    row,
    signal: await fetchSignal(ctx, row.signalId),
    entries: await fetchRequestEntries(ctx, 'follow', id),
    commands: await fetchRecordCommands(ctx.db, 'follow', id),
    second: await needsChecker(ctx, 'follow.close', row.userId, valueInUsdt(row.amount)),
  };
}

/** False while a close is in progress; a close command that timed out without an answer may be repeated. */
const canClose = ({ state, command }: FollowRow): boolean =>
  (followActionStates.close as readonly number[]).includes(state) ||
  (state === FOLLOW.ending && command === COMMAND.unknown);

function previewClose(row: FollowRecord): Preview {
  return {
    input: [
      textItem('跟单', `#${row.id}`),
      codeItem('平台单号', row.no),
      textItem('用户', `${row.account}（${row.userId}）`),
      textItem('信号', `${row.signalTitle}（${row.marketName} ${futureSides[row.side as FutureSide]}）`),
    ],
    now: [textItem('状态', followStates[row.state as FollowState]), amountItem('跟单金额', row.amount, SETTLEMENT)],
    legs: [],
    problem: canClose(row) ? null : refuseState(followStates, row).message,
  };
}
