import type { CallSpec, InputOf, OutputOf, RowOf } from '@hengtai/contract/endpoint';
import { type ListSpec, PAGE_SIZE, type PageInput, SORT_ROWS_MAX } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import { refuseField } from '../refuse.ts';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from './connect.ts';
import { fetchBatches } from './cursor.ts';
import { conditions, isOfUsers } from './filter.ts';
import { placeByRollup } from './rolled-list.ts';
import type { Cut } from './rolled-pages.ts';
import { besideToo } from './rolled-rows.ts';
import { type Asked, lookUp } from './rolled-target.ts';
import type { Rolled } from './rollup.ts';
import { type Totals, totals } from './totals.ts';

/** The tables and columns of a list. Column names are qualified constants of the code, never input. */
export interface ListSource {
  /** The selected columns, named as the row's fields. */
  fields: RawBuilder<unknown>;
  /** Tables of the list. A `left join` neither drops rows nor has to be executed for a count. */
  from: RawBuilder<unknown>;
  id: string;
  createdAt: string;
  /** The column of each declared filter. For `agent` and `subtree` it is the column of the agent's id. */
  filters: Readonly<Record<string, string | RawBuilder<unknown>>>;
  /** The columns of the further sortable fields. */
  sort?: Readonly<Record<string, string>>;
  /** Condition of every query, above all the operator's scope. */
  where?: RawBuilder<boolean>;
  /**
   * The rollup that counts these rows when they are written. `from` is the base table without joins, under the same alias;
   * `counted` is the condition of counted rows, without the scope; `user` is the column of the user id, if rows have one.
   */
  rollup?: {
    noun: Rolled;
    from: RawBuilder<unknown>;
    counted?: RawBuilder<boolean>;
    user?: string;
    sideTable?: SideTable;
  };
  /** Exact sums per coin over the filtered rows. With a `demo` column, demo rows get lines of their own. */
  sums?: { marketId: string; demo?: string; fields: Readonly<Record<string, string>> };
}

/** A table with at most one row per row of the base table, read by some filters. */
export interface SideTable {
  /** Name and alias. */
  table: string;
  /** Column that holds the id of the base row. */
  key: string;
  /**
   * Replaces the base table by the side table: base rows that have a side row, under the base table's alias, with every
   * column that the list filters, sums and orders by.
   */
  rows: RawBuilder<unknown>;
  /** Columns of `rows` that filters read. A base row without a side row has the value 0. */
  filters: Readonly<Record<string, string>>;
}

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
  const offset = ((input.page ?? 1) - 1) * size;
  const request = await lookUp(ctx, source, input);
  const place = await placeByRollup(ctx, spec, source, request, { size, offset });
  if (place) {
    const { ids, ...found } = place;
    return { list: await fetchRowsById<Row>(db, source, ids, ordering(source, input.sort, found.total)), ...found };
  }
  const where = buildWhere(spec, source, ctx, request);
  const base = withoutJoins(spec, source, request);
  const { total, summary } = await totals(db, base, where);
  const order = ordering(source, input.sort, total);
  const sortedOrder =
    total <= SORTED_ROWS_MAX || offset > WALKED_OFFSET_MAX ? ordering(source, input.sort, total, sql` + 0`) : undefined;
  const list =
    offset >= total
      ? []
      : await fetchPage<Row>(db, { ...source, base }, where, { order, sortedOrder }, { size, offset });
  return summary ? { list, total, summary } : { list, total };
}

/**
 * Drops the joins of a source if the filters and the order use columns of the base table only. A join prevents index-only
 * scans, even if none of its columns is needed.
 */
function withoutJoins(spec: ListSpec, source: ListSource, { input }: Asked): ListSource {
  if (!source.rollup) return source;
  const [table = ''] = source.id.split('.');
  const values: Readonly<Record<string, unknown>> = { ...input };
  const filterColumns = spec.filters
    .filter((filter) => values[filter.field] !== undefined && !isOfUsers(source, filter, values[filter.field]))
    .map(({ field }) => source.filters[field]);
  const columns = [...filterColumns, source.sort?.[input.sort?.replace(/^-/, '') ?? '']];
  const needsJoin = columns.some((column) => typeof column === 'string' && !column.startsWith(`${table}.`));
  return needsJoin ? source : { ...source, from: besideToo(source, source.rollup.from) };
}

/**
 * Up to this many matching rows, a page is found by sorting all of them. The planner prefers to walk the id index from the
 * newest row until enough rows match, and cannot estimate how far that is. With more matches they are dense enough for
 * that walk, if the page is near the beginning.
 */
const SORTED_ROWS_MAX = 1_200_000;
const WALKED_OFFSET_MAX = 10_000;

/** Fetches the ids of a page first, so that the rows before it can be skipped in an index-only scan. */
async function fetchPage<Row>(
  db: Db,
  source: ListSource & { base: ListSource },
  where: RawBuilder<boolean>,
  { order, sortedOrder }: { order: RawBuilder<unknown>; sortedOrder: RawBuilder<unknown> | undefined },
  { size, offset }: Cut,
): Promise<Row[]> {
  const select = (
    fields: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
    by: RawBuilder<unknown>,
  ): RawBuilder<{ id: number }> =>
    sql`select ${fields} from ${from} where ${where} order by ${by} limit ${size} offset ${offset}`;
  if (!source.rollup || (offset === 0 && !sortedOrder))
    return (await select(source.fields, source.from, order).execute(db)).rows as Row[];
  const { rows } = await select(sql`${sql.ref(source.id)} as id`, source.base.from, sortedOrder ?? order).execute(db);
  return fetchRowsById<Row>(
    db,
    source,
    rows.map(({ id }) => id),
    order,
  );
}

/**
 * `(…) is true` keeps the planner from using the conditions for an index: a generic plan does not know how many agents the
 * scope has, and would probe an index that begins with the agent once per agent.
 */
async function fetchRowsById<Row>(
  db: Db,
  source: ListSource,
  ids: readonly number[],
  order: RawBuilder<unknown>,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`${prepared}select ${source.fields} from ${source.from}
    where (${source.where ?? sql`true`}) is true and ${sql.ref(source.id)} = any(${[...ids]}::bigint[]) order by ${order}`.execute(
    db,
  );
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

/** Reads a page of a list, or with `readAll` all rows for its export. */
export interface ListReader<I, O> {
  (ctx: Ctx, input: I): Promise<O>;
  /** @param known a total that was counted just before; it is used as it is, and sums are left out */
  readAll: (ctx: Ctx, input: I, known?: number) => Promise<FullList>;
}

interface ListOptions<Row> {
  /** Transforms each row after the query. */
  row?: (row: Row) => Row;
  /** Default order; newest first if undefined. */
  sort?: string;
}

/**
 * Defines the handler of a list call from its source. The export of the list reads the same rows.
 *
 * @throws Refused as listRows does
 */
export function defineList<C extends CallSpec & { list: ListSpec }>(
  call: C,
  sourceFor: (ctx: Ctx, input: InputOf<C>) => ListSource | Promise<ListSource>,
  { row, sort }: ListOptions<RowOf<C>> = {},
): ListReader<InputOf<C>, OutputOf<C>> {
  type Row = RowOf<C>;
  const withDefaultSort = (input: PageInput): PageInput => ({ ...(sort !== undefined && { sort }), ...input });
  const page = async (ctx: Ctx, input: InputOf<C>): Promise<OutputOf<C>> => {
    const found = await listRows<Row>(ctx, call.list, await sourceFor(ctx, input), withDefaultSort(input as PageInput));
    // The contract ties each call to the schema of its page, which TypeScript cannot follow here.
    return (row ? { ...found, list: found.list.map(row) } : found) as OutputOf<C>;
  };
  const readAll = async (ctx: Ctx, input: InputOf<C>, known?: number): Promise<FullList> => {
    const source = await sourceFor(ctx, input);
    const where = buildWhere(call.list, source, ctx, await lookUp(ctx, source, input as PageInput));
    const { total, summary }: Totals = known === undefined ? await totals(ctx.db, source, where) : { total: known };
    const order = ordering(source, withDefaultSort(input as PageInput).sort, total);
    const rows = sql<Row>`select ${source.fields} from ${source.from} where ${where} order by ${order}`;
    return {
      total,
      ...(summary && { summary }),
      batches: fetchBatches<Row>(ctx.db, rows, row),
      ...(row ? {} : { statement: rows }),
    };
  };
  return Object.assign(page, { readAll });
}

const buildWhere = (
  spec: ListSpec,
  source: ListSource,
  { scope }: Pick<Ctx, 'scope'>,
  request: Asked,
): RawBuilder<boolean> => sql<boolean>`${source.where ?? sql`true`}${conditions(spec.filters, source, scope, request)}`;

/**
 * The `order by` expressions of a list, with the id as tie-breaker.
 *
 * @param suffix appended to id and createdAt; ` + 0` makes them expressions that no index can provide in order
 * @throws Refused 422 for a field that cannot be sorted, or for more than SORT_ROWS_MAX rows ordered by another field
 */
export function ordering(
  source: Pick<ListSource, 'id' | 'createdAt' | 'sort'>,
  sort: string | undefined,
  total: number,
  suffix: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const field = sort?.replace(/^-/, '') ?? 'id';
  const direction = sort === undefined || sort.startsWith('-') ? sql`desc` : sql`asc`;
  const id = sql.ref(source.id);
  if (field === 'id') return sql`${id}${suffix} ${direction}`;
  if (field === 'createdAt') return sql`${sql.ref(source.createdAt)}${suffix} ${direction}, ${id} ${direction}`;
  const column = source.sort?.[field];
  if (column === undefined) throw refuseField('sort', '格式不正确');
  if (total > SORT_ROWS_MAX) throw refuseField('sort', `：结果超过 ${SORT_ROWS_MAX} 条，请先缩小范围`);
  return sql`${sql.ref(column)} ${direction} nulls last, ${id} ${direction}`;
}
