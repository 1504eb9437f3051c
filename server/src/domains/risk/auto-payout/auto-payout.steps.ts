import { AUTO_WAIT_MINUTES } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoBudget, AutoDecision } from '@hengtai/contract/risk/auto-payout/schema';
import { compareAmounts } from '@hengtai/contract/values/money';
import type { Ctx } from '../../../app/context.ts';
import { isHeld } from '../../funds/withdraw/withdraw.rules.ts';
import { type Circumstances, type LeftReason, findBudgetOf, findDecision } from './decision.store.ts';

/** The largest withdrawal that the system passes of a user of this level; '0' if it is not known. */
export const largestOf = (budget: AutoBudget, level: number | null): string =>
  [budget.largestUnverified, budget.largestBasic, budget.largestAdvanced][level ?? -1] ?? '0';

interface Case extends Circumstances {
  amount: string;
  /** As they were when the withdrawal was requested. */
  risk: readonly string[];
  payoutHeldUntil?: number | null;
}

/** Why a withdrawal is left to people, besides the sums of the day; null if nothing forbids to pass it. Unknown facts forbid it. */
export function findObstacle(budget: AutoBudget, found: Case, now: number): LeftReason | null {
  if (!budget.on) return 'off';
  if (found.set === null) return 'noRules';
  if (found.set !== found.currentSet) return 'rulesChanged';
  if (found.forbidden) return 'rule';
  if (found.people > 1) return 'people';
  if (now - found.createdAt > AUTO_WAIT_MINUTES * 60_000) return 'late';
  if (!found.isUserActive) return 'frozen';
  if (isHeld(found.payoutHeldUntil, now)) return 'held';
  if (found.hasAlarm) return 'alarm';
  if (found.risk.includes('address_format')) return 'addressFormat';
  if (found.risk.includes('memo_missing')) return 'memoMissing';
  if (found.isRelatedListed) return 'relatedListed';
  if (found.isKeying) return 'keying';
  if (budget.firstByHand && found.firstAddress !== false) return 'firstAddress';
  return compareAmounts(found.amount, largestOf(budget, found.level)) > 0 ? 'level' : null;
}

/** What the system decided about a withdrawal that the caller has found in its scope; null if it decided nothing. */
export async function readAutoDecision(
  ctx: Pick<Ctx, 'db' | 'scope'>,
  withdrawId: number,
): Promise<AutoDecision | null> {
  const decision = await findDecision(ctx, withdrawId);
  if (!decision) return null;
  const isHouse = ctx.scope.kind === 'all';
  return { ...decision, ...(isHouse ? await findBudgetOf(ctx.db, withdrawId) : { budget: null, spent: null }) };
}
