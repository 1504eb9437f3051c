import type { PageInput } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import { type CountersOf, LARGE_BITS, LEVEL, isByTime, isInPlaceOrder, shift } from './counted-places.ts';
import type { PageRange, ListSource, Within } from './source.ts';

/**
 * Common table expressions that end with `page`: the numbers of the places that can contain rows of the page, the number of rows
 * in them, and of the rows before them. By id, a large block that contains the page is first divided into its blocks. By time,
 * places whose times overlap can both contain rows of the page.
 */
export function pageBlocks(
  sort: string | undefined,
  { size, offset }: PageRange,
  countersOf: CountersOf,
): RawBuilder<unknown> {
  const direction = sort === undefined || sort.startsWith('-') ? sql`desc` : sql`asc`;
  const hasPage = sql`upto > ${offset} and before < ${offset + size}`;
  const page = (from: RawBuilder<unknown>) => sql`page as (
    select array_agg(block) filter (where ${hasPage}) as blocks, coalesce(sum(n) filter (where ${hasPage}), 0)::bigint as rows,
      (coalesce(min(start), 0) + coalesce(sum(n) filter (where upto <= ${offset}), 0))::bigint as before
    from ${from})`;
  if (!isInPlaceOrder(sort))
    return sql`page as (select null::bigint[] as blocks, 0::bigint as before, 0::bigint as rows)`;
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

/**
 * The condition that an id is in one of the blocks. By id, a range is enough, because the blocks between them have no rows of the
 * list. By time those can have some.
 */
export function inBlocks(
  { counted }: ListSource,
  { sort }: PageInput,
  blocks: readonly number[],
  level: number,
): Within {
  const bits = (counted?.blockBits ?? 0) + (level === LEVEL.large ? LARGE_BITS : 0);
  const [first, end] = [Math.min(...blocks) * 2 ** bits, (Math.max(...blocks) + 1) * 2 ** bits];
  return (id) => sql`${id} >= ${first}::bigint and ${id} < ${end}::bigint
    ${isByTime(sort) ? sql`and ${id} >> ${sql.lit(bits)} = any(${[...blocks]}::bigint[])` : sql``}`;
}
