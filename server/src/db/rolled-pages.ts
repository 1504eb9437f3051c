import { SORT_ROWS_MAX } from '@hengtai/contract/list';
import type { ListSource } from './list.ts';
import { type CutQuestion, type Part, blocksOf, idsOfPart, idsOfParts } from './rolled-blocks.ts';
import { type Rows, findIds, findInBlocks, rowsWhere } from './rolled-rows.ts';
import { SPAN_BITS } from './rollup.ts';
import { type Totals, totals } from './totals.ts';

/** A page's rows by their ids, with the exact total and sums of the whole list. */
export interface Place extends Totals {
  ids: number[];
}

export interface Cut {
  size: number;
  offset: number;
}

/** Whether a page lies in a few blocks; any other order is made of all rows at once. */
export const isByPlace = (source: ListSource, by: string | null): boolean => by === null || by === source.createdAt;

/** Whether there is nothing to be found: the page lies behind the rows, or these are too many to be put in its order. */
export const isPast = ({ source, by }: Rows, { offset }: Cut, { total }: Totals): boolean =>
  offset >= total || (!isByPlace(source, by) && total > SORT_ROWS_MAX);

/** More rows than these are not collected in order to be sorted. */
export const MANY = 120_000;

export const fewOf = (rows: Rows, { total }: Totals): Rows => ({
  ...rows,
  few: rows.target.ids !== undefined && total <= MANY,
});

export async function byRows(rows: Rows, cut: Cut): Promise<Place> {
  const { where, from } = rowsWhere(rows);
  const found = await totals(rows.db, { ...rows.source, from }, where);
  return { ...found, ids: isPast(rows, cut, found) ? [] : await findIds(rows, { ...cut, expected: found.total }) };
}

/** The rows of a page: in which blocks they lie follows from the counts, and only those blocks are read. */
export async function idsOf(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  if (rows.by === rows.source.createdAt) return idsByTime(question, rows, parts, cut);
  if (rows.by !== null) {
    const isThin = rowsOf(parts) < parts.length * 2 ** SPAN_BITS;
    return idsAmong(question, rows, isThin ? await blocksOf(question, parts) : parts, cut);
  }
  const rough = hitOf(question, rows, parts, cut);
  const { parts: hit, offset } = rough.parts.some(({ level }) => level === 1)
    ? hitOf(question, rows, await blocksOf(question, rough.parts), { ...cut, offset: rough.offset })
    : rough;
  return idsAmong(question, rows, hit, { ...cut, offset });
}

const rowsOf = (parts: readonly Part[]): number => parts.reduce((sum, { n }) => sum + n, 0);

/** Blocks with so many times their ids between them are read one by one. */
const APART = 2;

/** The rows of a page out of all that these parts hold. */
export async function idsAmong(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  if (parts.length === 0) return [];
  const ids = idsOfParts(question, parts);
  const isApart = (ids.to - ids.from) / 2 ** question.shift > APART * parts.length;
  if (isApart && parts.every(({ level }) => level === 0)) return idsApart(question, rows, parts, cut);
  return findIds(rows, { ...cut, expected: rowsOf(parts), ids });
}

/** As `idsAmong`, block by block. */
export function idsApart({ shift }: CutQuestion, rows: Rows, blocks: readonly Part[], cut: Cut): Promise<number[]> {
  const most = Math.max(...blocks.map(({ n }) => n));
  const ats = blocks.map(({ at }) => at);
  return findInBlocks(rows, shift, ats, { all: rowsOf(blocks), most }, cut);
}

/** As `idsOf`, in the order of time: in which blocks the rows may lie follows from the moments between which these lie. */
async function idsByTime(question: CutQuestion, rows: Rows, parts: readonly Part[], cut: Cut): Promise<number[]> {
  const rough = hitByTime(rows, parts, cut);
  const { parts: hit, offset } = rough.parts.some(({ level }) => level === 1)
    ? hitByTime(rows, await blocksOf(question, rough.parts), { ...cut, offset: rough.offset })
    : rough;
  if (hit.length === 0) return [];
  // Where moments and ids have little to do with each other, all rows are as good as some.
  if (rowsOf(hit) > MANY) return findIds(rows, { ...cut, expected: rowsOf(parts) });
  return idsApart(question, rows, hit, { ...cut, offset });
}

/**
 * The parts in which a page may lie, and how many rows of them stand before it. Rows before the moment `first` are no more
 * than the offset, so that none of them is on the page; those up to `last` reach behind it. What ends before the one or
 * begins behind the other has no row of it.
 */
export function hitByTime(
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
export function hitOf(
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
