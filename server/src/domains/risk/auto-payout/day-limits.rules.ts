import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import { INT_MAX } from '@hengtai/contract/wire/list';
import type { LeftReason } from './decision.store.ts';
import type { Spending, Spent } from './spent.store.ts';

export type DayLimit = Pick<Spending, 'kind' | 'refId' | 'limit' | 'countLimit'>;

/** What a budget allows on one day. A withdrawal must fit both; that of the user is asked first. */
export const dayLimits = (
  { userDayAmount, dayAmount, dayCount }: AutoBudget,
  userId: number,
): { user: DayLimit; house: DayLimit } => ({
  user: { kind: 'user', refId: userId, limit: userDayAmount, countLimit: INT_MAX },
  house: { kind: 'house', refId: 0, limit: dayAmount, countLimit: dayCount },
});

/** Why a withdrawal has no room on the day of the house. */
export const whyHouseFull = ({ dayCount }: AutoBudget, spent: Pick<Spent, 'count'>): LeftReason =>
  spent.count >= dayCount ? 'dayCount' : 'dayAmount';
