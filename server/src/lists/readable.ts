import type { PageInput } from '@hengtai/contract/list';
import { sql } from 'kysely';
import { LEVEL, type Reader, findScope } from './counted.ts';
import type { ListSource } from './source.ts';

/**
 * Whether a list has sums that are not counted, and is of one user with so few rows (up to 100,000) that they are not counted
 * by block: an index-only scan reads all of them.
 */
export async function isReadable(ctx: Reader, source: ListSource, input: PageInput): Promise<boolean> {
  const { counted, sums } = source;
  if (!counted || !sums?.uncounted) return false;
  const { kind, key } = findScope(ctx, source, input);
  if (kind !== 3) return false;
  const { rows } = await sql<{ level: number }>`select level from counter_scope
    where resource = ${sql.lit(counted.resource)} and kind = 3 and key = ${key}`.execute(ctx.db);
  return (rows[0]?.level ?? 0) < LEVEL.block;
}
