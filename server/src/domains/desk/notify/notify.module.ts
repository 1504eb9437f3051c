import { NOTIFICATIONS_SIZE } from '@hengtai/contract/desk/notify/calls';
import { joinStream } from '../../../realtime/hub.ts';
import { findLastNumber, fetchLatestNotifications } from '../../../realtime/notify.store.ts';
import { countWaiting } from '../../../realtime/waiting.store.ts';
import type { Module } from '../../module.ts';
import { numberNotifications } from './notify.jobs.ts';

export const notifyModule = {
  routes: {
    stream: joinStream,
    counts: (ctx) => countWaiting(ctx),
    // Both reads share one snapshot, so the list is complete up to `last`.
    facts: async (ctx, { after = 0, size = NOTIFICATIONS_SIZE }) => ({
      last: await findLastNumber(ctx.db),
      list: await fetchLatestNotifications(ctx, after, size),
    }),
  },
  jobs: [{ name: 'number-facts', everyMs: 200, run: numberNotifications }],
} satisfies Module<'notify'>;
