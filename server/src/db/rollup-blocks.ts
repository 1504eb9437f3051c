import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { type Range, divideRange, dropRanges, rangeOf, rowsOfRange, wantRanges } from './rollup-ranges.ts';
import {
  FINE_BITS,
  GRAIN,
  KIND,
  LEAD,
  LEVELS,
  type RollKey,
  type RollLimits,
  type Rolled,
  WHOLE,
  everyRolled,
  imageOf,
  rolled,
  shownAs,
} from './rollup.ts';

/** A block may not be as small as the deltas' own: those that are cut too coarsely are cut once more. */
export const LEAST_SHIFT = FINE_BITS + 1;
/** Blocks are made until this much time has passed; the rest comes with the next turn. */
const TURN_MS = 1_500;

/** CTEs that bring `fine` together: `grained`, as finely as each grain tells rows apart, and `in_markets`, over all coins as well. */
export const GRAINED = sql`
    grained as (
      select noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi from fine where level <> ${sql.lit(WHOLE)}
      union all
      select noun, kind, key, level + ${sql.lit(GRAIN.whatever)}, market_key, block, 0, 0, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
      from fine group by noun, kind, key, level, market_key, block
      union all
      select noun, kind, key, level + ${sql.lit(GRAIN.lead)}, market_key, block, ${LEAD}, 0, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
      from fine where ${LEAD} is not null group by noun, kind, key, level, market_key, block, ${LEAD}
    ),
    in_markets as (
      select noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi from grained where market_key <> 0
      union all
      select noun, kind, key, level, 0, block, d1, d2, sum(n), 0, 0, 0, min(lo), max(hi) from grained group by noun, kind, key, level, block, d1, d2
    )`;

/**
 * Cuts the keys that are to have blocks, for as long as one turn may take.
 *
 * @returns whether some are left
 */
export async function makeBlocks(db: Db, limits: RollLimits): Promise<boolean> {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const { rows } = await sql<RollKey & { cap: number | null }>`
      select noun, kind, key, cap from roll_grid where shift is null order by kind = ${sql.lit(KIND.range)}, noun, kind, key limit 1`.execute(
      db,
    );
    const [wanted] = rows;
    const what = everyRolled.find(({ code }) => code === wanted?.noun);
    if (!wanted || !what) return false;
    await promote(db, what, wanted, limits);
    if (performance.now() > until) return true;
  }
}

/** The rows of a key. */
function rowsOf(what: Rolled, { kind, key }: RollKey, range: Range | undefined): RawBuilder<unknown> {
  const counted = sql.raw(what.counted);
  if (range)
    return range.first === '' && range.next === null ? rowsOf(what, range.owner, undefined) : rowsOfRange(what, range);
  if (kind === KIND.all) return counted;
  if (kind === KIND.user) return sql`${counted} and ${sql.raw(what.user)} = ${key}`;
  const agents = kind === KIND.own ? shownAs(key) : sql`(select descendant from closure where ancestor = ${key})`;
  return sql`${counted} and r.agent_id = any(array${agents})`;
}

/** Counts a key's rows block by block, from the rows themselves; one that has become small is left without blocks. */
async function promote(db: Db, what: Rolled, key: RollKey & { cap: number | null }, limits: RollLimits): Promise<void> {
  const { promoteAt, rangeAt } = limits;
  const same = sql`noun = ${key.noun} and kind = ${key.kind} and key = ${key.key}`;
  const range = key.kind === KIND.range ? await rangeOf(db, key.key) : undefined;
  const isPart = key.kind === KIND.user || key.kind === KIND.range;
  await sql`delete from roll_block where ${same}`.execute(db);
  if (isPart) await sql`delete from roll_sum where ${same}`.execute(db);
  if (key.kind === KIND.range && !range) {
    await sql`delete from roll_grid where ${same}`.execute(db);
    return;
  }
  const image = sql`(select ${imageOf(what)} from ${sql.raw(what.from)} where ${rowsOf(what, key, range)}) i`;
  const { rows } = await sql<{ n: number; first: number; last: number }>`
    select count(*) as n, coalesce(min(x_id), 0) as first, coalesce(max(x_id), 0) as last from ${image}`.execute(db);
  const { n, first, last } = rows[0] ?? { n: 0, first: 0, last: 0 };
  if (range && n > range.most && (await divideRange(db, range, image, n, limits))) return;
  // Half of what makes it large: who stands at the edge does not come and go.
  if (n <= promoteAt / 2 && !range) {
    await sql`delete from roll_grid where ${same}`.execute(db);
    await dropRanges(db, sql`o.noun = ${key.noun} and o.kind = ${key.kind} and o.key = ${key.key}`);
    return;
  }
  // Of users by themselves an index of accounts says enough.
  if (!isPart && n > rangeAt && what !== rolled.user) await wantRanges(db, [key], limits);
  const blockRows = range ? limits.rangeBlockRows : limits.blockRows;
  const even = Math.floor(Math.log2(((last - first + 1) * blockRows) / Math.max(n, 1)));
  const shift = Math.max(LEAST_SHIFT, Math.min(even, key.cap ?? even));
  await sql`
    with i as (
      select x_id >> ${shift} as block, x_d1 as d1, x_d2 as d2, x_market as market_key, count(*) as n, sum(x_s1) as s1,
        sum(x_s2) as s2, sum(x_s3) as s3, min(x_at) as lo, max(x_at) as hi from ${image} group by 1, 2, 3, 4
    ),
    fine as (
      select ${key.noun}::smallint as noun, ${key.kind}::smallint as kind, ${key.key}::bigint as key, level, market_key, block >> up as block,
        d1, d2, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3, min(lo) as lo, max(hi) as hi
      from i cross join ${LEVELS} group by level, market_key, block >> up, d1, d2
    ),
    ${GRAINED}
    insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi) select * from in_markets`.execute(
    db,
  );
  if (isPart) {
    await sql`insert into roll_sum (noun, kind, key, d1, d2, market_key, n, s1, s2, s3)
      select ${key.noun}::smallint, ${key.kind}::smallint, ${key.key}::bigint, x_d1, x_d2, x_market, count(*), sum(x_s1), sum(x_s2),
        sum(x_s3) from ${image} group by x_d1, x_d2, x_market`.execute(db);
  }
  await sql`update roll_grid set shift = ${shift} where ${same}`.execute(db);
}
