import type { PageInput } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Accounts, Sides } from './filter.ts';
import {
  type CutQuestion,
  type Ids,
  type Part,
  type Question,
  type Times,
  allOf,
  blocksOf,
  countIn,
  countWithin,
  idsOfParts,
  partsWithin,
  spansOf,
  timesOf,
} from './rolled-blocks.ts';
import {
  type Cut,
  MANY,
  type Place,
  byRows,
  fewOf,
  hitByTime,
  hitOf,
  idsAmong,
  idsApart,
  isByPlace,
  isPast,
} from './rolled-pages.ts';
import { wholeRanges } from './rolled-ranges.ts';
import { type Rows, findIds, rowsWhere, summedIn, userOf } from './rolled-rows.ts';
import { SPAN_BITS } from './rollup.ts';
import { type MarketTotal, type Totals, countsOf, totalsFrom, totalsOf } from './totals.ts';

/** A question about some users' rows. Nothing is counted of these; the rest of the question is answered by the rollups. */
export interface UsersQuestion extends Question {
  sides: Sides;
  /** One of the filters has an index of its own, so that few rows that fulfil it are found at once. */
  isOfFew: boolean;
  /** The rows stand in the table beside, in which a look at one takes less than anything else. */
  isBeside: boolean;
}

/** Rows are added up by pieces of so many blocks, as a power of two. */
const PIECE_BITS = 2;

/** A row that an index of its own leads to takes as long as so many of a stretch of ids. */
const ROW_IN_INDEX = 2;

/** From where on which way is taken. */
const LIMITS = {
  /** So many users are looked for in an index, whatever else is asked for. */
  users: 2_000,
  /** So many others are counted out. */
  others: 20_000,
  /** A stretch of so many ids is looked through. */
  near: 2 ** 21,
  /** So many for each range of their rows, where those are the other way. */
  nearRange: 2 ** 15,
  /** So few rows are looked at one by one even where ranges would tell how many these are. */
  few: 10_000,
  /** So many rows are looked at one by one. */
  rows: MANY,
  /** So many rows of some pieces are put in order. */
  collected: 400_000,
};
let limits = LIMITS;

/** For tests, which have few rows and yet shall go every way; nothing in the product calls it. */
export function limitUsers(lower: Partial<typeof LIMITS>): void {
  limits = { ...LIMITS, ...lower };
}

/**
 * The place of a page among the rows of some users. Where the rest of the question leaves few rows, each is looked at;
 * otherwise all rows of the users are added up, or of the others where these are few, piece by piece: so the page is known
 * to lie in one or two of them, and only these are read.
 */
export async function placeOfUsers(question: UsersQuestion, rows: Rows, input: PageInput, cut: Cut): Promise<Place> {
  const times = timesOf(input);
  const { totals: all, cuts } = await allOf(question, rows.source);
  if (all.total === 0) return { ...all, ids: [] };
  const sizes = await countSides(question);
  const isMany = sizes.users > limits.users;
  const each = lookedUp(rows, question.sides);
  if (!cuts || (rows.target.ids && all.total <= limits.rows))
    return byRows(isMany ? fewOf(each, all) : byUser(rows, question.sides.users), cut);
  const spans = { ...question, cuts, shift: Math.max(...cuts.map(({ shift }) => shift)) };
  const rest = times ? await partsWithin(spans, times) : await spansOf(spans);
  const left = rest.reduce((sum, { n }) => sum + n, 0);
  if (left === 0) return { ...totalsOf([], rows.source), ids: [] };
  const ids = idsOfParts(spans, rest);
  const isFound = isMany && (question.isOfFew || ids.to - ids.from <= limits.near);
  const looksAtEach = () => byRows(onlyOf(each, ids), cut);
  const isShort = question.isBeside || !isByPlace(rows.source, rows.by);
  if (isFound && left <= (isShort ? limits.rows : limits.few)) return looksAtEach();
  // Larger than blocks, so that there are few, and smaller than spans, so that few rows are read for a page.
  const pieces = { ...spans, shift: spans.shift + PIECE_BITS };
  const isOut = isMany && sizes.others <= limits.others;
  const known =
    (isMany && (await inFewBlocks(spans, each, rest, left))) ||
    (isOut
      ? await countOut(
          pieces,
          rows,
          times ? await countWithin(spans, rows, times) : { totals: all, parts: rest },
          spans,
        )
      : await byRanges(question, rows, times));
  if (!known && isFound && left <= limits.rows) return looksAtEach();
  const users = question.sides.users;
  const counted = known ?? (await atOnce(rows, sizes.users, () => addUp(pieces, byUser(rows, users))));
  const { totals } = counted;
  if (isPast(rows, cut, totals)) return { ...totals, ids: [] };
  const found = await idsIn(counted.question ?? pieces, each, counted, cut);
  if (found) return { ...totals, ids: found };
  const isShorter = question.isOfFew && left <= (counted.near ?? 0) / ROW_IN_INDEX;
  const those = isShorter ? onlyOf(each, ids) : byUser(rows, users);
  return { ...totals, ids: await findIds(those, { ...cut, expected: totals.total }) };
}

/** How many users are asked for, and how many are not, as far as it matters. */
async function countSides({ db, sides }: UsersQuestion): Promise<Record<'users' | 'others', number>> {
  const { rows } = await sql<Record<'users' | 'others', number>>`
    select (select count(*) from (${sides.users} limit ${limits.users + 1}) y) as users,
      (select count(*) from (${sides.others} limit ${limits.others + 1}) y) as others`.execute(db);
  return rows[0] ?? { users: 0, others: 0 };
}

const narrowed = (rows: Rows, condition: RawBuilder<unknown>): Rows => ({
  ...rows,
  where: sql`${rows.where} and ${condition}`,
});

/** The rows of the users asked for, or of a stretch of accounts, of which each is looked up. */
const lookedUp = (rows: Rows, sides: Sides, accounts?: Accounts): Rows => ({
  ...rows,
  perUser: sides.isOne(userOf(rows.source), accounts),
});

/** The rows of certain users, looked for user by user in an index: an array is what PostgreSQL does that for. */
const byUser = (rows: Rows, users: RawBuilder<unknown>): Rows =>
  narrowed(rows, sql`${userOf(rows.source)} = any(array(${users}))`);

/** An array is taken for ten users, so that it would seem best to look up each of their rows beside them, and to sort all. */
async function atOnce<T>({ db, beside }: Rows, users: number, work: () => Promise<T>): Promise<T> {
  if (!beside || users <= limits.users) return work();
  const plansWith = (how: 'on' | 'off') =>
    sql`select set_config('enable_nestloop', ${how}, true), set_config('enable_sort', ${how}, true)`.execute(db);
  await plansWith('off');
  const found = await work();
  await plansWith('on');
  return found;
}

/** The rows of a stretch of ids, of which each is looked at. */
function onlyOf(rows: Rows, ids: Ids): Rows {
  const id = sql.ref(rows.source.id);
  return narrowed(rows, sql`${id} >= ${ids.from} and ${id} < ${ids.to}`);
}

interface Counted {
  totals: Totals;
  parts: Part[];
  /** What the parts are cut by, where it is something else than what was asked with. */
  question?: CutQuestion;
  /** To look through so many ids takes no longer than through the rows of all these users. */
  near?: number;
}

/** The sums of the rows, and how many of them each piece has; the sums together with those of others, or taken out of these. */
async function addUp({ db, shift }: CutQuestion, rows: Rows, others?: { totals: Totals; sign: 1 | -1 }): Promise<Counted> {
  const { source } = rows;
  const table = rowsWhere(rows);
  const sign = sql.lit(others?.sign ?? 1);
  const counts = sql`select market_key, ${sign} * n as n, ${sign} * s1 as s1, ${sign} * s2 as s2, ${sign} * s3 as s3 from added
    ${others ? sql`union all ${countsOf(others.totals, source)}` : sql``}`;
  const { rows: found } = await sql<MarketTotal & Pick<Part, 'lo' | 'hi'> & { at: number | null }>`
    with added as materialized (
      select x.market_key, x.at, count(*) as n, sum(x.s1) as s1, sum(x.s2) as s2, sum(x.s3) as s3,
        min(x.moment) as lo, max(x.moment) as hi
      from (select ${summedIn(source).fields}, ${sql.ref(source.id)} >> ${sql.lit(shift)} as at,
          ${sql.ref(source.createdAt)} as moment from ${table.from} where ${table.where}) x
      group by 1, 2
    )
    select null::bigint as at, t.*, null::bigint as lo, null::bigint as hi from (${totalsFrom(counts)}) t
    union all
    select at, 0, '', sum(n)::bigint, 0, 0, 0, 0, min(lo), max(hi) from added group by at order by place`.execute(db);
  const parts = found.flatMap(({ at, count, lo, hi }) => (at === null ? [] : [{ level: 0 as const, at, n: count, lo, hi }]));
  return { totals: totalsOf(found.filter(({ at }) => at === null), source), parts };
} // prettier-ignore

/** Where the rest of the question leaves so few rows that most blocks have none: those of the others, each looked at. */
async function inFewBlocks(
  question: CutQuestion,
  rows: Rows,
  rest: readonly Part[],
  left: number,
): Promise<Counted | undefined> {
  if (left >= rest.length * 2 ** SPAN_BITS) return undefined;
  const blocks = await blocksOf(question, rest);
  if (blocks.length * 2 ** question.shift > limits.near) return undefined;
  return { ...(await countIn(question, rows, [], blocks)), question, near: Infinity };
}

/** What is left where the others are taken out. */
async function countOut(
  pieces: CutQuestion & UsersQuestion,
  rows: Rows,
  all: Counted,
  spans: CutQuestion,
): Promise<Counted> {
  const out = await addUp(pieces, byUser(rows, pieces.sides.others), { totals: all.totals, sign: -1 });
  const blocks = await blocksOf(spans, all.parts);
  return { totals: out.totals, parts: together(blocks, PIECE_BITS, out.parts, -1), near: Infinity };
}

/** What the ranges say that have none but the users asked for, with those that remain at both ends; undefined without ranges. */
async function byRanges(question: UsersQuestion, rows: Rows, times: Times | undefined): Promise<Counted | undefined> {
  const { sides } = question;
  const ranges = await wholeRanges(question, rows.source);
  if (!ranges) return undefined;
  const { accounts, totals: all, question: inside } = ranges;
  const within = lookedUp(rows, sides, accounts);
  const { totals, parts } = times
    ? await countWithin(inside, within, times)
    : { totals: all, parts: await spansOf(inside) };
  const ends = await addUp(inside, byUser(rows, sides.usersBut(accounts)), { totals, sign: 1 });
  return {
    totals: ends.totals,
    parts: together(await blocksOf(inside, parts), 0, ends.parts, 1),
    question: inside,
    near: inside.cuts.length * limits.nearRange,
  };
}

/** Blocks as pieces of 2^bits of them, with the rows of other pieces added or taken out. */
function together(blocks: readonly Part[], bits: number, others: readonly Part[], sign: 1 | -1): Part[] {
  const pieces = new Map<number, Part>();
  const add = (part: Part, at: number, n: number): void => {
    const piece = pieces.get(at) ?? { ...part, at, n: 0 };
    const [lo, hi] = [Math.min(piece.lo, part.lo), Math.max(piece.hi, part.hi)];
    pieces.set(at, { ...piece, n: piece.n + n, lo, hi });
  };
  for (const part of blocks) add(part, Math.floor(part.at / 2 ** bits), part.n);
  for (const part of others) add(part, part.at, sign * part.n);
  return [...pieces.values()].filter(({ n }) => n > 0);
}

/** The page's rows out of the pieces in which it lies; undefined where it is shorter to look for those of each user. */
async function idsIn(
  question: CutQuestion,
  rows: Rows,
  { totals: { total }, parts, near = 0 }: Counted,
  cut: Cut,
): Promise<number[] | undefined> {
  const isNear = (from: readonly Part[]): boolean => from.length * 2 ** question.shift <= near;
  if (!isByPlace(rows.source, rows.by)) return isNear(parts) ? idsAmong(question, rows, parts, cut) : undefined;
  if (rows.by === null) {
    const { parts: hit, offset } = hitOf(question, rows, parts, cut);
    return total > limits.rows || isNear(hit) ? idsAmong(question, rows, hit, { ...cut, offset }) : undefined;
  }
  const { parts: hit, offset } = hitByTime(rows, parts, cut);
  const isFar = total <= limits.rows && !isNear(hit);
  if (isFar || hit.reduce((sum, { n }) => sum + n, 0) > limits.collected) return undefined;
  return idsApart(question, rows, hit, { ...cut, offset });
}
