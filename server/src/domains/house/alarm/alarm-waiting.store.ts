import { alarmAbility } from '@hengtai/contract/house/alarm/calls';
import { alarmKinds } from '@hengtai/contract/house/alarm/facts';
import { sql } from 'kysely';
import { can } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { type Waiting, none } from '../../../realtime/waiting.store.ts';

export const alarmWaiting = {
  alarmOpen: {
    from: ({ scope, operator }) => {
      const closable = Object.keys(alarmKinds).filter((kind) => can(operator, alarmAbility(kind)));
      return sql`alarm a
        where a.closed_at is null and a.kind = any(${closable}::text[]) and ${inScope(scope, 'a.agent_id')}`;
    },
    queue: {
      alias: 'a',
      columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.kind] as details`,
      order: sql`a.id`,
    },
  },
} satisfies Record<string, Waiting>;
