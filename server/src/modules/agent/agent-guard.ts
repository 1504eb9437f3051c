import { ABILITY, type Ability, abilityLabels } from '@hengtai/contract/ability';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { isGuardedAbility } from '@hengtai/contract/four-eyes';
import { refusals } from '@hengtai/contract/refusals';
import { enabledLabels } from '@hengtai/contract/switches';
import {
  type ControlKind,
  approverDelay,
  delayApprover,
  findLockedAt,
  recordControl,
} from '../../actions/four-eyes.store.ts';
import { notifyApprovers } from '../../actions/approver-notification.store.ts';
import type { Ctx } from '../../core/context.ts';
import type { ApprovedRequest, Guard } from '../../actions/action.ts';
import type { Subject } from '../../actions/action-audit.ts';
import { type Preview, textItem } from '../../actions/preview.ts';
import { findAgent } from './agent.store.ts';

export const subjectOf = (agent: AgentRow): Subject => ({ type: 'agent', id: agent.id, agentId: agent.id });

/** Whether an operator holds a guarded ability: it can move money, change a protection or approve. */
export const isHolder = ({ abilities }: AgentRow): boolean => abilities.some(isGuardedAbility);

const labelsOf = (abilities: readonly number[]): string =>
  abilities
    .filter((ability) => ability !== ABILITY.enabled)
    .map((ability) => abilityLabels[ability as Ability])
    .join('、') || '无';

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
  await delayApprover(ctx.db, agent.id, ctx.now + (await approverDelay(ctx.db)));
  await notifyApprovers(ctx, 'approver.granted', agent.account);
}
