import { literals } from '../database/literals.ts';
import { COMMAND, UNKNOWN_AFTER_MS } from '@hengtai/contract/gateway/gateway';
import type { LeaseAnswer, Leases } from '@hengtai/contract/gateway/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';
import { type OutgoingCommand, answerDue, isFor, platformOf } from './command.store.ts';
import { isHeldBack } from './held-payout.store.ts';
import type { PlatformScope } from './platform-scope.ts';

/** A command that one program holds until `leaseUntil`, in unix milliseconds. */
export interface LeasedCommand extends OutgoingCommand {
  lease: string;
  leaseUntil: number;
}

export interface LeaseRequest {
  scope: PlatformScope;
  /** A new random id. */
  lease: string;
  seconds: number;
  limit: number;
  /** True: only commands whose earlier lease ended without a receipt. False: only others. */
  isRetry?: boolean;
  now: number;
}

/** The record of a command, as in the index `command_record`. */
const recordOf = (command: string): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${command}.${name}`);
  return sql`(case when ${column('type')} in ('balance.changed', 'message.sent')
    then ${column('type')} || ' ' || (${column('data')} ->> 'account')
    when ${column('type')} in ('market.halted', 'market.resumed') then 'halt ' || ${column('ref_id')}::text
    else ${column('ref_type')} || ' ' || ${column('ref_id')}::text end)`;
};

/** Whether the command `c` waits for another one of its record: an earlier one, or one that a program has. */
const isBehind = (now: number): RawBuilder<unknown> => sql`
  exists (select from command o where ${recordOf('o')} = ${recordOf('c')} and o.state in (${literals(COMMAND.waiting, COMMAND.sent)}) and o.id <> c.id
    and ${platformOf('o')} = ${platformOf('c')} and (o.id < c.id or o.state = ${sql.lit(COMMAND.sent)} or o.lease_until > ${now}))`;

/** Whether the command `c` may be leased: it is the first open one of its record, and nobody holds another one. */
const isFree = ({ scope, now, isRetry }: Omit<LeaseRequest, 'lease' | 'seconds' | 'limit'>): RawBuilder<unknown> => sql`
  c.state = ${sql.lit(COMMAND.waiting)} and c.seq is not null and ${isFor(scope)} and (c.lease_until is null or c.lease_until <= ${now})
  and (${isRetry ?? null}::boolean is null or (c.lease_count > 0) = ${isRetry ?? null}::boolean)
  and not ${isBehind(now)} and not ${isHeldBack('c')}`;

/**
 * Whether the platform should have taken the command `c` by now. Not while a program has it by a first lease; a later
 * one follows a lease that ended without a receipt, or a webhook that failed.
 */
export const isOffered = (now: number): RawBuilder<unknown> => sql`
  c.state = ${sql.lit(COMMAND.waiting)} and (c.lease_count <> 1 or c.lease_until <= ${now}) and not ${isBehind(now)}
  and not ${isHeldBack('c')}`;

/**
 * Leases open commands in the order of their numbers. They count as delivered only from the receipt on. Leases are taken
 * one after the other, so that several readers never get the same command, nor two of one record.
 */
export async function leaseCommands(db: Db, request: LeaseRequest): Promise<LeasedCommand[]> {
  const { lease, seconds, limit, now } = request;
  const free = await sql`${prepared}select 1 from command c where ${isFree(request)} limit 1`.execute(db);
  if (free.rows.length === 0) return [];
  await sql`select last from command_seq for update`.execute(db);
  const { rows } = await sql<LeasedCommand>`${prepared}
    with free as (
      select c.id from command c where ${isFree(request)} order by c.seq limit ${limit} for update of c skip locked
    )
    update command c set lease = ${lease}::uuid, lease_seconds = ${seconds}::int, lease_count = c.lease_count + 1,
      lease_until = ${now}::bigint + ${seconds}::int * 1000
    from free where c.id = free.id
    returning c.seq, c.id, c.type, c.created_at as at, c.attempt, c.data, c.lease, c.lease_until as "leaseUntil"`.execute(
    db,
  );
  return rows.sort((a, b) => a.seq - b.seq);
}

/** The commands of the list whose lease is still valid, locked in a common order, as `held`. */
const heldOf = (scope: PlatformScope, leases: Leases): RawBuilder<unknown> => sql`
  asked as (select * from unnest(${leases.map(({ id }) => id)}::bigint[], ${leases.map(({ lease }) => lease)}::uuid[])
    with ordinality as a(id, lease, n)),
  held as (select c.id, c.lease, c.state from command c
    where (c.id, c.lease) in (select id, lease from asked) and c.state in (${literals(COMMAND.waiting, COMMAND.sent)}) and ${isFor(scope)}
    order by c.id for update of c)`;

/**
 * Records that the platform has received commands. From now on a payout, cancel or close without an answer becomes
 * unknown. A receipt is accepted until the command is leased again.
 */
export async function receiveCommands(
  db: Db,
  scope: PlatformScope,
  leases: Leases,
  now: number,
): Promise<LeaseAnswer[]> {
  const { rows } = await sql<LeaseAnswer>`
    with ${heldOf(scope, leases)},
    received as (
      update command c set lease_until = null, lease_count = 0,
        state = ${COMMAND.sent}, sent_at = coalesce(c.sent_at, ${now}), due_at = coalesce(c.due_at, ${answerDue(now)})
      from held where c.id = held.id returning c.id, c.due_at
    )
    select a.id, r.due_at as until,
      case held.state when 0 then 'applied' when 1 then 'duplicate' else 'lost' end as result
    from asked a left join held on held.id = a.id and held.lease = a.lease left join received r on r.id = held.id
    order by a.n`.execute(db);
  return rows;
}

/** Extends leases by their length, and the time for the answer of received commands to a minute from now. */
export async function renewLeases(db: Db, scope: PlatformScope, leases: Leases, now: number): Promise<LeaseAnswer[]> {
  const { rows } = await sql<LeaseAnswer>`
    with ${heldOf(scope, leases)},
    renewed as (
      update command c set
        lease_until = case when c.state = ${sql.lit(COMMAND.waiting)} then greatest(c.lease_until, ${now} + c.lease_seconds * 1000::bigint) end,
        due_at = case when c.state = ${sql.lit(COMMAND.sent)} then greatest(c.due_at, ${now + UNKNOWN_AFTER_MS}) else c.due_at end
      from held where c.id = held.id returning c.id, c.lease, coalesce(c.lease_until, c.due_at) as until
    )
    select a.id, r.until, case when r.id is null then 'lost' else 'applied' end as result
    from asked a left join renewed r on r.id = a.id and r.lease = a.lease order by a.n`.execute(db);
  return rows;
}

/** Longest pause after a lease without receipt. */
const PAUSE_MAX_MS = 300_000;

/** Offers commands again after a pause that doubles with each lease that ended without a receipt, from one second. */
export async function postponeCommands(db: Db, scope: PlatformScope, leases: Leases, now: number): Promise<void> {
  await sql`
    with ${heldOf(scope, leases)}
    update command c set
      lease_until = ${now} + least(1000 * power(2, least(c.lease_count - 1, 16)), ${PAUSE_MAX_MS})::bigint
    from held where c.id = held.id and c.state = ${sql.lit(COMMAND.waiting)}`.execute(db);
}

/** Whether a command is open and its lease is another one. Locks the command. */
export async function hasLostLease(db: Db, { id, lease }: Leases[number]): Promise<boolean> {
  const { rows } = await sql<{ isLost: boolean }>`
    select lease is distinct from ${lease}::uuid as "isLost" from command
    where id = ${id} and state in (${literals(COMMAND.waiting, COMMAND.sent)}) for update`.execute(db);
  return rows[0]?.isLost ?? false;
}
