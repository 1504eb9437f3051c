import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { type RawBuilder, sql } from 'kysely';
import { inScope } from '../../../database/scope.ts';
import { type Viewer, type Waiting, none } from '../../../realtime/waiting.store.ts';

const inState =
  (state: number) =>
  ({ scope }: Viewer): RawBuilder<unknown> =>
    sql`recharge r where r.state = ${sql.lit(state)} and ${inScope(scope, 'r.agent_id')}`;

export const rechargeWaiting = {
  rechargeWaiting: { from: inState(RECHARGE.waiting) },
  rechargeHeld: {
    from: inState(RECHARGE.held),
    queue: {
      alias: 'r',
      since: sql`r.updated_at`,
      columns: sql`r.id, r.user_id, r.amount, r.market_id, ${none.details} as details`,
      order: sql`r.amount * usdt_price(r.market_id) desc nulls first, r.id`,
    },
  },
} satisfies Record<string, Waiting>;
