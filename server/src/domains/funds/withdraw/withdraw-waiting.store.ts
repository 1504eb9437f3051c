import { withdrawRisks } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { type RawBuilder, sql } from 'kysely';
import { inScope } from '../../../database/scope.ts';
import type { Viewer, Waiting, WaitingQueue } from '../../../realtime/waiting.store.ts';

const inState =
  (state: number) =>
  ({ scope }: Viewer): RawBuilder<unknown> =>
    sql`withdraw w where w.state = ${sql.lit(state)} and ${inScope(scope, 'w.agent_id')}`;

const gravity = sql`array[${sql.join(Object.keys(withdrawRisks).map((risk) => sql.lit(risk)))}]::text[]`;
const gravest = sql`(select min(array_position(${gravity}, r)) from unnest(w.risk) r)`;

const queue: WaitingQueue = {
  alias: 'w',
  risk: gravest,
  columns: sql`w.id, w.user_id, w.amount, w.market_id,
    array(select r from unnest(w.risk) r order by array_position(${gravity}, r)) as details`,
  order: sql`${gravest} nulls last, w.valuation desc nulls first, w.id`,
};
/** An update moves a withdrawal to its current state; nothing else changes an open one. */
const queueAfterUpdate: WaitingQueue = { ...queue, since: sql`w.updated_at` };

export const withdrawWaiting = {
  withdrawReview: { from: inState(WITHDRAW.review), queue },
  withdrawSecond: { from: inState(WITHDRAW.second) },
  withdrawFailed: { from: inState(WITHDRAW.failed), queue: queueAfterUpdate },
  withdrawUnknown: { from: inState(WITHDRAW.unknown), queue: queueAfterUpdate },
} satisfies Record<string, Waiting>;
