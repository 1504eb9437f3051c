import { type Filter, type ListSpec, type PageInput, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../app/context.ts';
import { prepared } from '../../database/connect.ts';
import { inScope } from '../../database/scope.ts';
import { columnOf, conditions, filterValue, isAccount, isAccountPrefix } from './filter.ts';
import { type Counters, isCountedInDetail } from './counters.ts';
import type { Cut, ListSource, PageBlocks, Within } from './source.ts';
import { type CoinCount, type Totals, toTotals } from './totals.ts';

/** With more places that a time range cuts through, the rows are counted by a plain statement. */
const CUT_PLACES_MAX = 8;

/**
 * Levels of counters: the whole scope, large blocks of 2^LARGE_BITS blocks, and blocks. A place is one of them, by level and
 * number. These are counted by state and coin; the whole and large blocks also by all filters, under DETAILED more.
 */
export const LEVEL = { whole: 1, large: 2, block: 3 } as const;
const DETAILED = 3;
const LARGE_BITS = 5;

/** Totals from the counters, and where the page is. */
export interface CountedPage {
  totals: Totals;
  /** undefined if the scope has no blocks. */
  blocks?: PageBlocks;
}

/**
 * Reads the total, the sums and the place of a page from the counters.
 *
 * @returns undefined if the filters are not counted, or the scope has too few rows to be counted
 */
export async function readCounters(
  ctx: Reader,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
  cut: Cut,
): Promise<CountedPage | undefined> {
  const { counted } = source;
  const filters = counted && !source.isUncounted && countedFilters(spec, source, counted, input);
  if (!filters) return undefined;
  const isDetailed = isCountedInDetail(counted, spec, input);
  const isTimed = input.from !== undefined || input.to !== undefined;
  const { kind, key, deltas = sql`counter_delta`, pending } = findScope(ctx, source, input);
  const of = sql`resource = ${sql.lit(counted.resource)}`;
  const where = sql.join([of, ...filters], sql` and `);
  const countersOf: CountersOf = (level) =>
    sql`counter where ${where} and kind = ${sql.lit(kind)} and key = (select key from target) and level = ${level} + ${sql.lit(isDetailed ? DETAILED : 0)}`;
  const { rows } = await sql<CounterRow>`${prepared}
    with target as materialized (
      select x.key, coalesce((select least(level, ${sql.lit(isDetailed ? LEVEL.large : LEVEL.block)}) from counter_scope s
        where s.kind = ${sql.lit(kind)} and s.key = x.key and ${of}), 0) as level
      from (select ${key} as key) x
    ),
    pending as materialized (select block, market_id, n, s1, s2, s3 from ${deltas} where ${where} and ${pending}),
    ${isTimed || isByTime(input.sort) ? pickByTime(input, of) : pickAll(input)},
    piece as materialized (${pieces(countersOf)}${isTimed ? cutRows(ctx, spec, source, input) : sql``}),
    placed as materialized (select level, block, sum(n)::bigint as n from piece group by level, block having sum(n) <> 0),
    totals as (
      select market_id, sum(n)::bigint as count, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
      from piece group by market_id having sum(n) <> 0
    ),
    ${pageBlocks(input.sort, cut, countersOf)}
    select t.key, t.level, (select count(*) from pick where not inside) > ${sql.lit(CUT_PLACES_MAX)} as "isScattered",
      c.market_id as "marketId", m.market_name as "marketName", c.count, c.s1, c.s2, c.s3, p.blocks, p.before, p.rows
    from target t left join totals c on true left join market m on m.id = c.market_id cross join page p
    order by m.sort, m.id`.execute(ctx.db);
  const [first] = rows;
  if (!first || first.key === null) return { totals: toTotals([], source) };
  if (first.level === 0 || (isTimed && (first.level === LEVEL.whole || first.isScattered))) return undefined;
  const counts = rows.filter((row): row is CounterRow & CoinCount => row.count !== null);
  const totals = toTotals(counts, source);
  if (first.level === LEVEL.whole || !isPlaced(input.sort) || !first.blocks) return { totals };
  const within = inBlocks(source, input, first.blocks, first.level);
  return { totals, blocks: { within, rows: first.rows, offset: cut.offset - first.before } };
}

export type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/** One row per coin, each with what is known about the page. Without rows one whose counts are null. */
type CounterRow = { [K in keyof CoinCount]: CoinCount[K] | null } & {
  /** null if nobody in the operator's scope has the name in the filter. */
  key: number | null;
  /** The lowest level of the scope's counters; 0 if it has none. */
  level: number;
  /** The time range cuts through too many places. */
  isScattered: boolean;
  /** Numbers of the places of that level. */
  blocks: number[] | null;
  before: number;
  rows: number;
};

/** The conditions of the filters on the counters; undefined if one of them is not counted. */
function countedFilters(
  spec: ListSpec,
  source: ListSource,
  counted: Counters,
  input: PageInput,
): RawBuilder<unknown>[] | undefined {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const parts = filtersOf(spec).flatMap((filter) => {
    const { field } = filter;
    const value = values[field];
    if (value === undefined || isScopeFilter(filter, value) || columnOf(source, filter) === undefined) return [];
    if (field === 'marketId' && source.filters[field] === source.sums?.marketId)
      return [sql`market_id = ${value}::bigint`];
    return [counted.dims[singleField(filter)]?.(filterValue(filter, value))];
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Selects from the counters of the scope and the filters at a level, as the end of a statement. */
type CountersOf = (level: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Owner filters name the scope; an account prefix does not. */
const isScopeFilter = (filter: Filter, value: unknown): boolean =>
  ['account', 'userId', 'agent', 'agentRoot'].includes(filter.field) && !isAccountPrefix(filter, value);

interface ScopeOfList {
  /** In the counter tables: 1 is an agent's tree, 2 the rows shown under an agent, 3 a user. */
  kind: 1 | 2 | 3;
  /** SQL of the key; null if nobody in the operator's scope is named so. */
  key: RawBuilder<unknown>;
  /** The pending deltas; by default those that row-level security shows. */
  deltas?: RawBuilder<unknown>;
  /** Condition of the deltas that belong to the scope. */
  pending: RawBuilder<unknown>;
}

/** The scope whose rows are listed: a user, the rows shown under an agent, or an agent's tree; by default the operator's. */
export function findScope({ scope, operator }: Reader, source: ListSource, input: PageInput): ScopeOfList {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const text = (field: string): string | undefined =>
    values[field] === undefined || source.filters[field] === undefined
      ? undefined
      : String(values[field]).toLowerCase();
  const [account, userId, agent, root] = ['account', 'userId', 'agent', 'agentRoot'].map(text);
  const isBelow = (column: string): RawBuilder<unknown> =>
    root === undefined
      ? sql`true`
      : sql`exists (select from closure c join agent r on r.id = c.ancestor where c.descendant = ${sql.ref(column)}
          and r.account_key = ${root} and r.deleted_at is null and ${inScope(scope, 'r.id')})`;
  if (account !== undefined || userId !== undefined) {
    const isShown =
      agent === undefined
        ? sql`true`
        : sql`exists (select from agent a where a.id = u.agent_id and a.shown_key = ${agent})`;
    return {
      kind: 3,
      key: sql`(select u.id from users u where ${account === undefined ? sql`true` : isAccount(sql.ref('u.account_key'), account)}
        and ${userId === undefined ? sql`true` : sql`u.id = ${userId}::bigint`} and ${inScope(scope, 'u.agent_id')}
        and ${isShown} and ${isBelow('u.agent_id')})`,
      deltas: sql`deltas_of_user(${sql.lit(source.counted?.resource ?? 0)}::smallint, (select key from target))`,
      pending: sql`true`,
    };
  }
  if (agent !== undefined) {
    return {
      kind: 2,
      key: sql`(select x.id from agent x where x.account_key = ${agent} and x.shown_key = ${agent} and ${inScope(scope, 'x.id')}
        and ${isBelow('x.id')})`,
      pending: sql`agent_key in (select a.id from agent a where a.shown_key = ${agent})`,
    };
  }
  const key =
    root !== undefined
      ? sql`(select x.id from agent x where x.account_key = ${root} and x.deleted_at is null and ${inScope(scope, 'x.id')})`
      : scope.kind === 'all'
        ? sql`(select x.id from agent x where x.parent_id is null)`
        : sql`${operator.id}::bigint`;
  return {
    kind: 1,
    key,
    pending: sql`agent_key in (select c.descendant from closure c where c.ancestor = (select key from target))`,
  };
}

/** The number of a place of a level by the number of a block, `block >> shift(level)`. */
const shift = (level: string): RawBuilder<unknown> => sql`(array[63, ${sql.lit(LARGE_BITS)}, 0])[${sql.ref(level)}]`;

/** Without a time range: all places of a level, from `block` to `last`. To find a page, the whole scope is too large. */
const pickAll = ({ sort }: PageInput): RawBuilder<unknown> => sql`pick as materialized (
  select least(level, ${sql.lit(isPlaced(sort) ? LEVEL.large : LEVEL.whole)}) as level, 0::bigint as block,
    ${sql.lit(Number.MAX_SAFE_INTEGER)}::bigint as last, true as inside from target where level > 0)`;

/**
 * Selects the fewest places whose counters together are the rows of the scope in a time range: large ones inside the range, and
 * smaller ones for the rest. A place of the lowest level that the range cuts through is not inside. By time, places of several
 * levels cannot be ordered. `block` has the times of each block, of its large block, and of all blocks.
 */
function pickByTime({ sort, from, to }: PageInput, of: RawBuilder<unknown>): RawBuilder<unknown> {
  const largest = !isPlaced(sort) ? LEVEL.whole : isByTime(sort) ? LEVEL.block : LEVEL.large;
  const lowest = from === undefined && to === undefined ? LEVEL.whole : LEVEL.large;
  const inside = sql`lo >= ${from ?? 0} and hi <= ${to ?? Number.MAX_SAFE_INTEGER}`;
  return sql`
    block as materialized (
      select block, min(lo) as lo, max(hi) as hi, min(min(lo)) over large as large_lo, max(max(hi)) over large as large_hi,
        min(min(lo)) over () as whole_lo, max(max(hi)) over () as whole_hi
      from (
        select block, lo, hi from counter_time where ${of} union all select block, lo, hi from counter_delta where ${of}
      ) t group by block window large as (partition by block >> ${sql.lit(LARGE_BITS)})
    ),
    pick as materialized (
      select distinct p.level, b.block >> ${shift('p.level')} as block, b.block >> ${shift('p.level')} as last, p.lo, p.hi, p.inside
      from block b cross join target t cross join lateral (
        select level, lo, hi, ${inside} as inside from (values (1, b.whole_lo, b.whole_hi), (2, b.large_lo, b.large_hi), (3, b.lo, b.hi)) v(level, lo, hi)
        where level between least(t.level, ${sql.lit(largest)}) and t.level and (level = t.level or ${inside}) order by level limit 1
      ) p
      where t.level >= ${sql.lit(lowest)} and p.lo <= ${to ?? Number.MAX_SAFE_INTEGER} and p.hi >= ${from ?? 0}
    )`;
}

/** The counters of the places, and the pending deltas. */
const pieces = (countersOf: CountersOf): RawBuilder<unknown> => sql`
  select p.level, c.* from pick p cross join lateral (
    select block, market_id, n, s1, s2, s3 from ${countersOf(sql`p.level`)} and block between p.block and p.last offset 0
  ) c where p.inside
  union all
  select p.level, d.block >> ${shift('p.level')}, d.market_id, d.n, d.s1, d.s2, d.s3
  from pick p join pending d on d.block >> ${shift('p.level')} between p.block and p.last where p.inside`;

/** The rows of the places that the time range cuts through, counted one by one. */
function cutRows({ scope }: Reader, spec: ListSpec, source: ListSource, input: PageInput): RawBuilder<unknown> {
  const [market, ...sums] = source.sums ? [source.sums.marketId, ...Object.values(source.sums.fields)] : [];
  const columns = [0, 1, 2].map((at) => (sums[at] === undefined ? sql`0::numeric` : sql`sum(${sql.ref(sums[at])})`));
  const bits = sql`(${sql.lit(source.counted?.blockBits ?? 0)} + ${shift('p.level')})`;
  const within: Within = (id) => sql`${id} >= p.block << ${bits} and ${id} < (p.block + 1) << ${bits}`;
  return sql`
    union all
    select p.level, p.block, r.* from pick p cross join lateral (
      select ${market === undefined ? sql`0::bigint` : sql.ref(market)} as market_id, count(*) as n, ${sql.join(columns)}
      from ${source.counted?.from ?? source.from}
      where ${source.where ?? sql`true`}${conditions(spec, source, scope, input, within)}
      group by 1 offset 0
    ) r where not p.inside and (select count(*) from pick where not inside) <= ${sql.lit(CUT_PLACES_MAX)}`;
}

const isByTime = (sort: string | undefined): boolean => sort?.endsWith('createdAt') ?? false;
const isPlaced = (sort: string | undefined): boolean => sort === undefined || /^-?(id|createdAt)$/.test(sort);

/**
 * The places of the scope's lowest level that can contain rows of the page, their rows, and the rows in the places before them. By
 * id, a large block that contains the page is first divided into its blocks. By time, all rows of a place come before those of
 * another only if their ranges of times do not overlap.
 */
function pageBlocks(sort: string | undefined, { size, offset }: Cut, countersOf: CountersOf): RawBuilder<unknown> {
  const direction = sort === undefined || sort.startsWith('-') ? sql`desc` : sql`asc`;
  const hasPage = sql`upto > ${offset} and before < ${offset + size}`;
  const page = (from: RawBuilder<unknown>) => sql`page as (
    select array_agg(block) filter (where ${hasPage}) as blocks, coalesce(sum(n) filter (where ${hasPage}), 0)::bigint as rows,
      (coalesce(min(start), 0) + coalesce(sum(n) filter (where upto <= ${offset}), 0))::bigint as before
    from ${from})`;
  if (!isPlaced(sort)) return sql`page as (select null::bigint[] as blocks, 0::bigint as before, 0::bigint as rows)`;
  if (isByTime(sort)) {
    const [isBefore, isNotAfter] = sort?.startsWith('-')
      ? [sql`o.lo > b.hi`, sql`o.hi >= b.lo`]
      : [sql`o.hi < b.lo`, sql`o.lo <= b.hi`];
    return sql`
      ranked as (
        select b.block, b.n, coalesce(sum(o.n) filter (where ${isBefore}), 0) as before, sum(o.n) filter (where ${isNotAfter}) as upto
        from (placed join pick using (level, block)) b cross join (placed join pick using (level, block)) o group by b.block, b.n
      ),
      ${page(sql`(select 0 as start, * from ranked) r`)}`;
  }
  return sql`
    ranked as (
      select level, block, n, upto, upto - n as before from (
        select level, block, n, sum(n) over (order by block << ${shift('level')} ${direction}) as upto from placed) r
    ),
    hit as materialized (select level, block, n, before from ranked where ${hasPage}),
    large as materialized (select block from hit where level < (select level from target)),
    refined as (
      select block, n from hit where level = (select level from target)
      union all
      select block, sum(n) from (
        select c.* from large l cross join lateral (
          select block, n from ${countersOf(sql.lit(LEVEL.block))}
            and block between l.block << ${sql.lit(LARGE_BITS)} and (l.block << ${sql.lit(LARGE_BITS)}) + ${sql.lit(2 ** LARGE_BITS - 1)} offset 0
        ) c
        union all select d.block, d.n from pending d where d.block >> ${sql.lit(LARGE_BITS)} in (select block from large)
      ) f group by block having sum(n) <> 0
    ),
    ${page(sql`(
      select start, block, n, upto, upto - n as before from (
        select start, block, n, start + sum(n) over (order by block ${direction}) as upto
        from refined cross join (select min(before) as start from hit) h) r
    ) r`)}`;
}

/** By id, the places between those of the page have no rows of the list. By time they can have some. */
function inBlocks({ counted }: ListSource, { sort }: PageInput, blocks: readonly number[], level: number): Within {
  const bits = (counted?.blockBits ?? 0) + (level === LEVEL.large ? LARGE_BITS : 0);
  const [first, end] = [Math.min(...blocks) * 2 ** bits, (Math.max(...blocks) + 1) * 2 ** bits];
  return (id) => sql`${id} >= ${first}::bigint and ${id} < ${end}::bigint
    ${isByTime(sort) ? sql`and ${id} >> ${sql.lit(bits)} = any(${[...blocks]}::bigint[])` : sql``}`;
}
