import { NOTIFICATIONS_SIZE } from '@hengtai/contract/notify';
import type { HandlersOf } from '../../resources.ts';
import { joinStream } from '../../realtime/hub.ts';
import { countWaiting, findLastNumber, fetchLatestNotifications } from '../../realtime/notify.store.ts';

export const notifyRoutes: HandlersOf<'notify'> = {
  stream: joinStream,
  counts: (ctx) => countWaiting(ctx),
  // Both reads share one snapshot, so the list is complete up to `last`.
  facts: async (ctx, { after = 0, size = NOTIFICATIONS_SIZE }) => ({
    last: await findLastNumber(ctx.db),
    list: await fetchLatestNotifications(ctx, after, size),
  }),
};
