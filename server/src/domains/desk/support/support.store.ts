import { SUPPORT_SIDE, support as calls } from '@hengtai/contract/desk/support/calls';
import { SUPPORT } from '@hengtai/contract/desk/support/facts';
import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';

/** Characters of the last message that the list shows. */
const PREVIEW_LENGTH = 100;

/** The row of the response plus the user's agent. */
export interface SupportRecord extends SupportRow {
  agentId: number;
}

const fields = sql`
  s.id, s.user_id as "userId", u.account, g.shown as agent, s.state, (s.assignee_id is not null)::int as assigned,
  o.id as "assigneeId", o.account as assignee, s.unread, s.last_id as "lastId", s.last_text as "lastText",
  s.last_side as "lastSide", s.last_at as "lastAt", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** The assignee is null if it is outside the operator's scope. */
const fromFor = ({ scope }: Pick<Ctx, 'scope'>) => sql`service s
  left join users u on u.id = s.user_id
  left join agent g on g.id = s.agent_id
  left join agent o on o.id = s.assignee_id and ${inScope(scope, 'o.id')}`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields,
  from: fromFor(ctx),
  id: 's.id',
  createdAt: 's.created_at',
  filters: {
    account: 'u.account_key',
    agent: 's.agent_id',
    agentRoot: 's.agent_id',
    state: 's.state',
    unread: sql`(s.received > s.read_count)::int`,
    mine: sql`(s.assignee_id is not distinct from ${ctx.operator.id})::int`,
    assigned: sql`(s.assignee_id is not null)::int`,
    assignee: 'o.account_key',
    userId: 's.user_id',
    id: 's.id',
  },
  sort: { turn: 's.turn', lastAt: 's.last_at', unread: 's.unread' },
  where: inScope(ctx.scope, 's.agent_id'),
});

export const listSupportConversations = defineList(calls.list, sourceFor);

export async function findSupportConversation(ctx: Ctx, id: number): Promise<SupportRecord | undefined> {
  const { rows } = await sql<SupportRecord>`select ${fields}, s.agent_id as "agentId" from ${fromFor(ctx)}
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/**
 * Finds or creates the conversation with a user of the operator's scope. Locks the user against a move or deletion, so
 * that the row gets the current agent; undefined if the user is gone.
 */
export async function openSupportConversation(ctx: Ctx, userId: number): Promise<number | undefined> {
  const { rows: users } = await sql<{ agentId: number }>`
    select u.agent_id as "agentId" from users u
    where u.id = ${userId} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')} for key share`.execute(
    ctx.db,
  );
  const [user] = users;
  return user && (await lockOrCreateConversation(ctx.db, { id: userId, agentId: user.agentId }, ctx.now, ctx.now)).id;
}

/** A locked conversation with the fields needed to add a message. */
export interface LockedConversation {
  id: number;
  userId: number;
  agentId: number;
  /** Number of messages that the user has sent. */
  received: number;
}

/** Locks the user's conversation until the transaction ends, or creates it. The caller must have locked the user. */
export async function lockOrCreateConversation(
  db: Db,
  user: { id: number; agentId: number },
  at: number,
  now: number,
): Promise<LockedConversation> {
  const found = await lockConversationOf(db, user.id);
  if (found) return found;
  await sql`insert into service (user_id, agent_id, last_at, created_at, recorded_at, updated_at)
    values (${user.id}, ${user.agentId}, ${at}, ${at}, ${now}, ${now}) on conflict (user_id) do nothing`.execute(db);
  const created = await lockConversationOf(db, user.id);
  if (!created) throw new Error(`The conversation of user ${user.id} was not found after its insert.`);
  return created;
}

async function lockConversationOf(db: Db, userId: number): Promise<LockedConversation | undefined> {
  const { rows } = await sql<LockedConversation>`${prepared}
    select id, user_id as "userId", agent_id as "agentId", received from service where user_id = ${userId}
    for no key update`.execute(db);
  return rows[0];
}

/**
 * Locks a user and its conversation in the operator's scope until the transaction ends; undefined if the user is
 * deleted or the conversation does not exist.
 */
export async function lockSupportConversation(
  ctx: Ctx,
  { id, userId }: SupportRecord,
): Promise<LockedConversation | undefined> {
  const { rows: users } = await sql`select 1 from users u where u.id = ${userId} and u.deleted_at is null
    and ${inScope(ctx.scope, 'u.agent_id')} for key share`.execute(ctx.db);
  if (users.length === 0) return undefined;
  const { rows } = await sql<LockedConversation>`
    select s.id, s.user_id as "userId", s.agent_id as "agentId", s.received from service s
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')} for no key update`.execute(ctx.db);
  return rows[0];
}

export interface NewMessage {
  /** The platform's number; only messages of users have one. */
  no?: string;
  operatorId?: number;
  text: string;
  image: string;
  at: number;
  now: number;
}

/**
 * Adds a message and reopens a closed conversation. The lock on the conversation makes message ids increase in commit
 * order.
 *
 * @returns the id of the message; undefined if the platform's number exists
 */
export async function addMessage(db: Db, to: LockedConversation, message: NewMessage): Promise<number | undefined> {
  const { no = null, operatorId = null, text, image, at, now } = message;
  const side = operatorId === null ? SUPPORT_SIDE.user : SUPPORT_SIDE.operator;
  const received = to.received + (side === SUPPORT_SIDE.user ? 1 : 0);
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into service_message (service_id, user_id, agent_id, no, side, received, text, image, operator_id, created_at,
      recorded_at)
    values (${to.id}, ${to.userId}, ${to.agentId}, ${no}, ${side}, ${received}, ${text}, ${image}, ${operatorId}, ${at}, ${now})
    on conflict (no) do nothing returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  await sql`${prepared}update service set state = ${SUPPORT.open}, received = ${received}, last_id = ${id},
    last_text = left(${text}, ${sql.lit(PREVIEW_LENGTH)}), last_side = ${side}, last_at = greatest(last_at, ${at}), updated_at = ${now}
    where id = ${to.id}`.execute(db);
  return id;
}

/** Marks messages up to an id as read. The read position never moves backwards, also with concurrent calls. */
export async function readUpTo(ctx: Ctx, id: number, upTo: number): Promise<boolean> {
  const reached = sql`coalesce((select m.received from service_message m where m.service_id = s.id and m.id <= ${upTo}
    order by m.id desc limit 1), 0)`;
  const { numAffectedRows } = await sql`
    update service s set read_count = greatest(s.read_count, ${reached}), updated_at = ${ctx.now}
    where s.id = ${id} and ${inScope(ctx.scope, 's.agent_id')} and s.read_count < ${reached}`.execute(ctx.db);
  return numAffectedRows === 1n;
}

/** Closes an open conversation if its last message is still the one with this id, and marks all messages as read. */
export async function closeSupportConversation(ctx: Ctx, id: number, lastSeenId: number | undefined): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update service s set state = ${SUPPORT.closed}, read_count = s.received, updated_at = ${ctx.now}
    where s.id = ${id} and s.state = ${SUPPORT.open} and ${inScope(ctx.scope, 's.agent_id')}
      and (${lastSeenId ?? null}::bigint is null or coalesce(s.last_id, 0) = ${lastSeenId ?? null}::bigint)`.execute(
    ctx.db,
  );
  return numAffectedRows === 1n;
}

/** Closes the conversation of a deleted user, unassigns it and marks all messages as read. */
export async function closeSupportConversationOf(ctx: Ctx, userId: number): Promise<void> {
  await sql`update service s set state = ${SUPPORT.closed}, read_count = s.received, assignee_id = null, updated_at = ${ctx.now}
    where s.user_id = ${userId} and ${inScope(ctx.scope, 's.agent_id')}`.execute(ctx.db);
}
