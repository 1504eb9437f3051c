import { agent as calls } from '@hengtai/contract/people/agent/calls';
import type {
  AgentDel,
  AgentDelPreview,
  AgentMovePreview,
  AgentParent,
  AgentRootInput,
  AgentRow,
} from '@hengtai/contract/people/agent/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { hasHoldersBelow } from '../../../actions/four-eyes.store.ts';
import { NO_PRICE, needsChecker } from '../../../actions/policy.store.ts';
import { enabledLabels } from '@hengtai/contract/wire/switches';
import type { Ctx } from '../../../app/context.ts';
import { isUnder, lockTree } from '../../../database/tree.ts';
import { defineAction } from '../../../actions/action.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { Refused, refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { endSessionsOf } from '../../../authority/session.store.ts';
import { findLostAbilities } from './agent-detail.store.ts';
import { previewAgent, recordOf, subjectOf } from './agent-guard.ts';
import {
  softDeleteAgent,
  countSubtree,
  findChildren,
  findPath,
  findRoots,
  followLoss,
  countPending,
  moveSubtree,
} from './agent-tree.store.ts';
import { findAgent, findAgentByAccount, isAncestorOfAll } from './agent.store.ts';

/** The agent that moves or is deleted, and the agent that takes it or its subtree over. */
interface Pair {
  agent: AgentRow;
  to: { id: number; account: string };
  /** Whether both are in the operator's own tree; the head office sees more agents than that. */
  isOwnTree: boolean;
  /** Whether `to` is the agent itself or one of its descendants. */
  isCircular: boolean;
}

async function findPair(ctx: Ctx, id: number, account: string): Promise<Pair | undefined> {
  const agent = id === ctx.operator.id ? undefined : await findAgent(ctx, id);
  const to = await findAgentByAccount(ctx, account);
  if (!agent || !to) return undefined;
  const checks = await Promise.all([agent.id, to.id].map((one) => isUnder(ctx.db, ctx.operator.id, one)));
  return { agent, to, isOwnTree: checks.every(Boolean), isCircular: await isUnder(ctx.db, agent.id, to.id) };
}

function checkMove({ agent, to, isCircular }: Pair): void {
  if (agent.depth === 0) throw refuse(refusals.forbidden);
  if (isCircular) throw refuseField('parent', '不能是代理自己或其下级');
  if (agent.parent === to.id) throw refuse(refusals.stateConflict, '该代理已属于此上级');
}

/** Moves an agent with its subtree below another parent. The new scopes apply from the next request of each session. */
export const agentParentChange = defineAction<AgentParent, AgentRow, Pair>({
  call: calls.parentChange,
  load: async (ctx, { id, parent }) => {
    await lockTree(ctx.db, 'exclusive');
    return findPair(ctx, id, parent);
  },
  check: (_ctx, pair) => {
    if (!pair.isOwnTree) throw refuse(refusals.forbidden);
    checkMove(pair);
  },
  setting: { record: ({ agent }) => recordOf(agent), isSet: ({ agent, to }) => agent.parent === to.id },
  guard: {
    loosens: (ctx, { agent }) => hasHoldersBelow(ctx.db, agent.id),
    subject: ({ agent }) => subjectOf(agent),
    preview: (ctx, { id, parent }) => previewAgent(ctx, id, `更换上级为 ${parent}`),
  },
  execute: async (ctx, _input, { agent, to }) => {
    const from = await findPath(ctx, agent.id);
    const lost = await findLostAbilities(ctx, [agent.id], to.id);
    const affectedIds = await moveSubtree(ctx.db, agent.id, to.id, ctx.now);
    await endSessionsOf(ctx.db, [agent.id], 'parent', ctx.now);
    await endSessionsOf(ctx.db, affectedIds, 'ability', ctx.now);
    await followLoss(ctx);
    const data = await mustFind(ctx, agent.id);
    return {
      data,
      subject: { type: 'agent', id: agent.id, agentId: agent.id },
      before: { parent: agent.parentAccount, path: from },
      after: { parent: to.account, path: await findPath(ctx, agent.id), ...(await countSubtree(ctx, agent.id)), lost },
    };
  },
});

function checkSuccessor({ agent, to, isCircular }: Pair, top: boolean): void {
  if (agent.depth === 0) throw refuse(refusals.forbidden);
  if (isCircular) throw refuseField('replaceAccount', '不能是被删除的代理自己或其下级');
  if (top) throw refuseField('replaceAccount', `不能是顶级管理员 ${to.account}`);
}

const isTopAdmin = async (ctx: Ctx, { to }: Pair): Promise<boolean> => (await findAgent(ctx, to.id))?.depth === 0;

/** Deletes an agent. Its users, child agents and open requests go to the replacement. */
export const agentDel = defineAction<AgentDel, AgentRow, Pair & { top: boolean }>({
  call: calls.del,
  load: async (ctx, { deleteId, replaceAccount }) => {
    await lockTree(ctx.db, 'exclusive');
    const pair = await findPair(ctx, deleteId, replaceAccount);
    return pair && { ...pair, top: await isTopAdmin(ctx, pair) };
  },
  check: (_ctx, pair, _input, approved) => {
    // The checker of an approval need not be above both agents; `execute` checks the maker instead.
    if (!approved && !pair.isOwnTree) throw refuse(refusals.forbidden);
    checkSuccessor(pair, pair.top);
  },
  policy: {
    subject: ({ agent }) => ({ type: 'agent', id: agent.id, agentId: agent.id }),
    amount: () => null,
    preview: previewDelete,
  },
  // The child agents move to the replacement.
  guard: { loosens: (ctx, { agent }) => hasHoldersBelow(ctx.db, agent.id) },
  execute: async (ctx, _input, { agent, to }, approved) => {
    if (approved && !(await isAncestorOfAll(ctx.db, approved.maker, [agent.id, to.id])))
      throw refuse(refusals.forbidden);
    const handover = { ...(await countSubtree(ctx, agent.id)), ...(await countPending(ctx, agent.account)) };
    const children = await findChildren(ctx, agent.id);
    const lost = await findLostAbilities(ctx, idsOf(children), to.id);
    const affectedIds = await softDeleteAgent(ctx.db, agent.id, to, ctx.now);
    await endSessionsOf(ctx.db, [agent.id], 'deleted', ctx.now);
    await endSessionsOf(ctx.db, affectedIds, 'ability', ctx.now);
    await followLoss(ctx);
    return {
      data: { ...agent, state: 0, abilities: [] },
      subject: { type: 'agent', id: agent.id, agentId: agent.id },
      before: {
        account: agent.account,
        parent: agent.parentAccount,
        abilities: agent.abilities,
        children: accountsOf(children),
      },
      after: { replacement: to.account, handed: handover, lost },
    };
  },
});

/** The preview that the checker sees: the agent, the replacement and what is handed over. */
async function previewDelete(ctx: Ctx, { deleteId, replaceAccount }: AgentDel): Promise<Preview> {
  const pair = await mustFindPair(ctx, deleteId, replaceAccount);
  const { agents, users } = await countSubtree(ctx, deleteId);
  const pending = await countPending(ctx, pair.agent.account);
  const path = await findPath(ctx, deleteId);
  const top = await isTopAdmin(ctx, pair);
  return {
    input: [
      textItem('删除代理', `${pair.agent.account}（${deleteId}）`),
      textItem('接替代理', `${pair.to.account}（${pair.to.id}）`),
    ],
    now: [
      textItem('所在层级', path.join(' › ')),
      textItem('代理状态', enabledLabels[pair.agent.state]),
      textItem('直属用户', `${pending.users} 人`),
      textItem('下级代理', `${agents - 1} 个`),
      textItem('团队用户', `${users} 人`),
      textItem('进行中的提现', `${pending.withdraws} 笔`),
      textItem('待确认或挂起的充值', `${pending.recharges} 笔`),
    ],
    legs: [],
    // Execution checks that the maker is above both agents.
    problem: catchRefusal(() => checkSuccessor(pair, top)),
  };
}

export const agentRoot = (ctx: Ctx, { agentId }: AgentRootInput) => findRoots(ctx, agentId);

/**
 * What a move would change, and why it would be refused.
 *
 * @throws Refused 404 if one of the agents is not in the operator's scope
 */
export async function agentParentPreview(ctx: Ctx, { id, parent }: AgentParent): Promise<AgentMovePreview> {
  const pair = await mustFindPair(ctx, id, parent);
  return {
    ...(await countSubtree(ctx, id)),
    path: await findPath(ctx, id),
    newPath: [...(await findPath(ctx, pair.to.id)), pair.agent.account],
    lost: await findLostAbilities(ctx, [id], pair.to.id),
    refusal: refusalOf(pair, () => checkMove(pair)),
  };
}

/**
 * What a deletion would hand over, and why it would be refused.
 *
 * @throws Refused 404 if one of the agents is not in the operator's scope
 */
export async function agentDelPreview(ctx: Ctx, { deleteId, replaceAccount }: AgentDel): Promise<AgentDelPreview> {
  const pair = await mustFindPair(ctx, deleteId, replaceAccount);
  const top = await isTopAdmin(ctx, pair);
  const { users: ownUsers, withdraws, recharges, approvals } = await countPending(ctx, pair.agent.account);
  const { agents, users } = await countSubtree(ctx, deleteId);
  const children = await findChildren(ctx, deleteId);
  return {
    // The deleted agent itself is not handed over.
    agents: agents - 1,
    users,
    ownUsers,
    children: accountsOf(children),
    lost: await findLostAbilities(ctx, idsOf(children), pair.to.id),
    waiting: [
      { text: '进行中的提现', count: withdraws },
      { text: '待确认或挂起的充值', count: recharges },
      { text: '待复核的申请', count: approvals },
    ],
    second: await needsChecker(ctx, calls.del.approvable, null, NO_PRICE),
    refusal: refusalOf(pair, () => checkSuccessor(pair, top)),
  };
}

const idsOf = (agents: readonly { id: number }[]): number[] => agents.map(({ id }) => id);
const accountsOf = (agents: readonly { account: string }[]): string[] => agents.map(({ account }) => account);

async function mustFindPair(ctx: Ctx, id: number, account: string): Promise<Pair> {
  return requireFound(await findPair(ctx, id, account));
}

const refusalOf = (pair: Pair, check: () => void): string | null =>
  catchRefusal(() => {
    if (!pair.isOwnTree) throw refuse(refusals.forbidden);
    check();
  });

function catchRefusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

async function mustFind(ctx: Ctx, id: number): Promise<AgentRow> {
  return requireFound(await findAgent(ctx, id));
}
