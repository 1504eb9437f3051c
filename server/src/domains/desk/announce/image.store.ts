import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import type { EncodedImage } from './image-encoder.rules.ts';

export interface StoredImage {
  type: string;
  bytes: Buffer;
  width: number;
  height: number;
}

export async function insertImage(
  { db, now, operator }: Pick<Ctx, 'db' | 'now'> & { operator: { account: string } },
  key: string,
  { type, bytes, width, height }: EncodedImage,
): Promise<void> {
  await sql`insert into announce_image (key, type, bytes, width, height, by_account, created_at, recorded_at, used_at)
    values (${key}, ${type}, ${bytes}, ${width}, ${height}, ${operator.account}, ${now}, ${now}, ${now})`.execute(db);
}

export async function findImage(db: Db, key: string): Promise<StoredImage | undefined> {
  const { rows } = await sql<StoredImage>`
    select type, bytes, width, height from announce_image where key = ${key}`.execute(db);
  return rows[0];
}

/**
 * Records which images an announcement contains. The update of `used_at` makes a concurrent deletion skip them.
 *
 * @returns the keys of images that do not exist
 */
export async function recordUses(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  announceId: number,
  keys: readonly string[],
): Promise<string[]> {
  await sql`delete from announce_image_use where announce_id = ${announceId}`.execute(db);
  if (keys.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    update announce_image set used_at = greatest(used_at, ${now}) where key = any(${[...keys]}::text[])
    returning key`.execute(db);
  const found = rows.map(({ key }) => key);
  await sql`insert into announce_image_use (announce_id, image_key)
    select ${announceId}, unnest(${found}::text[])`.execute(db);
  return keys.filter((key) => !found.includes(key));
}

/** Deletes images that no announcement contains and that nobody named since `before`. */
export async function deleteUnusedImages(db: Db, before: number): Promise<void> {
  await sql`delete from announce_image i
    where i.used_at < ${before}
      and not exists (select from announce_image_use u where u.image_key = i.key)`.execute(db);
}
