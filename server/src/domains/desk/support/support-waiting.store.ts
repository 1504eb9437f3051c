import { sql } from 'kysely';
import { inScope } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

/** Time of the first unread message of a conversation. */
const unreadSince = sql`(
  select min(x.created_at) from service_message x where x.service_id = s.id and x.received > s.read_count)`;

export const supportWaiting = {
  serviceUnread: {
    from: ({ scope }) => sql`service s where s.received > s.read_count and ${inScope(scope, 's.agent_id')}`,
    queue: {
      alias: 's',
      since: unreadSince,
      columns: sql`s.id, s.user_id, ${none.amount} as amount, ${none.market} as market_id, ${none.details} as details`,
      order: sql`${unreadSince}, s.id`,
    },
  },
} satisfies Record<string, Waiting>;
