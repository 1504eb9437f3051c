import { autoAmounts } from '@hengtai/contract/risk/auto-payout/calls';
import { autoBudgetLabels as labels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import { INT_MAX } from '@hengtai/contract/wire/list';
import { decimalOf } from '../../../ui/value/amount.ts';
import { compare } from '../../../ui/value/decimal.ts';

/** A budget in the form, with amounts and numbers as typed. */
export type BudgetDraft = Omit<AutoBudget, 'dayCount' | 'reviewPercent'> & { dayCount: string; reviewPercent: string };

/** Limits have no default: each house must say what it dares. */
export const newDraft = (): BudgetDraft => ({
  on: true,
  dayAmount: '',
  dayCount: '',
  userDayAmount: '',
  largestUnverified: '0',
  largestBasic: '',
  largestAdvanced: '',
  firstByHand: true,
  reviewPercent: '5',
});

export const draftOf = (budget: AutoBudget): BudgetDraft => ({
  on: budget.on,
  dayAmount: budget.dayAmount,
  dayCount: String(budget.dayCount),
  userDayAmount: budget.userDayAmount,
  largestUnverified: budget.largestUnverified,
  largestBasic: budget.largestBasic,
  largestAdvanced: budget.largestAdvanced,
  firstByHand: budget.firstByHand,
  reviewPercent: String(budget.reviewPercent),
});

/** The typed whole number within its bounds; undefined if it is none. */
const wholeOf = (typed: string, max: number): number | undefined => {
  const text = typed.trim();
  return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
};

export const PERCENT_MAX = 100;

/** The budget as it is sent, or what is missing. */
export function budgetOf(draft: BudgetDraft): { value: AutoBudget } | { problem: string } {
  const amounts: Partial<Record<(typeof autoAmounts)[number], string>> = {};
  for (const name of autoAmounts) {
    const amount = decimalOf(draft[name]);
    if (amount === undefined) return { problem: `请输入${labels[name]}` };
    amounts[name] = amount;
  }
  const dayCount = wholeOf(draft.dayCount, INT_MAX);
  if (dayCount === undefined) return { problem: `请输入${labels.dayCount}，为整数` };
  const reviewPercent = wholeOf(draft.reviewPercent, PERCENT_MAX);
  if (reviewPercent === undefined) return { problem: `请输入${labels.reviewPercent}，为 0 至 ${PERCENT_MAX} 的整数` };
  const { on, firstByHand } = draft;
  return { value: { on, firstByHand, dayCount, reviewPercent, ...(amounts as Required<typeof amounts>) } };
}

/** Limits that another one makes void: they are allowed, and probably a mistake. */
export function budgetWarnings(budget: AutoBudget): string[] {
  const { dayAmount, dayCount, userDayAmount, on } = budget;
  const levels = ['largestUnverified', 'largestBasic', 'largestAdvanced'] as const;
  return [
    ...(compare(userDayAmount, dayAmount) > 0 ? [`${labels.userDayAmount}大于${labels.dayAmount}`] : []),
    ...levels
      .filter((name) => compare(budget[name], userDayAmount) > 0)
      .map((name) => `${labels[name]}大于${labels.userDayAmount}`),
    ...(on &&
    (dayCount === 0 || compare(dayAmount, '0') === 0 || levels.every((name) => compare(budget[name], '0') === 0))
      ? ['有额度为 0，不会自动通过任何提现']
      : []),
  ];
}
