import type { MoneyTimeline } from '@hengtai/contract/funds/withdraw/schema';
import type { Ctx } from '../../../app/context.ts';
import { fetchLastLogins, findCredentials } from '../../people/user/user-detail.store.ts';
import { fetchTimelineNotes } from '../../people/user/user-note.store.ts';
import { findRecharges } from './withdraw-detail.store.ts';
import { lastWithdraws } from './withdraw.store.ts';

const RECENT = 10;

/**
 * What a user of the operator's scope did last, and notes about it.
 *
 * @param underReview the withdrawal that is decided, which is not among the others
 */
export async function fetchMoneyTimeline(ctx: Ctx, userId: number, underReview?: number): Promise<MoneyTimeline> {
  const withdraws = await lastWithdraws(ctx, userId, RECENT + 1);
  return {
    recharges: await findRecharges(ctx, userId),
    withdraws: withdraws.filter(({ id }) => id !== underReview).slice(0, RECENT),
    credentials: await findCredentials(ctx, userId),
    logins: await fetchLastLogins(ctx, userId, RECENT),
    notes: await fetchTimelineNotes(ctx, userId, RECENT),
  };
}
