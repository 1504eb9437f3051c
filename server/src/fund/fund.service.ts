import {
  FUND_CHECK,
  type FundAction,
  type FundState,
  fund as calls,
  fundCan,
  fundStates,
} from '@hengtai/contract/fund';
import type { FundDo, FundRow } from '@hengtai/contract/fund.schema';
import { refusals } from '@hengtai/contract/refusals';
import { type Action, defineAction } from '../http/action.ts';
import type { Subject } from '../http/action-audit.ts';
import { type Refused, refuse, refuseMoved } from '../refuse.ts';
import { findFundRecord, markFundRecord } from './fund.store.ts';

type Found = NonNullable<Awaited<ReturnType<typeof findFundRecord>>>;

export const fundCheck = fundAction('check', calls.check, FUND_CHECK.checked);
export const fundDoubt = fundAction('doubt', calls.doubt, FUND_CHECK.doubtful);
export const fundReset = fundAction('reset', calls.reset, FUND_CHECK.open);

/** Reconciliation is a note beside the entry; the entry itself is never touched. */
function fundAction(name: FundAction, call: Action<FundDo, FundRow, Found>['call'], to: number) {
  return defineAction<FundDo, FundRow, Found>({
    name: `fund.${name}`,
    call,
    load: (ctx, { id }) => findFundRecord(ctx, id),
    check: (_ctx, target) => {
      if (!fundCan[name].some((state) => state === target.state)) throw moved(target);
    },
    execute: async (ctx, _input, target) => {
      const mark = { id: target.id, from: fundCan[name], to };
      const marked = await markFundRecord(ctx.db, { ...mark, operatorId: ctx.operator.id, now: ctx.now });
      const after = await findFundRecord(ctx, target.id);
      if (!after) throw refuse(refusals.notFound);
      if (!marked) throw moved(after);
      const { agentId: _agentId, ...row } = after;
      return { data: row, subject: subjectOf(target), before: { state: target.state }, after: { state: row.state } };
    },
  });
}

const moved = (target: FundRow): Refused =>
  refuseMoved(fundStates[target.state as FundState], { state: target.state, by: null, at: target.updatedAt });

const subjectOf = (target: Found): Subject => ({
  type: 'fund',
  id: target.id,
  userId: target.userId,
  account: target.account,
  agentId: target.agentId,
});
