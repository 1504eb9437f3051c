import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { refusals } from '@hengtai/contract/wire/refusals';
import { user as calls } from '@hengtai/contract/people/user/calls';
import type { UserAgent, UserAgentBulk, UserRow } from '@hengtai/contract/people/user/schema';
import { findAgentByAccount, lockAgent } from '../agent/agent.store.ts';
import { findBranch, recordBranchMove } from '../../../actions/four-eyes.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { type Setting, noEffect } from '../../../actions/setting.ts';
import { type Refused, refuse } from '../../../app/refuse.ts';
import { type UserChanges, followChange } from './user-changes.rules.ts';
import { type UserTable, moveRows } from './user-move.store.ts';
import { mustFind, recordOf, rowOf, subjectOf } from './user.steps.ts';
import { type UserRecord, findUser, lockUser } from './user.store.ts';

type MoveOne = Omit<UserAgentBulk, 'ids'> & { id: number };

interface Target {
  user: UserRecord;
  agent: { id: number; account: string };
}

/** The single call without its input type, because the bulk call names the user `id` instead of `userId`. */
const spec: CallSpec = calls.agentChange;

/** Moves a user with all its records to another agent of the operator's scope. */
export const userAgentChange = (tables: readonly UserTable[], changes: readonly UserChanges[]) =>
  defineAction<UserAgent, UserRow, Target>({
    call: calls.agentChange,
    load: (ctx, { userId, agent }) => findTarget(ctx, userId, agent),
    setting: sameAgent,
    execute: (ctx, _input, target) => move(ctx, { tables, changes }, target),
  });

/** One item of the bulk call. */
export const userAgentChangeEach = (tables: readonly UserTable[], changes: readonly UserChanges[]) =>
  defineAction<MoveOne, UserRow, Target>({
    call: spec,
    load: (ctx, { id, agent }) => findTarget(ctx, id, agent),
    setting: sameAgent,
    execute: (ctx, _input, target) => move(ctx, { tables, changes }, target),
  });

async function findTarget(ctx: Ctx, userId: number, account: string): Promise<Target | undefined> {
  const user = await findUser(ctx, userId);
  const agent = user && (await findAgentByAccount(ctx, account));
  return user && agent && { user, agent };
}

const sameAgent: Setting<unknown, UserRow, Target> = {
  record: ({ user }) => recordOf(user),
  isSet: ({ user, agent }) => user.agentId === agent.id,
};

const stateConflictOf = (user: UserRow, agent: string): Refused =>
  refuse(refusals.stateConflict, `记录已被处理，当前所属代理：${agent}`, {
    state: user.state,
    by: null,
    at: user.updatedAt,
  });

async function move(
  ctx: Ctx,
  { tables, changes }: { tables: readonly UserTable[]; changes: readonly UserChanges[] },
  { user, agent }: Target,
): Promise<ActionResult<UserRow>> {
  const locked = await lockUser(ctx, user.id);
  if (!locked || !(await lockAgent(ctx, agent.id))) throw refuse(refusals.notFound);
  if (locked.agentId !== user.agentId) {
    const after = await mustFind(ctx, user.id);
    if (after.agentId === agent.id) return noEffect(recordOf(after));
    throw stateConflictOf(after, after.agent);
  }
  const { db, now } = ctx;
  await recordBranchMove(db, await findBranch(db, user.agentId), await findBranch(db, agent.id), now);
  const moved = { id: user.id, agentId: agent.id };
  const movedRows = await moveRows(ctx, tables, moved, () => followChange(changes, 'moving', ctx, moved));
  await followChange(changes, 'moved', ctx, moved);
  const after = await mustFind(ctx, user.id);
  return {
    data: rowOf(after),
    subject: subjectOf(after),
    before: { agentId: user.agentId, agent: user.agent },
    after: { agentId: agent.id, agent: agent.account, moved: movedRows },
  };
}
