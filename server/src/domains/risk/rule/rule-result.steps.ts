import { refusals } from '@hengtai/contract/wire/refusals';
import type { RuleResult } from '@hengtai/contract/risk/rule/schema';
import type { Ctx } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import type { PayoutStep } from '../../funds/withdraw/payout-step.store.ts';
import { withdrawFacts } from './fact-writer.store.ts';
import {
  fetchHitVersions,
  fetchRulesOfSet,
  findFacts,
  findOutcome,
  findRestriction,
  findUnknownHits,
} from './rule-result.store.ts';

/**
 * What the rules said about a withdrawal that the caller has found in its scope; null if no rule set ran. Conditions and facts
 * tell about other trees, so they need full scope. Others get names, points and actions.
 */
async function readRuleResult(ctx: Pick<Ctx, 'db' | 'scope'>, withdrawId: number): Promise<RuleResult | null> {
  const { db, scope } = ctx;
  const outcome = await findOutcome(db, withdrawId);
  if (!outcome) return null;
  const { hits: _hits, trialHits: _trialHits, ...result } = outcome;
  const hasFullScope = scope.kind === 'all';
  return withFullScope(db, async () => {
    const versions = await fetchHitVersions(db, outcome);
    const unknown = hasFullScope ? await findUnknownHits(db, withdrawId, versions) : [];
    const hits = versions.map(({ id, trial, ...rule }, index) => ({
      id,
      name: rule.name,
      trial,
      points: rule.actions.points,
      rule: hasFullScope ? { ...rule, unknown: unknown[index] ?? false } : null,
    }));
    if (!hasFullScope) return { ...result, hits, ran: null, facts: null };
    return { ...result, hits, ran: await fetchRulesOfSet(db, outcome.set), facts: await findFacts(db, withdrawId) };
  });
}

export const rulePayout = {
  onRequest:
    async ({ batch }) =>
    (id) =>
      batch.insert(withdrawFacts, { id }),
  minimumCheckers: async ({ db, call }, { id }, action) => {
    // A retry repeats a payout that was passed.
    if (action !== 'pass') return 0;
    const { hold = false, people = 0 } = (await findRestriction(db, id)) ?? {};
    if (hold && call === 'withdraw.passMany') throw refuse(refusals.heldByRule);
    return Math.max(people - 1, 0);
  },
  details: { rules: (ctx, { id }) => readRuleResult(ctx, id) },
} satisfies PayoutStep;
