import { autoAmounts, loosenedFields } from '@hengtai/contract/risk/auto-payout/calls';
import { autoBudgetLabels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoBudget, AutoCause, AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { formatGrouped } from '../../../ui/value/decimal.ts';

/** Milliseconds between silent refetches of the states and the sums of the day. */
export const REFETCH_MS = 15_000;

export const coinStates = { off: '关闭', on: '运行中', partial: '部分暂停', stopped: '已暂停' } as const;
export const coinTones: Readonly<Record<keyof typeof coinStates, Tone>> = {
  off: 'idle',
  on: 'run',
  partial: 'warn',
  stopped: 'warn',
};

/** Partial: stopped on some platforms, and on for the others. */
export function coinStateOf({ on, stopped }: Pick<AutoCoin, 'on' | 'stopped'>): keyof typeof coinStates {
  if (stopped) return on && stopped.platforms !== null ? 'partial' : 'stopped';
  return on ? 'on' : 'off';
}

/** Whether it is on for any platform. */
export const isRunning = (coin: Pick<AutoCoin, 'on' | 'stopped'>): boolean =>
  ['on', 'partial'].includes(coinStateOf(coin));

/** Why the causes that were looked at are not enough to start; undefined if they are. A platform starts with all of its causes. */
export function lookProblemOf(causes: readonly AutoCause[], looked: readonly number[]): string | undefined {
  if (causes.length > 0 && looked.length === 0) return '请逐条核对起因并勾选';
  const isLooked = ({ id }: AutoCause): boolean => looked.includes(id);
  const starting = new Set(causes.filter(isLooked).map(({ platform }) => platform.id));
  const left = causes.find((cause) => !isLooked(cause) && starting.has(cause.platform.id));
  return left && `${left.platform.name}还有未核对的起因`;
}

type Field = keyof AutoBudget;
export const budgetFields = Object.keys(autoBudgetLabels) as Field[];
const isAmount = (field: Field): field is (typeof autoAmounts)[number] => autoAmounts.some((one) => one === field);

/** A field of a budget in words. */
export function fieldText(field: Field, budget: AutoBudget, unit: string): string {
  if (isAmount(field)) return `${formatGrouped(budget[field])} ${unit}`;
  if (field === 'on') return budget.on ? '开启' : '关闭';
  if (field === 'firstByHand') return budget.firstByHand ? '人工审核' : '可自动通过';
  return field === 'dayCount' ? `${budget.dayCount} 笔` : `${budget.reviewPercent}%`;
}

export interface BudgetChange {
  field: Field;
  before: string;
  after: string;
  effect: '放宽' | '收紧';
}

/** The fields that differ, in words; all of them for the first budget of a coin. */
export function budgetChanges(before: AutoBudget | null, after: AutoBudget, unit: string): BudgetChange[] {
  const loosened = loosenedFields(before, after);
  return budgetFields
    .filter((field) => before?.[field] !== after[field])
    .map((field) => ({
      field,
      before: before ? fieldText(field, before, unit) : '--',
      after: fieldText(field, after, unit),
      effect: loosened.includes(field) ? '放宽' : '收紧',
    }));
}
