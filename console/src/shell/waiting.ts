import { type CountKey, type CountSpec, countKeys, countSpecs, factDetail } from '@hengtai/contract/notify';
import type { Counts, Fact } from '@hengtai/contract/notify.schema';
import { shorten } from '../ui/decimal.ts';
import { FOUR_EYES_PATH } from './four-eyes-path.ts';

export interface Waiting extends CountSpec {
  key: CountKey;
  count: number;
}

/** What waits, by kind, in the order of the table; kinds of which nothing waits are left out. */
export const waitingOf = (counts: Counts): Waiting[] =>
  countKeys.flatMap((key) => {
    const count = counts[key] ?? 0;
    return count > 0 ? [{ ...countSpecs[key], key, count }] : [];
  });

/** The numbers of the menu, by path. */
export function badgesOf(counts: Counts): Readonly<Record<string, number>> {
  const badges: Record<string, number> = {};
  for (const { path, badge, count } of waitingOf(counts)) if (badge) badges[path] = (badges[path] ?? 0) + count;
  return badges;
}

/** What the title of the window says. */
export const totalOf = (counts: Counts): number =>
  waitingOf(counts).reduce((sum, { badge, count }) => (badge ? sum + count : sum), 0);

/** `99+` from a hundred on: past that only the fact counts that there are many. */
export const shortCount = (count: number): string => (count > 99 ? '99+' : String(count));

/** The record that a fact is about: in its drawer where its page has one, else alone in its list. */
export function pathOfFact({ refType, refId }: Pick<Fact, 'refType' | 'refId'>): string | undefined {
  // About four-eyes themselves and not about one request.
  if (refType === 'approval' && refId === 0) return FOUR_EYES_PATH;
  if (refType === 'withdraw' || refType === 'user' || refType === 'approval' || refType === 'auth')
    return `/${refType}?open=${refId}`;
  if (refType === 'plan') return '/plan?planState=2';
  if (refType === 'second') return '/second/open';
  if (refType === 'service') return `/service?open=${refId}`;
  if (refType === 'ieo') return `/ieo/review?open=${refId}`;
  if (refType === 'session') return `/session?id=${refId}`;
  return refType === 'recharge' ? `/recharge?id=${refId}` : undefined;
}

/** `通过提现 · bob · 100 USDT`: what a fact says beyond its type. An approval's amount is its value. */
export function factWords(fact: Fact): string {
  const coin = fact.marketName ?? (fact.noun === 'approval' ? 'USDT' : '');
  const amount = fact.amount === null ? '' : `${shorten(fact.amount, 8).text} ${coin}`.trim();
  const market = fact.noun === 'plan' || fact.noun === 'second' ? fact.marketName : null;
  return [market, factDetail(fact), fact.account, amount].filter(Boolean).join(' · ');
}
