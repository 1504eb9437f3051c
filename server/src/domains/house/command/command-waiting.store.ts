import { sql } from 'kysely';
import { unknownCommands } from '../../../gateway/command-owner.store.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const commandWaiting = {
  commandUnknown: {
    from: unknownCommands,
    queue: {
      alias: 'c',
      since: sql`coalesce(c.sent_at, c.created_at)`,
      columns: sql`c.id, o.user_id, ${none.amount} as amount, o.market_id, array[c.type] as details`,
      order: sql`c.id`,
    },
  },
} satisfies Record<string, Waiting>;
