import { sql } from 'kysely';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

/** Open causes of stops, for operators with full scope: others see no budget and start no coin. */
export const autoPayoutWaiting = {
  autoStopped: {
    from: ({ scope }) => sql`
      auto_stop_cause s left join withdraw w on w.id = s.withdraw_id
      where s.handled_at is null and ${sql.lit(scope.kind === 'all')}`,
    queue: {
      alias: 's',
      since: sql`s.created_at`,
      // The page opens the coin, which is started.
      columns: sql`s.market_id as id, w.user_id, w.amount, s.market_id, ${none.details} as details`,
      order: sql`s.id`,
    },
  },
} satisfies Record<string, Waiting>;
