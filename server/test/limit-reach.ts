import type { CoinLimits } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';

// The rules of limits once more, so that those of the product are compared with others.

/** What users of a level may do in a group, as numbers of which a higher one is looser; a fee must not change at all. */
export function reachOf({ coin, limits }: CoinLimits, level: number, groupId: number | undefined) {
  const tiersOf = [
    ...limits.filter((one) => one.groupId !== null && one.groupId === groupId),
    ...limits.filter((one) => one.level === level),
  ];
  const read = (name: keyof LimitTerms) => tiersOf.map((tier) => tier[name]).find((value) => value !== null) ?? null;
  const most = (value: string | number | null) => (Number(value ?? 0) === 0 ? Infinity : Number(value));
  return {
    open: Number(read('withdrawState') ?? 1),
    least: -Number(read('singleMin') ?? coin.withdrawMin),
    most: most(read('singleMax') ?? coin.withdrawMax),
    day: most(read('dayAmount')),
    count: most(read('dayCount')),
    fee: `${read('feeFixed')} ${read('feeRate')}`,
  };
}

/** Names what is looser in `after`. */
export function compareReach(what: string, before: ReturnType<typeof reachOf>, after: typeof before): string[] {
  const gained = (['open', 'least', 'most', 'day', 'count'] as const).filter((field) => after[field] > before[field]);
  return [...gained, ...(after.fee === before.fee ? [] : ['fee'])].map((field) => `${field} of ${what}`);
}
