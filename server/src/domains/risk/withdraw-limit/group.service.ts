import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { LEVELS, withdrawLimit as calls } from '@hengtai/contract/risk/withdraw-limit/calls';
import {
  loosensGroup,
  loosensGroupDelete,
  loosensMove,
  termsOfPair,
} from '@hengtai/contract/risk/withdraw-limit/compare';
import type {
  EffectiveTerms,
  GroupAssign,
  GroupAssigned,
  GroupDelete,
  GroupDeleted,
  GroupSave,
  UserGroup,
} from '@hengtai/contract/risk/withdraw-limit/schema';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { type Loading, defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import { subjectOf as userSubject } from '../../people/user/user.steps.ts';
import { type UserRecord, findUser, lockUser } from '../../people/user/user.store.ts';
import { deleteGroup, fetchGroups, findGroup, findGroupOf, insertGroup, setGroup, updateGroup } from './group.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { groupTermItems, levelKey, levelNames, pairLine, termTexts } from './limit-lines.rules.ts';
import { fetchCoinLimits, lockLimits } from './limit.store.ts';

/** Every operator may choose among the groups; members are counted in its own tree. */
export const listGroups = (ctx: Ctx): Promise<UserGroup[]> => fetchGroups(ctx);

/** A group belongs to no agent, so its approvals belong to the tree of their maker. */
const subjectOf = houseSubject('userGroup');

type GroupTerms = Pick<UserGroup, 'name' | 'forAgents'>;

const termsOf = ({ name, forAgents }: GroupTerms): GroupTerms => ({ name, forAgents });

type Coins = Awaited<ReturnType<typeof fetchCoinLimits>>;

/** A group, null for a new one, and what is in force of every coin. */
interface GroupTarget {
  group: UserGroup | null;
  coins: Coins;
}

async function findGroupTarget(
  ctx: Ctx,
  { id }: { id?: number },
  { reading }: Loading,
): Promise<GroupTarget | undefined> {
  if (!reading) await lockLimits(ctx.db);
  const group = id === undefined ? null : await findGroup(ctx, id);
  return group === undefined ? undefined : { group, coins: await fetchCoinLimits(ctx.db) };
}

/** Adds a group, or changes its name and who may put users into it. */
export const groupSave = defineAction<GroupSave, UserGroup, GroupTarget>({
  call: calls.groupSave,
  authorize: requireHouse,
  load: findGroupTarget,
  setting: {
    record: ({ group }, ctx) => (group ? { data: group, subject: subjectOf(ctx, group) } : undefined),
    isSet: ({ group }, input) => group !== null && stableJson(termsOf(group)) === stableJson(termsOf(input)),
  },
  save: saveOfRecord<GroupSave, GroupTarget, GroupTerms>({
    line: ({ group }, { name }) => (group ? `userGroup:${group.id}` : `userGroup:new:${name}`),
    title: ({ group }, { name }) => `用户组 ${group?.name ?? name}`,
    before: ({ group }) => group && termsOf(group),
    after: (_target, input) => termsOf(input),
    loosens: (before, after, { group, coins }) =>
      after !== null && loosensGroup(before && group && { ...group, ...before }, after, coins),
  }),
  guard: {
    subject: ({ group }, ctx) => subjectOf(ctx, group ?? { id: 0 }),
    preview: previewGroup,
  },
  execute: async (ctx, input, { group: target }) => {
    const saved = target ? await updateGroup(ctx, target.id, input) : await insertGroup(ctx, input);
    if (saved === 'taken') throw refuse(refusals.groupNameTaken);
    if (saved === undefined) throw refuse(refusals.groupsFull);
    if (saved === false) throw refuse(refusals.notFound);
    const group = requireFound(await findGroup(ctx, typeof saved === 'number' ? saved : (target?.id ?? 0)));
    return {
      data: group,
      subject: subjectOf(ctx, group),
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
    terms: group ? await fetchTermItems(ctx, group) : [],
    consequence: input.forAgents ? '代理可自行把用户加入或移出此组，其条款随之生效。' : '只有总部可调整此组的用户。',
  };
}

const fetchTermItems = async (ctx: Ctx, group: UserGroup): Promise<ApprovalItem[]> => [
  membersItem(group),
  ...groupTermItems(group.id, await fetchCoinLimits(ctx.db)),
];

const groupItems = ({ name, forAgents }: Pick<UserGroup, 'name' | 'forAgents'>) => [
  textItem('用户组', name),
  textItem('代理可调整', forAgents ? '是' : '否'),
];
const membersItem = ({ members }: Pick<UserGroup, 'members'>) => textItem('用户', `${members} 位`);

/** Deletes a group that has no users. Withdrawals keep its name. */
export const groupDelete = defineAction<GroupDelete, GroupDeleted, GroupTarget>({
  call: calls.groupDelete,
  authorize: requireHouse,
  load: findGroupTarget,
  save: saveOfRecord<GroupDelete, GroupTarget, GroupTerms>({
    line: (_target, { id }) => `userGroup:${id}`,
    title: ({ group }, { id }) => `用户组 ${group?.name ?? `#${id}`}`,
    before: ({ group }) => group && termsOf(group),
    after: () => null,
    loosens: (before, _after, { group, coins }) =>
      before !== null && group !== null && loosensGroupDelete(group.id, coins),
  }),
  guard: {
    subject: ({ group }, ctx) => subjectOf(ctx, group ?? { id: 0 }),
    preview: async (ctx, { id }) => {
      const group = requireFound(await findGroup(ctx, id));
      return {
        input: [textItem('改为', '删除')],
        now: [...groupItems(group), membersItem(group)],
        legs: [],
        problem: group.members > 0 ? refusals.groupNotEmpty.msg : null,
        terms: await fetchTermItems(ctx, group),
      };
    },
  },
  execute: async (ctx, { id }, { group }) => {
    if (!(await deleteGroup(ctx, id))) throw refuse(refusals.groupNotEmpty);
    return { data: { id }, subject: subjectOf(ctx, { id }), before: group && termsOf(group) };
  },
});

const orNone = (value: number | string | null): string => (value === null ? '无' : String(value));

interface Target {
  user: UserRecord;
  before: UserGroup | undefined;
  after: UserGroup | undefined;
  coins: Coins;
}

/** What an approval signs of a user's group: also what users of each level may then withdraw. */
interface SignedMember {
  groupId: number | null;
  userGroup: string | null;
  terms: Readonly<Record<string, EffectiveTerms>>;
}

function memberOf(group: UserGroup | undefined, coins: Coins): SignedMember {
  const groupId = group?.id ?? null;
  const terms = coins
    .filter(({ limits }) => limits.length > 0)
    .flatMap((limits) =>
      LEVELS.map((level) => [pairLine(limits.coin, { level, groupId }), termsOfPair(limits, level, groupId)] as const),
    );
  return { groupId, userGroup: group?.name ?? null, terms: Object.fromEntries(terms) };
}

async function findTarget(ctx: Ctx, { id, groupId }: GroupAssign): Promise<Target | undefined> {
  const user = await findUser(ctx, id);
  const after = groupId === null ? undefined : await findGroup(ctx, groupId);
  if (!user || (groupId !== null && !after)) return undefined;
  const coins = await withFullScope(ctx.db, () => fetchCoinLimits(ctx.db));
  return { user, before: await findGroupOf(ctx, id), after, coins };
}

function checkAssign({ scope }: Pick<Ctx, 'scope'>, { before, after }: Target): void {
  const isClosed = scope.kind !== 'all' && [before, after].some((group) => group?.forAgents === false);
  if (isClosed) throw refuse(refusals.groupOfHouse);
}

/** Puts a user into a group, or takes it out of its group. */
export const groupAssign = defineAction<GroupAssign, GroupAssigned, Target>({
  call: calls.assign,
  load: async (ctx, input, { reading }) => {
    if (!reading) await lockLimits(ctx.db);
    return findTarget(ctx, input);
  },
  check: checkAssign,
  setting: {
    record: ({ user, after }) => ({
      data: { id: user.id, groupId: after?.id ?? null, userGroup: after?.name ?? null },
      subject: userSubject(user),
    }),
    isSet: ({ before, after }) => before?.id === after?.id,
  },
  save: saveOfRecord<GroupAssign, Target, SignedMember>({
    line: (_target, { id }) => `userGroup.member:${id}`,
    title: ({ user }) => `用户 ${user.account}（${user.id}）`,
    words: (_ctx, { coins }) => ({
      names: { ...levelNames(coins), terms: '', groupId: '用户组编号' },
      texts: { ...termTexts, groupId: orNone, userGroup: orNone },
      keyOf: levelKey,
    }),
    before: ({ before, coins }) => memberOf(before, coins),
    after: ({ after, coins }) => memberOf(after, coins),
    loosens: (before, after, { coins }) => loosensMove(coins, before?.groupId ?? null, after?.groupId ?? null),
  }),
  guard: {
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
    problem: null,
    consequence: '对该用户此后的提现申请生效；已提交的申请不变。',
  };
}
