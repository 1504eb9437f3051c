import { refusals } from '@hengtai/contract/refusals';
import { effectiveTerms, loosenedTerms, withdrawLimit as calls } from '@hengtai/contract/withdraw-limit';
import type {
  GroupAssign,
  GroupAssigned,
  GroupDelete,
  GroupDeleted,
  GroupSave,
  UserGroup,
} from '@hengtai/contract/withdraw-limit.schema';
import type { Subject } from '../../actions/action-audit.ts';
import { defineAction } from '../../actions/action.ts';
import { type Preview, textItem } from '../../actions/preview.ts';
import type { Ctx } from '../../core/context.ts';
import { refuse, requireFound } from '../../core/refuse.ts';
import { withFullScope } from '../../postgres/connect.ts';
import { subjectOf as userSubject } from '../user/user.rules.ts';
import { type UserRecord, findUser, lockUser } from '../user/user.store.ts';
import { deleteGroup, fetchGroups, findGroup, findGroupOf, insertGroup, setGroup, updateGroup } from './group.store.ts';
import { requireHouse } from './house.rules.ts';
import { findApplying } from './judge.rules.ts';
import { fetchLimitCoins, fetchLimits, lockLimits } from './limit.store.ts';

/** Every operator may choose among the groups; members are counted in its own tree. */
export const listGroups = (ctx: Ctx): Promise<UserGroup[]> => fetchGroups(ctx);

/** A group belongs to no agent, so its approvals belong to the tree of their maker. */
const subjectOf = (id: number, { operator }: Pick<Ctx, 'operator'>): Subject => ({
  type: 'userGroup',
  id,
  agentId: operator.id,
});

const termsOf = ({ name, forAgents }: Pick<UserGroup, 'name' | 'forAgents'>) => ({ name, forAgents });

/** Adds a group, or changes its name and who may put users into it. */
export const groupSave = defineAction<GroupSave, UserGroup, UserGroup | null>({
  call: calls.groupSave,
  authorize: requireHouse,
  load: async (ctx, { id }) => {
    await lockLimits(ctx.db);
    return id === undefined ? null : findGroup(ctx, id);
  },
  guard: {
    loosens: (_ctx, target, { forAgents }) => forAgents && target?.forAgents === false,
    subject: (target, ctx) => subjectOf(target?.id ?? 0, ctx),
    preview: previewGroup,
  },
  execute: async (ctx, input, target) => {
    const saved = target ? await updateGroup(ctx, target.id, input) : await insertGroup(ctx, input);
    if (saved === 'taken') throw refuse(refusals.groupNameTaken);
    if (saved === undefined) throw refuse(refusals.groupsFull);
    if (saved === false) throw refuse(refusals.notFound);
    const group = requireFound(await findGroup(ctx, typeof saved === 'number' ? saved : (target?.id ?? 0)));
    return {
      data: group,
      subject: subjectOf(group.id, ctx),
      ...(target && { before: termsOf(target) }),
      after: termsOf(group),
    };
  },
});

async function previewGroup(ctx: Ctx, input: GroupSave): Promise<Preview> {
  const group = input.id === undefined ? undefined : await findGroup(ctx, input.id);
  const items = ({ name, forAgents }: Pick<UserGroup, 'name' | 'forAgents'>) => [
    textItem('用户组', name),
    textItem('代理可调整', forAgents ? '是' : '否'),
  ];
  return {
    input: items(input),
    now: group ? items(group) : [],
    legs: [],
    problem: input.id !== undefined && !group ? refusals.notFound.msg : null,
  };
}

/** Deletes a group that has no users. Withdrawals keep its name. */
export const groupDelete = defineAction<GroupDelete, GroupDeleted, UserGroup>({
  call: calls.groupDelete,
  authorize: requireHouse,
  load: async (ctx, { id }) => {
    await lockLimits(ctx.db);
    return findGroup(ctx, id);
  },
  execute: async (ctx, { id }, group) => {
    if (!(await deleteGroup(ctx, id))) throw refuse(refusals.groupNotEmpty);
    return { data: { id }, subject: subjectOf(id, ctx), before: termsOf(group) };
  },
});

interface Target {
  user: UserRecord;
  before: UserGroup | undefined;
  after: UserGroup | undefined;
}

async function findTarget(ctx: Ctx, { id, groupId }: GroupAssign): Promise<Target | undefined> {
  const user = await findUser(ctx, id);
  const after = groupId === null ? undefined : await findGroup(ctx, groupId);
  if (!user || (groupId !== null && !after)) return undefined;
  return { user, before: await findGroupOf(ctx, id), after };
}

function checkAssign({ scope }: Pick<Ctx, 'scope'>, { before, after }: Target): void {
  const isClosed = scope.kind !== 'all' && [before, after].some((group) => group?.forAgents === false);
  if (isClosed) throw refuse(refusals.groupOfHouse);
  if (before?.id === after?.id) throw refuse(refusals.groupUnchanged);
}

/** Whether the user may withdraw more than before in any coin, or pays other fees. */
async function loosensAssign(ctx: Ctx, { user, before, after }: Target): Promise<boolean> {
  const [limits, coins] = await withFullScope(ctx.db, async () => [
    await fetchLimits(ctx.db, null),
    await fetchLimitCoins(ctx.db),
  ]);
  return coins.some((coin) => {
    const [old, next] = [before, after].map((group) => {
      const tiers = findApplying(limits, coin.marketId, { auth: user.auth, groupId: group?.id ?? null });
      return effectiveTerms(coin, tiers.level, tiers.group);
    });
    return old !== undefined && next !== undefined && loosenedTerms(old, next).length > 0;
  });
}

/** Puts a user into a group, or takes it out of its group. */
export const groupAssign = defineAction<GroupAssign, GroupAssigned, Target>({
  call: calls.assign,
  load: async (ctx, input) => {
    await lockLimits(ctx.db);
    return findTarget(ctx, input);
  },
  check: checkAssign,
  guard: {
    loosens: loosensAssign,
    subject: ({ user }) => userSubject(user),
    preview: previewAssign,
  },
  execute: async (ctx, { id, groupId }, { user, before, after }) => {
    // A request of the user that is under way is judged by the old group, a later one by the new.
    if (!(await lockUser(ctx, id))) throw refuse(refusals.notFound);
    await setGroup(ctx, id, groupId);
    return {
      data: { id, groupId, userGroup: after?.name ?? null },
      subject: userSubject(user),
      before: { userGroup: before?.name ?? null },
      after: { userGroup: after?.name ?? null },
    };
  },
});

async function previewAssign(ctx: Ctx, input: GroupAssign): Promise<Preview> {
  const { user, before, after } = requireFound(await findTarget(ctx, input));
  return {
    input: [textItem('用户', `${user.account}（${user.id}）`), textItem('用户组改为', after?.name ?? '无')],
    now: [textItem('当前用户组', before?.name ?? '无')],
    legs: [],
    problem: before?.id === after?.id ? refusals.groupUnchanged.msg : null,
  };
}
