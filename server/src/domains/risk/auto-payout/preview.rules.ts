import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { autoBudgetLabels as labels, autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoBudget, AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { amountItem, textItem } from '../../../actions/preview.ts';
import { type LookedAt, lookedAt } from './looked-at.rules.ts';

export function budgetItems(budget: AutoBudget, marketName: string): ApprovalItem[] {
  const { on, dayAmount, dayCount, userDayAmount, firstByHand, reviewPercent } = budget;
  return [
    textItem(labels.on, on ? '开启' : '关闭'),
    amountItem(labels.dayAmount, dayAmount, marketName),
    textItem(labels.dayCount, String(dayCount)),
    amountItem(labels.userDayAmount, userDayAmount, marketName),
    amountItem(labels.largestUnverified, budget.largestUnverified, marketName),
    amountItem(labels.largestBasic, budget.largestBasic, marketName),
    amountItem(labels.largestAdvanced, budget.largestAdvanced, marketName),
    textItem(labels.firstByHand, firstByHand ? '人工审核' : '可自动'),
    textItem(labels.reviewPercent, `${reviewPercent}%`),
  ];
}

/** Names and texts of what an approval signs of a coin. */
export const coinWords = (coin: AutoCoin | null) => ({
  names: { budget: '', running: '运行状态' },
  texts: {
    causes: (ids: readonly number[]) => ids.map((id) => causeText(coin, id)).join('、') || '无',
    why: (why: keyof typeof autoStops) => autoStops[why],
    firstByHand: (byHand: boolean) => (byHand ? '人工审核' : '可自动'),
    running: (isRunning: boolean) => (isRunning ? '运行' : '暂停'),
  },
});

/** Causes that were looked at, in the preview of an approval. */
const CAUSES_PREVIEWED = 20;

function causeText(coin: AutoCoin | null, id: number): string {
  const cause = coin?.causes?.find((one) => one.id === id);
  if (!cause) return `#${id}`;
  const about = cause.withdrawId === null ? `告警 #${cause.alarmId}` : `提现 #${cause.withdrawId}`;
  return `#${id} ${autoStops[cause.why]}（${about}）`;
}

/** What was looked at, each with its withdrawal. One that is open no longer shows its number only. */
export function causeItems(coin: AutoCoin | null, input: LookedAt): ApprovalItem[] {
  const named = lookedAt(input);
  if (named.length === 0) return [];
  const texts = named.slice(0, CAUSES_PREVIEWED).map((id) => causeText(coin, id));
  const more = named.length > texts.length ? ` 等 ${named.length} 条` : '';
  return [textItem('已核对的起因', `${texts.join('、')}${more}`)];
}
