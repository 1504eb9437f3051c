import { type Filter, type ListSpec, type PageInput, SORT_ROWS_MAX } from '@hengtai/contract/list';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { prepared } from './connect.ts';
import { conditions, isCounted, isMarket } from './filter.ts';
import type { ListSource } from './list.ts';
import {
  type CutQuestion,
  type KeyCut,
  type Part,
  type Question,
  blocksOf,
  countWithin,
  idsOfPart,
  spansOf,
} from './rolled-blocks.ts';
import { type Rows, findByTime, findIds, rowsWhere } from './rolled-rows.ts';
import { type Asked, WHO, findTarget } from './rolled-target.ts';
import { GRAIN, type Grain, type Rolled } from './rollup.ts';
import { unseen } from './scope.ts';
import { type MarketTotal, type Totals, totals, totalsFrom, totalsOf } from './totals.ts';

/** A page's rows by their ids, with the exact total and sums of the whole list. */
export interface Place extends Totals {
  ids: number[];
}

export interface Cut {
  size: number;
  offset: number;
}

type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/**
 * Finds a page by what was counted: the total and the sums are read, and only the rows around the page are looked at.
 * undefined where the rollups do not know the filters or the order; then the rows themselves are asked.
 */
export async function placeByRollup(
  ctx: Reader,
  spec: ListSpec,
  source: ListSource,
  asked: Asked,
  cut: Cut,
): Promise<Place | undefined> {
  const { rollup } = source;
  const { input } = asked;
  const by = sortedBy(source, input.sort);
  if (!rollup || by === undefined) return undefined;
  const values: Readonly<Record<string, unknown>> = { ...input };
  const given = spec.filters.filter(({ field }) => values[field] !== undefined && source.filters[field] !== undefined);
  const counted = given.filter((filter) => isCounted(source, filter));
  if (given.some((filter) => !counted.includes(filter) && !WHO.includes(filter.field))) return undefined;
  const target = await findTarget(ctx, rollup, asked);
  if (target === 'unknown') return undefined;
  const none: Place = { total: 0, ...(source.sums && { summary: [] }), ids: [] };
  if (target === 'nobody') return none;
  const isBeside = ({ field }: Filter): boolean => rollup.beside?.filters.includes(field) ?? false;
  const beside = counted.filter(isBeside);
  const alone = counted.filter((filter) => !isBeside(filter));
  const rows: Rows = {
    db: ctx.db,
    source,
    target,
    from: rollup.from,
    where: sql`${source.where ?? sql`true`}${conditions(alone, source, ctx.scope, asked)}`,
    ...(beside.length > 0 && {
      beside: sql`true${conditions(beside, source, ctx.scope, { ...asked, input: withoutTimes(input) })}`,
    }),
    ascending: input.sort !== undefined && !input.sort.startsWith('-'),
    by,
  };
  const dims = counted.filter((filter) => !isMarket(source, filter));
  const grain = grainOf(rollup.noun, dims);
  const conditionsOn = (columnOf: (field: string) => string) =>
    sql.join(
      counted.map(({ field, type }) => {
        const column = isMarket(source, { field }) ? sql`market_key` : sql.raw(columnOf(field));
        // In a sub-select the planner does not look at it, and keeps its plan.
        return sql` and ${column} = (select ${values[field]}::${sql.raw(type === 'int' ? 'bigint' : 'text')})`;
      }),
      sql``,
    );
  const filters = conditionsOn((field) => rollup.noun.dims[field] ?? '');
  const question: Question = {
    db: ctx.db,
    noun: rollup.noun,
    target,
    filters,
    grain,
    grainFilters: grain === GRAIN.lead ? conditionsOn(() => 'd1') : filters,
    market: counted.some(({ field }) => isMarket(source, { field })) ? Number(values['marketId']) : undefined,
  };
  return locate(question, rows, input, cut);
}

/** Blocks are told apart no finer than the filters need. */
function grainOf({ lead }: Rolled, dims: readonly Filter[]): Grain {
  if (dims.length === 0) return GRAIN.whatever;
  return dims.length === 1 && dims[0]?.field === lead ? GRAIN.lead : GRAIN.apart;
}

const withoutTimes = ({ from: _from, to: _to, ...rest }: PageInput): PageInput => rest;

/** The column that orders the rows before their ids do; null where there is none, undefined where it lies in another table. */
function sortedBy(source: ListSource, sort: string | undefined): string | null | undefined {
  const field = sort?.replace(/^-/, '') ?? 'id';
  if (field === 'id') return null;
  if (field === 'createdAt') return source.createdAt;
  const column = source.sort?.[field];
  const [table = ''] = source.id.split('.');
  return column?.startsWith(`${table}.`) ? column : undefined;
}

async function locate(question: Question, rows: Rows, input: PageInput, cut: Cut): Promise<Place> {
  const { target } = question;
  const timed = input.from !== undefined || input.to !== undefined;
  const { totals: all, cuts } = await allOf(question, rows.source);
  // Of the users only those with blocks are counted.
  if (target.userId !== undefined && !cuts) return byRows(rows, cut);
  if (all.total === 0 || (!timed && isPast(rows, cut, all))) return { ...all, ids: [] };
  // Few enough to be looked at one by one, or not cut into blocks yet.
  if (!cuts) {
    const few = fewOf(rows, all);
    return timed ? byRows(few, cut) : { ...all, ids: await findIds(few, { ...cut, expected: all.total }) };
  }
  const cutQuestion = { ...question, cuts, shift: Math.max(...cuts.map(({ shift }) => shift)) };
  const found = timed
    ? await countWithin(cutQuestion, rows, { from: input.from ?? 0, to: input.to ?? Number.MAX_SAFE_INTEGER })
    : { totals: all, parts: await spansOf(cutQuestion) };
  if (isPast(rows, cut, found.totals)) return { ...found.totals, ids: [] };
  return { ...found.totals, ids: await idsOf(cutQuestion, rows, found.parts, cut) };
}

/** Whether there is nothing to be found: the page lies behind the rows, or these are too many to be put in its order. */
const isPast = ({ source, by }: Rows, { offset }: Cut, { total }: Totals): boolean =>
  offset >= total || (by !== null && by !== source.createdAt && total > SORT_ROWS_MAX);

/** More rows than these are not collected in order to be sorted. */
const MANY = 120_000;

const fewOf = (rows: Rows, { total }: Totals): Rows => ({
  ...rows,
  few: rows.target.ids !== undefined && total <= MANY,
});

async function byRows(rows: Rows, cut: Cut): Promise<Place> {
  const { where, from } = rowsWhere(rows);
  const found = await totals(rows.db, { ...rows.source, from }, where);
  return { ...found, ids: isPast(rows, cut, found) ? [] : await findIds(rows, { ...cut, expected: found.total }) };
}

/**
 * What was added up, and what was not yet, in one snapshot; and how the target's keys are cut into blocks, undefined where
 * one of them is not.
 */
async function allOf(
  { db, noun, target, filters }: Question,
  source: ListSource,
): Promise<{ totals: Totals; cuts: KeyCut[] | undefined }> {
  const of = sql`noun = ${sql.lit(noun.code)} and kind = ${sql.lit(target.kind)} and key = any(${unseen(target.keys)})`;
  const { rows } = await sql<MarketTotal & { keys: number[] | null; shifts: number[] | null }>`${prepared}
    select g.keys, g.shifts, t.*
    from (select array_agg(key) as keys, array_agg(shift) as shifts from roll_grid where ${of} and shift is not null) g
    left join (${totalsFrom(sql`
      select market_key, n, s1, s2, s3 from roll_sum where ${of}${filters}
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

/** The rows of a page: in which blocks they lie follows from the counts, and only those blocks are read. */
async function idsOf(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  if (rows.by === rows.source.createdAt) return idsByTime(question, rows, parts, cut);
  if (rows.by !== null) return idsAmong(question, rows, parts, cut);
  const rough = hitOf(question, rows, parts, cut);
  const { parts: hit, offset } = rough.parts.some(({ level }) => level === 1)
    ? hitOf(question, rows, await blocksOf(question, rough.parts), { ...cut, offset: rough.offset })
    : rough;
  return idsAmong(question, rows, hit, { ...cut, offset });
}

/** The rows of a page out of all that these parts hold. */
async function idsAmong(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  if (parts.length === 0) return [];
  const ids = parts.map((part) => idsOfPart(question, part));
  return findIds(rows, {
    ...cut,
    expected: parts.reduce((sum, { n }) => sum + n, 0),
    ids: { from: Math.min(...ids.map(({ from }) => from)), to: Math.max(...ids.map(({ to }) => to)) },
  });
}

/** As `idsOf`, in the order of time: in which blocks the rows may lie follows from the moments between which these lie. */
async function idsByTime(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  const rough = hitByTime(rows, parts, cut);
  const { parts: hit, offset } = rough.parts.some(({ level }) => level === 1)
    ? hitByTime(rows, await blocksOf(question, rough.parts), { ...cut, offset: rough.offset })
    : rough;
  if (hit.length === 0) return [];
  const all = hit.reduce((sum, { n }) => sum + n, 0);
  // Where moments and ids have little to do with each other, all rows are as good as some.
  if (all > MANY) {
    const total = parts.reduce((sum, { n }) => sum + n, 0);
    return findIds(rows, { ...cut, expected: total });
  }
  const blocks = hit.map(({ at }) => at);
  const most = Math.max(...hit.map(({ n }) => n));
  return findByTime(rows, question.shift, blocks, { all, most }, { ...cut, offset });
}

/**
 * The parts in which a page may lie, and how many rows of them stand before it. Rows before the moment `first` are no more
 * than the offset, so that none of them is on the page; those up to `last` reach behind it. What ends before the one or
 * begins behind the other has no row of it.
 */
function hitByTime(
  { ascending }: Rows,
  parts: readonly Part[],
  { size, offset }: Cut,
): { parts: Part[]; offset: number } {
  const placed = parts.map((part) =>
    ascending ? { part, lo: part.lo, hi: part.hi } : { part, lo: -part.hi, hi: -part.lo },
  );
  let first = -Infinity;
  let begun = 0;
  for (const { lo, part } of placed.toSorted((a, b) => a.lo - b.lo)) {
    if (begun <= offset) first = lo;
    begun += part.n;
  }
  let last = Infinity;
  let ended = 0;
  for (const { hi, part } of placed.toSorted((a, b) => a.hi - b.hi)) {
    if (ended < offset + size) last = hi;
    ended += part.n;
  }
  if (ended < offset + size) last = Infinity;
  const before = placed.filter(({ hi }) => hi < first).reduce((sum, { part }) => sum + part.n, 0);
  const hit = placed.filter(({ lo, hi }) => hi >= first && lo <= last);
  return { parts: hit.map(({ part }) => part), offset: offset - before };
}

/** The parts in which a page lies, and how many rows stand before it there. */
function hitOf(
  question: CutQuestion,
  { ascending }: Rows,
  parts: readonly Part[],
  { size, offset }: Cut,
): { parts: Part[]; offset: number } {
  const placed = parts.map((part) => ({ part, from: idsOfPart(question, part).from }));
  placed.sort((a, b) => (ascending ? a.from - b.from : b.from - a.from));
  const hit: Part[] = [];
  let before = 0;
  let skipped = 0;
  for (const { part } of placed) {
    if (before >= offset + size) break;
    if (before + part.n > offset) {
      if (hit.length === 0) skipped = before;
      hit.push(part);
    }
    before += part.n;
  }
  return { parts: hit, offset: offset - skipped };
}
