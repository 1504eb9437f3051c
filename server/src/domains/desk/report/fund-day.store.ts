import { FLOW_MOVE } from '@hengtai/contract/desk/report/calls';
import { type RawBuilder, sql } from 'kysely';
import type { App, Ctx } from '../../../app/context.ts';
import { type Db, withRetries, runInScope } from '../../../database/connect.ts';
import { reportDayOf } from '../../../books/lists/report-day.ts';
import { inScope } from '../../../database/scope.ts';

/**
 * Daily inflow and outflow of the users of each agent. A trigger on new entries appends to `fund_delta`; a job
 * compacts the deltas into `fund_day` and `fund_sum`; readers always combine both.
 */

/**
 * Records that a user moves to another agent: its balances move along, its past flows stay with the old agent. The caller
 * has locked the user's accounts and not yet moved them, so nothing is posted in between.
 */
export async function recordMove(ctx: Ctx, { id: userId, agentId }: { id: number; agentId: number }): Promise<void> {
  await sql`
    with held as (
      select a.agent_id, a.market_id, sum(a.balance) as amount from account a
      where a.user_id = ${userId} and a.agent_id <> ${agentId} and ${inScope(ctx.scope, 'a.agent_id')} group by 1, 2
    ),
    noted as (
      insert into fund_move (mover_id, agent_from, agent_to, last_entry, at)
      select ${userId}, h.agent_id, ${agentId},
        (select coalesce(max(e.id), 0) from entry e where e.user_id = ${userId} and ${inScope(ctx.scope, 'e.agent_id')}), ${ctx.now}
      from (select distinct agent_id from held) h
    )
    insert into fund_delta (agent_key, market_key, type, at, amount_in, amount_out)
    select x.agent, h.market_id, ${FLOW_MOVE}, ${ctx.now}, x.gain * h.amount, x.loss * h.amount
    from held h cross join lateral (values (h.agent_id, 0, 1), (${agentId}::bigint, 1, 0)) x(agent, gain, loss)
    where h.amount > 0`.execute(ctx.db);
}

/** The day number since 1970-01-01 of the report day that contains a time. */
const dayOf = (at: string): RawBuilder<number> => sql<number>`(${reportDayOf(sql.ref(at))} - date '1970-01-01')`;

/** Flows per day: agent_key, day, market_key, type, amount_in, amount_out. A key can have several rows; sum them. */
export const fundFlows: RawBuilder<unknown> = sql`
  select agent_key, day, market_key, type, amount_in, amount_out from fund_day
  union all
  select agent_key, ${dayOf('fund_delta.at')}, market_key, type, amount_in, amount_out from fund_delta`;

/** Current balances of the users of each agent: agent_key, market_key, amount. A key can have several rows; sum them. */
export const fundSums: RawBuilder<unknown> = sql.raw(`
  select agent_key, market_key, amount from fund_sum
  union all
  select agent_key, market_key, amount_in - amount_out from fund_delta`);

/** Fetches a time at most one day before the first flow, in unix milliseconds; null if there is none. */
export async function fetchFundStart(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select least((select min(day) from fund_day)::bigint * 86400000 - 50400000, (select min(at) from fund_delta)) as at`.execute(
    db,
  );
  return rows[0]?.at ?? null;
}

/** Compacts the deltas since the last run. */
export async function compactFundDays(app: Pick<App, 'system'>): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (select from fund_delta)`.execute(app.system);
  if (rows.length > 0) await withRetries(() => runInScope(app.system, { kind: 'all' }, 0, compactDeltas, 'snapshot'));
  return false;
}

async function compactDeltas(db: Db): Promise<void> {
  const { rows } = await sql`select 1 from fund_book for no key update skip locked`.execute(db);
  if (rows.length === 0) return;
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`
    with d as (delete from fund_delta returning *),
    days as (
      insert into fund_day as f (agent_key, day, market_key, type, amount_in, amount_out)
      select agent_key, ${dayOf('d.at')}, market_key, type, sum(amount_in), sum(amount_out) from d group by 1, 2, 3, 4
      on conflict (agent_key, day, market_key, type) do update
      set amount_in = f.amount_in + excluded.amount_in, amount_out = f.amount_out + excluded.amount_out
    )
    insert into fund_sum as s (agent_key, market_key, amount)
    select agent_key, market_key, sum(amount_in - amount_out) from d group by 1, 2
    on conflict (agent_key, market_key) do update set amount = s.amount + excluded.amount`.execute(db);
}

/** Replaces all sums by deltas from the entries. One statement has one snapshot, so deltas posted meanwhile are kept. */
async function resetToDeltas(db: Db): Promise<void> {
  await sql`
    with d as (delete from fund_delta), s as (delete from fund_sum), f as (delete from fund_day)
    insert into fund_delta (agent_key, market_key, type, at, amount_in, amount_out)
    select agent, market, type, at, amount_in, amount_out from (${flowsOfEntries}) c`.execute(db);
}

/** Discards the sums and recomputes them from all entries. */
export async function rebuildFundDays(system: Db): Promise<void> {
  await withRetries(() =>
    runInScope(
      system,
      { kind: 'all' },
      0,
      async (db) => {
        await sql`set local statement_timeout = 0`.execute(db);
        await sql`select 1 from fund_book for no key update`.execute(db);
        await resetToDeltas(db);
      },
      'snapshot',
    ),
  );
  await compactFundDays({ system });
}

/**
 * Computes the flows from the entries. An entry belongs to the agent of its user at the time of posting: the old agent of
 * the user's first later move, or else the current agent. Entry ids tell the order, because they are assigned under the
 * lock of the account. Groups of 15 minutes never span midnight in any time zone.
 */
const flowsOfEntries: RawBuilder<unknown> = sql.raw(`
  select coalesce(v.agent_from, e.agent_id) as agent, e.market_id as market, e.type::int as type, min(e.created_at) as at,
    sum(greatest(e.amount, 0)) as amount_in, sum(greatest(-e.amount, 0)) as amount_out
  from entry e join entry o on o.leg_id = e.leg_id and o.side = -e.side
  left join lateral (
    select m.agent_from from fund_move m where m.mover_id = e.user_id and m.last_entry >= e.id order by m.id limit 1
  ) v on true
  where e.user_id is not null and o.user_id is distinct from e.user_id
  group by 1, 2, 3, e.created_at / 900000
  union all
  select x.agent, b.market_id, ${FLOW_MOVE}, m.at, x.gain * b.amount, x.loss * b.amount
  from fund_move m
  cross join lateral (
    select e.market_id, sum(e.amount) as amount from entry e where e.user_id = m.mover_id and e.id <= m.last_entry group by 1
  ) b
  cross join lateral (values (m.agent_from, 0, 1), (m.agent_to, 1, 0)) x(agent, gain, loss)
  where b.amount <> 0`);

/** A day or balance that differs from the entries. */
export interface FundDayDifference {
  table: string;
  place: string;
  counted: string;
  rows: string;
}

/** Maximum differences to report per table. */
const DIFFERENCES_MAX = 20;

/** Compares the stored days and sums with the entries. */
export async function checkFundDays(db: Db): Promise<FundDayDifference[]> {
  const { rows } = await sql<FundDayDifference>`
    with a as (
      select agent_key as agent, day, market_key as market, type, sum(amount_in) as i, sum(amount_out) as o
      from (${fundFlows}) f group by 1, 2, 3, 4 having sum(amount_in) <> 0 or sum(amount_out) <> 0
    ), b as (
      select agent, ${dayOf('c.at')} as day, market, type, sum(amount_in) as i, sum(amount_out) as o
      from (${flowsOfEntries}) c group by 1, 2, 3, 4
    ), c as (
      select agent_key as agent, market_key as market, sum(amount) as n from (${fundSums}) s group by 1, 2 having sum(amount) <> 0
    ), d as (
      select agent_id as agent, market_id as market, sum(amount) as n from entry where user_id is not null
      group by 1, 2 having sum(amount) <> 0
    )
    (select 'fund_day' as "table", concat_ws(' ', 'agent', agent, 'day', day, 'market', market, 'type', type) as place,
      concat_ws(' ', a.i, a.o) as counted, concat_ws(' ', b.i, b.o) as rows
    from a full join b using (agent, day, market, type)
    where a.i is distinct from b.i or a.o is distinct from b.o order by 2 limit ${sql.lit(DIFFERENCES_MAX)})
    union all
    (select 'fund_sum', concat_ws(' ', 'agent', agent, 'market', market), coalesce(c.n::text, ''), coalesce(d.n::text, '')
    from c full join d using (agent, market) where c.n is distinct from d.n order by 2 limit ${sql.lit(DIFFERENCES_MAX)})`.execute(
    db,
  );
  return rows;
}
