import { CODE } from '@hengtai/contract/wire/envelope';
import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { inTransaction } from '../../../database/connect.ts';
import { findDueAnnounces, publishDue } from './announce.store.ts';
import { sendAnnounce } from './announce-command.ts';
import { deleteUnusedImages } from './image.store.ts';

/** An image that no announcement contains is kept this long, so that a text in progress does not lose it. */
const UNUSED_IMAGE_MS = 86_400_000;

/** Publishes drafts whose time has come, each exactly once even with concurrent processes. */
export async function publishScheduled(app: App): Promise<boolean> {
  const now = app.clock.now();
  const due = await findDueAnnounces(app.system, now);
  for (const id of due) {
    await inTransaction(app.system, async (db) => {
      const published = await publishDue(db, id, now);
      if (!published) return;
      await sendAnnounce(db, published.row, now);
      const system = { operator: null, sessionId: null, ip: '', userAgent: '', requestId: `announce-${id}`, now };
      await recordAudit(db, system, {
        action: 'announce.published',
        result: CODE.ok,
        targetType: 'announce',
        targetId: id,
        before: { state: ANNOUNCE.draft, publishAt: published.publishAt },
        after: { state: ANNOUNCE.published, publishAt: null },
      });
    });
  }
  return due.length > 0;
}

export async function sweepImages(app: App): Promise<boolean> {
  const before = app.clock.now() - UNUSED_IMAGE_MS;
  await underLease(app, 'sweep-announce-images', (db) => deleteUnusedImages(db, before));
  return false;
}
