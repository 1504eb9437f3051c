import { announce as calls } from '@hengtai/contract/announce';
import type { AnnounceItem, AnnounceRow } from '@hengtai/contract/announce.schema';
import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../postgres/connect.ts';
import { defineList } from '../../lists/list.ts';
import type { ListSource } from '../../lists/source.ts';
import { namedInScope } from '../../postgres/scope.ts';

/** Every operator sees all announcements; the author (`by`) is hidden outside the reader's scope. */
const fieldsFor = ({ scope }: Pick<Ctx, 'scope'>) => sql`
  a.id, a.lang, a.title, a.content, a.platform, a.state, ${namedInScope(scope, 'a.by_account')} as "by",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from: sql`announce a`,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: { title: 'a.title_key', lang: 'a.lang', platform: 'a.platform', state: 'a.state', id: 'a.id' },
  sort: { updatedAt: 'a.updated_at' },
});

export const listAnnounces = defineList(calls.list, sourceFor);

export async function findAnnounce(ctx: Ctx, id: number): Promise<AnnounceRow | undefined> {
  const { rows } = await sql<AnnounceRow>`select ${fieldsFor(ctx)} from announce a where a.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** Locks an announcement until the transaction ends, so that the old value in the audit is exact. */
export async function lockAnnounce(ctx: Ctx, id: number): Promise<AnnounceRow | undefined> {
  const { rows } = await sql<AnnounceRow>`
    select ${fieldsFor(ctx)} from announce a where a.id = ${id} for no key update`.execute(ctx.db);
  return rows[0];
}

export async function insertAnnounce({ db, operator, now }: Ctx, item: AnnounceItem): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into announce (lang, title, content, platform, state, by_account, created_at, recorded_at, updated_at)
    values (${item.lang}, ${item.title}, ${item.content}, ${item.platform}, ${item.state}, ${operator.account}, ${now}, ${now},
      ${now}) returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The insert of an announcement returned no row.');
  return row.id;
}

export async function updateAnnounce({ db, operator, now }: Ctx, id: number, item: AnnounceItem): Promise<void> {
  // `updated_at` must increase also within one millisecond, because optimistic locking compares it.
  await sql`update announce set lang = ${item.lang}, title = ${item.title}, content = ${item.content},
    platform = ${item.platform}, state = ${item.state}, by_account = ${operator.account},
    updated_at = greatest(${now}, updated_at + 1) where id = ${id}`.execute(db);
}

export async function deleteAnnounce({ db }: Pick<Ctx, 'db'>, id: number): Promise<void> {
  await sql`delete from announce where id = ${id}`.execute(db);
}

/** Published announcements, newest first. `platform` 1 or 2 excludes those that are only for the other one. */
export async function publishedAnnounces(
  db: Db,
  { lang, platform }: { lang?: string | undefined; platform?: number | undefined },
  limit: number,
): Promise<unknown[]> {
  const { rows } = await sql`
    select 'A' || a.id as no, a.lang, a.title, a.content, a.platform, a.created_at as at, a.updated_at as "updatedAt"
    from announce a
    where a.state = 1 and (${lang ?? null}::text is null or a.lang = ${lang ?? null})
      and (${platform ?? 0} = 0 or a.platform in (0, ${platform ?? 0}))
    order by a.id desc limit ${limit}`.execute(db);
  return rows;
}
