import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { hasUnnumberedNotifications, assignNotificationNumbers } from '../../../actions/notification.store.ts';

const BATCH = 2_000;

/** Numbers newly committed notifications, so that streams find them. Returns true if more may be left. */
export async function numberNotifications(app: App): Promise<boolean> {
  if (!(await hasUnnumberedNotifications(app.system))) return false;
  const numbered = await underLease(app, 'number-facts', (db) => assignNotificationNumbers(db, BATCH));
  return numbered === BATCH;
}
