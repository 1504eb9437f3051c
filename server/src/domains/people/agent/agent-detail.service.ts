import type { IdInput } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AgentDetail, AgentFind, AgentFound } from '@hengtai/contract/people/agent/schema';
import { fetchTargetAudit } from '../../house/audit/audit-list.store.ts';
import { type App, type Ctx, can } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { isUnder } from '../../../database/tree.ts';
import { countRelated, findGrants, countAbilitiesBelow } from './agent-detail.store.ts';
import { findOidc } from './agent-oidc.service.ts';
import { findSteps } from './agent-tree.store.ts';
import { findAgent, findAgentByAccount } from './agent.store.ts';

const RECENT = 10;

/**
 * The detail of one agent of the scope, which includes the operator itself.
 *
 * @throws Refused 404 for an agent that is deleted or outside the operator's scope
 */
export async function agentDetail(ctx: Ctx, { id }: IdInput, app: App): Promise<AgentDetail> {
  const row = requireFound(await findAgent(ctx, id));
  const auditsShown = can(ctx.operator, ABILITY.audit);
  return {
    row,
    path: await findSteps(ctx, id),
    changeable: id !== ctx.operator.id && (await isUnder(ctx.db, ctx.operator.id, id)),
    grants: await findGrants(ctx, id),
    below: await countAbilitiesBelow(ctx, id),
    oidc: await findOidc(ctx, app, id),
    ...(await countRelated(ctx, id)),
    audits: auditsShown ? await fetchTargetAudit(ctx, { type: 'agent', id }, RECENT) : [],
    auditsShown,
  };
}

/** @throws Refused 404 for an agent that is deleted or outside the operator's scope */
export async function agentFind(ctx: Ctx, { account }: AgentFind): Promise<AgentFound> {
  return requireFound(await findAgentByAccount(ctx, account));
}
