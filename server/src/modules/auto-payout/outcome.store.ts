import type { autoOutcomes } from '@hengtai/contract/auto-payout.facts';
import { WITHDRAW } from '@hengtai/contract/withdraw';
import { type RawBuilder, sql } from 'kysely';
import type { Within } from '../../lists/source.ts';

const isReviewed = sql`exists (select from auto_review v where v.withdraw_id = d.withdraw_id)`;
const conditions: Readonly<Record<keyof typeof autoOutcomes, RawBuilder<unknown>>> = {
  1: sql`d.passed`,
  2: sql`d.drawn and not ${isReviewed}`,
  3: sql`d.drawn and ${isReviewed}`,
  4: sql`not d.passed`,
};

/** The filter of withdrawals by what the system decided. */
export const hasAutoOutcome = (id: string, outcome: string | number, within: Within): RawBuilder<boolean> =>
  sql`${sql.ref(id)} in (select d.withdraw_id from auto_decision d
    where ${conditions[outcome as keyof typeof autoOutcomes]} and ${within(sql`d.withdraw_id`)})`;

const causes: Readonly<Record<number, 'failed' | 'unknown'>> = {
  [WITHDRAW.failed]: 'failed',
  [WITHDRAW.unknown]: 'unknown',
};

/**
 * A further CTE for the statement whose CTE `moved` moves a withdrawal: a payout that did not end well stops automatic payouts
 * of its coin. Empty for other states, and for what an operator decides about such a payout.
 */
export function stopCauseInsert({
  to,
  by,
  now,
}: {
  to: number;
  by?: string | undefined;
  now: number;
}): RawBuilder<unknown> {
  const why = by === undefined ? causes[to] : undefined;
  if (!why) return sql``;
  return sql`, caused as (insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
    select market_id, ${why}::text, id, ${now}::bigint from moved)`;
}
