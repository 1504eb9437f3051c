import { type RawBuilder, sql } from 'kysely';
import type { App } from '../context.ts';
import { type Db, inTransaction, withRetries, runInScope } from './connect.ts';
import { rebuildFundDays } from './fund-day.ts';
import {
  FINE_BITS,
  GRAIN,
  KIND,
  LEVELS,
  ROLL_LIMITS,
  type RollKey,
  type RollLimits,
  type Rolled,
  everyRolled,
  imageOf,
  shownOf,
} from './rollup.ts';
import { GRAINED, LEAST_SHIFT, makeBlocks } from './rollup-blocks.ts';
import { dropRanges, keyRows, rangesFor, wantRanges } from './rollup-ranges.ts';

/**
 * Adds up what was appended since the last turn, for every process one after the other. Whoever finds the row of
 * roll_tree held goes away; nothing to do costs one look.
 *
 * @returns whether there is more to do at once
 */
export async function compactRollups(app: Pick<App, 'system'>, limits: RollLimits = ROLL_LIMITS): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (select from roll_delta)
    or exists (select from roll_grid where shift is null)`.execute(app.system);
  if (rows.length === 0) return false;
  return withRetries(() => runInScope(app.system, { kind: 'all' }, 0, (db) => turn(db, limits), 'snapshot'));
}

/** In one snapshot: what it adds up and what it cuts into blocks are the same rows. */
async function turn(db: Db, limits: RollLimits): Promise<boolean> {
  const { rows } = await sql`select 1 from roll_tree for no key update skip locked`.execute(db);
  if (rows.length === 0) return false;
  await sql`set local statement_timeout = 0`.execute(db);
  await wantBlocks(db, await addUp(db, limits), limits);
  return makeBlocks(db, limits);
}

interface Touched {
  /** Keys whose sums have changed, and that have no blocks. */
  sums: RollKey[];
  /** Keys with a block that has become too full. */
  full: RollKey[];
  /** Ranges that have too many rows, and keys that are to be counted by ranges. */
  large: RollKey[];
  users: { noun: number; users: number[] }[];
}

async function addUp(db: Db, limits: RollLimits): Promise<Touched> {
  const { rows } = await sql<RollKey & { what: string }>`
    with taken as (delete from roll_delta returning *),
    d as (select taken.*, ${shownOf('agent_key')} as shown_key from taken),
    ranged as (
      select d.*, g.key as range_key from d cross join lateral ${rangesFor('d.noun', 'd.agent_key', 'd.shown_key', 'd.user_key')} g
      where (select exists (select from roll_range))
    ),
    grouped as (
      select noun, agent_key, shown_key, d1, d2, market_key, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
      from d group by 1, 2, 3, 4, 5, 6
    ),
    spread as (
      select noun, 0 as kind, 0::bigint as key, d1, d2, market_key, n, s1, s2, s3 from grouped
      union all
      select noun, 1, c.ancestor, d1, d2, market_key, n, s1, s2, s3 from grouped join closure c on c.descendant = agent_key
      union all
      select noun, 2, shown_key, d1, d2, market_key, n, s1, s2, s3 from grouped
      union all
      select d.noun, 3, g.key, d1, d2, market_key, n, s1, s2, s3 from d
      join roll_grid g on g.noun = d.noun and g.kind = 3 and g.key = d.user_key
      union all
      select noun, 4, range_key, d1, d2, market_key, n, s1, s2, s3 from ranged
    ),
    summed as (
      insert into roll_sum as r (noun, kind, key, d1, d2, market_key, n, s1, s2, s3)
      select noun, kind, key, d1, d2, market_key, sum(n), sum(s1), sum(s2), sum(s3) from spread group by 1, 2, 3, 4, 5, 6
      on conflict (noun, kind, key, d1, d2, market_key) do update
      set n = r.n + excluded.n, s1 = r.s1 + excluded.s1, s2 = r.s2 + excluded.s2, s3 = r.s3 + excluded.s3
      returning noun, kind, key
    ),
    ${INTO_BLOCKS}
    ${touchedBy(limits)}`.execute(db);
  const of = (kind: string): RollKey[] => rows.filter(({ what }) => what === kind);
  const users = everyRolled.map(({ code }) => ({
    noun: code,
    users: of('user')
      .filter(({ noun }) => noun === code)
      .map(({ key }) => key),
  }));
  return { sums: of('sum'), full: of('full'), large: of('large'), users };
}

/** The spans of a key in which all its rows are counted. */
const SPANS = sql.lit(GRAIN.whatever + 1);

/** CTEs that bring `d` into the blocks of whoever has some: `blocks` are those that have changed, `spans` the keys with such. */
const INTO_BLOCKS = sql`
    cut as (
      select w.noun, w.kind, w.key, level, w.block >> least(g.shift - ${sql.lit(FINE_BITS)} + up, 63) as block, d1, d2, market_key, n, s1, s2,
        s3, lo, hi
      from (
        select d.*, null::bigint as range_key, k.kind, k.key from d cross join lateral (
          select 0 as kind, 0::bigint as key
          union all select 1, c.ancestor from closure c where c.descendant = d.agent_key
          union all select 2, d.shown_key union all select 3, d.user_key
        ) k
        union all
        select ranged.*, 4, ranged.range_key from ranged
      ) w
      join roll_grid g on g.noun = w.noun and g.kind = w.kind and g.key = w.key and g.shift is not null
      cross join ${LEVELS}
    ),
    fine as (
      select noun, kind, key, level, market_key, block, d1, d2, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3, min(lo) as lo,
        max(hi) as hi
      from cut group by 1, 2, 3, 4, 5, 6, 7, 8
    ),
    ${GRAINED},
    blocks as (
      insert into roll_block as r (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
      select * from in_markets
      on conflict (noun, kind, key, level, market_key, block, d1, d2) do update
      set n = r.n + excluded.n, s1 = r.s1 + excluded.s1, s2 = r.s2 + excluded.s2, s3 = r.s3 + excluded.s3,
        lo = least(r.lo, excluded.lo), hi = greatest(r.hi, excluded.hi)
      returning noun, kind, key, level, market_key, n
    ),
    spans as (
      select distinct noun, kind, key from blocks where level = ${SPANS} and market_key = 0 and kind <> 3
    )`;

/** What there is to do after it, out of the CTEs of `addUp`. */
const touchedBy = ({ blockRows, rangeAt }: RollLimits): RawBuilder<unknown> => sql`
  select distinct 'sum' as what, s.noun, s.kind, s.key from summed s
  where not exists (select from roll_grid g where g.noun = s.noun and g.kind = s.kind and g.key = s.key)
  union all
  select distinct 'full', b.noun, b.kind, b.key from blocks b join roll_grid g on g.noun = b.noun and g.kind = b.kind and g.key = b.key
  where b.level = ${sql.lit(GRAIN.whatever)} and b.n > ${4 * blockRows} and g.shift > ${sql.lit(LEAST_SHIFT)}
  union all
  select 'large', s.noun, s.kind, s.key from spans s
  where s.noun <> 4 and not exists (select from roll_range o where o.noun = s.noun and o.kind = s.kind and o.key = s.key)
    and (select sum(b.n) from roll_block b where b.noun = s.noun and b.kind = s.kind and b.key = s.key and b.level = ${SPANS}
      and b.market_key = 0) > coalesce((select o.most from roll_range o where s.kind = 4 and o.id = s.key), ${rangeAt}::bigint)
  union all
  select distinct 'user', d.noun, 3, d.user_key from d where d.user_key <> 0 and d.n > 0 and d.noun <> 4
    and not exists (select from roll_grid g where g.noun = d.noun and g.kind = 3 and g.key = d.user_key)`;

/** Whoever has grown large enough is to get blocks; the users of this turn as well. */
async function wantBlocks(db: Db, { sums, full, large, users }: Touched, limits: RollLimits): Promise<void> {
  const { promoteAt } = limits;
  if (sums.length > 0) {
    await sql`insert into roll_grid (noun, kind, key)
      select s.noun, s.kind, s.key from roll_sum s
      join ${keyRows(sums)} on (k.noun, k.kind, k.key) = (s.noun, s.kind, s.key)
      group by 1, 2, 3 having sum(s.n) > ${promoteAt} on conflict do nothing`.execute(db);
  }
  if (full.length > 0) {
    await sql`update roll_grid g set shift = null, cap = g.shift - 1 from ${keyRows(full)}
      where (k.noun, k.kind, k.key) = (g.noun, g.kind, g.key)`.execute(db);
  }
  const owners = large.filter(({ kind }) => kind !== KIND.range);
  await wantRanges(db, owners, limits);
  if (owners.length < large.length) {
    // Whether these can be divided is seen when their blocks are made.
    await sql`update roll_grid g set shift = null from ${keyRows(large.filter((key) => !owners.includes(key)))}
      where (k.noun, k.kind, k.key) = (g.noun, g.kind, g.key)`.execute(db);
  }
  for (const { noun, users: ids } of users) {
    const what = everyRolled.find(({ code }) => code === noun);
    if (!what || ids.length === 0) continue;
    await sql`insert into roll_grid (noun, kind, key)
      select ${noun}::smallint, ${KIND.user}::smallint, u.id from unnest(${ids}::bigint[]) u(id)
      where (select count(*) from (select from ${sql.table(what.table)} r where r.user_id = u.id limit ${promoteAt + 1}) x)
        > ${promoteAt} on conflict do nothing`.execute(db);
  }
}

/**
 * Before an agent's lines upwards are written anew: what its subtree has goes from the agents that it leaves to those it
 * comes below. What is not added up yet follows by itself, for it is spread by the lines of its moment. The blocks of both
 * are made again from the rows; until then their pages take longer. The caller has the tree locked.
 */
export async function moveCounts(db: Db, id: number, parentId: number): Promise<void> {
  await sql`update roll_tree set version = version + 1`.execute(db);
  const { rows } = await sql<{ key: number; sign: number }>`
    select a.ancestor as key, a.sign from (
      select ancestor, -1 as sign from closure where descendant = ${id} and ancestor <> ${id}
      union all select ancestor, 1 from closure where descendant = ${parentId}
    ) a`.execute(db);
  // Who stands above both places has it before and after.
  const changed = rows.filter(({ key, sign }) => !rows.some((other) => other.key === key && other.sign === -sign));
  if (changed.length === 0) return;
  const keys = changed.map(({ key }) => key);
  await sql`
    insert into roll_sum as r (noun, kind, key, d1, d2, market_key, n, s1, s2, s3)
    select m.noun, m.kind, a.key, m.d1, m.d2, m.market_key, a.sign * m.n, a.sign * m.s1, a.sign * m.s2, a.sign * m.s3
    from roll_sum m cross join unnest(${keys}::bigint[], ${changed.map(({ sign }) => sign)}::int[]) a(key, sign)
    where m.kind = 1 and m.key = ${id}
    on conflict (noun, kind, key, d1, d2, market_key) do update
    set n = r.n + excluded.n, s1 = r.s1 + excluded.s1, s2 = r.s2 + excluded.s2, s3 = r.s3 + excluded.s3`.execute(db);
  await sql`delete from roll_block where kind = 1 and key = any(${keys}::bigint[])`.execute(db);
  await dropRanges(db, sql`o.kind = 1 and o.key = any(${keys}::bigint[])`);
  // Whether they are large enough is seen when the blocks are made.
  await sql`insert into roll_grid (noun, kind, key)
    select distinct noun, kind, key from roll_sum where kind = 1 and key = any(${keys}::bigint[])
    on conflict (noun, kind, key) do update set shift = null`.execute(db);
}

/**
 * Once an agent is shown as its heir: what was counted of the agent alone is counted of the heir, and both their blocks and
 * ranges are made anew. What is not added up yet follows by itself. The caller has the tree locked.
 */
export async function inheritCounts(db: Db, id: number, heirId: number): Promise<void> {
  const { rows } = await sql<{ noun: number }>`
    with gone as (delete from roll_sum where kind = 2 and key = ${id} returning *),
    heirs as (
      insert into roll_sum as r (noun, kind, key, d1, d2, market_key, n, s1, s2, s3)
      select noun, kind, ${heirId}, d1, d2, market_key, n, s1, s2, s3 from gone
      on conflict (noun, kind, key, d1, d2, market_key) do update
      set n = r.n + excluded.n, s1 = r.s1 + excluded.s1, s2 = r.s2 + excluded.s2, s3 = r.s3 + excluded.s3
    )
    select distinct noun from gone`.execute(db);
  const nouns = rows.map(({ noun }) => noun);
  await sql`delete from roll_block where kind = 2 and key in (${id}, ${heirId}) and noun = any(${nouns}::int[])`.execute(
    db,
  );
  await sql`delete from roll_grid where kind = 2 and key = ${id}`.execute(db);
  await dropRanges(db, sql`o.kind = 2 and o.key in (${id}, ${heirId}) and o.noun = any(${nouns}::int[])`);
  // Whether these are large enough is seen when the blocks are made.
  await sql`insert into roll_grid (noun, kind, key) select noun, 2, ${heirId} from unnest(${nouns}::int[]) n(noun)
    on conflict (noun, kind, key) do update set shift = null`.execute(db);
}

/** Forgets all that was added up and counts every row anew; what is written meanwhile is added to it. */
export async function rebuildRollups(system: Db, limits: RollLimits = ROLL_LIMITS): Promise<void> {
  await withRetries(() =>
    inTransaction(system, async (db) => {
      await sql`set local statement_timeout = 0`.execute(db);
      await sql`update roll_tree set version = version + 1`.execute(db);
      // One statement, one snapshot: who is not in it yet keeps its delta.
      await sql`
        with d as (delete from roll_delta), s as (delete from roll_sum), g as (delete from roll_grid), b as (delete from roll_block),
          r as (delete from roll_range)
        insert into roll_delta (noun, agent_key, user_key, d1, d2, market_key, block, n, s1, s2, s3, lo, hi)
        ${sql.join(everyRolled.map(wholeOf), sql` union all `)}`.execute(db);
    }),
  );
  while (await compactRollups({ system }, limits));
  for (const what of everyRolled) if (what !== everyRolled[3]) await promoteUsers(system, what, limits);
  await rebuildFundDays(system);
}

const wholeOf = (what: Rolled): RawBuilder<unknown> => sql`
  select ${sql.lit(what.code)}::smallint, x_agent, 0::bigint, x_d1, x_d2, x_market, 0::bigint, count(*), sum(x_s1), sum(x_s2), sum(x_s3),
    min(x_at), max(x_at)
  from (select ${imageOf(what)} from ${sql.raw(what.from)} where ${sql.raw(what.counted)}) i
  group by x_agent, x_d1, x_d2, x_market`;

async function promoteUsers(system: Db, what: Rolled, limits: RollLimits): Promise<void> {
  await sql`insert into roll_grid (noun, kind, key)
    select ${sql.lit(what.code)}::smallint, 3::smallint, r.user_id from ${sql.table(what.table)} r where r.user_id is not null
    group by r.user_id having count(*) > ${limits.promoteAt} on conflict do nothing`.execute(system);
  while (await compactRollups({ system }, limits));
}
