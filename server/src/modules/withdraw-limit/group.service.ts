import { refusals } from '@hengtai/contract/refusals';
import { withdrawLimit as calls } from '@hengtai/contract/withdraw-limit';
import { loosensGroup, loosensGroupDelete, loosensMove } from '@hengtai/contract/withdraw-limit-compare';
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
import { fetchCoinLimits, lockLimits } from './limit.store.ts';

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
    loosens: async ({ db }, target, input) => loosensGroup(target, input, await fetchCoinLimits(db)),
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
  return {
    input: groupItems(input),
    now: group ? [...groupItems(group), membersItem(group)] : [],
    legs: [],
    problem: input.id !== undefined && !group ? refusals.notFound.msg : null,
  };
}

const groupItems = ({ name, forAgents }: Pick<UserGroup, 'name' | 'forAgents'>) => [
  textItem('用户组', name),
  textItem('代理可调整', forAgents ? '是' : '否'),
];
const membersItem = ({ members }: Pick<UserGroup, 'members'>) => textItem('用户', `${members} 位`);

/** Deletes a group that has no users. Withdrawals keep its name. */
export const groupDelete = defineAction<GroupDelete, GroupDeleted, UserGroup>({
  call: calls.groupDelete,
  authorize: requireHouse,
  load: async (ctx, { id }) => {
    await lockLimits(ctx.db);
    return findGroup(ctx, id);
  },
  guard: {
    loosens: async ({ db }, { id }) => loosensGroupDelete(id, await fetchCoinLimits(db)),
    subject: ({ id }, ctx) => subjectOf(id, ctx),
    preview: async (ctx, { id }) => {
      const group = requireFound(await findGroup(ctx, id));
      return {
        input: [textItem('改为', '删除')],
        now: [...groupItems(group), membersItem(group)],
        legs: [],
        problem: group.members > 0 ? refusals.groupNotEmpty.msg : null,
      };
    },
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

const loosensAssign = async ({ db }: Ctx, { before, after }: Target): Promise<boolean> =>
  loosensMove(await withFullScope(db, () => fetchCoinLimits(db)), before?.id ?? null, after?.id ?? null);

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
