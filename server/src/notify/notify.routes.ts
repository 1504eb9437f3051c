import { NOTIFICATIONS_SIZE } from '@hengtai/contract/notify';
import type { HandlersOf } from '../resources.ts';
import { joinStream } from './hub.ts';
import { countWaiting, lastNumber, latestNotifications } from './notify.store.ts';

export const notifyRoutes: HandlersOf<'notify'> = {
  stream: joinStream,
  counts: (ctx) => countWaiting(ctx),
  // Both in one snapshot: the list is complete up to `last`.
  facts: async (ctx, { after = 0, size = NOTIFICATIONS_SIZE }) => ({
    last: await lastNumber(ctx.db),
    list: await latestNotifications(ctx, after, size),
  }),
};
