import type { IdInput } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type {
  ApprovalBacktestInput,
  ApprovalCheckersInput,
  ApprovalCheckers,
  ApprovalDetail,
  ApprovalOpen,
  ApprovalOpenInput,
} from '@hengtai/contract/desk/approval/schema';
import type { BacktestResult } from '@hengtai/contract/risk/rule/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type App, type Ctx, can } from '../../../app/context.ts';
import { withFullScope } from '../../../database/connect.ts';
import type { Preview } from '../../../actions/preview.ts';
import { previewLegs } from '../../../books/ledger/preview.ts';
import { Refused, refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { plainItems } from '../../../actions/approval.rules.ts';
import { findQueueTarget } from '../../../realtime/waiting.store.ts';
import { refuseOwn } from './approval.service.ts';
import { type ActionRegistry, RECORD_CHANGED, findExecutionProblem, hasChanged, judgeNow } from './execution.steps.ts';
import { describeChanges } from './moved.steps.ts';
import { fetchMoneyTimeline } from '../../funds/withdraw/money-timeline.store.ts';
import { findCustomer } from '../../people/user/customer.store.ts';
import { withoutInternals } from '../../../actions/request-approval.ts';
import {
  type ApprovalRecord,
  fetchVotes,
  findApproval,
  findOpenApprovals,
  concernsHouse,
} from '../../../actions/approval.store.ts';
import {
  findAgentOfTarget,
  countCheckersBelow,
  countCheckersOf,
  nameCheckers,
} from '../../../authority/checker.store.ts';

/** Everything for one decision: stored input, preview of the effect, obstacles and possible checkers. */
export const approvalDetail =
  (registry: ActionRegistry) =>
  async (ctx: Ctx, { id }: IdInput, app: App): Promise<ApprovalDetail> => {
    const record = requireFound(await findApproval(ctx, id));
    const open = record.state === APPROVAL.open;
    const execution = await findExecutionProblem(ctx, registry, record);
    const preview = await makePreview(ctx, registry, record, execution.intact);
    const judged = await judgeNow(ctx, registry, record, true);
    const isChanged = open && hasChanged(record, judged);
    const problem = isChanged ? RECORD_CHANGED : (execution.problem ?? preview.problem);
    const checkerScope = concernsHouse(record) ? 'everybody' : record.agentId;
    const user = record.userId === null ? undefined : await findCustomer(ctx, record.userId);
    const excludedIds = [record.makerId, ...(record.targetType === 'agent' ? [record.targetId] : [])];
    return {
      row: withoutInternals(record),
      target: await findQueueTarget(ctx, 'approvalOpen'),
      votes: record.required > 1 ? await fetchVotes(ctx, id) : [],
      user: user ?? null,
      timeline: user ? await fetchMoneyTimeline(ctx, user.id) : null,
      result: record.result,
      intact: execution.intact,
      asked: preview.input,
      now: open ? preview.now : [],
      lines: open && problem === null ? await previewLegs(ctx.db, preview.legs, preview.houseBalances) : [],
      linesWhen: preview.legsWhen ?? '执行时立即记账',
      ...(execution.intact && (await describeChanges(ctx, record, judged, open ? preview.changes : undefined))),
      ...(preview.terms && open && { terms: preview.terms }),
      ...(preview.consequence !== undefined && { consequence: preview.consequence }),
      ...(preview.whatIf && open && { whatIf: await preview.whatIf() }),
      ...(preview.backtest && open && ctx.scope.kind === 'all' && { backtest: true }),
      problem: open ? problem : null,
      why: open ? refusalTextOf(ctx, record) : null,
      checkers: {
        count: (await countCheckersOf(app.system, checkerScope, excludedIds)).others,
        names: await nameCheckers(ctx, checkerScope, excludedIds),
      },
    };
  };

/** @throws Refused as the backtest of rules; 403 without full scope, 404 for other requests */
export const approvalBacktest =
  (registry: ActionRegistry) =>
  async (ctx: Ctx, { id, ...period }: ApprovalBacktestInput): Promise<BacktestResult> => {
    const record = requireFound(await findApproval(ctx, id));
    const { intact } = await findExecutionProblem(ctx, registry, record);
    const { backtest } = await makePreview(ctx, registry, record, intact);
    return requireFound(backtest)(period);
  };

/** The preview of the action. Shows the bare input if the target is gone or the stored request was altered. */
async function makePreview(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  intact: boolean,
): Promise<Preview> {
  const inputOnly: Preview = { input: plainItems(record.input), now: [], legs: [], problem: null };
  const preview = registry.get(record.type)?.preview;
  if (!preview || !intact) return inputOnly;
  const computePreview = async (): Promise<Preview> => {
    try {
      // Safe cast: the input was validated at the request, and its hash proves that it is unchanged.
      return await preview(ctx, record.input as never, record.makerId);
    } catch (error) {
      if (error instanceof Refused) return { ...inputOnly, problem: error.message };
      throw error;
    }
  };
  return concernsHouse(record) ? withFullScope(ctx.db, computePreview) : computePreview();
}

function refusalTextOf(ctx: Ctx, record: ApprovalRecord): string | null {
  if (!can(ctx.operator, ABILITY.approval)) return refusals.forbidden.msg;
  try {
    refuseOwn(ctx, record);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

export const approvalOpen = (ctx: Ctx, { targetType, ids }: ApprovalOpenInput): Promise<ApprovalOpen[]> =>
  findOpenApprovals(ctx, targetType, ids);

/**
 * Counts possible checkers, so that the console can warn before a request that nobody can approve.
 *
 * @throws Refused 422 when both ids are set, 404 when the target is out of scope
 */
export async function approvalCheckers(ctx: Ctx, target: ApprovalCheckersInput, app: App): Promise<ApprovalCheckers> {
  const canApprove = can(ctx.operator, ABILITY.approval);
  if (target.userId === undefined && target.agentId === undefined)
    return { mine: canApprove, ...(await countCheckersBelow(ctx)) };
  if (target.userId !== undefined && target.agentId !== undefined)
    throw refuseField('agentId', '不能与用户编号同时给出');
  const agentId = await findAgentOfTarget(ctx, target);
  if (agentId === undefined) throw refuse(refusals.notFound);
  const excludedIds = [ctx.operator.id, ...(target.agentId === undefined ? [] : [target.agentId])];
  return { mine: canApprove, ...(await countCheckersOf(app.system, agentId, excludedIds)) };
}
