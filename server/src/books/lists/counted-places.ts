import type { ListSpec, PageInput } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from './counted-scope.ts';
import { conditions } from './filter.ts';
import type { ListSource, Within } from './source.ts';

/**
 * Levels of counters: the whole scope, large blocks of 2^LARGE_BITS blocks, and blocks. A place is one of them, by level and
 * number. These are counted by state and coin; the whole and large blocks also by all filters, under DETAILED more.
 */
export const LEVEL = { whole: 1, large: 2, block: 3 } as const;
export const DETAILED = 3;
export const LARGE_BITS = 5;

/** Selects from the counters of the scope and the filters at a level, as the end of a statement. */
export type CountersOf = (level: RawBuilder<unknown>) => RawBuilder<unknown>;

/** A list by time. */
export const isByTime = (sort: string | undefined): boolean => sort?.endsWith('createdAt') ?? false;
/** A list whose order is that of the places, so that a page lies in few of them. */
export const isInPlaceOrder = (sort: string | undefined): boolean =>
  sort === undefined || /^-?(id|createdAt)$/.test(sort);

/** With more places that a time range cuts through, the rows are counted by a plain statement. */
export const CUT_PLACES_MAX = 8;

/** The number of a place of a level by the number of a block, `block >> shift(level)`. */
export const shift = (level: string): RawBuilder<unknown> =>
  sql`(array[63, ${sql.lit(LARGE_BITS)}, 0])[${sql.ref(level)}]`;

/** Without a time range: all places of a level, from `block` to `last`. To find a page, the whole scope is too large. */
export const pickAll = ({ sort }: PageInput): RawBuilder<unknown> => sql`pick as materialized (
  select least(level, ${sql.lit(isInPlaceOrder(sort) ? LEVEL.large : LEVEL.whole)}) as level, 0::bigint as block,
    ${sql.lit(Number.MAX_SAFE_INTEGER)}::bigint as last, true as inside from target where level > 0)`;

/**
 * Selects the fewest places whose counters together are the rows of the scope in a time range: large ones inside the range, and
 * smaller ones for the rest. A place of the lowest level that the range cuts through is not inside. By time, places of several
 * levels cannot be ordered. `block` has the times of each block, of its large block, and of all blocks.
 */
export function pickByTime({ sort, from, to }: PageInput, of: RawBuilder<unknown>): RawBuilder<unknown> {
  const largest = !isInPlaceOrder(sort) ? LEVEL.whole : isByTime(sort) ? LEVEL.block : LEVEL.large;
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
export const selectCounters = (countersOf: CountersOf): RawBuilder<unknown> => sql`
  select p.level, c.* from pick p cross join lateral (
    select block, market_id, n, s1, s2, s3 from ${countersOf(sql`p.level`)} and block between p.block and p.last offset 0
  ) c where p.inside
  union all
  select p.level, d.block >> ${shift('p.level')}, d.market_id, d.n, d.s1, d.s2, d.s3
  from pick p join pending d on d.block >> ${shift('p.level')} between p.block and p.last where p.inside`;

/** The rows of the places that the time range cuts through, counted one by one. */
export function countCutPlaces(
  { scope }: Reader,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
): RawBuilder<unknown> {
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
