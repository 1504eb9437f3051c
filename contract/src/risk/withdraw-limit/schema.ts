import { type Static, Type } from '@sinclair/typebox';
import { INT_MAX } from '../../wire/list.ts';
import {
  Amount,
  AnswerAmount,
  BulkResult,
  EmptyInput,
  Id,
  IdInput,
  Ids,
  Int,
  Ms,
  Name,
  Nullable,
  Reason,
  Strict,
  Switch,
} from '../../wire/schema.ts';

const coin = 'in the coin';
const inCoin = Type.String({ ...Amount, description: `decimal string, ${coin}` });
const upTo = Type.String({ ...Amount, description: `decimal string, ${coin}; 0 is no limit` });

/** The terms of a level or a group for a coin. Null is inherited: from the level, and then from the coin. */
const termFields = {
  withdrawState: Nullable(
    Type.Unsafe<0 | 1>(
      Type.Integer({ minimum: 0, maximum: 1, description: '1: the users may withdraw the coin, 0: they may not' }),
    ),
  ),
  singleMin: Nullable(inCoin),
  singleMax: Nullable(upTo),
  dayAmount: Nullable(Type.String({ ...upTo, description: `${upTo.description}; of a UTC day, fees included` })),
  dayCount: Nullable(
    Type.Integer({ minimum: 0, maximum: INT_MAX, description: 'withdrawals of a UTC day; 0 is no limit' }),
  ),
  feeFixed: Nullable(inCoin),
  feeRate: Nullable(Type.String({ ...Amount, description: 'fraction of the amount, at most 0.1' })),
};
const Terms = Type.Object(termFields);
export type LimitTerms = Static<typeof Terms>;

const Level = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
  description: 'identity: 0 none, 1 basic, 2 advanced',
});

/** What is in force of a user: every term has a value, except that of an unlimited fee. */
const effectiveFields = {
  withdrawState: Switch,
  singleMin: AnswerAmount,
  singleMax: Type.String({ description: 'canonical decimal string; 0 is no limit' }),
  dayAmount: Type.String({ description: 'canonical decimal string; 0 is no limit' }),
  dayCount: Type.Integer({ description: '0 is no limit' }),
  feeFixed: Nullable(Type.String({ description: 'canonical decimal string; null is the fee of the network' })),
  feeRate: Nullable(
    Type.String({
      description: 'fraction of the amount, added to the fixed fee; if both are null, the platform sets the fee',
    }),
  ),
};
export type EffectiveTerms = Static<typeof Effective>;
const Effective = Type.Object(effectiveFields);

const Version = Type.Object({
  id: Id,
  marketId: Id,
  level: Nullable(Level),
  groupId: Nullable(Id),
  version: Type.Integer({ description: 'from 1' }),
  ...termFields,
  by: Type.String(),
  reason: Type.String(),
  createdAt: Ms,
});
export type LimitVersion = Static<typeof Version>;

const Group = Type.Object({
  id: Id,
  name: Type.String(),
  forAgents: Type.Boolean({ description: 'whether operators of agents may put users into it and take them out' }),
  members: Type.Integer({ description: 'users of the own tree' }),
  updatedAt: Ms,
});
export type UserGroup = Static<typeof Group>;

const Coin = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  amountPrecision: Int,
  withdrawMin: AnswerAmount,
  withdrawMax: AnswerAmount,
});
export type LimitCoin = Static<typeof Coin>;

const List = Type.Object({
  coins: Type.Array(Coin),
  groups: Type.Array(Group),
  limits: Type.Array(Version, { description: 'the versions in force' }),
});
export type LimitList = Static<typeof List>;

/** A level or a group, and a coin. Exactly one of `level` and `groupId` is given. */
const tierFields = { marketId: Id, level: Type.Optional(Level), groupId: Type.Optional(Id) };
const VersionsInput = Strict(tierFields);
export type LimitVersionsInput = Static<typeof VersionsInput>;

const Save = Strict({
  ...tierFields,
  seen: Type.Integer({ minimum: 0, maximum: INT_MAX, description: 'version that was read, 0 if there was none' }),
  ...termFields,
  reason: Type.Optional(Reason),
});
export type LimitSave = Static<typeof Save>;

const GroupSave = Strict({
  id: Type.Optional(Id),
  name: Name(32),
  forAgents: Type.Boolean(),
  reason: Type.Optional(Reason),
});
export type GroupSave = Static<typeof GroupSave>;

const GroupDelete = Strict({ id: Id, reason: Type.Optional(Reason) });
export type GroupDelete = Static<typeof GroupDelete>;

const Deleted = Type.Object({ id: Id });
export type GroupDeleted = Static<typeof Deleted>;

const Assign = Strict({ id: Id, groupId: Nullable(Id), reason: Type.Optional(Reason) });
export type GroupAssign = Static<typeof Assign>;
const AssignMany = Strict({ ids: Ids, groupId: Nullable(Id), reason: Type.Optional(Reason) });
export type GroupAssignMany = Static<typeof AssignMany>;

const Assigned = Type.Object({ id: Id, groupId: Nullable(Id), userGroup: Nullable(Type.String()) });
export type GroupAssigned = Static<typeof Assigned>;

const UserLimits = Type.Object({
  level: Level,
  groupId: Nullable(Id),
  userGroup: Nullable(Type.String()),
  coins: Type.Array(
    Type.Object({
      marketId: Id,
      marketName: Type.String(),
      ...effectiveFields,
      usedAmount: Type.String({ description: 'withdrawn on this UTC day, fees included' }),
      usedCount: Int,
    }),
    { description: 'coins with terms of a level or a group' },
  ),
});
export type UserLimits = Static<typeof UserLimits>;

/** The terms by which a withdrawal was judged. */
export const AppliedLimits = Type.Object({
  level: Level,
  userGroup: Nullable(Type.String()),
  levelVersion: Nullable(Int),
  groupVersion: Nullable(Int),
  singleMin: AnswerAmount,
  singleMax: AnswerAmount,
  dayAmount: AnswerAmount,
  dayCount: Int,
  usedAmount: Type.String({ description: 'withdrawn on its UTC day before it' }),
  usedCount: Int,
  fee: Nullable(Type.String({ description: 'fee by the terms; null if the platform set it' })),
});
export type AppliedLimits = Static<typeof AppliedLimits>;

export const withdrawLimitSchemas = {
  list: { input: EmptyInput, output: List },
  versions: { input: VersionsInput, output: Type.Array(Version) },
  save: { input: Save, output: Version },
  user: { input: IdInput, output: UserLimits },
  groupList: { input: EmptyInput, output: Type.Array(Group) },
  groupSave: { input: GroupSave, output: Group },
  groupDelete: { input: GroupDelete, output: Deleted },
  assign: { input: Assign, output: Assigned },
  assignMany: { input: AssignMany, output: BulkResult },
};
