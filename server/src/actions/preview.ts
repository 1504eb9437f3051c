import type { ApprovalChange, ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import type { AutoWhatIf } from '@hengtai/contract/risk/auto-payout/schema';
import type { BacktestResult, RuleBacktest } from '@hengtai/contract/risk/rule/schema';
import { SETTLEMENT, type SystemAccount } from '@hengtai/contract/values/money';
import type { PriceAge } from './policy.store.ts';
import type { Leg } from '../books/ledger/post.ts';
import { Refused } from '../app/refuse.ts';

/** What a checker sees of an action before deciding. Texts use names, never ids. */
export interface Preview {
  /** The stored input, field by field, without the maker's reason, which is shown separately. */
  input: ApprovalItem[];
  /** The current state of the target. */
  now: ApprovalItem[];
  /** The legs it would post, built by the rules that post them; empty when no money moves. */
  legs: readonly Leg[];
  /** Balances of the house before the legs, where the checker may see them. */
  houseBalances?: Readonly<Partial<Record<SystemAccount, string>>>;
  /** When the legs are posted; absent means at execution. */
  legsWhen?: string;
  /** Why the action would be refused now; null when it would succeed. */
  problem: string | null;
  /** What stands behind names, such as the terms of a group. */
  terms?: ApprovalItem[];
  /** What follows, where the fields do not say it. */
  consequence?: string;
  /** Finds what a budget of automatic payouts would have passed; not called once the approval is decided. */
  whatIf?: () => Promise<AutoWhatIf>;
  /** Runs the backtest of a rule. */
  backtest?: (period: Pick<RuleBacktest, 'from' | 'to'>) => Promise<BacktestResult>;
  /** Records before and after that are not signed: of actions that are no save, and what the maker entered. */
  changes?: ApprovalChange[];
}

/** Why a check refuses now, as a Chinese text; null if it does not. */
export async function problemOf(check: () => unknown): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

export const textItem = (label: string, text: string): ApprovalItem => ({ label, text, kind: 'text' });
/** A moment in Unix milliseconds. */
export const timeItem = (label: string, at: number): ApprovalItem => ({ label, text: String(at), kind: 'time' });
/** An address, hash or record number of the platform. */
export const codeItem = (label: string, text: string): ApprovalItem => ({ label, text, kind: 'code' });
/** A decimal string with its coin; null is shown as '--'. */
export const amountItem = (label: string, amount: string | null, unit: string): ApprovalItem =>
  amount === null ? textItem(label, '--') : { label, text: amount, kind: 'amount', unit };

/** A value in USDT at the last price, and the age of that price. USDT has none. */
export const valueItems = (amount: string | null, { pricedAt, priceOld }: PriceAge): ApprovalItem[] => [
  // The value of USDT is its amount.
  ...(amount !== null && pricedAt === null ? [] : [amountItem('当前估值', amount, SETTLEMENT)]),
  ...(pricedAt === null ? [] : [timeItem('价格时间', pricedAt)]),
  ...(priceOld ? [textItem('价格时限', '已超过，按最高金额复核')] : []),
];
