import type { autoOutcomes } from '@hengtai/contract/risk/auto-payout/facts';
import type { ruleOutcomes } from '@hengtai/contract/funds/withdraw/calls';
import { type RawBuilder, sql } from 'kysely';
import type { ListSource, Within } from '../../../books/lists/source.ts';

/** The predicate of the index of results. */
const HAS_HITS = sql`(y.hits <> '{}' or y.trial_hits <> '{}')`;
const ofResult = (condition: RawBuilder<unknown>, within: Within): RawBuilder<boolean> =>
  sql`w.id in (select y.withdraw_id from rule_result y where ${HAS_HITS} and ${condition} and ${within(sql`y.withdraw_id`)})`;
const results: Readonly<Record<keyof typeof ruleOutcomes, RawBuilder<unknown>>> = {
  1: sql`y.hits <> '{}'`,
  2: sql`y.hold`,
  3: sql`y.people > 0`,
  4: sql`y.trial_hits <> '{}'`,
};

const isReviewed = sql`exists (select from auto_review v where v.withdraw_id = d.withdraw_id)`;
const decisions: Readonly<Record<keyof typeof autoOutcomes, RawBuilder<unknown>>> = {
  1: sql`d.passed`,
  2: sql`d.drawn and not ${isReviewed}`,
  3: sql`d.drawn and ${isReviewed}`,
  4: sql`not d.passed`,
};

const ofDecision = (outcome: string | number, within: Within): RawBuilder<boolean> =>
  sql`w.id in (select d.withdraw_id from auto_decision d
    where ${decisions[outcome as keyof typeof autoOutcomes]} and ${within(sql`d.withdraw_id`)})`;

/** The filters of withdrawals by what rules said and the system decided. */
export const outcomeFilters: ListSource['filters'] = {
  rule: (outcome, within) => ofResult(results[outcome as keyof typeof ruleOutcomes], within),
  ruleId: (id, within) => ofResult(sql`${id}::bigint = any(y.hits || y.trial_hits)`, within),
  auto: ofDecision,
};
