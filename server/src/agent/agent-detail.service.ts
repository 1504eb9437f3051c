import { ABILITY } from '@hengtai/contract/ability';
import type { AgentDetail, AgentId } from '@hengtai/contract/agent.schema';
import { refusals } from '@hengtai/contract/refusals';
import { fetchTargetAudit } from '../audit/audit-list.store.ts';
import { type Ctx, can } from '../context.ts';
import { refuse } from '../refuse.ts';
import { findFigures, findGrants, findHeldBelow } from './agent-detail.store.ts';
import { findSteps } from './agent-tree.store.ts';
import { findAgent, isUnder } from './agent.store.ts';

const RECENT = 10;

/** Everything about one agent on one screen, the operator itself and the top-level admin included where they are in sight. */
export async function agentDetail(ctx: Ctx, { id }: AgentId): Promise<AgentDetail> {
  const row = await findAgent(ctx, id);
  if (!row) throw refuse(refusals.notFound);
  const auditsShown = can(ctx.operator, ABILITY.audit);
  return {
    row,
    path: await findSteps(ctx, id),
    changeable: id !== ctx.operator.id && (await isUnder(ctx.db, ctx.operator.id, id)),
    grants: await findGrants(ctx, id),
    below: await findHeldBelow(ctx, id),
    ...(await findFigures(ctx, id, row.account)),
    audits: auditsShown ? await fetchTargetAudit(ctx, { type: 'agent', id }, RECENT) : [],
    auditsShown,
  };
}
