import { ONLINE_MINUTES, session as calls } from '@hengtai/contract/house/session/calls';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';

/** Whether a session is open: neither ended nor expired, and its operator may log in. */
const onlineAt = (now: number): RawBuilder<boolean> => sql<boolean>`
  (s.ended_at is null and s.expires_at > ${now} and s.absolute_at > ${now} and o.state = 1 and o.deleted_at is null)`;

/** Whether a session is the one its operator used last, and was used since a time: one row for each operator online. */
const isLatestOfOnline = (since: number): RawBuilder<boolean> => sql<boolean>`
  (s.ended_at is null and s.last_seen_at >= ${since} and not exists (select from session other
    where other.operator_id = s.operator_id and other.ended_at is null
      and (other.last_seen_at, other.id) > (s.last_seen_at, s.id)))`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: sql`
    s.id, s.operator_id as "operatorId", o.account, ${onlineAt(ctx.now)}::int as state, s.ip,
    s.user_agent as "userAgent", s.known, coalesce(s.id = ${ctx.sessionId}, false)::int as current,
    exists (select from closure c where c.ancestor = ${ctx.operator.id} and c.descendant = s.operator_id)::int as within,
    s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", least(s.expires_at, s.absolute_at) as "expiresAt",
    case when ${onlineAt(ctx.now)} then null
      else coalesce(s.ended_at, least(s.expires_at, s.absolute_at, ${ctx.now}::bigint)) end as "endedAt",
    case when ${onlineAt(ctx.now)} then '' when s.ended_at is not null then s.end_reason else 'expired' end as "endReason"`,
  from: sql`session s join agent o on o.id = s.operator_id`,
  id: 's.id',
  createdAt: 's.created_at',
  filters: {
    account: 'o.account_key',
    state: sql`${onlineAt(ctx.now)}::int`,
    ip: 's.ip',
    id: 's.id',
    known: 's.known',
    active: () => isLatestOfOnline(ctx.now - ONLINE_MINUTES * 60_000),
  },
  sort: { lastSeenAt: 's.last_seen_at' },
  where: inScope(ctx.scope, 's.operator_id'),
});

export const listSessions = defineList(calls.list, sourceFor);

export async function findSessionRow(ctx: Ctx, id: number): Promise<SessionRow | undefined> {
  const { fields, from, where } = sourceFor(ctx);
  const { rows } = await sql<SessionRow>`
    select ${fields} from ${from} where s.id = ${id} and ${where ?? sql`true`}`.execute(ctx.db);
  return rows[0];
}

/** Ends an open session in the operator's scope; false when it was no longer open. */
export async function kickSession(ctx: Ctx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update session s set ended_at = ${ctx.now}, end_reason = 'kick'
    where s.id = ${id} and s.ended_at is null and s.expires_at > ${ctx.now} and s.absolute_at > ${ctx.now}
      and ${inScope(ctx.scope, 's.operator_id')}`.execute(ctx.db);
  return numAffectedRows === 1n;
}
