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

/** A withdrawal that has waited longer is left to people, because its facts are old. */
export const AUTO_WAIT_MINUTES = 10;

/** The fields of a budget that are amounts of the coin. */
export const autoAmounts = [
  'dayAmount',
  'userDayAmount',
  'largestUnverified',
  'largestBasic',
  'largestAdvanced',
] as const;

/** The fields by which a budget lets the system pass what the one before did not. One that is off lets nothing pass. */
export function loosenedFields(before: AutoBudget | null, after: AutoBudget): (keyof AutoBudget)[] {
  if (!after.on) return [];
  if (!before?.on) return ['on'];
  return [
    ...autoAmounts.filter((name) => compareAmounts(after[name], before[name]) > 0),
    ...(after.dayCount > before.dayCount ? (['dayCount'] as const) : []),
    ...(before.firstByHand && !after.firstByHand ? (['firstByHand'] as const) : []),
    ...(after.reviewPercent < before.reviewPercent ? (['reviewPercent'] as const) : []),
  ];
}

/** Whether a budget lets the system pass what the one before did not. */
export const loosensBudget = (before: AutoBudget | null, after: AutoBudget): boolean =>
  loosenedFields(before, after).length > 0;

/** Automatic payouts: the budget of each coin, and the review of those drawn. */
export const autoPayout = {
  list: read<EmptyInput, AutoCoin[]>()('withdraw/auto/list', '自动打款', { ability: ABILITY.withdraw }),
  detail: read<IdInput, AutoCoinDetail>()('withdraw/auto/detail', '自动打款额度', { ability: ABILITY.platform }),
  save: action<AutoSave, AutoCoin>()(autoPayoutActions.save, 'withdraw/auto/save'),
  start: action<AutoStart, AutoCoin>()(autoPayoutActions.start, 'withdraw/auto/start'),
  stop: action<AutoStop, AutoStopped>()(autoPayoutActions.stop, 'withdraw/auto/stop'),
  review: action<AutoReviewInput, AutoReview>()(autoPayoutActions.review, 'withdraw/auto/review'),
};
