import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { sql } from 'kysely';
import { isHouseTarget } from '../../../actions/approval.store.ts';
import { inScope } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const approvalWaiting = {
  approvalOpen: {
    from: ({ scope, operator, now }) => sql`
      approval a where a.state = ${sql.lit(APPROVAL.open)} and a.expires_at > ${now}
        and (${inScope(scope, 'a.agent_id')} or ${isHouseTarget}) and a.maker_id <> ${operator.id}
        and not (a.target_type = 'agent' and a.target_id = ${operator.id})
        and not exists (select from approval_vote v where v.approval_id = a.id and v.checker_id = ${operator.id})`,
    queue: {
      alias: 'a',
      columns: sql`a.id, a.user_id, a.amount, ${none.market} as market_id, array[a.action] as details`,
      // An action without a value counts as above every limit.
      order: sql`a.amount desc nulls first, a.id`,
    },
  },
} satisfies Record<string, Waiting>;
