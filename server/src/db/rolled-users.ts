import type { PageInput } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Sides } from './filter.ts';
import {
  type CutQuestion,
  type Ids,
  type Part,
  type Question,
  allOf,
  blocksOf,
  countWithin,
  idsOfParts,
  partsWithin,
  spansOf,
  timesOf,
} from './rolled-blocks.ts';
import { type Cut, MANY, type Place, byRows, fewOf, hitByTime, hitOf, idsAmong, isPast } from './rolled-pages.ts';
import { type Rows, findByTime, findIds, rowsWhere, summedIn, userOf } from './rolled-rows.ts';
import { type MarketTotal, type Totals, countsOf, totalsFrom, totalsOf } from './totals.ts';

/** A question about some users' rows. Nothing is counted of these; the rest of the question is answered by the rollups. */
export interface UsersQuestion extends Question {
  sides: Sides;
  /** One of the filters has an index of its own, so that few rows that fulfil it are found at once. */
  isOfFew: boolean;
  /** That there is a row in the table beside, where one of the filters asks for it. */
  isThere: RawBuilder<unknown>;
}

/** Rows are added up by pieces of so many blocks, as a power of two. */
const PIECE_BITS = 2;

/** From where on which way is taken. */
const LIMITS = {
  /** So many users are looked for in an index, whatever else is asked for. */
  users: 2_000,
  /** So many others are counted out. */
  others: 20_000,
  /** A stretch of so many ids is looked through. */
  near: 2 ** 21,
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
  const { users, others } = await countSides(question);
  const each = narrowed(rows, question.sides.isOne(userOf(rows.source)));
  if (!cuts || (rows.target.ids && all.total <= limits.rows))
    return byRows(users > limits.users ? fewOf(each, all) : byUser(rows, question.sides.users), cut);
  const spans = { ...question, cuts, shift: Math.max(...cuts.map(({ shift }) => shift)) };
  const rest = times ? await partsWithin(spans, times) : await spansOf(spans);
  const left = rest.reduce((sum, { n }) => sum + n, 0);
  if (left === 0) return { ...totalsOf([], rows.source), ids: [] };
  if (users > limits.users && left <= limits.rows) {
    const ids = idsOfParts(spans, rest);
    if (question.isOfFew || ids.to - ids.from <= limits.near) return byRows(onlyOf(question, each, ids), cut);
  }
  // Larger than blocks, so that there are few, and smaller than spans, so that few rows are read for a page.
  const pieces = { ...spans, shift: spans.shift + PIECE_BITS };
  const isOut = users > limits.users && others <= limits.others;
  const { totals, parts } = isOut
    ? await countOut(pieces, rows, times ? await countWithin(spans, rows, times) : { totals: all, parts: rest }, spans)
    : await atOnce(rows, users, () => addUp(pieces, byUser(rows, question.sides.users)));
  if (isPast(rows, cut, totals)) return { ...totals, ids: [] };
  const found = totals.total > limits.rows ? await idsIn(pieces, each, parts, cut) : undefined;
  const ids = found ?? (await findIds(byUser(rows, question.sides.users), { ...cut, expected: totals.total }));
  return { ...totals, ids };
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

/** The rows of certain users, looked for user by user in an index: an array is what PostgreSQL does that for. */
const byUser = (rows: Rows, users: RawBuilder<unknown>): Rows =>
  narrowed(rows, sql`${userOf(rows.source)} = any(array(${users}))`);

/** An array is taken for ten users, so that it would seem best to look up each of their rows in the table beside. */
async function atOnce<T>({ db, beside }: Rows, users: number, work: () => Promise<T>): Promise<T> {
  if (!beside || users <= limits.users) return work();
  const looksUp = (how: 'on' | 'off') => sql`select set_config('enable_nestloop', ${how}, true)`.execute(db);
  await looksUp('off');
  const found = await work();
  await looksUp('on');
  return found;
}

/** The rows of a stretch of ids, or of the table beside, of which each is looked at. */
function onlyOf({ isThere }: UsersQuestion, rows: Rows, ids: Ids): Rows {
  const id = sql.ref(rows.source.id);
  const there = rows.beside && { beside: sql`${rows.beside} and ${isThere}` };
  return { ...narrowed(rows, sql`${id} >= ${ids.from} and ${id} < ${ids.to}`), ...there };
}

interface Counted {
  totals: Totals;
  parts: Part[];
}

/** The sums of the rows, and how many of them each piece has. What was counted already is what these are taken from. */
async function addUp({ db, shift }: CutQuestion, rows: Rows, from?: Totals): Promise<Counted> {
  const { source } = rows;
  const table = rowsWhere(rows);
  const counts = from
    ? sql`select market_key, -n as n, -s1 as s1, -s2 as s2, -s3 as s3 from added union all ${countsOf(from, source)}`
    : sql`select market_key, n, s1, s2, s3 from added`;
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

/** What is left where the others are taken out. */
async function countOut(
  pieces: CutQuestion & UsersQuestion,
  rows: Rows,
  all: Counted,
  spans: CutQuestion,
): Promise<Counted> {
  const out = await addUp(pieces, byUser(rows, pieces.sides.others), all.totals);
  const left = new Map<number, Part>();
  for (const part of await blocksOf(spans, all.parts)) {
    const at = Math.floor(part.at / 2 ** PIECE_BITS);
    const piece = left.get(at) ?? { ...part, at, n: 0 };
    const [lo, hi] = [Math.min(piece.lo, part.lo), Math.max(piece.hi, part.hi)];
    left.set(at, { ...piece, n: piece.n + part.n, lo, hi });
  }
  for (const { at, n } of out.parts) {
    const piece = left.get(at);
    if (piece) piece.n -= n;
  }
  return { totals: out.totals, parts: [...left.values()].filter(({ n }) => n > 0) };
}

/** The page's rows out of the pieces in which it lies; undefined where these cannot be told apart from many others. */
async function idsIn(
  question: CutQuestion,
  rows: Rows,
  parts: readonly Part[],
  cut: Cut,
): Promise<number[] | undefined> {
  const { source, by } = rows;
  if (by === null) {
    const { parts: hit, offset } = hitOf(question, rows, parts, cut);
    return idsAmong(question, rows, hit, { ...cut, offset });
  }
  if (by !== source.createdAt) return undefined;
  const { parts: hit, offset } = hitByTime(rows, parts, cut);
  const ns = hit.map(({ n }) => n);
  const all = ns.reduce((sum, n) => sum + n, 0);
  if (all > limits.collected) return undefined;
  const expected = { all, most: Math.max(...ns) };
  return findByTime(rows, question.shift, hit.map(({ at }) => at), expected, { ...cut, offset }); // prettier-ignore
}
