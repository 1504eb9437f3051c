import { type CoinLimits, type PairChange, loosenedTerms } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { EffectiveTerms, LimitCoin, UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { LEVELS, identityLevels, termNames } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { textItem } from '../../../actions/preview.ts';
import type { Change, Lines, Words } from '../../../actions/save.ts';

/** The line of what users of a level in a group may withdraw of a coin. */
export const pairLine = (
  { marketId }: Pick<LimitCoin, 'marketId'>,
  { level, groupId }: { level: number; groupId: number | null },
): string => `limit:${marketId}:${level}:${groupId ?? '-'}`;

/** The lines of pairs of level and group before and after a change. */
export function pairLines(coin: Pick<LimitCoin, 'marketId'>, pairs: readonly PairChange[]): Change<EffectiveTerms> {
  const linesOf = (when: 'before' | 'after') =>
    Object.fromEntries(pairs.map((pair) => [pairLine(coin, pair), pair[when]] as const));
  return { before: linesOf('before'), after: linesOf('after') };
}

/** Names of the lines of all levels in some groups, for the checker. */
export function pairNames(
  coins: readonly { coin: Pick<LimitCoin, 'marketId' | 'marketName'> }[],
  groups: readonly (Pick<UserGroup, 'id' | 'name'> | undefined)[],
): Record<string, string> {
  const names = coins.flatMap(({ coin }) =>
    groups.flatMap((group) =>
      LEVELS.map((level): [string, string] => [
        pairLine(coin, { level, groupId: group?.id ?? null }),
        `${coin.marketName} ${identityLevels[level]} ${group?.name ?? '无用户组'}`,
      ]),
    ),
  );
  return Object.fromEntries(names);
}

/** A pair line without its group. */
export const levelKey = (key: string): string => key.replace(/^(limit:\d+:\d+):.*$/, '$1');

/** Names of the pairs of all levels by `levelKey`. */
export const levelNames = (coins: readonly { coin: Pick<LimitCoin, 'marketId' | 'marketName'> }[]) =>
  Object.fromEntries(
    coins.flatMap(({ coin }) =>
      LEVELS.map((level) => [
        levelKey(pairLine(coin, { level, groupId: null })),
        `${coin.marketName} ${identityLevels[level]}`,
      ]),
    ),
  );

type CoinLimitsOf = CoinLimits & { coin: Pick<LimitCoin, 'marketName'> };

const unlimited = (value: string | number): string => (Number(value) === 0 ? '不限' : String(value));

/** Texts of the terms in force. */
export const termTexts: NonNullable<Words['texts']> = {
  singleMax: unlimited,
  dayAmount: unlimited,
  dayCount: unlimited,
  feeFixed: (fee: string | null) => fee ?? '按网络',
  feeRate: (rate: string | null) => rate ?? '无',
};

/** The terms that a group has of its own, for each coin. */
export const groupTermItems = (groupId: number, coins: readonly CoinLimitsOf[]): ApprovalItem[] =>
  coins.flatMap(({ coin, limits }) => {
    const own = limits.find((limit) => limit.groupId === groupId);
    if (!own) return [];
    const texts = termNames.filter((name) => own[name] !== null).map((name) => `${labelOf(name)} ${own[name]}`);
    return [textItem(`${coin.marketName} 的条款`, texts.join('，') || '全部继承')];
  });

/** Whether any pair of level and group may do more afterwards. */
export const loosensPairs = (before: Lines<EffectiveTerms>, after: Lines<EffectiveTerms>): boolean =>
  Object.entries(after).some(([line, terms]) => {
    const old = before[line];
    return old && terms && loosenedTerms(old, terms).length > 0;
  });
