import { literals } from '../database/literals.ts';
import { COMMAND, type CommandStateName, type CommandType, UNKNOWN_AFTER_MS } from '@hengtai/contract/gateway/gateway';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { isDecidedByRecord } from '@hengtai/contract/house/command/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { SpotDetail } from '@hengtai/contract/trading/spot/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';
import { recordNotification } from '../actions/notification.store.ts';
import { findOwner, ownerOf } from './command-owner.store.ts';
import { holdsKey } from './gateway-key.store.ts';
import { hasNumberedHeld, isHeldBack, takeNumbersOfHeld } from './held-payout.store.ts';
import { DEFAULT_PLATFORM, type PlatformScope } from './platform-scope.ts';

/** A command of one type, with the data that this type has. */
interface CommandOf<T extends CommandType> {
  type: T;
  refType: string;
  refId: number;
  data: CommandData[T];
  /** The platform that it goes to, if that is not the platform of its user or every platform. */
  platformId?: number;
  now: number;
}

export type NewCommand = { [T in CommandType]: CommandOf<T> }[CommandType];

/** Puts commands into the outbox in this order. It must run in the transaction of the change that caused them. */
export async function enqueue(db: Db, ...commands: readonly NewCommand[]): Promise<void> {
  const rows = commands.map(
    ({ type, refType, refId, data, platformId, now }) =>
      sql`(${type}, ${refType}, ${refId}, ${JSON.stringify(data)}::jsonb, ${now}, ${now}, ${platformId ?? null}::bigint)`,
  );
  await sql`${prepared}insert into command (type, ref_type, ref_id, data, created_at, recorded_at, platform_id)
    values ${sql.join(rows)}`.execute(db);
}

export interface OutgoingCommand {
  seq: number;
  id: number;
  type: string;
  at: number;
  attempt: number;
  data: unknown;
}

/** The platform that a command goes to: the default one, unless another is named. */
export const platformOf = (command: string): RawBuilder<number> =>
  sql<number>`coalesce(${sql.ref(`${command}.platform_id`)}, ${sql.lit(DEFAULT_PLATFORM)})`;

/** The command `c` goes to this platform, and the key of the call is still as it was read. */
export const isFor = (scope: PlatformScope, command = 'c'): RawBuilder<boolean> =>
  sql<boolean>`${platformOf(command)} = ${scope.id} and ${holdsKey(scope)}`;

/** The command `c` waits for its number. Payouts that are held back get none. */
const isUnnumbered = sql<boolean>`c.seq is null and c.state = ${sql.lit(COMMAND.waiting)} and not ${isHeldBack('c')}`;

/**
 * Numbers committed commands that have no number yet. The single row of command_seq stays locked until this transaction
 * ends, so numbers become visible in ascending order and a reader never skips one.
 *
 * @returns how many commands were numbered
 */
export async function numberCommands(db: Db, limit: number, now: number): Promise<number> {
  const waiting = await sql`${prepared}select 1 from command c where ${isUnnumbered} limit 1`.execute(db);
  const hasHeld = await hasNumberedHeld(db, now);
  if (waiting.rows.length === 0 && !hasHeld) return 0;
  await sql`select last from command_seq for update`.execute(db);
  if (hasHeld) await takeNumbersOfHeld(db, now);
  await assignPlatforms(db, limit);
  const { numAffectedRows } = await sql`
    with fresh as (
      select id, row_number() over (order by id) as n from (
        select id from command c where ${isUnnumbered} order by id limit ${limit}) c
    ),
    counted as (
      update command_seq set last = last + (select count(*) from fresh) returning last - (select count(*) from fresh) as base
    )
    update command c set seq = counted.base + fresh.n, attempt = c.attempt + 1
    from fresh, counted where c.id = fresh.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Types that only the default platform gets: it keeps the copy of the audit chain. */
const DEFAULT_ONLY: readonly CommandType[] = ['audit.head'];

/**
 * Sets the platform of commands that have none: that of their user. Of a command about no user, every other platform gets a
 * copy with a number and an answer of its own, unless it is about a market that the platform may not speak of.
 */
async function assignPlatforms(db: Db, limit: number): Promise<void> {
  const others = await sql`${prepared}select 1 from platform where id <> ${DEFAULT_PLATFORM} limit 1`.execute(db);
  if (others.rows.length === 0) return;
  await sql`
    with fresh as (
      select c.*, u.platform_id as of_user from (
        select * from command c where ${isUnnumbered} and platform_id is null order by id limit ${limit}) c
      left join ${ownerOf('c')} o on true left join users u on u.id = o.user_id
    ),
    copied as (
      insert into command (type, ref_type, ref_id, data, created_at, recorded_at, platform_id)
      select f.type, f.ref_type, f.ref_id, f.data, f.created_at, f.recorded_at, p.id
      from fresh f join platform p on p.id <> ${DEFAULT_PLATFORM}
      where f.of_user is null and f.type <> all(${[...DEFAULT_ONLY]}::text[])
        and (p.markets is null or coalesce(f.data ->> 'market', f.data ->> 'marketName', ${SETTLEMENT})
          = any(p.markets || ${SETTLEMENT}::text))
      order by f.id, p.id
    )
    update command c set platform_id = coalesce(f.of_user, ${DEFAULT_PLATFORM}) from fresh f where f.id = c.id`.execute(
    db,
  );
}

/** Upper bound of the exponential backoff between deliveries of an unanswered command. */
const RESEND_AT_MOST_MS = 15 * 60_000;

/** When the command `c`, delivered now, must have its answer. */
export const answerDue = (now: number): RawBuilder<unknown> =>
  sql`${now} + least(${UNKNOWN_AFTER_MS} * power(2, least(c.attempt - 1, 16)), ${RESEND_AT_MOST_MS})::bigint`;

const outgoing = sql`c.seq, c.id, c.type, c.created_at as at, c.attempt, c.data`;

export interface CommandRange {
  /** A sequence number. */
  after: number;
  limit: number;
}

/** Fetches unfinished commands after a sequence number, in that order, and marks them as sent. */
export async function takeCommands(
  db: Db,
  scope: PlatformScope,
  { after, limit }: CommandRange,
  now: number,
): Promise<OutgoingCommand[]> {
  const { rows } = await sql<OutgoingCommand>`${prepared}
    with taken as (
      select id from command where seq > ${after} and state in (${literals(COMMAND.waiting, COMMAND.sent)}) and ${isFor(scope, 'command')}
        and not (state = ${sql.lit(COMMAND.waiting)} and ${isHeldBack('command')})
      order by seq limit ${limit} for update
    )
    update command c set state = ${COMMAND.sent}, sent_at = coalesce(c.sent_at, ${now}),
      due_at = coalesce(c.due_at, ${answerDue(now)})
    from taken where c.id = taken.id
    returning ${outgoing}`.execute(db);
  return rows.sort((a, b) => a.seq - b.seq);
}

export interface FinishedCommand {
  id: number;
  type: CommandType;
  refType: string;
  refId: number;
  state: number;
  data: unknown;
}

/**
 * Records the answer to a command. The first answer wins; only an unknown outcome may still become done or failed.
 *
 * @param from states that the command may be in
 * @returns undefined if the command already has an answer or does not exist
 */
export async function finishCommand(
  db: Db,
  id: number,
  state: number,
  reason: string,
  now: number,
  from: readonly number[] = [COMMAND.waiting, COMMAND.sent, COMMAND.unknown],
): Promise<FinishedCommand | undefined> {
  const { rows } = await sql<FinishedCommand>`
    update command set state = ${state}, reason = ${reason}, done_at = ${now}
    where id = ${id} and state = any(${[...from]}::int[]) and (state <> ${sql.lit(COMMAND.unknown)} or ${state} <> ${sql.lit(COMMAND.unknown)})
    returning id, type, ref_type as "refType", ref_id as "refId", state, data`.execute(db);
  const [finished] = rows;
  // The record of such a command sends the notification.
  if (finished?.state === COMMAND.unknown && !isDecidedByRecord(finished.type)) {
    const owner = await findOwner(db, finished.refType, finished.refId);
    const about = { refType: 'command', refId: finished.id, ...owner, detail: finished.type };
    await recordNotification(db, { type: 'command.unknown', ...about, at: now, now });
  }
  return finished;
}

/**
 * Records that commands are done, in one statement. Leaves out the types whose answers change a record.
 *
 * @returns the other commands by id, and whether this call recorded their answer
 */
export async function finishDone(
  db: Db,
  scope: PlatformScope,
  ids: readonly number[],
  except: readonly string[],
  now: number,
): Promise<ReadonlyMap<number, boolean>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; isRecorded: boolean }>`
    with plain as (
      select id from command where id = any(${[...ids]}::bigint[]) and type <> all(${[...except]}::text[])
        and ${isFor(scope, 'command')} order by id for update
    ),
    done as (
      update command c set state = ${COMMAND.done}, reason = '', done_at = ${now}
      from plain where c.id = plain.id and c.state in (${COMMAND.waiting}, ${COMMAND.sent}, ${COMMAND.unknown}) returning c.id
    )
    select p.id, d.id is not null as "isRecorded" from plain p left join done d on d.id = p.id`.execute(db);
  return new Map(rows.map(({ id, isRecorded }) => [id, isRecorded]));
}

/** Whether a platform has a command with this id. */
export async function hasCommand(db: Db, scope: PlatformScope, id: number): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from command c where c.id = ${id} and ${isFor(scope)}`.execute(db);
  return rows.length === 1;
}

/** Unfinished commands after a sequence number. Reading them is not a delivery. */
export async function peekCommands(
  db: Db,
  scope: PlatformScope,
  { after, limit }: CommandRange,
): Promise<OutgoingCommand[]> {
  const { rows } = await sql<OutgoingCommand>`${prepared}
    select ${outgoing} from command c where c.seq > ${after} and c.state in (${literals(COMMAND.waiting, COMMAND.sent)}) and ${isFor(scope)}
    order by c.seq limit ${limit}`.execute(db);
  return rows;
}

/** A command with its state and the reason of its answer. */
export interface ReplayedCommand extends OutgoingCommand {
  state: CommandStateName;
  reason: string;
}

/** All commands from a sequence number on, finished ones included. */
export async function replayCommands(
  db: Db,
  scope: PlatformScope,
  from: number,
  limit: number,
): Promise<ReplayedCommand[]> {
  const { rows } = await sql<ReplayedCommand>`${prepared}
    select ${outgoing}, (array['waiting', 'sent', 'done', 'failed', 'unknown'])[c.state + 1] as state, c.reason
    from command c where c.seq >= ${from} and ${isFor(scope)} order by c.seq limit ${limit}`.execute(db);
  return rows;
}

/** Fetches commands that were sent and not answered in time, and locks them for the caller's transaction. */
export async function takeOverdueCommands(db: Db, now: number, limit: number): Promise<FinishedCommand[]> {
  const { rows } = await sql<FinishedCommand>`
    select id, type, ref_type as "refType", ref_id as "refId", state, data from command
    where state = ${sql.lit(COMMAND.sent)} and due_at <= ${now} order by due_at limit ${limit} for update skip locked`.execute(
    db,
  );
  return rows;
}

/** Puts a command back into the queue with a new number, so that a reader that continues from the last one sees it. */
export async function resend(db: Db, id: number): Promise<void> {
  await sql`update command set state = ${COMMAND.waiting}, due_at = null, ${forgetDelivery}
    where id = ${id} and state = ${sql.lit(COMMAND.sent)}`.execute(db);
}

/** Assignments that end the lease of a command and let it get a new number. */
export const forgetDelivery = sql`seq = null, lease = null, lease_until = null, lease_count = 0`;

/** The command of a kind of record with the highest id of a record. */
export async function findLastCommand(db: Db, refType: string): Promise<{ refId: number; at: number } | undefined> {
  const { rows } = await sql<{ refId: number; at: number }>`
    select ref_id as "refId", created_at as at from command where ref_type = ${refType}
    order by ref_id desc limit 1`.execute(db);
  return rows[0];
}

const LIST_MAX = 20;

/**
 * The latest commands about one request, newest first. The caller must have found the request in the operator's scope.
 *
 * @param more further fields of the command `c`, each behind a comma
 */
export async function fetchRecordCommands<T extends SpotDetail['commands'][number]>(
  db: Db,
  refType: string,
  refId: number,
  more: RawBuilder<unknown> = sql``,
): Promise<T[]> {
  const { rows } = await sql<T>`
    select c.id, c.state, c.reason, c.created_at as "createdAt", c.done_at as "doneAt" ${more} from command c
    where c.ref_type = ${refType} and c.ref_id = ${refId} order by c.id desc limit ${LIST_MAX}`.execute(db);
  return rows;
}
