import { ABILITY } from '../../authority/ability.ts';
import { action, bulkAction, read } from '../../wire/endpoint.ts';
import type { BulkResult, IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import { withdrawLimitActions } from './facts.ts';
import type {
  EffectiveTerms,
  GroupAssign,
  GroupAssignMany,
  GroupAssigned,
  GroupDelete,
  GroupDeleted,
  GroupSave,
  LimitList,
  LimitSave,
  LimitTerms,
  LimitVersion,
  LimitVersionsInput,
  UserGroup,
  UserLimits,
} from './schema.ts';

/** Levels of identity that limits distinguish. */
export const identityLevels = { 0: '未认证', 1: '初级认证', 2: '高级认证' } as const;
export const LEVELS = [0, 1, 2] as const;

/** The level of a user by the state of its identity (`userKycLabels`): only what was passed counts. */
export const identityLevelOf = (auth: number): 0 | 1 | 2 => (auth === 3 ? 2 : auth === 2 ? 1 : 0);

export const termNames = [
  'withdrawState',
  'singleMin',
  'singleMax',
  'dayAmount',
  'dayCount',
  'feeFixed',
  'feeRate',
] as const;
export type TermName = (typeof termNames)[number];
export const withdrawStateLabels = { 1: '允许提现', 0: '禁止提现' } as const;

/** What a coin says without limits of levels and groups. A maximum of 0 is none. */
export interface CoinTerms {
  withdrawMin: string;
  withdrawMax: string;
}

/** Terms that inherit everything. */
export const inheritedTerms: LimitTerms = {
  withdrawState: null,
  singleMin: null,
  singleMax: null,
  dayAmount: null,
  dayCount: null,
  feeFixed: null,
  feeRate: null,
};

/** The terms in force: those of the group, then those of the level, then those of the coin, field by field. */
export function effectiveTerms(
  coin: CoinTerms,
  level: LimitTerms | undefined,
  group: LimitTerms | undefined,
): EffectiveTerms {
  const tiers = [group, level];
  const find = <K extends keyof LimitTerms>(name: K): NonNullable<LimitTerms[K]> | null => {
    for (const tier of tiers) {
      const value = tier?.[name];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  };
  return {
    withdrawState: find('withdrawState') ?? 1,
    singleMin: find('singleMin') ?? coin.withdrawMin,
    singleMax: find('singleMax') ?? coin.withdrawMax,
    dayAmount: find('dayAmount') ?? '0',
    dayCount: find('dayCount') ?? 0,
    feeFixed: find('feeFixed'),
    feeRate: find('feeRate'),
  };
}

/** A level of identity or a group of users. */
export interface LimitTier {
  level: number | null;
  groupId: number | null;
}

export const isOfTier = (limit: LimitTier, { level, groupId }: LimitTier): boolean =>
  limit.level === level && limit.groupId === groupId;

/** Limits and fees of withdrawals by identity level and user group, and the groups. */
export const withdrawLimit = {
  list: read<EmptyInput, LimitList>()('withdraw/limit/list', '提现限额与手续费', { ability: ABILITY.platform }),
  versions: read<LimitVersionsInput, LimitVersion[]>()('withdraw/limit/versions', '提现限额的版本', {
    ability: ABILITY.platform,
  }),
  save: action<LimitSave, LimitVersion>()(withdrawLimitActions.save, 'withdraw/limit/save'),
  user: read<IdInput, UserLimits>()('withdraw/limit/user', '用户的提现限额', { target: 'user' }),
  groupList: read<EmptyInput, UserGroup[]>()('user/group/list', '用户组'),
  groupSave: action<GroupSave, UserGroup>()(withdrawLimitActions.groupSave, 'user/group/save', { record: 'groupList' }),
  groupDelete: action<GroupDelete, GroupDeleted>()(withdrawLimitActions.groupDelete, 'user/group/delete'),
  assign: action<GroupAssign, GroupAssigned>()(withdrawLimitActions.assign, 'user/group/assign'),
  assignMany: bulkAction<GroupAssignMany, BulkResult>()(withdrawLimitActions.assign, 'user/group/assign/many'),
};
