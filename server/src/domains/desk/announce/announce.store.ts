import { announce as calls } from '@hengtai/contract/desk/announce/calls';
import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceNew, AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { namedInScope } from '../../../database/scope.ts';

/** The values of one language as they are stored; `publishAt` is null without a schedule. */
export type AnnounceItem = Required<Omit<AnnounceNew, 'publishAt'>> & { publishAt: number | null };

const group = sql`coalesce(a.first_id, a.id)`;

const fieldsBy = (by: RawBuilder<unknown>) => sql`
  a.id, a.lang, a.title, a.content, a.platform, a.state, a.pinned, a.publish_at as "publishAt", ${group} as "group",
  array(select distinct g.lang from announce g where coalesce(g.first_id, g.id) = ${group} order by g.lang) as langs,
  ${by} as "by", a.created_at as "createdAt", a.updated_at as "updatedAt"`;

/** Every operator sees all announcements; the author (`by`) is hidden outside the reader's scope. */
const fieldsFor = ({ scope }: Pick<Ctx, 'scope'>) => fieldsBy(namedInScope(scope, 'a.by_account'));

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from: sql`announce a`,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    title: 'a.title_key',
    lang: 'a.lang',
    platform: 'a.platform',
    state: 'a.state',
    pinned: 'a.pinned',
    scheduled: sql`(a.publish_at is not null)::int`,
    group,
    id: 'a.id',
  },
  sort: { updatedAt: 'a.updated_at' },
  first: sql`a.pinned`,
});

export const listAnnounces = defineList(calls.list, sourceFor);

export async function findAnnounce(ctx: Ctx, id: number): Promise<AnnounceRow | undefined> {
  const { rows } = await sql<AnnounceRow>`select ${fieldsFor(ctx)} from announce a where a.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/**
 * Locks all languages of an announcement until the transaction ends, so that the old value in the audit is exact and all
 * of them have the same pin. Their order prevents deadlocks.
 */
export async function lockAnnounce(ctx: Ctx, id: number): Promise<AnnounceRow | undefined> {
  const { rows } = await sql<AnnounceRow>`
    select ${fieldsFor(ctx)} from announce a
    where ${group} = (select coalesce(o.first_id, o.id) from announce o where o.id = ${id})
    order by a.id for no key update`.execute(ctx.db);
  return rows.find((row) => row.id === id);
}

/** Inserts one language. `firstId` is the announcement that it belongs to; null for the first language. */
export async function insertAnnounce(
  { db, operator, now }: Pick<Ctx, 'db' | 'now'> & { operator: { account: string } },
  item: AnnounceItem,
  firstId: number | null,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into announce (lang, title, content, platform, state, pinned, publish_at, first_id, by_account, created_at, recorded_at,
      updated_at)
    values (${item.lang}, ${item.title}, ${item.content}, ${item.platform}, ${item.state}, ${item.pinned}, ${item.publishAt},
      ${firstId}, ${operator.account}, ${now}, ${now}, ${now}) returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The insert of an announcement returned no row.');
  return row.id;
}

/** Locks all languages of an announcement; returns whether they are pinned, undefined if there are none. */
export async function lockGroupPin(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ pinned: number }>`
    select a.pinned from announce a where ${group} = ${id} order by a.id for no key update`.execute(db);
  return rows.length > 0 ? Math.max(...rows.map(({ pinned }) => pinned)) : undefined;
}

/** Gives all languages of an announcement the same pin; returns the ids of those that had another. */
export async function pinGroup({ db, operator, now }: Ctx, id: number, pinned: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update announce a set pinned = ${pinned}, by_account = ${operator.account},
      updated_at = greatest(${now}, a.updated_at + 1)
    where ${group} = ${id} and a.pinned <> ${pinned} returning a.id`.execute(db);
  return rows.map(({ id: changed }) => changed);
}

export async function updateAnnounce({ db, operator, now }: Ctx, id: number, item: AnnounceItem): Promise<void> {
  // `updated_at` must increase also within one millisecond, because optimistic locking compares it.
  await sql`update announce set lang = ${item.lang}, title = ${item.title}, content = ${item.content},
    platform = ${item.platform}, state = ${item.state}, pinned = ${item.pinned}, publish_at = ${item.publishAt},
    by_account = ${operator.account}, updated_at = greatest(${now}, updated_at + 1) where id = ${id}`.execute(db);
}

export async function deleteAnnounce({ db }: Pick<Ctx, 'db'>, id: number): Promise<void> {
  await sql`delete from announce where id = ${id}`.execute(db);
}

/** Drafts whose time of publication has come, at most 100. */
export async function findDueAnnounces(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from announce where publish_at <= ${now} order by publish_at, id limit 100`.execute(db);
  return rows.map(({ id }) => id);
}

/** Publishes a scheduled draft. Returns undefined if it was published, changed or deleted meanwhile. */
export async function publishDue(
  db: Db,
  id: number,
  now: number,
): Promise<{ row: AnnounceRow; publishAt: number } | undefined> {
  const { rows: published } = await sql<{ publishAt: number }>`
    update announce a set state = ${ANNOUNCE.published}, publish_at = null, updated_at = greatest(${now}, a.updated_at + 1)
    from announce before
    where before.id = a.id and a.id = ${id} and a.state = ${ANNOUNCE.draft} and a.publish_at <= ${now}
    returning before.publish_at as "publishAt"`.execute(db);
  if (!published[0]) return undefined;
  const row = await findWholeAnnounce(db, id);
  return row && { row, publishAt: published[0].publishAt };
}

/** An announcement with its author, for the system. */
export async function findWholeAnnounce(db: Db, id: number): Promise<AnnounceRow | undefined> {
  const { rows } = await sql<AnnounceRow>`
    select ${fieldsBy(sql`a.by_account`)} from announce a where a.id = ${id}`.execute(db);
  return rows[0];
}

/** Published announcements: pinned ones first, then newest first. `platform` 1 or 2 excludes those only for the other one. */
export async function fetchPublishedAnnounces(
  db: Db,
  { lang, platform }: { lang?: string | undefined; platform?: number | undefined },
  limit: number,
): Promise<unknown[]> {
  const { rows } = await sql`
    select 'A' || a.id as no, a.lang, a.title, a.content, a.platform, a.created_at as at, a.updated_at as "updatedAt", a.pinned,
      'A' || ${group} as "group"
    from announce a
    where a.state = ${sql.lit(ANNOUNCE.published)} and (${lang ?? null}::text is null or a.lang = ${lang ?? null})
      and (${platform ?? 0} = 0 or a.platform in (0, ${platform ?? 0}))
    order by a.pinned desc, a.id desc limit ${limit}`.execute(db);
  return rows;
}
