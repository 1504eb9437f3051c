import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { type Rows, rowsIn } from './rolled-rows.ts';
import { type Target, keptFor } from './rolled-target.ts';
import { FINE_BITS, type Rolled } from './rollup.ts';
import { type MarketTotal, type Totals, totalsFrom, totalsOf } from './totals.ts';

/** What is asked of the rollups: a noun, for whom, and filtered by what. */
export interface Question {
  db: Db;
  noun: Rolled;
  target: Target;
  /** The filters, as conditions on the columns of the rollups. */
  filters: RawBuilder<unknown>;
  /** The one coin that is asked for. */
  market: number | undefined;
}

/** The blocks of a key in which any row fulfils the filters, the highest ids first. */
export interface Blocks {
  shift: number;
  parts: Part[];
}

interface Part {
  block: number;
  n: number;
  /** All of its rows were created within these moments. */
  lo: number;
  hi: number;
}

/** Blocks as they were added up, and what was not added up yet; keys that are cut differently meet in the coarsest. */
const counts = ({ noun, target, filters, market }: Question, shift: number, sums: boolean): RawBuilder<unknown> => {
  const markets = market === undefined ? (sums ? sql`b.market_key <> 0` : sql`b.market_key = 0`) : sql`true`;
  const block =
    target.keys.length === 1
      ? sql`b.block`
      : sql`b.block >> (${shift} - (select g.shift from roll_grid g where (g.noun, g.kind, g.key) = (b.noun, b.kind, b.key)))`;
  return sql`
    select ${block} as block, market_key, n, s1, s2, s3, lo, hi from roll_block b
    where noun = ${sql.lit(noun.code)} and kind = ${sql.lit(target.kind)} and key = any(${target.keys}::bigint[])
      and ${markets}${filters}
    union all
    select d.block >> ${shift - FINE_BITS}, market_key, n, s1, s2, s3, lo, hi from roll_delta d
    where noun = ${sql.lit(noun.code)} and ${target.pending}${filters}`;
};

export async function blocksOf(question: Question, shift: number): Promise<Blocks> {
  const { rows } = await sql<{
    blocks: number[] | null;
    ns: number[];
    los: number[];
    his: number[];
  }>`${keptFor(question.target)}
    select array_agg(block) as blocks, array_agg(n) as ns, array_agg(lo) as los, array_agg(hi) as his
    from (select block, sum(n)::bigint as n, min(lo) as lo, max(hi) as hi from (${counts(question, shift, false)}) c
      group by block having sum(n) > 0 order by block desc) b`.execute(question.db);
  const { blocks, ns = [], los = [], his = [] } = rows[0] ?? {};
  const parts = (blocks ?? []).map((block, at) => ({ block, n: ns[at] ?? 0, lo: los[at] ?? 0, hi: his[at] ?? 0 }));
  return { shift, parts };
}

/**
 * The same within a stretch of time: blocks that lie in it as a whole count as they are, of those that reach over its
 * ends the rows are counted.
 */
export async function countWithin(
  question: Question,
  rows: Rows,
  { shift, parts }: Blocks,
  { from, to }: { from: number; to: number },
): Promise<{ totals: Totals; blocks: Blocks }> {
  const touched = parts.filter(({ lo, hi }) => hi >= from && lo <= to);
  const isWhole = ({ lo, hi }: Part): boolean => lo >= from && hi <= to;
  const whole = touched.filter(isWhole).map(({ block }) => block);
  const cut = touched.filter((part) => !isWhole(part));
  const expected = Math.max(0, ...cut.map(({ n }) => n));
  const { rows: found } = await sql<MarketTotal & { block: number | null }>`
    with part_rows as materialized (
      select part.block, x.market_key, count(*) as n, sum(x.s1) as s1, sum(x.s2) as s2, sum(x.s3) as s3
      from unnest(${cut.map(({ block }) => block)}::bigint[]) as part(block) cross join lateral ${rowsIn(rows, shift, expected)} x group by 1, 2
    )
    select null::bigint as block, t.* from (${totalsFrom(sql`
      select market_key, n, s1, s2, s3 from (${counts(question, shift, rows.source.sums !== undefined)}) c
      where c.block = any(${whole}::bigint[])
      union all select market_key, n, s1, s2, s3 from part_rows`)}) t
    union all
    select block, 0, '', sum(n)::bigint, 0, 0, 0, 0 from part_rows group by block order by place`.execute(question.db);
  const counted = new Map(found.filter(({ block }) => block !== null).map(({ block, count }) => [block, count]));
  const left = touched
    .map((part) => (isWhole(part) ? part : { ...part, n: counted.get(part.block) ?? 0 }))
    .filter(({ n }) => n > 0);
  const totals = totalsOf(
    found.filter(({ block }) => block === null),
    rows.source,
  );
  return { totals, blocks: { shift, parts: left } };
}
