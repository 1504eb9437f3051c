import { ABILITY } from './ability.ts';
import { action, bulkAction, read } from './endpoint.ts';
import { compareAmounts } from './money.ts';
import type { BulkResult, IdInput } from './schema.ts';
import type { EmptyInput } from './session.schema.ts';
import { withdrawLimitActions } from './withdraw-limit.facts.ts';
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
} from './withdraw-limit.schema.ts';

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
interface CoinTerms {
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

/** Whether a limit became looser. 0 is no limit. */
function loosensMax(before: string, after: string): boolean {
  if (compareAmounts(before, '0') === 0) return false;
  return compareAmounts(after, '0') === 0 || compareAmounts(after, before) > 0;
}

const sameFee = (before: string | null, after: string | null): boolean =>
  before === null || after === null ? before === after : compareAmounts(before, after) === 0;

/** The terms that allow what those before did not, or change what customers pay. */
export function loosenedTerms(before: EffectiveTerms, after: EffectiveTerms): TermName[] {
  const fees = (['feeFixed', 'feeRate'] as const).filter((name) => !sameFee(before[name], after[name]));
  if (after.withdrawState === 0) return fees;
  const isLooser: Readonly<Record<Exclude<TermName, 'feeFixed' | 'feeRate'>, boolean>> = {
    withdrawState: before.withdrawState === 0,
    singleMin: compareAmounts(after.singleMin, before.singleMin) < 0,
    singleMax: loosensMax(before.singleMax, after.singleMax),
    dayAmount: loosensMax(before.dayAmount, after.dayAmount),
    dayCount: loosensMax(String(before.dayCount), String(after.dayCount)),
  };
  return termNames.filter((name) => (name === 'feeFixed' || name === 'feeRate' ? fees.includes(name) : isLooser[name]));
}

/** A level of identity or a group of users. */
export interface LimitTier {
  level: number | null;
  groupId: number | null;
}

export const isOfTier = (limit: LimitTier, { level, groupId }: LimitTier): boolean =>
  limit.level === level && limit.groupId === groupId;

/**
 * The terms that a level or a group loosens for any of its users. A group inherits from each level.
 *
 * @param limits the versions in force of the coin
 */
export function loosenedByTier(
  coin: CoinTerms,
  limits: readonly (LimitTier & LimitTerms)[],
  tier: LimitTier,
  terms: LimitTerms,
): TermName[] {
  const current = limits.find((limit) => isOfTier(limit, tier));
  if (tier.groupId === null)
    return loosenedTerms(effectiveTerms(coin, current, undefined), effectiveTerms(coin, terms, undefined));
  const loosened = LEVELS.flatMap((level) => {
    const base = limits.find((limit) => limit.level === level);
    return loosenedTerms(effectiveTerms(coin, base, current), effectiveTerms(coin, base, terms));
  });
  return termNames.filter((name) => loosened.includes(name));
}

/** Limits and fees of withdrawals by identity level and user group, and the groups. */
export const withdrawLimit = {
  list: read<EmptyInput, LimitList>()('withdraw/limit/list', '提现限额与手续费', { ability: ABILITY.platform }),
  versions: read<LimitVersionsInput, LimitVersion[]>()('withdraw/limit/versions', '提现限额的版本', {
    ability: ABILITY.platform,
  }),
  save: action<LimitSave, LimitVersion>()(withdrawLimitActions.save, 'withdraw/limit/save'),
  user: read<IdInput, UserLimits>()('withdraw/limit/user', '用户的提现限额', { target: 'user' }),
  groupList: read<EmptyInput, UserGroup[]>()('user/group/list', '用户组'),
  groupSave: action<GroupSave, UserGroup>()(withdrawLimitActions.groupSave, 'user/group/save'),
  groupDelete: action<GroupDelete, GroupDeleted>()(withdrawLimitActions.groupDelete, 'user/group/delete'),
  assign: action<GroupAssign, GroupAssigned>()(withdrawLimitActions.assign, 'user/group/assign'),
  assignMany: bulkAction<GroupAssignMany, BulkResult>()(withdrawLimitActions.assign, 'user/group/assign/many'),
};
