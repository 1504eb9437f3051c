import { ABILITY } from '../../authority/ability.ts';
import { autoPayoutActions } from './facts.ts';
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
  AutoWhatIf,
  AutoStartWhatIfInput,
  AutoWhatIfInput,
} from './schema.ts';
import { action, call, read } from '../../wire/endpoint.ts';
import { compareAmounts } from '../../values/money.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** A withdrawal that has waited longer is left to people, because its facts are old. */
export const AUTO_WAIT_MINUTES = 10;

/** The last UTC days, today included, of which a budget is tried on the withdrawals. */
export const WHAT_IF_DAYS = 30;

/** The fields of a budget that are amounts of the coin. */
export const autoAmounts = [
  'dayAmount',
  'userDayAmount',
  'largestUnverified',
  'largestBasic',
  'largestAdvanced',
] as const;

/** A coin without a budget: nothing passes. */
const noBudget: AutoBudget = {
  on: false,
  dayAmount: '0',
  dayCount: 0,
  userDayAmount: '0',
  largestUnverified: '0',
  largestBasic: '0',
  largestAdvanced: '0',
  firstByHand: true,
  reviewPercent: 100,
};

/**
 * The fields in which a budget is looser than the one before. Each counts for itself, also while the budget is off:
 * otherwise who approves to switch it on would not see what was raised before.
 */
export function loosenedFields(before: AutoBudget | null, after: AutoBudget): (keyof AutoBudget)[] {
  const old = before ?? noBudget;
  return [
    ...(after.on && !old.on ? (['on'] as const) : []),
    ...autoAmounts.filter((name) => compareAmounts(after[name], old[name]) > 0),
    ...(after.dayCount > old.dayCount ? (['dayCount'] as const) : []),
    ...(old.firstByHand && !after.firstByHand ? (['firstByHand'] as const) : []),
    ...(after.reviewPercent < old.reviewPercent ? (['reviewPercent'] as const) : []),
  ];
}

/** Whether a budget is looser than the one before in any field. */
export const loosensBudget = (before: AutoBudget | null, after: AutoBudget): boolean =>
  loosenedFields(before, after).length > 0;

/** Automatic payouts: the budget of each coin, and the review of those drawn. */
export const autoPayout = {
  list: read<EmptyInput, AutoCoin[]>()('withdraw/auto/list', '自动打款', { ability: ABILITY.withdraw }),
  detail: read<IdInput, AutoCoinDetail>()('withdraw/auto/detail', '自动打款额度', { ability: ABILITY.platform }),
  /** What a budget would have passed of the recorded withdrawals, compared with the one in force. */
  whatIf: call<AutoWhatIfInput, AutoWhatIf>()({
    method: 'POST',
    path: 'withdraw/auto/whatif',
    summary: '自动打款推算',
    kind: 'read',
    ability: ABILITY.platform,
  }),
  /** What the stops kept from being passed. */
  startWhatIf: read<AutoStartWhatIfInput, AutoWhatIf>()('withdraw/auto/start/whatif', '恢复自动打款推算', {
    ability: ABILITY.platform,
  }),
  save: action<AutoSave, AutoCoin>()(autoPayoutActions.save, 'withdraw/auto/save'),
  start: action<AutoStart, AutoCoin>()(autoPayoutActions.start, 'withdraw/auto/start'),
  stop: action<AutoStop, AutoStopped>()(autoPayoutActions.stop, 'withdraw/auto/stop'),
  review: action<AutoReviewInput, AutoReview>()(autoPayoutActions.review, 'withdraw/auto/review'),
};
