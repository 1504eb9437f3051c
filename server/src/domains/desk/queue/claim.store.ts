import { CLAIM_LEASE_SECONDS } from '@hengtai/contract/desk/queue/calls';
import type { QueueClaimed } from '@hengtai/contract/desk/queue/schema';
import {
  type ReviewQueueKey,
  type ReviewType,
  QUEUE_TARGET_PREFIX,
  reviewQueues,
} from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { queueOf, waitingRows } from '../../../realtime/waiting.store.ts';
import { idOf, isAbsent, selectWaiting } from './record.store.ts';

export const LEASE_MS = CLAIM_LEASE_SECONDS * 1_000;

/** A record and the tab that claims it. */
export interface TabClaim {
  type: ReviewType;
  id: number;
  tab: string;
}

/**
 * Ends claims whose lease is over, and those of the tab on records other than `keep`. Claims that another transaction is
 * ending are skipped, so that two calls never wait for each other.
 */
export async function endClaims(ctx: Ctx, tab: string, keep?: Pick<TabClaim, 'type' | 'id'>): Promise<void> {
  await sql`
    update claim set ended_at = least(lease_until, ${ctx.now}::bigint) where id in (
      select c.id from claim c where c.ended_at is null and (c.lease_until <= ${ctx.now}
        or (c.operator_id = ${ctx.operator.id} and c.tab = ${tab}
          and (c.target_type, c.target_id) is distinct from (${keep?.type ?? null}::text, ${keep?.id ?? null}::bigint)))
      for update skip locked)`.execute(ctx.db);
}

/** Claims a waiting record for the tab, or renews its claim. Does nothing while another tab holds it. */
export async function takeClaim(ctx: Ctx, { type, id, tab }: TabClaim): Promise<void> {
  await sql`
    insert into claim (queue, target_type, target_id, operator_id, tab, waiting_since, since, lease_until)
    select q.queue, ${type}, q.id, ${ctx.operator.id}, ${tab}, q.since, ${ctx.now}, ${ctx.now + LEASE_MS}
    from (${selectWaiting(ctx, type)}) q where q.id = ${id} limit 1
    on conflict (target_type, target_id) where ended_at is null do update set lease_until = excluded.lease_until
      where claim.operator_id = excluded.operator_id and claim.tab = excluded.tab`.execute(ctx.db);
}

/** Who holds a record that the caller sees. */
export async function findHolder(ctx: Ctx, { type, id, tab }: TabClaim): Promise<QueueClaimed['holder']> {
  const { rows } = await sql<NonNullable<QueueClaimed['holder']>>`
    select o.account as operator, c.operator_id = ${ctx.operator.id} as mine,
      c.operator_id = ${ctx.operator.id} and c.tab = ${tab} as here, c.since
    from claim c left join agent o on o.id = c.operator_id and ${inScope(ctx.scope, 'o.id')}
    where c.target_type = ${type} and c.target_id = ${id} and c.ended_at is null and c.lease_until > ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0] ?? null;
}

/** The target time of a queue in milliseconds; 0 if there is none. */
const targetMs = (key: ReviewQueueKey): RawBuilder<unknown> =>
  sql`coalesce((select trunc(num)::bigint * 60000 from config where key = ${`${QUEUE_TARGET_PREFIX}${key}`}), 0)`;

interface Choice {
  key: ReviewQueueKey;
  /** Records that the tab has set aside. */
  skip: readonly number[];
  /** A record that is left out. */
  without?: number;
}

/**
 * The best record of a queue that the caller may take, as id and since:
 *
 * - nobody holds it and it is not parked
 * - it is not escalated, or the caller is one of those above
 * - it was not handed to another operator, or that one is absent, or the target time is over
 *
 * First what was handed or escalated to the caller, then the longest over its target, the riskiest, the oldest.
 */
function selectBest(ctx: Ctx, { key, skip, without }: Choice, lock: boolean): RawBuilder<unknown> {
  const { alias, since, risk } = queueOf(key);
  const { type, above } = reviewQueues[key];
  const { now, operator } = ctx;
  const id = idOf(key);
  const item = sql`from queue_item i where i.target_type = ${type} and i.target_id = ${id}`;
  const isBelow = !can(operator, above);
  const late = sql`case when aim.ms > 0 then greatest(${now}::bigint - ${since} - aim.ms, 0) else 0 end`;
  const isReserved = sql`(case when i.escalated then ${isBelow}::boolean
    else i.assignee_id <> ${operator.id} and ${late} = 0 and not exists (
      select from agent o where o.id = i.assignee_id
        and (o.deleted_at is not null or o.state <> 1 or ${isAbsent(now)})) end)`;
  return sql`
    select ${id} as id, ${since} as since from ${withAim(key, ctx)}
      and ${id} is distinct from ${without ?? null}::bigint
      and not exists (select from claim c where c.target_type = ${type} and c.target_id = ${id}
        and c.ended_at is null and c.lease_until > ${now})
      and not exists (select ${item} and (coalesce(i.parked_until > ${now}, false) or coalesce(${isReserved}, false)))
    order by ${id} = any(${[...skip]}::bigint[]), exists (select ${item} and (i.assignee_id = ${operator.id} or i.escalated)) desc,
      ${late} desc, ${risk ?? sql`null::int`} nulls last, ${since}, ${id}
    limit 1 ${lock ? sql`for no key update of ${sql.ref(alias)} skip locked` : sql``}`;
}

/** The rows of a queue, with its target time as `aim`. */
const withAim = (key: ReviewQueueKey, ctx: Ctx): RawBuilder<unknown> =>
  sql`(select ${targetMs(key)} as ms) aim cross join ${waitingRows(key, ctx)}`;

/**
 * Picks the best free record of a queue and claims it, in one statement. Rows that another call is taking are skipped. The
 * unique index decides: a call whose snapshot is older than the claim of another one claims nothing, and `lost` says so.
 */
export async function takeNext(
  ctx: Ctx,
  choice: Choice,
  tab: string,
): Promise<{ id: number | null; lost: boolean; waiting: number }> {
  const { key } = choice;
  const { rows } = await sql<{ id: number | null; lost: boolean; waiting: number }>`
    with best as (${selectBest(ctx, choice, true)}),
    taken as (
      insert into claim (queue, target_type, target_id, operator_id, tab, waiting_since, since, lease_until)
      select ${key}, ${reviewQueues[key].type}, b.id, ${ctx.operator.id}, ${tab}, b.since, ${ctx.now}, ${ctx.now + LEASE_MS}
      from best b
      on conflict (target_type, target_id) where ended_at is null do nothing returning target_id
    )
    select (select target_id from taken) as id,
      exists (select from best) and not exists (select from taken) as lost,
      (select count(*) from ${waitingRows(key, ctx)}) as waiting`.execute(ctx.db);
  return rows[0] ?? { id: null, lost: false, waiting: 0 };
}

/** The record that the caller would get next, without claiming it. */
export async function findBest(ctx: Ctx, choice: Choice): Promise<number | null> {
  const { rows } = await sql<{ id: number; since: number }>`${selectBest(ctx, choice, false)}`.execute(ctx.db);
  return rows[0]?.id ?? null;
}
