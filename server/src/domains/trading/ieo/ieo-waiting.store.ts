import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { sql } from 'kysely';
import { inScope } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const ieoWaiting = {
  ieoReview: {
    from: ({ scope }) => sql`ieo o where o.state = ${sql.lit(IEO.waiting)} and ${inScope(scope, 'o.agent_id')}`,
    queue: {
      alias: 'o',
      columns: sql`o.id, o.user_id, o.pay as amount, ${none.market} as market_id, ${none.details} as details`,
      order: sql`o.pay desc, o.id`,
    },
  },
} satisfies Record<string, Waiting>;
