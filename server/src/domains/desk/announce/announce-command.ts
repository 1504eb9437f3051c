import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { Db } from '../../../database/connect.ts';
import { enqueue } from '../../../gateway/command.store.ts';

/** Sends an announcement to the platform, drafts and deletions included, so that it can remove them. */
export async function sendAnnounce(db: Db, row: AnnounceRow, now: number, deleted = 0): Promise<void> {
  const { id, lang, title, content, platform, state, updatedAt: at, pinned, publishAt, group } = row;
  const data = {
    no: `A${id}`,
    lang,
    title,
    content,
    platform,
    state,
    deleted,
    at,
    pinned,
    publishAt,
    group: `A${group}`,
  };
  await enqueue(db, { type: 'announce.published', refType: 'announce', refId: id, data, now });
}
