import { ABILITY, ADMIN_GRANTED, type Ability } from '@hengtai/contract/ability';
import { agent as calls } from '@hengtai/contract/agent';
import type { AgentAdd, AgentRow, AgentState } from '@hengtai/contract/agent.schema';
import { refusals } from '@hengtai/contract/refusals';
import { type Ctx, can } from '../context.ts';
import { type Subject, defineAction } from '../http/action.ts';
import { refuse } from '../refuse.ts';
import { hashPassword } from '../session/password.ts';
import { endSessionsOf } from '../session/session.store.ts';
import {
  findAgent,
  findAgentByAccount,
  grantAbility,
  insertAgent,
  isUnder,
  revokeAbility,
  setEnabled,
  widenScope,
} from './agent.store.ts';

/** A new agent may log in and has nothing else. */
export const agentAdd = defineAction<AgentAdd, AgentRow, { id: number }>({
  name: 'agent.add',
  call: calls.add,
  load: async (ctx, input) =>
    input.parentAccount ? under(ctx, await findAgentByAccount(ctx, input.parentAccount)) : { id: ctx.operator.id },
  execute: async (ctx, input, parent) => {
    const id = await insertAgent(ctx.db, {
      account: input.account,
      parentId: parent.id,
      passwordHash: await hashPassword(input.password),
      remark: input.remark ?? '',
      createdAt: ctx.now,
      now: ctx.now,
    });
    if (id === undefined) throw refuse(refusals.accountTaken);
    const made = await mustFind(await widenScope(ctx, id), id);
    return {
      data: made,
      subject: subjectOf(made),
      after: { account: made.account, parent: parent.id, remark: made.remark },
    };
  },
});

/** Switches an agent's login (type 0) or one of its abilities; only downwards, and only what one holds. */
export const agentState = defineAction<AgentState, AgentRow, AgentRow>({
  name: 'agent.state',
  call: calls.state,
  allow: (ctx, input) => {
    const ability = input.type as Ability;
    if (ability === ABILITY.enabled) return;
    if (!can(ctx.operator, ability)) throw refuse(refusals.forbidden);
    if (ADMIN_GRANTED.includes(ability) && !ctx.operator.top) throw refuse(refusals.forbidden);
  },
  load: async (ctx, { id }) => (id === ctx.operator.id ? undefined : under(ctx, await findAgent(ctx, id))),
  check: (_ctx, target) => {
    if (target.depth === 0) throw refuse(refusals.forbidden);
  },
  execute: async (ctx, input, target) => {
    const changed = await switchAbility(ctx, input);
    await endSessionsOf(ctx.db, changed, 'ability', ctx.now);
    const after = await mustFind(ctx, target.id);
    return {
      data: after,
      subject: subjectOf(target),
      before: shown(target),
      after: { ...shown(after), reached: changed },
    };
  },
});

/** The head office sees the whole tree, but like everybody it changes agents only below itself. */
async function under<T extends { id: number }>(ctx: Ctx, found: T | undefined): Promise<T | undefined> {
  if (found && !(await isUnder(ctx.db, ctx.operator.id, found.id))) throw refuse(refusals.forbidden);
  return found;
}

/** @returns whose sessions end by it */
async function switchAbility(ctx: Ctx, { id, type, state }: AgentState): Promise<number[]> {
  if (type === ABILITY.enabled) {
    await setEnabled(ctx.db, id, state, ctx.now);
    return [id];
  }
  if (state === 0) return revokeAbility(ctx.db, id, type, ctx.now);
  await grantAbility(ctx.db, id, type, ctx.now);
  return [id];
}

async function mustFind(ctx: Ctx, id: number): Promise<AgentRow> {
  const found = await findAgent(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

const subjectOf = (agent: AgentRow): Subject => ({ type: 'agent', id: agent.id, agentId: agent.id });
const shown = (agent: AgentRow) => ({ state: agent.state, abilities: agent.abilities });
