import { autoAmounts, loosenedFields } from '@hengtai/contract/risk/auto-payout/calls';
import { autoBudgetLabels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoBudget, AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { formatGrouped } from '../../../ui/value/decimal.ts';

/** Milliseconds between silent refetches of the states and the sums of the day. */
export const REFETCH_MS = 15_000;

export const coinStates = { off: '关闭', on: '运行中', stopped: '已暂停' } as const;
export const coinTones: Readonly<Record<keyof typeof coinStates, Tone>> = { off: 'idle', on: 'run', stopped: 'warn' };

export const coinStateOf = ({ on, stopped }: Pick<AutoCoin, 'on' | 'stopped'>): keyof typeof coinStates =>
  stopped ? 'stopped' : on ? 'on' : 'off';

export const isRunning = (coin: Pick<AutoCoin, 'on' | 'stopped'>): boolean => coinStateOf(coin) === 'on';

/** Why a stopped coin cannot be started now; undefined if it can. */
export const startProblemOf = ({ openAlarms }: Pick<AutoCoin, 'openAlarms'>): string | undefined =>
  openAlarms ? `该币种有 ${openAlarms} 条未处理的告警，处理后才能恢复` : undefined;

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
