import type { CallSpec, InputOf, OutputOf, RowOf } from '@hengtai/contract/wire/endpoint';
import { type ListSpec, PAGE_SIZE, type PageInput, SORT_ROWS_MAX } from '@hengtai/contract/wire/list';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type RawBuilder, sql } from 'kysely';
import { refuse, refuseField } from '../../app/refuse.ts';
import type { Ctx } from '../../app/context.ts';
import { type Db, sqlState } from '../../database/connect.ts';
import { fetchBatches } from '../../database/cursor.ts';
import { readCounters } from './counted.ts';
import { LEVEL } from './counted-places.ts';
import { type Reader, findScope } from './counted-scope.ts';
import { conditions } from './filter.ts';
import { resolveTexts } from './resolve-texts.ts';
import type { PageRange, ListSource, PageBlocks, Within } from './source.ts';
import { type Totals, totals } from './totals.ts';

export interface ListPage<Row> {
  list: Row[];
  total: number;
  summary?: never[];
}

/**
 * Fetches one page of a list with its exact total, and with exact sums per coin if the list declares any.
 *
 * @throws Refused 422 if more than SORT_ROWS_MAX rows are to be ordered by a field other than id and createdAt
 */
export async function listRows<Row>(
  ctx: Pick<Ctx, 'db' | 'scope' | 'operator'>,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
): Promise<ListPage<Row>> {
  const { db } = ctx;
  const size = input.size ?? PAGE_SIZE;
  const cut = { size, offset: ((input.page ?? 1) - 1) * size };
  const counted = await readCounters(ctx, spec, source, input, cut);
  const where = buildWhere(spec, source, ctx, input, counted?.blocks?.within);
  const isCounted = counted && !(await isReadable(ctx, source, input));
  const { total, summary } = isCounted
    ? counted.totals
    : await totals(db, source, buildWhere(spec, source, ctx, input));
  const order = ordering(source, input.sort, total);
  const page = counted?.blocks ? nearerEnd(counted.blocks, size, input.sort) : { ...cut, sort: input.sort };
  const sorted = ordering(source, page.sort, total, total <= SORTED_ROWS_MAX && !counted?.blocks ? sql` + 0` : sql``);
  const list =
    cut.offset >= total
      ? []
      : source.counted
        ? await fetchPageById<Row>(db, source, source.counted.from, { ...page, where }, { order, sorted })
        : await fetchPage<Row>(db, source, { ...cut, where }, order);
  return summary ? { list, total, summary } : { list, total };
}

/**
 * Whether a list has sums that are not counted, and its scope so few rows (up to 100,000) that they are not counted by block: an
 * index-only scan reads all of them.
 */
async function isReadable(ctx: Reader, source: ListSource, input: PageInput): Promise<boolean> {
  const { counted, sums } = source;
  if (!counted || !sums?.uncounted) return false;
  const { kind, key } = findScope(ctx, source, input);
  const { rows } = await sql<{ level: number }>`select level from counter_scope
    where resource = ${sql.lit(counted.resource)} and kind = ${sql.lit(kind)} and key = ${key}`.execute(ctx.db);
  return (rows[0]?.level ?? 0) < LEVEL.block;
}

/** The page in the opposite order if it is nearer to the end of the blocks, so that at most half of their rows are skipped. */
function nearerEnd({ rows, offset }: PageBlocks, size: number, sort = '-id'): PageRange & { sort: string } {
  const after = rows - offset - size;
  if (after >= offset) return { size, offset, sort };
  const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
  return { size: size + Math.min(after, 0), offset: Math.max(after, 0), sort: opposite };
}

type PageOf = PageRange & { where: RawBuilder<boolean> };

/**
 * Up to this many matching rows, a page is found by sorting all of them. The planner prefers to walk the id index from the
 * newest row until enough rows match, and cannot estimate how far that is: for rare rows it reads the whole table. Adding 0
 * to the sorted column hides the index from it.
 */
const SORTED_ROWS_MAX = 1_200_000;

async function fetchPage<Row>(
  db: Db,
  { fields, from }: ListSource,
  { where, size, offset }: PageOf,
  order: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${fields} from ${from} where ${where} order by ${order} limit ${size} offset ${offset}`.execute(db);
  return rows;
}

/**
 * Finds the ids first, so that the rows before the page are skipped without their joins. `(…) is true` keeps the planner from
 * using the scope for an index: a generic plan would probe an index that begins with the agent once per agent.
 */
async function fetchPageById<Row>(
  db: Db,
  source: ListSource,
  base: RawBuilder<unknown>,
  { where, size, offset }: PageOf,
  { order, sorted }: Record<'order' | 'sorted', RawBuilder<unknown>>,
): Promise<Row[]> {
  const id = sql.ref(source.id);
  const { rows } = await sql<Row>`select ${source.fields} from ${source.from}
    where (${source.where ?? sql`true`}) is true and ${id} = any(array(
      select ${id} from ${base} where ${where} order by ${sorted} limit ${size} offset ${offset}))
    order by ${order}`.execute(db);
  return rows;
}

/** Fetches the newest rows of a list that fulfil one more condition, without a total. */
export async function lastRows<Row>(
  db: Db,
  source: ListSource,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`select ${source.fields} from ${source.from}
    where ${source.where ?? sql`true`} and ${condition} order by ${sql.ref(source.id)} desc limit ${limit}`.execute(db);
  return rows;
}

/** All rows of a list in its order, read on demand, with their exact total and sums. */
export interface FullList {
  total: number;
  summary?: readonly CoinTotal[];
  batches: AsyncGenerator<unknown[]>;
  /** The statement that selects the rows; undefined if the rows are transformed after the query. */
  statement?: RawBuilder<unknown>;
}

/** Count and sums of one coin; each sum is a property with the name of its field. */
export interface CoinTotal {
  marketId: number;
  marketName: string;
  count: number;
  [field: string]: string | number;
}

/** The function that reads a page of a list, and with `readAll` all rows for its export. */
export interface ListReader<I, O> {
  (ctx: Ctx, input: I): Promise<O>;
  /** @param knownTotal a total that was counted just before; it is used as it is, and sums are left out */
  readAll: (ctx: Ctx, input: I, knownTotal?: number) => Promise<FullList>;
}

interface ListOptions<Selected, Row> {
  /** Transforms each row after the query. */
  row?: (row: Selected) => Row;
  /** Default order; newest first if undefined. */
  sort?: string;
}

/**
 * Defines the handler of a list call from its source. The export of the list reads the same rows.
 *
 * @throws Refused as listRows does, and 422 if counting or finding the rows takes too long
 */
export function defineList<C extends CallSpec & { list: ListSpec }, Selected = RowOf<C>>(
  call: C,
  sourceFor: (ctx: Ctx, input: InputOf<C>) => ListSource | Promise<ListSource>,
  { row, sort }: ListOptions<Selected, RowOf<C>> = {},
): ListReader<InputOf<C>, OutputOf<C>> {
  const withDefaultSort = (input: PageInput): PageInput => ({ ...(sort !== undefined && { sort }), ...input });
  const resolve = async (ctx: Ctx, input: InputOf<C>) => {
    const resolved = await resolveTexts(ctx, call.list, await sourceFor(ctx, input), input as PageInput);
    return { source: resolved.source, filters: withDefaultSort(resolved.input) };
  };
  const fetchRows = async (ctx: Ctx, input: InputOf<C>) => {
    const { source, filters } = await resolve(ctx, input);
    return listRows<Selected>(ctx, call.list, source, filters);
  };
  const page = async (ctx: Ctx, input: InputOf<C>): Promise<OutputOf<C>> => {
    const found = await fetchRows(ctx, input).catch(refuseTooBroad);
    // The contract ties each call to the schema of its page, which TypeScript cannot follow here.
    return (row ? { ...found, list: found.list.map(row) } : found) as OutputOf<C>;
  };
  const readAll = async (ctx: Ctx, input: InputOf<C>, knownTotal?: number): Promise<FullList> => {
    const { source, filters } = await resolve(ctx, input);
    const where = buildWhere(call.list, source, ctx, filters);
    const { total, summary }: Totals =
      knownTotal === undefined ? await totals(ctx.db, source, where) : { total: knownTotal };
    const order = ordering(source, filters.sort, total);
    const rows = sql`select ${source.fields} from ${source.from} where ${where} order by ${order}`;
    return {
      total,
      ...(summary && { summary }),
      batches: fetchBatches<Selected, RowOf<C>>(ctx.db, rows, row),
      ...(row ? {} : { statement: rows }),
    };
  };
  return Object.assign(page, { readAll });
}

const QUERY_CANCELED = '57014';

/** @throws Refused 422 if the time limit of a list cancelled its statement, else the error itself */
function refuseTooBroad(error: unknown): never {
  throw sqlState(error) === QUERY_CANCELED ? refuse(refusals.listTooBroad) : error;
}

const buildWhere = (
  spec: ListSpec,
  source: ListSource,
  { scope }: Pick<Ctx, 'scope'>,
  input: PageInput,
  within?: Within,
): RawBuilder<boolean> => sql<boolean>`${source.where ?? sql`true`}${conditions(spec, source, scope, input, within)}`;

/**
 * The `order by` expressions of a list, with the id as tie-breaker.
 *
 * @param suffix appended to id and createdAt; ` + 0` makes them expressions that no index can provide in order
 * @throws Refused 422 for a field that cannot be sorted, or for more than SORT_ROWS_MAX rows ordered by another field
 */
export function ordering(
  source: Pick<ListSource, 'id' | 'createdAt' | 'sort' | 'first'>,
  sort: string | undefined,
  total: number,
  suffix: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const field = sort?.replace(/^-/, '') ?? 'id';
  const direction = sort === undefined || sort.startsWith('-') ? sql`desc` : sql`asc`;
  const id = sql.ref(source.id);
  const first = source.first ? sql`${source.first} desc, ` : sql``;
  if (field === 'id') return sql`${first}${id}${suffix} ${direction}`;
  if (field === 'createdAt') return sql`${first}${sql.ref(source.createdAt)}${suffix} ${direction}, ${id} ${direction}`;
  const column = source.sort?.[field];
  if (column === undefined) throw refuseField('sort', '格式不正确');
  if (total > SORT_ROWS_MAX) throw refuseField('sort', `：结果超过 ${SORT_ROWS_MAX} 条，请先缩小范围`);
  return sql`${sql.ref(column)} ${direction} nulls last, ${id} ${direction}`;
}
