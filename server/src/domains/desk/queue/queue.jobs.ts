import { reviewQueueKeys } from '@hengtai/contract/desk/queue/work-queue';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { notifyOverdue } from './item.store.ts';

/** Notifies operators of records that have waited longer than the target of their queue. */
export async function watchTargets(app: App): Promise<boolean> {
  await underLease(app, 'queue-targets', async (db) => {
    for (const key of reviewQueueKeys) await notifyOverdue(db, key, app.clock.now());
  });
  return false;
}
