import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { findMaker } from '../../../books/exports/export-job.store.ts';
import { inTransaction, runInScope } from '../../../database/connect.ts';
import { type NotificationCount, countNotifications, findConcernedOperators } from '../../../realtime/notify.store.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import { deleteOrphans } from './channel.store.ts';
import {
  type Delivery,
  type Subscription,
  addToOutbox,
  claimDeliveries,
  deleteOldDeliveries,
  dropSilenced,
  findCursor,
  hasDueDelivery,
  listSubscriptions,
  markFailed,
  markSent,
  moveCursor,
  returnDelivery,
} from './delivery.store.ts';
import { describeFailure } from './failure.ts';
import { sendDelivery } from './send.ts';

/** Notifications per pass. */
const BATCH = 2_000;

/**
 * Puts the messages of new notifications into the outbox. They commit together with the cursor, so each notification is
 * counted once by each channel, with any number of processes and whenever one dies. Returns true if more may be left.
 */
export async function fillOutbox(app: App): Promise<boolean> {
  const { after, last } = await findCursor(app.system);
  if (last <= after) return false;
  const filled = await underLease(app, 'fill-outbox', async (db) => {
    // Read again under the lease: another process may have moved it.
    const cursor = await findCursor(db);
    const upTo = Math.min(cursor.last, cursor.after + BATCH);
    if (upTo <= cursor.after) return false;
    const subscriptions = await listSubscriptions(db);
    const operatorIds = [...new Set(subscriptions.map(({ operatorId }) => operatorId))];
    for (const operatorId of await findConcernedOperators(db, operatorIds, cursor.after, upTo)) {
      const channels = subscriptions.filter((channel) => channel.operatorId === operatorId);
      const counts = await countFor(app, operatorId, channels, { after: cursor.after, upTo });
      for (const channel of channels) {
        for (const count of counts) {
          if (channel.types.includes(count.type)) await addToOutbox(db, channel, count, app.clock.now());
        }
      }
    }
    await moveCursor(db, upTo);
    return upTo < cursor.last;
  });
  return filled ?? false;
}

/** Counts notifications with the current authority and scope of an operator, behind row-level security. */
async function countFor(
  app: App,
  operatorId: number,
  channels: readonly Subscription[],
  range: { after: number; upTo: number },
): Promise<NotificationCount[]> {
  const found = await findMaker(app.system, operatorId);
  if (!found) return [];
  const { operator, scope } = found;
  const types = [...new Set(channels.flatMap((channel) => channel.types))];
  return runInScope(
    app.requests,
    scope,
    operatorId,
    (db) => countNotifications({ db, operator, scope, now: app.clock.now() }, { ...range, types }),
    'read',
  );
}

/**
 * Sends due messages. Each is leased to one process; a process that dies between sending and recording it lets the next
 * one send it again under the same id. Returns true if more may be due.
 */
export async function sendDue(app: App, stopSignal: AbortSignal): Promise<boolean> {
  if (!(await hasDueDelivery(app.system, app.clock.now()))) return false;
  await dropSilenced(app.system, app.clock.now());
  const claimed = await claimDeliveries(app.system, app.clock.now());
  if (claimed.length === 0) return false;
  const zone = await fetchReportZone(app.system, app.clock.now());
  await Promise.all(claimed.map((delivery) => sendOne(app, delivery, zone, stopSignal)));
  return !stopSignal.aborted;
}

async function sendOne(app: App, delivery: Delivery, zone: string, stopSignal: AbortSignal): Promise<void> {
  const { id, kind } = delivery;
  try {
    await sendDelivery(app, delivery, zone, stopSignal);
  } catch (error) {
    if (stopSignal.aborted) return returnDelivery(app.system, delivery, app.clock.now());
    const failure = describeFailure(error);
    // The error itself may contain the address, which is secret.
    app.log.warn({ delivery: id, kind, reason: failure.error }, 'a notification could not be sent');
    return inTransaction(app.system, (db) => markFailed(db, delivery, failure, app.clock.now()));
  }
  await markSent(app.system, delivery, app.clock.now());
}

export async function sweepOutbox(app: App): Promise<boolean> {
  await underLease(app, 'sweep-outbox', async (db) => {
    await deleteOldDeliveries(db, app.clock.now());
    await deleteOrphans(db);
  });
  return false;
}
