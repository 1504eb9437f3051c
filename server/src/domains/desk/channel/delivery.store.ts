import { CHANNEL_TEST } from '@hengtai/contract/desk/channel/calls';
import type { ChannelKind } from '@hengtai/contract/wire/input-values';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import type { NotificationCount } from '../../../realtime/notify.store.ts';

export const DELIVERY = { waiting: 0, sent: 1, failed: 2, dropped: 3 } as const;

/** How long a message waits for more notifications of its type. */
const COLLECT_MS = 2_000;
/** A server that has not reported a result by then is dead, and another one sends the message. */
const LEASE_MS = 60_000;
/** Messages that are sent at once. All of them must end well within the lease. */
const BATCH = 10;
/** Pauses after failed attempts; after the last one the message is given up. */
const RETRY_MS = [15_000, 60_000, 240_000, 900_000, 3_600_000, 10_800_000];
export const ATTEMPTS = RETRY_MS.length + 1;
const KEEP_MS = 7 * 86_400_000;

/** The number up to which notifications have their messages, and the last number. */
export async function findCursor(db: Db): Promise<{ after: number; last: number }> {
  const { rows } = await sql<{ after: number; last: number }>`
    select c.last as after, s.last from delivery_cursor c, notice_seq s`.execute(db);
  return rows[0] ?? { after: 0, last: 0 };
}

export async function moveCursor(db: Db, upTo: number): Promise<void> {
  await sql`update delivery_cursor set last = ${upTo}`.execute(db);
}

export interface Subscription {
  id: number;
  operatorId: number;
  types: string[];
}

/** The enabled channels of operators who are neither frozen nor deleted. */
export async function listSubscriptions(db: Db): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select c.id, c.operator_id as "operatorId", c.types from channel c join agent o on o.id = c.operator_id
    where c.enabled = 1 and c.types <> '{}' and o.state = 1 and o.deleted_at is null order by c.id`.execute(db);
  return rows;
}

/** Adds notifications to the message of their type that has not been tried yet, or to a new one. */
export async function addToOutbox(
  db: Db,
  channel: Pick<Subscription, 'id' | 'operatorId'>,
  { type, refType, refId, count, firstAt, lastAt }: NotificationCount,
  now: number,
): Promise<void> {
  await sql`
    insert into delivery (channel_id, operator_id, type, ref_type, ref_id, count, first_at, last_at, due_at, created_at,
      recorded_at, updated_at)
    select ${channel.id}::bigint, ${channel.operatorId}::bigint, ${type}::text, ${refType}::text, ${refId}::bigint,
      ${count}::int, ${firstAt}::bigint, ${lastAt}::bigint, ${now + COLLECT_MS}::bigint, ${now}::bigint, ${now}::bigint,
      ${now}::bigint
    where exists (select from channel c where c.id = ${channel.id})
    on conflict (channel_id, type) where state = 0 and attempt = 0 do update set count = delivery.count + excluded.count,
      ref_type = excluded.ref_type, ref_id = excluded.ref_id, last_at = greatest(delivery.last_at, excluded.last_at),
      first_at = least(delivery.first_at, excluded.first_at), updated_at = excluded.updated_at`.execute(db);
}

/** Adds a test message that is due at once, unless one is waiting for its first attempt. */
export async function addTestMessage(
  db: Db,
  { id, operatorId }: Pick<Subscription, 'id' | 'operatorId'>,
  now: number,
): Promise<void> {
  await sql`
    insert into delivery (channel_id, operator_id, type, ref_type, ref_id, count, first_at, last_at, due_at, created_at,
      recorded_at, updated_at)
    values (${id}, ${operatorId}, ${CHANNEL_TEST}, 'channel', ${id}, 1, ${now}, ${now}, ${now}, ${now}, ${now}, ${now})
    on conflict (channel_id, type) where state = 0 and attempt = 0 do nothing`.execute(db);
}

/** A message whose lease this server holds. */
export interface Delivery extends NotificationCount {
  id: string;
  channelId: number;
  operatorId: number;
  attempt: number;
  kind: ChannelKind;
  /** The encrypted target of the channel. */
  target: string;
}

/** Takes the lease of the next due messages. A test message is sent even if its channel is disabled. */
export async function claimDeliveries(db: Db, now: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    update delivery d set attempt = d.attempt + 1, due_at = ${now + LEASE_MS}, updated_at = ${now}
    from channel c, agent o
    where d.id in (select id from delivery where state = 0 and due_at <= ${now} order by due_at limit ${BATCH}
        for update skip locked)
      and d.state = 0 and d.due_at <= ${now} and c.id = d.channel_id and o.id = d.operator_id
      and o.state = 1 and o.deleted_at is null and (c.enabled = 1 or d.type = 'channel.test')
    returning d.id, d.channel_id as "channelId", d.operator_id as "operatorId", d.attempt, d.type,
      d.ref_type as "refType", d.ref_id as "refId", d.count, d.first_at as "firstAt", d.last_at as "lastAt", c.kind,
      c.secret as target`.execute(db);
  return rows;
}

/** Drops due messages of frozen and deleted operators and of disabled channels, and those that ended each attempt with a crash. */
export async function dropSilenced(db: Db, now: number): Promise<void> {
  await sql`update delivery d set state = ${DELIVERY.dropped}, updated_at = ${now} from channel c, agent o
    where d.state = 0 and d.due_at <= ${now} and c.id = d.channel_id and o.id = d.operator_id
      and (d.attempt >= ${ATTEMPTS} or o.state <> 1 or o.deleted_at is not null or (c.enabled = 0 and d.type <> 'channel.test'))`.execute(
    db,
  );
}

/** Whether a message is due, so that a pass without work needs no lock. */
export async function hasDueDelivery(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from delivery where state = 0 and due_at <= ${now} limit 1`.execute(db);
  return rows.length > 0;
}

type Attempt = Pick<Delivery, 'id' | 'channelId' | 'operatorId' | 'attempt'>;

export async function markSent(db: Db, { id, channelId, attempt }: Attempt, now: number): Promise<void> {
  await sql`
    with sent as (update delivery set state = ${DELIVERY.sent}, error = '', updated_at = ${now}
      where id = ${id} and attempt = ${attempt} and state = 0 returning channel_id)
    update channel c set sent_at = ${now}, failed_at = null, error = '' from sent
    where c.id = sent.channel_id and c.id = ${channelId}`.execute(db);
}

/**
 * Records a failed attempt. After the last one, or if no later attempt can succeed, the message is given up and the
 * owner is notified.
 */
export async function markFailed(
  db: Db,
  { id, channelId, operatorId, attempt }: Attempt,
  failure: { error: string; final: boolean },
  now: number,
): Promise<void> {
  const pause = failure.final ? undefined : RETRY_MS[attempt - 1];
  const { numAffectedRows } = await sql`
    update delivery set error = ${failure.error}, updated_at = ${now}, due_at = ${now + (pause ?? 0)},
      state = ${pause === undefined ? DELIVERY.failed : DELIVERY.waiting}
    where id = ${id} and attempt = ${attempt} and state = 0`.execute(db);
  if (numAffectedRows === 0n) return;
  const { rows } = await sql<{ hadFailed: boolean }>`
    with old as (select id, failed_at is not null as "hadFailed" from channel where id = ${channelId} for update)
    update channel c set error = ${failure.error},
      failed_at = case when ${pause === undefined}::boolean then ${now}::bigint else c.failed_at end
    from old where c.id = old.id returning old."hadFailed"`.execute(db);
  // One notification until the channel works again, however many messages it loses.
  if (pause !== undefined || rows[0]?.hadFailed !== false) return;
  await recordNotification(db, {
    type: 'channel.failed',
    refType: 'channel',
    refId: channelId,
    agentId: null,
    operatorId,
    at: now,
    now,
  });
}

/** Makes a message due again at once: this server is stopping before it was sent. */
export async function returnDelivery(db: Db, { id, attempt }: Attempt, now: number): Promise<void> {
  await sql`update delivery set due_at = ${now}, updated_at = ${now}
    where id = ${id} and attempt = ${attempt} and state = 0`.execute(db);
}

export async function deleteOldDeliveries(db: Db, now: number): Promise<void> {
  await sql`delete from delivery where state <> 0 and updated_at < ${now - KEEP_MS}`.execute(db);
}
