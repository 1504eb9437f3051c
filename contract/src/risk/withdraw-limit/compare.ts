import { compareAmounts } from '../../values/money.ts';
import type { EffectiveTerms, LimitTerms, UserGroup } from './schema.ts';
import { type CoinTerms, LEVELS, type LimitTier, type TermName, effectiveTerms, isOfTier, termNames } from './calls.ts';

/** What is in force of a coin: its own terms, and the versions of levels and groups. */
export interface CoinLimits {
  coin: CoinTerms;
  limits: readonly (LimitTier & LimitTerms)[];
}

const isUnlimited = (max: string): boolean => compareAmounts(max, '0') === 0;

/** Whether a limit became looser. 0 is no limit. */
const loosensMax = (before: string, after: string): boolean =>
  compareAmounts(before, after) !== 0 &&
  !isUnlimited(before) &&
  (isUnlimited(after) || compareAmounts(after, before) > 0);

const isOtherFee = (before: string | null, after: string | null): boolean =>
  before === null || after === null ? before !== after : compareAmounts(before, after) !== 0;

/** Each term is compared for itself: what a closed tier says about amounts counts when it is opened, or inherited. */
const isLooser: Readonly<Record<TermName, (before: EffectiveTerms, after: EffectiveTerms) => boolean>> = {
  withdrawState: (before, after) => after.withdrawState > before.withdrawState,
  singleMin: (before, after) => compareAmounts(after.singleMin, before.singleMin) < 0,
  singleMax: (before, after) => loosensMax(before.singleMax, after.singleMax),
  dayAmount: (before, after) => loosensMax(before.dayAmount, after.dayAmount),
  dayCount: (before, after) => loosensMax(String(before.dayCount), String(after.dayCount)),
  feeFixed: (before, after) => isOtherFee(before.feeFixed, after.feeFixed),
  feeRate: (before, after) => isOtherFee(before.feeRate, after.feeRate),
};

/** The terms that allow what those before did not, or change what customers pay. */
export const loosenedTerms = (before: EffectiveTerms, after: EffectiveTerms): TermName[] =>
  termNames.filter((name) => isLooser[name](before, after));

/** The terms of users of a level in a group; null is no group. */
export const termsOfPair = ({ coin, limits }: CoinLimits, level: number, groupId: number | null): EffectiveTerms =>
  effectiveTerms(
    coin,
    limits.find((limit) => limit.level === level),
    groupId === null ? undefined : limits.find((limit) => limit.groupId === groupId),
  );

/** The terms of users of a level in a group before and after a change. */
export interface PairChange {
  level: (typeof LEVELS)[number];
  groupId: number | null;
  before: EffectiveTerms;
  after: EffectiveTerms;
}

/** All pairs of level and group. Groups without terms are as no group. */
function pairsOf(before: CoinLimits, after: CoinLimits): PairChange[] {
  const groupIds = [...before.limits, ...after.limits].map(({ groupId }) => groupId);
  return [...new Set([null, ...groupIds])].flatMap((groupId) =>
    LEVELS.map((level) => ({
      level,
      groupId,
      before: termsOfPair(before, level, groupId),
      after: termsOfPair(after, level, groupId),
    })),
  );
}

/** The pairs of level and group whose terms differ. What became tighter is looser the other way round. */
export const changedPairs = (before: CoinLimits, after: CoinLimits): PairChange[] =>
  pairsOf(before, after).filter(
    (pair) => [...loosenedTerms(pair.before, pair.after), ...loosenedTerms(pair.after, pair.before)].length > 0,
  );

/** The terms that a change loosens for any pair of level and group, whether or not it has users. */
export function loosenedTermsOfCoin(before: CoinLimits, after: CoinLimits): TermName[] {
  const pairs = pairsOf(before, after);
  return termNames.filter((name) => pairs.some((pair) => isLooser[name](pair.before, pair.after)));
}

/** The limits with other terms of one level or group. */
export const withTerms = ({ coin, limits }: CoinLimits, tier: LimitTier, terms: LimitTerms): CoinLimits => ({
  coin,
  limits: [...limits.filter((limit) => !isOfTier(limit, tier)), { ...tier, ...terms }],
});

const withoutGroup = ({ coin, limits }: CoinLimits, id: number): CoinLimits => ({
  coin,
  limits: limits.filter(({ groupId }) => groupId !== id),
});

/**
 * Whether users of any level may do more in the group `to` than in `from`; null is no group. Every level counts, because
 * the level of a user changes without regard to its group.
 */
export const loosensMove = (coins: readonly CoinLimits[], from: number | null, to: number | null): boolean =>
  coins.some((limits) =>
    LEVELS.some((level) => loosenedTerms(termsOfPair(limits, level, from), termsOfPair(limits, level, to)).length > 0),
  );

type GroupState = Pick<UserGroup, 'id' | 'name' | 'forAgents' | 'members'>;

/**
 * Whether saving a group opens it to agents, or gives its name another meaning: people approve by the name, so it stays
 * with the terms and the users that it has.
 *
 * @param before null for a new group
 */
export function loosensGroup(
  before: GroupState | null,
  after: Pick<UserGroup, 'name' | 'forAgents'>,
  coins: readonly CoinLimits[],
): boolean {
  if (!before) return after.forAgents;
  if (after.forAgents && !before.forAgents) return true;
  return after.name !== before.name && (before.members > 0 || before.forAgents || hasTerms(coins, before.id));
}

const hasTerms = (coins: readonly CoinLimits[], id: number): boolean =>
  coins.some(({ limits }) =>
    limits.some((limit) => limit.groupId === id && termNames.some((name) => limit[name] !== null)),
  );

/** Whether a group restrains its users. Once it is deleted, a group of its name can be added that does not. */
export const loosensGroupDelete = (id: number, coins: readonly CoinLimits[]): boolean =>
  coins.some((limits) => loosenedTermsOfCoin(limits, withoutGroup(limits, id)).length > 0);
