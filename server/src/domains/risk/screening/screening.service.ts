import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ActionInput } from '@hengtai/contract/wire/schema';
import { SCREEN_REQUESTS_MAX, screening as calls } from '@hengtai/contract/risk/screening/calls';
import { screenObstacles, screenResults } from '@hengtai/contract/risk/screening/facts';
import type { ScreenBypassInput, Screening } from '@hengtai/contract/risk/screening/schema';
import { withdrawActionStates } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type Action, defineAction } from '../../../actions/action.ts';
import { codeItem, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { findWithdraw } from '../../funds/withdraw/withdraw.store.ts';
import { orderAgain } from './screening-order.steps.ts';
import { type ScreenedRecords, type ScreenedTarget, readScreening, screenedWithdraw } from './screening.steps.ts';
import { type ScreenTarget, insertBypass, lockRecord } from './screening.store.ts';

type Find = (ctx: Ctx, id: number) => Promise<ScreenedTarget | undefined>;

const payableStates: readonly number[] = [...withdrawActionStates.pass, WITHDRAW.second, ...withdrawActionStates.retry];

const findWithdrawTarget: Find = async (ctx, id) => {
  const row = await findWithdraw(ctx, id);
  return (
    row && {
      record: screenedWithdraw(row),
      user: row,
      isOpen: payableStates.includes(row.state),
      items: [
        textItem('平台单号', row.no),
        textItem('网络', row.network),
        codeItem('地址', row.address),
        ...(row.memo ? [codeItem('标签(Memo)', row.memo)] : []),
      ],
    }
  );
};

const subjectOf = ({ record: { type, id }, user: { userId, account, agentId } }: ScreenedTarget) =>
  recordSubject(type)({ id, userId, account, agentId });

function requireOpen({ isOpen }: ScreenedTarget): void {
  if (!isOpen) throw refuse(refusals.stateConflict);
}

/** Locks the record against answers and decisions, and reads it again. */
async function lockTarget(ctx: Ctx, find: Find, { type, id }: ScreenTarget): Promise<ScreenedTarget> {
  await lockRecord(ctx.db, { type, id });
  const target = requireFound(await find(ctx, id));
  requireOpen(target);
  return target;
}

/** Asks the providers again, for example after they did not answer. */
function defineRequest(call: Action<ActionInput, Screening, ScreenedTarget>['call'], find: Find) {
  return defineAction<ActionInput, Screening, ScreenedTarget>({
    call,
    load: (ctx, { id }) => find(ctx, id),
    check: (_ctx, target) => requireOpen(target),
    execute: async (ctx, _input, { record }) => {
      const { db, now, operator } = ctx;
      const target = await lockTarget(ctx, find, record);
      const { requests } = await readScreening(db, target.record, now);
      if (requests.length >= SCREEN_REQUESTS_MAX) throw refuse(refusals.screenFull);
      const isAwaited = requests.some((one) => one.answers.length === 0 && one.failure === null && one.dueAt > now);
      if (isAwaited) throw refuse(refusals.screenPending);
      await orderAgain(db, record, target.user.userId, { by: operator.account, now });
      return { data: await readScreening(db, target.record, now), subject: subjectOf(target) };
    },
  });
}

/** Lets a record pass that screening forbids. It covers only what its operators saw. */
function defineBypass(call: Action<ScreenBypassInput, Screening, ScreenedTarget>['call'], find: Find) {
  return defineAction<ScreenBypassInput, Screening, ScreenedTarget>({
    call,
    load: (ctx, { id }) => find(ctx, id),
    check: (_ctx, target) => requireOpen(target),
    guard: {
      subject: subjectOf,
      preview: async (ctx, { id, seen }) => {
        const target = requireFound(await find(ctx, id));
        const { obstacle, seen: current, requests, listed } = await readScreening(ctx.db, target.record, ctx.now);
        const answers = requests.flatMap((request) => request.answers);
        return {
          input: target.items,
          now: [
            textItem('筛查', obstacle === null ? '没有阻止' : screenObstacles[obstacle]),
            ...listed.map(({ list, reason }) => textItem(addressLists[list], reason || '--')),
            ...answers.map(({ provider, result, categories }) =>
              textItem(provider, [screenResults[result], ...categories].join('，')),
            ),
          ],
          legs: [],
          problem: target.isOpen && obstacle !== null && current === seen ? null : refusals.screenChanged.msg,
        };
      },
    },
    execute: async (ctx, input, { record }, approved) => {
      const { db, now, operator } = ctx;
      const target = await lockTarget(ctx, find, record);
      const before = await readScreening(db, target.record, now);
      if (before.obstacle === null) throw refuse(refusals.screenPassed);
      if (before.seen !== input.seen) throw refuse(refusals.screenChanged);
      const answerIds = before.requests.flatMap(({ answers }) => answers.map(({ id }) => id));
      const [by, secondBy] = approved ? [approved.maker, approved.checker] : [operator.account, null];
      const entryIds = before.listed.map(({ id }) => id);
      await insertBypass(db, record, { answerIds, entryIds, reason: reasonOf(input), by, secondBy, at: now });
      return {
        data: await readScreening(db, target.record, now),
        subject: subjectOf(target),
        before: { screening: screenObstacles[before.obstacle] },
        after: { screening: '已绕过' },
      };
    },
  });
}

export const screenWithdraw = defineRequest(calls.requestWithdraw, findWithdrawTarget);
export const bypassWithdraw = defineBypass(calls.bypassWithdraw, findWithdrawTarget);
export const screenAuth = (records: ScreenedRecords) =>
  defineRequest(calls.requestAuth, (ctx, id) => records.auth(ctx, id));
export const bypassAuth = (records: ScreenedRecords) =>
  defineBypass(calls.bypassAuth, (ctx, id) => records.auth(ctx, id));
