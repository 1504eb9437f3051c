import { createHash } from 'node:crypto';
import { type AppliedEvent, Event } from '@hengtai/contract/gateway/schema';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { Value } from '@sinclair/typebox/value';
import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';
import { holdsKey } from './gateway-key.store.ts';
import type { AnyEvent } from './handlers.ts';
import { DEFAULT_PLATFORM, type PlatformScope } from './platform-scope.ts';

const DIGEST_BYTES = 16;

/**
 * Digest of the content of an event, in hexadecimal; equal for the same fields in another order. Without `at`, because a program that lost its
 * records may report the same event with the present time.
 */
export const digestOf = ({ type, data }: AnyEvent): string =>
  createHash('sha256')
    .update(stableJson([type, data]))
    .digest('hex')
    .slice(0, 2 * DIGEST_BYTES);

/** Whether an event that was applied under the same id had the same content, as far as that is known. */
export const isSameEvent = (event: AnyEvent, digest: string | null): boolean =>
  digest === null || digest === digestOf(event);

const SEPARATOR = '\u001f';

/**
 * The id of an event in the table. Ids are unique per platform: those of added platforms stand behind the number of their
 * platform and a control character, which no platform can send. So rows from before need no change.
 */
const toStoredId = ({ id }: PlatformScope, eventId: string): string =>
  id === DEFAULT_PLATFORM ? eventId : `${id}${SEPARATOR}${eventId}`;

/** The id that the platform sent. */
const toSentId = (storedId: string): string => storedId.slice(storedId.indexOf(SEPARATOR) + 1);

/**
 * Inserts the ids of events in the transaction that applies the events, if the key of the call is still as it was read.
 *
 * @returns how many of the ids were new
 */
export async function takeEvents(
  db: Db,
  scope: PlatformScope,
  events: readonly AnyEvent[],
  now: number,
): Promise<number> {
  const ids = events.map(({ eventId }) => toStoredId(scope, eventId));
  const { numAffectedRows } = await sql`${prepared}
    insert into inbox (event_id, type, created_at, recorded_at, digest)
    select e.id, e.type, e.at, ${now}, decode(e.digest, 'hex')
    from unnest(${ids}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ at }) => at)}::bigint[], ${events.map(digestOf)}::text[]) as e(id, type, at, digest)
    where ${holdsKey(scope)}
    on conflict (event_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The digests of those of these ids that were applied before; null for an event without one. */
export async function findKnownEvents(
  db: Db,
  scope: PlatformScope,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; digest: string | null }>`${prepared}
    select event_id as id, encode(digest, 'hex') as digest from inbox
    where event_id = any(${ids.map((id) => toStoredId(scope, id))}::text[]) and ${holdsKey(scope)}`.execute(db);
  return new Map(rows.map(({ id, digest }) => [toSentId(id), digest]));
}

/** An applied event; undefined for an id that was never applied. */
export async function findAppliedEvent(
  db: Db,
  scope: PlatformScope,
  eventId: string,
): Promise<AppliedEvent | undefined> {
  // No other text is an id, and PostgreSQL refuses some of them.
  if (!Value.Check(Event.properties.eventId, eventId)) return undefined;
  const { rows } = await sql<Omit<AppliedEvent, 'result' | 'eventId'>>`${prepared}
    select type, created_at as at, recorded_at as "recordedAt" from inbox
    where event_id = ${toStoredId(scope, eventId)} and ${holdsKey(scope)}`.execute(db);
  return rows[0] && { eventId, ...rows[0], result: 'applied' };
}
