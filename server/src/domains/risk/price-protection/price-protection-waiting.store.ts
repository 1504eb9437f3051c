import { MARKET_TYPE } from '@hengtai/contract/trading/market/type';
import { sql } from 'kysely';
import { isMarketGranted } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const priceProtectionWaiting = {
  marketHalted: {
    from: ({ scope, operator }) => sql`
      market m cross join lateral (values (${sql.lit(MARKET_TYPE.spot)}, m.halted_at),
        (${sql.lit(MARKET_TYPE.future)}, m.future_halted_at), (${sql.lit(MARKET_TYPE.second)}, m.second_halted_at)) h(type, at)
      where h.at is not null and ${isMarketGranted(scope, operator.id, 'm.id')}`,
    queue: {
      alias: 'm',
      since: sql`h.at`,
      columns: sql`m.id, null::bigint as user_id, ${none.amount} as amount, m.id as market_id, array[h.type::text] as details`,
      order: sql`h.at, m.id`,
    },
  },
} satisfies Record<string, Waiting>;
