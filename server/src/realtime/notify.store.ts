import { notificationAbilities, ownNotifications, quietTypes } from '@hengtai/contract/desk/notify/notification';
import { type Ability } from '@hengtai/contract/authority/ability';
import { type SessionEnd } from '@hengtai/contract/desk/notify/calls';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Operator, can } from '../app/context.ts';
import type { Db, Scope } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';
import { type Authority, authorityColumns, scopeOf } from '../database/tree.ts';
import type { Viewer } from './waiting.store.ts';

const hiddenNouns = (operator: Operator): string[] => [
  ...ownNotifications,
  ...Object.entries(notificationAbilities)
    .filter(([, ability]: [string, Ability]) => !can(operator, ability))
    .map(([noun]) => noun),
];

/** Condition: the viewer's own notifications, and those in scope whose noun the viewer has the ability for. */
const isVisible = ({ scope, operator }: Viewer): RawBuilder<boolean> => sql<boolean>`(
  n.operator_id = ${operator.id}
  or (${inScope(scope, 'n.agent_id')} and (n.user_id is null or u.id is not null)
    and n.noun <> all(${hiddenNouns(operator)}::text[])))`;

/** Users and agents outside the scope are not named. */
const selectNotifications = ({ scope, operator }: Viewer) => sql`
  select n.seq as id, n.created_at as at, n.type, n.noun, n.ref_type as "refType", n.ref_id as "refId",
    u.id as "userId", u.account, g.account as agent, m.market_name as "marketName", n.amount, n.state, n.detail,
    n.type in ('approval.asked', 'service.read') and coalesce(n.operator_id = ${operator.id}, false) as own
  from notice n
  left join users u on u.id = n.user_id and ${inScope(scope, 'u.agent_id')}
  left join agent g on g.id = n.agent_id and ${inScope(scope, 'g.id')}
  left join market m on m.id = n.market_id`;

/** Fetches the visible notifications after one number up to another, in ascending order. */
export async function fetchNotifications(
  viewer: Viewer,
  after: number,
  upTo: number,
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    ${selectNotifications(viewer)} where n.seq > ${after} and n.seq <= ${upTo} and ${isVisible(viewer)}
    order by n.seq limit ${limit}`.execute(viewer.db);
  return rows;
}

/** Notifications of one type: their number, the latest record, and the times of the first and the last. */
export interface NotificationCount {
  type: string;
  refType: string;
  refId: number;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** Counts the visible notifications after one number up to another by type, without those that the viewer caused. */
export async function countNotifications(
  viewer: Viewer,
  range: { after: number; upTo: number; types: readonly string[] },
): Promise<NotificationCount[]> {
  const { rows } = await sql<NotificationCount>`
    with visible as (${selectNotifications(viewer)}
      where n.seq > ${range.after} and n.seq <= ${range.upTo} and n.type = any(${[...range.types]}::text[])
        and ${isVisible(viewer)})
    select type, (array_agg("refType" order by id desc))[1] as "refType",
      (array_agg("refId" order by id desc))[1] as "refId", count(*)::int as count, min(at) as "firstAt",
      max(at) as "lastAt"
    from visible where not own group by type order by type`.execute(viewer.db);
  return rows;
}

/**
 * Fetches the latest visible notifications after a number, newest first. It merges the latest ones of each agent, so
 * that a scope with few notifications needs no scan of all others.
 */
export async function fetchLatestNotifications(
  viewer: Viewer,
  after: number,
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    with pick as (${selectLatest(viewer, after, limit)})
    ${selectNotifications(viewer)} where n.seq in (select seq from pick) and ${isVisible(viewer)}
    order by n.seq desc limit ${limit}`.execute(viewer.db);
  return rows;
}

/** Numbers of the candidates; `isVisible` filters them again. */
function selectLatest({ scope, operator }: Viewer, after: number, limit: number): RawBuilder<unknown> {
  const isListed = sql`n.seq > ${after} and n.type <> all(${[...quietTypes]}::text[])`;
  const isAllowed = sql`${isListed} and n.noun <> all(${hiddenNouns(operator)}::text[])`;
  const inScopeNumbers =
    scope.kind === 'all'
      ? sql`select n.seq from notice n where ${isAllowed} order by n.seq desc limit ${limit}`
      : sql`select n.seq from unnest(${[...scope.ids]}::bigint[]) as a(id) cross join lateral (
          select n.seq from notice n where n.agent_id = a.id and ${isAllowed} order by n.seq desc limit ${limit}) n
          order by n.seq desc limit ${limit}`;
  return sql`(${inScopeNumbers}) union
    (select n.seq from notice n where n.operator_id = ${operator.id} and ${isListed}
      order by n.seq desc limit ${limit})`;
}

/** The last assigned number. All notifications up to it are committed. */
export async function findLastNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`select last from notice_seq`.execute(db);
  return rows[0]?.last ?? 0;
}

/** The first notification after a number, of any scope; undefined if there is none. */
export async function findFirstAfter(db: Db, after: number): Promise<{ seq: number; recordedAt: number } | undefined> {
  const { rows } = await sql<{ seq: number; recordedAt: number }>`
    select seq, recorded_at as "recordedAt" from notice where seq > ${after} order by seq limit 1`.execute(db);
  return rows[0];
}

export interface PollResult {
  last: number;
  ended: { id: number; reason: SessionEnd }[];
}

/** One query for all streams of a process: the last assigned number, and which of their sessions have ended. */
export async function pollNotifications(db: Db, sessionIds: readonly number[], now: number): Promise<PollResult> {
  const { rows } = await sql<PollResult>`
    select (select last from notice_seq) as last, coalesce((
      select json_agg(json_build_object('id', s.id, 'reason', case
        when o.state <> 1 or o.deleted_at is not null then 'disabled'
        when s.end_reason in ('logout', 'password', 'ability', 'kick') then s.end_reason
        when s.ended_at is null then 'expired' else 'ended' end))
      from session s join agent o on o.id = s.operator_id
      where s.id = any(${[...sessionIds]}::bigint[]) and (s.ended_at is not null or s.expires_at <= ${now}
        or s.absolute_at <= ${now} or o.state <> 1 or o.deleted_at is not null)), '[]') as ended`.execute(db);
  return rows[0] ?? { last: 0, ended: [] };
}

/**
 * Which of these operators the notifications after one number up to another concern. Full scope is always concerned.
 */
export async function findConcernedOperators(
  db: Db,
  operatorIds: readonly number[],
  after: number,
  upTo: number,
): Promise<ReadonlySet<number>> {
  const ids = [...operatorIds];
  const { rows } = await sql<{ id: number }>`
    select o.id from agent o where o.id = any(${ids}::bigint[]) and (o.parent_id is null or 13 = any(o.abilities))
    union select c.ancestor from notice n join closure c on c.descendant = n.agent_id
      where n.seq > ${after} and n.seq <= ${upTo} and c.ancestor = any(${ids}::bigint[])
    union select n.operator_id from notice n
      where n.seq > ${after} and n.seq <= ${upTo} and n.operator_id = any(${ids}::bigint[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The current abilities and scope of an operator; undefined if it is deleted.
 *
 * @param allowed what the identity provider allows its session; null: no limit
 */
export async function findViewer(
  db: Db,
  operatorId: number,
  allowed: readonly number[] | null,
): Promise<{ operator: Operator; scope: Scope } | undefined> {
  const { rows } = await sql<{ id: number; account: string } & Authority>`
    select o.id, o.account, ${authorityColumns(sql`${allowed && [...allowed]}::int[]`)}
    from agent o where o.id = ${operatorId} and o.deleted_at is null`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { seesAll, treeVersion, ...operator } = found;
  return { operator, scope: await scopeOf(db, operator.id, { seesAll, treeVersion }) };
}
