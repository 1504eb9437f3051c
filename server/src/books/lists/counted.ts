import { type ListSpec, type PageInput, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../database/connect.ts';
import { type Counters, isCountedInDetail } from './counters.ts';
import { inBlocks, pageBlocks } from './counted-page.ts';
import {
  type CountersOf,
  CUT_PLACES_MAX,
  DETAILED,
  LEVEL,
  countCutPlaces,
  isByTime,
  isInPlaceOrder,
  pickAll,
  pickByTime,
  selectCounters,
} from './counted-places.ts';
import { type Reader, findScope, isScopeFilter } from './counted-scope.ts';
import { columnOf, filterValue } from './filter.ts';
import type { PageRange, ListSource, PageBlocks } from './source.ts';
import { type CoinCount, type Totals, toTotals } from './totals.ts';

/** Totals from the counters, and where the page is. */
export interface CountedPage {
  totals: Totals;
  /** undefined if the scope has no blocks. */
  blocks?: PageBlocks;
}

/**
 * Reads the total, the sums and the place of a page from the counters, by one statement: `target` is the scope whose rows are
 * listed, `pick` the places that together are the rows asked for, `piece` their counters, the deltas that wait to be added to
 * them and the rows at the edges of a time range; `totals` adds the pieces up, `page` finds the places of the page.
 *
 * @returns undefined if the filters are not counted, or the scope has too few rows to be counted
 */
export async function readCounters(
  ctx: Reader,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
  cut: PageRange,
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
    piece as materialized (${selectCounters(countersOf)}${isTimed ? countCutPlaces(ctx, spec, source, input) : sql``}),
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
  if (first.level === LEVEL.whole || !isInPlaceOrder(input.sort) || !first.blocks) return { totals };
  const within = inBlocks(source, input, first.blocks, first.level);
  return { totals, blocks: { within, rows: first.rows, offset: cut.offset - first.before } };
}

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
