import { ABILITY } from './ability.ts';
import { autoPayoutActions } from './auto-payout.facts.ts';
import type {
  AutoBudget,
  AutoCoin,
  AutoCoinDetail,
  AutoReview,
  AutoReviewInput,
  AutoSave,
  AutoStart,
  AutoStop,
  AutoStopped,
} from './auto-payout.schema.ts';
import { action, read } from './endpoint.ts';
import { compareAmounts } from './money.ts';
import type { IdInput } from './schema.ts';
import type { EmptyInput } from './session.schema.ts';

/** The system as the reviewer of a withdrawal. No account of an operator can have this name. */
export const AUTO_REVIEWER = '系统';
/** A withdrawal that has waited longer is left to people, because its facts are old. */
export const AUTO_WAIT_MINUTES = 10;

const amounts = ['dayAmount', 'userDayAmount', 'largestUnverified', 'largestBasic', 'largestAdvanced'] as const;

/** Whether a budget lets the system pass what the one before did not. One that is off lets nothing pass. */
export function loosensBudget(before: AutoBudget | null, after: AutoBudget): boolean {
  if (!after.on) return false;
  if (!before?.on) return true;
  return (
    amounts.some((name) => compareAmounts(after[name], before[name]) > 0) ||
    after.dayCount > before.dayCount ||
    (before.firstByHand && !after.firstByHand) ||
    after.reviewPercent < before.reviewPercent
  );
}

/** Automatic payouts: the budget of each coin, and the review of those drawn. */
export const autoPayout = {
  list: read<EmptyInput, AutoCoin[]>()('withdraw/auto/list', '自动打款', { ability: ABILITY.withdraw }),
  detail: read<IdInput, AutoCoinDetail>()('withdraw/auto/detail', '自动打款额度', { ability: ABILITY.platform }),
  save: action<AutoSave, AutoCoin>()(autoPayoutActions.save, 'withdraw/auto/save'),
  start: action<AutoStart, AutoCoin>()(autoPayoutActions.start, 'withdraw/auto/start'),
  stop: action<AutoStop, AutoStopped>()(autoPayoutActions.stop, 'withdraw/auto/stop'),
  review: action<AutoReviewInput, AutoReview>()(autoPayoutActions.review, 'withdraw/auto/review'),
};
