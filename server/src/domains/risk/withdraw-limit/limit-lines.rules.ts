import { type PairChange, loosenedTerms } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { EffectiveTerms, LimitCoin } from '@hengtai/contract/risk/withdraw-limit/schema';
import type { Change, Lines } from '../../../actions/save.ts';

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

/** Whether any pair of level and group may do more afterwards. */
export const loosensPairs = (before: Lines<EffectiveTerms>, after: Lines<EffectiveTerms>): boolean =>
  Object.entries(after).some(([line, terms]) => {
    const old = before[line];
    return old && terms && loosenedTerms(old, terms).length > 0;
  });
