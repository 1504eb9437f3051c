import { ABILITY, type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { isGuardedAbility } from '@hengtai/contract/authority/guards';
import { refusals } from '@hengtai/contract/wire/refusals';
import { enabledLabels } from '@hengtai/contract/wire/switches';
import type { ControlKind } from '@hengtai/contract/desk/approval/schema';
import { recordControl } from '../../../authority/control.store.ts';
import { fetchApproverDelay, delayApprover, findLockedAt } from '../../../actions/four-eyes.store.ts';
import { notifyApprovers } from '../../../actions/approver-notification.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { ApprovedRequest, Guard } from '../../../actions/action.ts';
import type { Subject } from '../../../actions/action-audit.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { isUnder } from '../../../database/tree.ts';
import { findAgent } from './agent.store.ts';

export const subjectOf = (agent: AgentRow): Subject => ({ type: 'agent', id: agent.id, agentId: agent.id });

/** The answer of a call that sets what the agent already has. */
export const recordOf = (agent: AgentRow): { data: AgentRow; subject: Subject } => ({
  data: agent,
  subject: subjectOf(agent),
});

/** Whether an operator holds a guarded ability: it can move money, change a protection or approve. */
export const isHolder = ({ abilities }: AgentRow): boolean => abilities.some(isGuardedAbility);

const labelsOf = (abilities: readonly number[]): string =>
  abilities
    .filter((ability) => ability !== ABILITY.enabled)
    .map((ability) => abilityLabels[ability as Ability])
    .join('、') || '无';

/**
 * Holders of these abilities act or see beyond their own tree. A reset of their credentials would let the parent take
 * that over, so only the top-level admin may do it.
 */
const ADMIN_ONLY_RESET: readonly number[] = [ABILITY.approval, ABILITY.headquarters];

export function checkReset(ctx: Ctx, { abilities }: AgentRow, credential: string): void {
  const guarded = ADMIN_ONLY_RESET.some((ability) => abilities.includes(ability));
  if (guarded && !ctx.operator.top)
    throw refuse(refusals.forbidden, `复核员与总部人员的${credential}只能由顶级管理员重置`);
}

/** Finds a strict descendant of the operator; nobody changes themselves or an agent above them. */
export async function findDescendant(ctx: Ctx, { id }: { id: number }): Promise<AgentRow | undefined> {
  return id === ctx.operator.id ? undefined : requireDescendant(ctx, await findAgent(ctx, id));
}

/**
 * Passes an agent of the operator's own tree. The head office sees all agents but changes only those below itself.
 *
 * @throws Refused 403 for an agent outside the operator's own tree
 */
export async function requireDescendant<T extends { id: number }>(
  ctx: Ctx,
  found: T | undefined,
): Promise<T | undefined> {
  if (found && !(await isUnder(ctx.db, ctx.operator.id, found.id))) throw refuse(refusals.forbidden);
  return found;
}

export async function mustFind(ctx: Ctx, id: number): Promise<AgentRow> {
  return requireFound(await findAgent(ctx, id));
}

/** The preview that the checker of a change to an agent sees. */
export async function previewAgent(ctx: Ctx, id: number, operation: string): Promise<Preview> {
  const agent = await findAgent(ctx, id);
  if (!agent) return { input: [], now: [], legs: [], problem: refusals.notFound.msg };
  return {
    input: [textItem('代理', `${agent.account}（${agent.id}）`), textItem('操作', operation)],
    now: [
      textItem('代理状态', enabledLabels[agent.state]),
      textItem('上级代理', agent.parentAccount ?? '--'),
      textItem('现有权限', labelsOf(agent.abilities)),
    ],
    legs: [],
    problem: null,
  };
}

/** While four-eyes are locked, a reset of the credentials of an operator with a guarded ability needs a checker. */
export const resetGuard = <I extends { id: number }>(operation: string): Guard<I, AgentRow> => ({
  loosens: (_ctx, target) => isHolder(target),
  subject: subjectOf,
  preview: (ctx, { id }) => previewAgent(ctx, id, operation),
});

/**
 * Records that one operator controlled another without a checker. Four-eyes then treat the two as dependent on each
 * other, so one cannot check the other.
 */
export async function recordUncheckedControl(
  { db, operator, now }: Ctx,
  operatorId: number,
  how: ControlKind,
  approved?: ApprovedRequest,
): Promise<void> {
  if (!approved) await recordControl(db, { operatorId, controllerId: operator.id, how, now });
}

/**
 * While four-eyes are locked, a new approver may approve only after a delay, and all approvers are notified at once, so
 * that they can revoke a wrong grant in time.
 */
export async function announceApprover(ctx: Ctx, agent: AgentRow): Promise<void> {
  if ((await findLockedAt(ctx.db)) === null) return;
  await delayApprover(ctx.db, agent.id, ctx.now + (await fetchApproverDelay(ctx.db)));
  await notifyApprovers(ctx, 'approver.granted', agent.account);
}
