import type { PageInput } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from './connect.ts';
import type { ListSource } from './list.ts';
import { type Rows, rowsIn, summedIn } from './rolled-rows.ts';
import type { Target } from './rolled-target.ts';
import { FINE_BITS, GRAIN, type Grain, type Rolled, SPAN_BITS, WHOLE } from './rollup.ts';
import { opaqueArray } from './scope.ts';
import { type MarketTotal, type Totals, totalsFrom, totalsOf } from './totals.ts';

/** What is asked of the rollups: a noun, for whom, and filtered by what. */
export interface Question {
  db: Db;
  noun: Rolled;
  target: Target;
  /** The filters, as conditions on the columns of the rollups. */
  filters: RawBuilder<unknown>;
  /** How finely blocks have to be told apart for them, and the filters as conditions on blocks of that grain. */
  grain: Grain;
  grainFilters: RawBuilder<unknown>;
  /** The one coin that is asked for. */
  market: number | undefined;
}

/** The blocks of this key hold the rows of 2^shift ids. */
export interface KeyCut {
  key: number;
  shift: number;
}

/** A question about a target that is cut into blocks. */
export interface CutQuestion extends Question {
  cuts: readonly KeyCut[];
  /** The blocks that are meant hold the rows of 2^shift ids: keys that are cut differently meet in the coarsest. */
  shift: number;
}

/** A stretch of ids: a block, or the span of 32 blocks. */
export interface Part {
  level: 0 | 1;
  /** Its number among those of its level. */
  at: number;
  /** So many of its rows fulfil the filters. */
  n: number;
  /** All of its rows were created within these moments. */
  lo: number;
  hi: number;
}

/** Parts of one level, from the first to the one before `end`. */
interface Run {
  first: number;
  end: number;
}

const bitsOf = (level: Part['level']): number => level * SPAN_BITS;

/**
 * What was added up, and what was not yet, in one snapshot; and how the target's keys are cut into blocks, undefined where
 * one of them is not.
 */
export async function allOf(
  { db, noun, target, filters, grain, grainFilters, market }: Question,
  source: ListSource,
): Promise<{ totals: Totals; cuts: KeyCut[] | undefined }> {
  const of = sql`noun = ${sql.lit(noun.code)} and kind = ${sql.lit(target.kind)} and key = any(${opaqueArray(target.keys)})`;
  // What has blocks is counted as a whole, over all kinds that nothing is asked of; its sums are as many as there are kinds.
  const cut = sql`(select count(*) from roll_grid where ${of} and shift is not null) = cardinality(${opaqueArray(target.keys)})`;
  const sums =
    grain === GRAIN.apart
      ? sql`select market_key, n, s1, s2, s3 from roll_sum where ${of}${filters}`
      : sql`
      select market_key, n, s1, s2, s3 from roll_sum where ${of}${filters} and not ${cut}
      union all
      select market_key, n, s1, s2, s3 from roll_block where ${of} and level = ${sql.lit(WHOLE + grain)}
        and ${inMarkets(market, source.sums !== undefined)}${grainFilters} and ${cut}`;
  const { rows } = await sql<MarketTotal & { keys: number[] | null; shifts: number[] | null }>`${prepared}
    select g.keys, g.shifts, t.*
    from (select array_agg(key) as keys, array_agg(shift) as shifts from roll_grid where ${of} and shift is not null) g
    left join (${totalsFrom(sql`
      ${sums}
      union all
      select market_key, n, s1, s2, s3 from roll_delta
      where noun = ${sql.lit(noun.code)} and ${target.pending}${filters}`)}) t on true order by t.place`.execute(db);
  const { keys, shifts } = rows[0] ?? {};
  const cuts = (keys ?? []).map((key, at) => ({ key, shift: shifts?.[at] ?? 0 }));
  return {
    totals: totalsOf(
      rows.filter(({ count }) => count !== null),
      source,
    ),
    cuts: cuts.length === target.keys.length ? cuts : undefined,
  };
}

/** A stretch of ids: from, and below. */
export interface Ids {
  from: number;
  to: number;
}

export function idsOfPart({ shift }: CutQuestion, { level, at }: Part): Ids {
  const ids = 2 ** (shift + bitsOf(level));
  return { from: at * ids, to: (at + 1) * ids };
}

/** The stretch in which all of these parts lie. */
export function idsOfParts(question: CutQuestion, parts: readonly Part[]): Ids {
  const ids = parts.map((part) => idsOfPart(question, part));
  return { from: Math.min(...ids.map(({ from }) => from)), to: Math.max(...ids.map(({ to }) => to)) };
}

/** The parts next to each other as one run. */
function runsOf(parts: readonly Part[]): Run[] {
  const runs: Run[] = [];
  for (const at of parts.map((part) => part.at).toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === at) last.end = at + 1;
    else runs.push({ first: at, end: at + 1 });
  }
  return runs;
}

/** Which counts of a block to read: by coin, over all coins, or of the one coin that the filters ask for. */
const inMarkets = (market: number | undefined, sums: boolean): RawBuilder<unknown> =>
  market === undefined ? (sums ? sql`market_key <> 0` : sql`market_key = 0`) : sql`true`;

/** The counts of certain parts, as they were added up, and what was not added up yet. */
function counts(
  { noun, target, cuts, shift, filters, grain, grainFilters, market }: CutQuestion,
  level: Part['level'],
  runs: readonly Run[],
  sums: boolean,
): RawBuilder<unknown> {
  const code = sql.lit(noun.code);
  // A key that is cut finer has more parts than these for the same ids.
  const finer = cuts.flatMap(({ key, shift: own }) =>
    runs.map(({ first, end }) => ({ key, down: shift - own, first: first * 2 ** (shift - own), end: end * 2 ** (shift - own) })),
  ); // prettier-ignore
  return sql`
    select b.block >> w.down as at, market_key, n, s1, s2, s3, lo, hi
    from unnest(${opaqueArray(finer.map(({ key }) => key))}, ${opaqueArray(
      finer.map(({ down }) => down),
      'int',
    )},
      ${opaqueArray(finer.map(({ first }) => first))}, ${opaqueArray(finer.map(({ end }) => end))}) w(key, down, first, past)
    cross join lateral (
      select block, market_key, n, s1, s2, s3, lo, hi from roll_block
      where noun = ${code} and kind = ${sql.lit(target.kind)} and key = w.key and level = ${sql.lit(level + grain)} and ${inMarkets(market, sums)}
        and block >= w.first and block < w.past${grainFilters} offset 0) b
    union all
    select d.at, market_key, n, s1, s2, s3, lo, hi
    from (select block >> ${sql.lit(shift + bitsOf(level) - FINE_BITS)} as at, * from roll_delta
      where noun = ${code} and ${target.pending}${filters}) d
    join unnest(${opaqueArray(runs.map(({ first }) => first))}, ${opaqueArray(runs.map(({ end }) => end))}) w(first, past)
      on d.at >= w.first and d.at < w.past`;
}

async function partsIn(question: CutQuestion, level: Part['level'], runs: readonly Run[]): Promise<Part[]> {
  if (runs.length === 0) return [];
  const { rows } = await sql<{
    ats: number[] | null;
    ns: number[];
    los: number[];
    his: number[];
  }>`${prepared}
    select array_agg(at) as ats, array_agg(n) as ns, array_agg(lo) as los, array_agg(hi) as his
    from (select at, sum(n)::bigint as n, min(lo) as lo, max(hi) as hi from (${counts(question, level, runs, false)}) c
      group by at having sum(n) > 0) p`.execute(question.db);
  const { ats, ns = [], los = [], his = [] } = rows[0] ?? {};
  return (ats ?? []).map((at, i) => ({ level, at, n: ns[i] ?? 0, lo: los[i] ?? 0, hi: his[i] ?? 0 }));
}

/** Ids have 53 bits, and no span has fewer than 2^18 of them. */
const EVERYWHERE: readonly Run[] = [{ first: 0, end: 2 ** 36 }];

/** Every span in which any row fulfils the filters. */
export const spansOf = (question: CutQuestion): Promise<Part[]> => partsIn(question, 1, EVERYWHERE);

/** The same parts with the blocks of each span in its place. */
export async function blocksOf(question: CutQuestion, parts: readonly Part[]): Promise<Part[]> {
  const spans = parts.filter(({ level }) => level === 1);
  const runs = runsOf(spans).map(({ first, end }) => ({ first: first * 2 ** SPAN_BITS, end: end * 2 ** SPAN_BITS }));
  return [...parts.filter(({ level }) => level === 0), ...(await partsIn(question, 0, runs))];
}

/** A stretch of time, both ends included. */
export interface Times {
  from: number;
  to: number;
}

/** The stretch of time that is asked for, if any. */
export const timesOf = ({ from, to }: PageInput): Times | undefined =>
  from === undefined && to === undefined ? undefined : { from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER };

const isWhole = ({ from, to }: Times, { lo, hi }: Part): boolean => lo >= from && hi <= to;

/** The spans that lie within a stretch of time as a whole, and the blocks of those that reach over its ends. */
export async function partsWithin(question: CutQuestion, times: Times): Promise<Part[]> {
  const isTouched = ({ lo, hi }: Part): boolean => hi >= times.from && lo <= times.to;
  const spans = (await spansOf(question)).filter(isTouched);
  const [whole, cut] = [spans.filter((part) => isWhole(times, part)), spans.filter((part) => !isWhole(times, part))];
  return [...whole, ...(await blocksOf(question, cut)).filter(isTouched)];
}

/**
 * What lies within a stretch of time: spans and blocks that lie in it as a whole count as they are, of the blocks that reach
 * over its ends the rows are counted.
 */
export async function countWithin(
  question: CutQuestion,
  rows: Rows,
  times: Times,
): Promise<{ totals: Totals; parts: Part[] }> {
  const parts = await partsWithin(question, times);
  const [whole, cut] = [parts.filter((part) => isWhole(times, part)), parts.filter((part) => !isWhole(times, part))];
  return countIn(question, rows, whole, cut);
}

/** The sums of whole parts as they are and of the rows of cut blocks, and how many of these rows there are. */
export async function countIn(
  question: CutQuestion,
  rows: Rows,
  whole: readonly Part[],
  cut: readonly Part[],
): Promise<{ totals: Totals; parts: Part[] }> {
  const found = await countParts(question, rows, whole, cut);
  const counted = new Map(found.filter(({ block }) => block !== null).map(({ block, count }) => [block, count]));
  const left = cut.map((part) => ({ ...part, n: counted.get(part.at) ?? 0 }));
  const totals = totalsOf(
    found.filter(({ block }) => block === null),
    rows.source,
  );
  return { totals, parts: [...whole, ...left].filter(({ n }) => n > 0) };
}

/** The sums of whole parts and of the rows of cut blocks, and with its number how many rows of each of these there are. */
async function countParts(
  question: CutQuestion,
  rows: Rows,
  whole: readonly Part[],
  cut: readonly Part[],
): Promise<(MarketTotal & { block: number | null })[]> {
  const { shift } = question;
  const expected = Math.max(0, ...cut.map(({ n }) => n));
  const sums = rows.source.sums !== undefined;
  const levels = ([0, 1] as const).map((level) => {
    const runs = runsOf(whole.filter((part) => part.level === level));
    return sql`select market_key, n, s1, s2, s3 from (${counts(question, level, runs, sums)}) c`;
  });
  const { rows: found } = await sql<MarketTotal & { block: number | null }>`
    with part_rows as materialized (
      select part.block, x.market_key, count(*) as n, sum(x.s1) as s1, sum(x.s2) as s2, sum(x.s3) as s3
      from unnest(${cut.map(({ at }) => at)}::bigint[]) as part(block) cross join lateral ${rowsIn(rows, shift, expected, summedIn(rows.source))} x group by 1, 2
    )
    select null::bigint as block, t.* from (${totalsFrom(sql`
      ${sql.join(levels, sql` union all `)}
      union all select market_key, n, s1, s2, s3 from part_rows`)}) t
    union all
    select block, 0, '', sum(n)::bigint, 0, 0, 0, 0 from part_rows group by block order by place`.execute(question.db);
  return found;
}
