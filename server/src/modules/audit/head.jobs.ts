import { HEADS_TO_PLATFORM } from '@hengtai/contract/audit';
import { sql } from 'kysely';
import { isOn } from '../config/config.store.ts';
import type { App } from '../../core/context.ts';
import { enqueue } from '../../gateway/command.store.ts';
import { underLease } from '../../core/lease.store.ts';
import { findLastHead } from '../../audit/head.store.ts';

const REF_TYPE = 'audit_head';
const EVERY_MS = 60_000;

/** If the setting is on, sends the last head to the platform, at most once a minute. It is linked to all earlier heads. */
export async function sendHead(app: App): Promise<boolean> {
  const now = app.clock.now();
  await underLease(app, 'send-head', async (db) => {
    if (!(await isOn(db, HEADS_TO_PLATFORM))) return;
    const head = await findLastHead(db);
    if (!head) return;
    const { rows } = await sql<{ number: number; at: number }>`
      select ref_id as number, created_at as at from command where ref_type = ${REF_TYPE}
      order by ref_id desc limit 1`.execute(db);
    const [sent] = rows;
    if (sent && (sent.number >= head.number || now - sent.at < EVERY_MS)) return;
    await enqueue(db, { type: 'audit.head', refType: REF_TYPE, refId: head.number, data: head, now });
  });
  return false;
}
