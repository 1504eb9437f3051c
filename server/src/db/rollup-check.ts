import { type RawBuilder, sql } from 'kysely';
import { type Db, runInScope } from './connect.ts';
import { checkFundDays } from './fund-day.ts';
import { rangesFor } from './rollup-ranges.ts';
import { FINE_BITS, GRAIN, LEVELS, type Rolled, WHOLE, everyRolled, imageOf, rolled, shownOf } from './rollup.ts';

/** What a rollup says and what the rows say. */
export interface RollDifference {
  noun: string;
  where: string;
  rollup: string;
  rows: string;
}

/** So many differences of one kind are named. */
const NAMED = 20;
const nameOf = (what: Rolled): string => Object.entries(rolled).find(([, one]) => one === what)?.[0] ?? '';

/**
 * Counts every row of every noun anew and compares it with the rollups, and the days of the fund report with the entries;
 * what is not added up yet is taken along.
 */
export async function checkRollups(system: Db): Promise<RollDifference[]> {
  const found: RollDifference[] = [];
  await runInScope(
    system,
    { kind: 'all' },
    0,
    async (db) => {
      await sql`set local statement_timeout = 0`.execute(db);
      for (const { what, sums, blocks } of await somethingOf(db)) {
        if (sums) found.push(...(await differencesIn(db, what, sumsOf(what), countedSums(what))));
        if (blocks) found.push(...(await differencesIn(db, what, blocksOf(what), countedBlocks(what), NARROWER)));
      }
      found.push(...(await checkFundDays(db)));
    },
    'read',
  );
  return found;
}

/** Where neither rows nor rollups have anything, nothing can differ: what there is to compare is looked at first. */
async function somethingOf(db: Db): Promise<{ what: Rolled; sums: boolean; blocks: boolean }[]> {
  const looks = everyRolled.map(
    ({ code, table }) => sql`
    select exists (select from roll_sum where noun = ${sql.lit(code)}) or exists (select from roll_delta where noun = ${sql.lit(code)})
        or exists (select from ${sql.table(table)}) as sums,
      exists (select from roll_block where noun = ${sql.lit(code)})
        or exists (select from roll_grid where noun = ${sql.lit(code)} and shift is not null) as blocks,
      ${sql.lit(code)} as code`,
  );
  const { rows } = await sql<{
    code: number;
    sums: boolean;
    blocks: boolean;
  }>`${sql.join(looks, sql` union all `)}`.execute(db);
  return everyRolled.flatMap((what) => {
    const found = rows.find(({ code }) => code === what.code);
    return found ? [{ what, sums: found.sums, blocks: found.blocks }] : [];
  });
}

const KEYS = sql.raw('kind, key, level, block, d1, d2, market_key');
/** Bounds are never made narrower again when rows leave a block. */
const NARROWER = sql.raw('or a.lo > b.lo or a.hi < b.hi');

async function differencesIn(
  db: Db,
  what: Rolled,
  said: RawBuilder<unknown>,
  counted: RawBuilder<unknown>,
  bounds: RawBuilder<unknown> = sql``,
): Promise<RollDifference[]> {
  const row = (as: string) => sql.raw(`concat_ws(' ', ${as}.n, ${as}.s1, ${as}.s2, ${as}.s3, ${as}.lo, ${as}.hi)`);
  const { rows } = await sql<Omit<RollDifference, 'noun'>>`
    with said as (${said}), counted as (${counted}),
    a as (select ${KEYS}, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3, min(lo) as lo, max(hi) as hi from said
      group by ${KEYS} having sum(n) <> 0 or sum(s1) <> 0 or sum(s2) <> 0 or sum(s3) <> 0),
    b as (select ${KEYS}, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3, min(lo) as lo, max(hi) as hi from counted
      group by ${KEYS})
    select concat_ws(' ', 'kind', kind, 'key', key, case level % 2 when 1 then 'span' else 'block' end, block, 'd', d1, d2, 'market',
      market_key) as "where",
      ${row('a')} as rollup, ${row('b')} as rows
    from a full join b using (${KEYS})
    where a.n is distinct from b.n or a.s1 is distinct from b.s1 or a.s2 is distinct from b.s2 or a.s3 is distinct from b.s3
      ${bounds} order by 1 limit ${sql.lit(NAMED)}`.execute(db);
  return rows.map((found) => ({ noun: nameOf(what), ...found }));
}

/** Whom a row or a delta of an agent and a user is counted for. */
const keysOf = (
  what: Rolled,
  agent: string,
  user: string,
): RawBuilder<unknown> => sql`lateral (select ${shownOf(agent)} as key offset 0) shown cross join lateral (
  select 0 as kind, 0::bigint as key
  union all select 1, c.ancestor from closure c where c.descendant = ${sql.raw(agent)}
  union all select 2, shown.key
  union all select 3, g.key from roll_grid g where g.noun = ${sql.lit(what.code)} and g.kind = 3 and g.shift is not null
    and g.key = ${sql.raw(user)}
  union all select 4, o.key from ${rangesFor(String(what.code), agent, 'shown.key', user)} o
    where (select g.shift from roll_grid g where g.noun = ${sql.lit(what.code)} and g.kind = 4 and g.key = o.key) is not null
      and ${ranged(what)}) k`;

const ranged = ({ code }: Rolled): RawBuilder<unknown> =>
  sql`(select exists (select from roll_range where noun = ${sql.lit(code)}))`;

const imageRows = (what: Rolled): RawBuilder<unknown> =>
  sql`(select ${imageOf(what)} from ${sql.raw(what.from)} where ${sql.raw(what.counted)}) i`;

const sumsOf = (what: Rolled): RawBuilder<unknown> => sql`
  select s.kind, s.key, 0 as level, 0 as block, d1, d2, market_key, n, s1, s2, s3, null::bigint as lo, null::bigint as hi from roll_sum s
  left join roll_grid g on (g.noun, g.kind, g.key) = (s.noun, s.kind, s.key)
  where s.noun = ${sql.lit(what.code)} and (s.kind < 3 or g.shift is not null)
  union all
  select k.kind, k.key, 0, 0, d1, d2, market_key, n, s1, s2, s3, null, null
  from roll_delta d cross join ${keysOf(what, 'd.agent_key', 'd.user_key')} where d.noun = ${sql.lit(what.code)}`;

const countedSums = (what: Rolled): RawBuilder<unknown> => sql`
  select k.kind, k.key, 0 as level, 0 as block, x_d1 as d1, x_d2 as d2, x_market as market_key, i.n, i.s1, i.s2, i.s3,
    null::bigint as lo, null::bigint as hi
  from (select x_agent, case when g.key is not null or ${ranged(what)} then x_user end as x_user, x_d1, x_d2, x_market, count(*) as n, sum(x_s1) as s1,
      sum(x_s2) as s2, sum(x_s3) as s3
    from ${imageRows(what)} left join roll_grid g on g.noun = ${sql.lit(what.code)} and g.kind = 3 and g.shift is not null
      and g.key = x_user group by 1, 2, 3, 4, 5) i
  cross join ${keysOf(what, 'i.x_agent', 'i.x_user')}`;

const blocksOf = (what: Rolled): RawBuilder<unknown> => sql`
  select kind, key, level, block, d1, d2, market_key, n, s1, s2, s3, lo, hi from roll_block b where noun = ${sql.lit(what.code)}
    and (kind < 4 or exists (select from roll_grid g where (g.noun, g.kind, g.key) = (b.noun, b.kind, b.key) and g.shift is not null))
  union all ${inBlocks(
    what,
    sql`(select agent_key as agent, user_key as usr, block, d1, d2, market_key, n, s1, s2, s3, lo, hi
    from roll_delta where noun = ${sql.lit(what.code)}) d`,
  )}`;

const countedBlocks = (what: Rolled): RawBuilder<unknown> =>
  inBlocks(
    what,
    sql`(select x_agent as agent, x_user as usr, x_id >> ${sql.lit(FINE_BITS)} as block, x_d1 as d1, x_d2 as d2,
      x_market as market_key, 1 as n, x_s1 as s1, x_s2 as s2, x_s3 as s3, x_at as lo, x_at as hi from ${imageRows(what)}) d`,
  );

const inBlocks = (what: Rolled, source: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select k.kind, k.key, m.level, d.block >> least(g.shift - ${sql.lit(FINE_BITS)} + up, 63) as block, m.d1, m.d2, m.market as market_key, n,
    case when m.market = 0 then 0 else s1 end as s1, case when m.market = 0 then 0 else s2 end as s2,
    case when m.market = 0 then 0 else s3 end as s3, lo, hi
  from ${source} cross join ${keysOf(what, 'd.agent', 'd.usr')}
  join roll_grid g on g.noun = ${sql.lit(what.code)} and g.kind = k.kind and g.key = k.key and g.shift is not null
  cross join ${LEVELS}
  cross join lateral (select d.market_key as market union select 0) market
  cross join lateral (
    select level, market.market, d.d1, d.d2 where level <> ${sql.lit(WHOLE)}
    union all select level + ${sql.lit(GRAIN.whatever)}, market.market, 0, 0${leadOf(what)}) m`;

/** What has a lead is counted by that alone as well. */
const leadOf = ({ dims, lead }: Rolled): RawBuilder<unknown> =>
  lead === undefined
    ? sql``
    : sql` union all select level + ${sql.lit(GRAIN.lead)}, market.market, d.${sql.raw(dims[lead] ?? '')}, 0`;
