import { ABILITY, type Ability, abilityLabels } from '@hengtai/contract/ability';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { isGuardedAbility } from '@hengtai/contract/four-eyes';
import { refusals } from '@hengtai/contract/refusals';
import { enabledLabels } from '@hengtai/contract/switches';
import {
  type Control,
  approverDelay,
  delayApprover,
  findLockedAt,
  recordControl,
} from '../approval/four-eyes.store.ts';
import { notifyApprovers } from '../approval/approver-notification.store.ts';
import type { Ctx } from '../context.ts';
import type { Approved, Guard } from '../http/action.ts';
import type { Subject } from '../http/action-audit.ts';
import { type Preview, textItem } from '../http/preview.ts';
import { findAgent } from './agent.store.ts';

export const subjectOf = (agent: AgentRow): Subject => ({ type: 'agent', id: agent.id, agentId: agent.id });

/** Whether an operator can move money, change protection or approve. */
export const isHolder = ({ abilities }: AgentRow): boolean => abilities.some(isGuardedAbility);

const labelsOf = (abilities: readonly number[]): string =>
  abilities
    .filter((ability) => ability !== ABILITY.enabled)
    .map((ability) => abilityLabels[ability as Ability])
    .join('、') || '无';

/** What a second person is shown of a change to an agent: what is asked, and who it is. */
export async function previewAgent(ctx: Ctx, id: number, asked: string): Promise<Preview> {
  const agent = await findAgent(ctx, id);
  if (!agent) return { asked: [], now: [], legs: [], problem: refusals.notFound.msg };
  return {
    asked: [textItem('代理', `${agent.account}（${agent.id}）`), textItem('操作', asked)],
    now: [
      textItem('代理状态', enabledLabels[agent.state]),
      textItem('上级代理', agent.parentAccount ?? '--'),
      textItem('现有权限', labelsOf(agent.abilities)),
    ],
    legs: [],
    problem: null,
  };
}

/** While four-eyes are locked, resetting how a holder logs in needs a second person. */
export const resetGuard = <I extends { id: number }>(asked: string): Guard<I, AgentRow> => ({
  loosens: (_ctx, target) => isHolder(target),
  subject: subjectOf,
  preview: (ctx, { id }) => previewAgent(ctx, id, asked),
});

/** Remembers what an operator did to another without a second person, which makes the two dependent on each other. */
export async function recordAlone(
  { db, operator, now }: Ctx,
  operatorId: number,
  how: Control,
  approved?: Approved,
): Promise<void> {
  if (!approved) await recordControl(db, { operatorId, controllerId: operator.id, how, now });
}

/**
 * A new approver counts only after a delay while four-eyes are locked, and every approver hears of it at once, so that a
 * grant that should not have been made can be taken back in time.
 */
export async function announceApprover(ctx: Ctx, agent: AgentRow): Promise<void> {
  if ((await findLockedAt(ctx.db)) === null) return;
  await delayApprover(ctx.db, agent.id, ctx.now + (await approverDelay(ctx.db)));
  await notifyApprovers(ctx, 'approver.granted', agent.account);
}
