import type { EventHandlers } from '../../../gateway/handlers.ts';
import { mustFindAgent } from '../../../gateway/lookup.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import { insertAgent } from './agent.store.ts';

export const agentEvents: EventHandlers<'agent.registered'> = {
  'agent.registered': async ({ batch, db, at, now }, data) => {
    const parent = await mustFindAgent(batch, data.parent, 'parent');
    const id = await insertAgent(db, {
      account: data.account,
      parentId: parent.id,
      passwordHash: null,
      remark: data.remark ?? '',
      createdAt: at,
      now,
    });
    if (id === undefined) throw reject('exists');
  },
};
