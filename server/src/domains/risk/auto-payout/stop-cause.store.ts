import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { type RawBuilder, sql } from 'kysely';
import type { WithdrawMove } from '../../funds/withdraw/withdraw.rules.ts';

const causes: Readonly<Record<number, 'failed' | 'unknown'>> = {
  [WITHDRAW.failed]: 'failed',
  [WITHDRAW.unknown]: 'unknown',
};

/**
 * A further CTE for the statement whose CTE `moved` moves a withdrawal: a payout that did not end well stops automatic payouts
 * of its coin. Empty for other states, and for what an operator decides about such a payout.
 */
export function stopCauseInsert({ to, by, now }: WithdrawMove): RawBuilder<unknown> {
  const why = by === undefined ? causes[to] : undefined;
  if (!why) return sql``;
  return sql`, caused as (insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
    select market_id, ${why}::text, id, ${now}::bigint from moved)`;
}
