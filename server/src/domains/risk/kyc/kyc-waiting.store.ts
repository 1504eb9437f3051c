import { KYC } from '@hengtai/contract/risk/kyc/calls';
import { sql } from 'kysely';
import { inScope } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const kycWaiting = {
  authReview: {
    from: ({ scope }) => sql`auth a where a.state = ${sql.lit(KYC.waiting)} and ${inScope(scope, 'a.agent_id')}`,
    queue: {
      alias: 'a',
      // A higher level opens more to the customer.
      risk: sql`-a.level`,
      columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.level::text] as details`,
      order: sql`a.level desc, a.id`,
    },
  },
} satisfies Record<string, Waiting>;
