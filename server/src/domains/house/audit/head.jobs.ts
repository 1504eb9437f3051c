import { HEADS_TO_PLATFORM } from '@hengtai/contract/house/audit/calls';
import { isSettingOn } from '../../../app/setting.store.ts';
import type { App } from '../../../app/context.ts';
import { enqueue, findLastCommand } from '../../../gateway/command.store.ts';
import { underLease } from '../../../app/lease.store.ts';
import { findLastHead } from '../../../books/audit/head.store.ts';

const REF_TYPE = 'audit_head';
const INTERVAL_MS = 60_000;

/** If the setting is on, sends the last head to the platform, at most once a minute. It is linked to all earlier heads. */
export async function sendHead(app: App): Promise<boolean> {
  const now = app.clock.now();
  await underLease(app, 'send-head', async (db) => {
    if (!(await isSettingOn(db, HEADS_TO_PLATFORM))) return;
    const head = await findLastHead(db);
    if (!head) return;
    const sent = await findLastCommand(db, REF_TYPE);
    if (sent && (sent.refId >= head.number || now - sent.at < INTERVAL_MS)) return;
    await enqueue(db, { type: 'audit.head', refType: REF_TYPE, refId: head.number, data: head, now });
  });
  return false;
}
