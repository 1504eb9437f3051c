import type { CallSpec, InputOf, OutputOf, RowOf } from '@hengtai/contract/endpoint';
import { type ListSpec, PAGE_SIZE, type PageInput, SORT_ROWS_MAX } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import { refuseField } from '../refuse.ts';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from './connect.ts';
import { batchesOf } from './cursor.ts';
import { conditions, isOfUsers } from './filter.ts';
import { placeByRollup } from './rolled-list.ts';
import type { Cut } from './rolled-pages.ts';
import { besideToo } from './rolled-rows.ts';
import { type Asked, lookUp } from './rolled-target.ts';
import type { Rolled } from './rollup.ts';
import { type Totals, totals } from './totals.ts';

/** Where a list comes from. Column names are written in the code and qualified; they are never input. */
export interface ListSource {
  /** The selected columns, named as the row's fields. */
  fields: RawBuilder<unknown>;
  /** Tables; joined by `left join` where a row must not disappear and where a count needs no join. */
  from: RawBuilder<unknown>;
  id: string;
  createdAt: string;
  /** The column of each declared filter. For `agent` and `subtree` it is the column of the agent's id. */
  filters: Readonly<Record<string, string | RawBuilder<unknown>>>;
  /** The columns of the further sortable fields. */
  sort?: Readonly<Record<string, string>>;
  /** What always holds; the operator's scope above all. */
  where?: RawBuilder<boolean>;
  /**
   * What counts these rows as they are written. `from` is the table alone, under the alias of the other columns; `counted`
   * what always holds besides the scope; `user` the column of the rows' user, where they have one besides their own account.
   */
  rollup?: {
    noun: Rolled;
    from: RawBuilder<unknown>;
    counted?: RawBuilder<boolean>;
    user?: string;
    sideTable?: SideTable;
  };
  /** Exact sums per coin over the filtered set; where a column says what is only a demo, that has lines of its own. */
  sums?: { marketId: string; demo?: string; fields: Readonly<Record<string, string>> };
}

/** A table with at most one row for each of the others, which some filters read. */
export interface SideTable {
  /** Its name and alias. */
  table: string;
  /** Its column that is the id of the row which it belongs to. */
  key: string;
  /**
   * The rows of the other table that have one here, out of this table alone: under the other's alias, with all that the list
   * counts, filters, sums and orders by.
   */
  rows: RawBuilder<unknown>;
  /** The columns of `rows` that filters read; where there is no row they count as 0. */
  filters: Readonly<Record<string, string>>;
}

export interface ListPage<Row> {
  list: Row[];
  total: number;
  summary?: never[];
}

/**
 * One page of a list with its exact total, and exact sums where the list has amounts.
 *
 * @throws Refused 422 when a field other than id and createdAt shall order more rows than SORT_ROWS_MAX
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
  const asked = await lookUp(ctx, source, input);
  const place = await placeByRollup(ctx, spec, source, asked, { size, offset });
  if (place) {
    const { ids, ...found } = place;
    return { list: await rowsOf<Row>(db, source, ids, ordering(source, input.sort, found.total)), ...found };
  }
  const where = wholeOf(spec, source, ctx, asked);
  const alone = aloneFor(spec, source, asked);
  const { total, summary } = await totals(db, alone, where);
  const order = ordering(source, input.sort, total);
  const collected =
    total <= COLLECTED_MAX || offset > WALKED_MAX ? ordering(source, input.sort, total, sql` + 0`) : undefined;
  const list =
    offset >= total ? [] : await pageOf<Row>(db, { ...source, alone }, where, { order, collected }, { size, offset });
  return summary ? { list, total, summary } : { list, total };
}

/**
 * The table alone where all that is asked for stands in it: one that is joined keeps PostgreSQL from reading an index only,
 * even where nothing of it is needed.
 */
function aloneFor(spec: ListSpec, source: ListSource, { input }: Asked): ListSource {
  if (!source.rollup) return source;
  const [table = ''] = source.id.split('.');
  const values: Readonly<Record<string, unknown>> = { ...input };
  const given = spec.filters
    .filter((filter) => values[filter.field] !== undefined && !isOfUsers(source, filter, values[filter.field]))
    .map(({ field }) => source.filters[field]);
  const columns = [...given, source.sort?.[input.sort?.replace(/^-/, '') ?? '']];
  const elsewhere = columns.some((column) => typeof column === 'string' && !column.startsWith(`${table}.`));
  return elsewhere ? source : { ...source, from: besideToo(source, source.rollup.from) };
}

/**
 * So many rows are collected and sorted for a page, as they just were for the total: PostgreSQL would rather walk through
 * everybody's, newest first, until it has met enough of them, and does not know how far that is. Of more than these the
 * first pages are reached that way, since they cannot be far.
 */
const COLLECTED_MAX = 1_200_000;
const WALKED_MAX = 10_000;

/** Rows of a table are found by their ids first, so that those before the page are skipped in an index where one knows them. */
async function pageOf<Row>(
  db: Db,
  source: ListSource & { alone: ListSource },
  where: RawBuilder<boolean>,
  { order, collected }: { order: RawBuilder<unknown>; collected: RawBuilder<unknown> | undefined },
  { size, offset }: Cut,
): Promise<Row[]> {
  const of = (
    fields: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
    by: RawBuilder<unknown>,
  ): RawBuilder<{ id: number }> =>
    sql`select ${fields} from ${from} where ${where} order by ${by} limit ${size} offset ${offset}`;
  if (!source.rollup || (offset === 0 && !collected))
    return (await of(source.fields, source.from, order).execute(db)).rows as Row[];
  const { rows } = await of(sql`${sql.ref(source.id)} as id`, source.alone.from, collected ?? order).execute(db);
  return rowsOf<Row>(
    db,
    source,
    rows.map(({ id }) => id),
    order,
  );
}

/**
 * By their ids, whatever else holds: a plan that is kept does not know how many agents an operator has, and would look for
 * each row at each of them where an index begins with the agent.
 */
async function rowsOf<Row>(
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

/** The last rows of a list that fulfil one more condition, without counting the others. */
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

/** All rows of a list, in its order, with their exact total and sums; they are read as they are taken. */
export interface WholeList {
  total: number;
  summary?: readonly CoinTotal[];
  batches: AsyncGenerator<unknown[]>;
  /** What gives these rows; absent where more is made of them than the database says. */
  statement?: RawBuilder<unknown>;
}

/** One coin's count and sums, the sums under the names of their fields. */
export interface CoinTotal {
  marketId: number;
  marketName: string;
  count: number;
  [field: string]: string | number;
}

/** Answers a list call page by page, and gives the whole list to its export. */
export interface ListReader<I, O> {
  (ctx: Ctx, input: I): Promise<O>;
  /** @param known so many rows were counted a moment ago; nothing is counted and summed again, and the total is this one */
  whole: (ctx: Ctx, input: I, known?: number) => Promise<WholeList>;
}

interface ListOptions<Row> {
  /** What is said about a row beyond its columns. */
  row?: (row: Row) => Row;
  /** Order where none is asked for; newest first by default. */
  sort?: string;
}

/**
 * A list call, from where its rows come from. The export of the list reads the very same rows.
 *
 * @throws Refused as listRows does
 */
export function defineList<C extends CallSpec & { list: ListSpec }>(
  call: C,
  sourceFor: (ctx: Ctx, input: InputOf<C>) => ListSource | Promise<ListSource>,
  { row, sort }: ListOptions<RowOf<C>> = {},
): ListReader<InputOf<C>, OutputOf<C>> {
  type Row = RowOf<C>;
  const asked = (input: PageInput): PageInput => ({ ...(sort !== undefined && { sort }), ...input });
  const page = async (ctx: Ctx, input: InputOf<C>): Promise<OutputOf<C>> => {
    const found = await listRows<Row>(ctx, call.list, await sourceFor(ctx, input), asked(input as PageInput));
    // The contract has joined the call to the schema of its page.
    return (row ? { ...found, list: found.list.map(row) } : found) as OutputOf<C>;
  };
  const whole = async (ctx: Ctx, input: InputOf<C>, known?: number): Promise<WholeList> => {
    const source = await sourceFor(ctx, input);
    const where = wholeOf(call.list, source, ctx, await lookUp(ctx, source, input as PageInput));
    const { total, summary }: Totals = known === undefined ? await totals(ctx.db, source, where) : { total: known };
    const order = ordering(source, asked(input as PageInput).sort, total);
    const rows = sql<Row>`select ${source.fields} from ${source.from} where ${where} order by ${order}`;
    return {
      total,
      ...(summary && { summary }),
      batches: batchesOf<Row>(ctx.db, rows, row),
      ...(row ? {} : { statement: rows }),
    };
  };
  return Object.assign(page, { whole });
}

const wholeOf = (
  spec: ListSpec,
  source: ListSource,
  { scope }: Pick<Ctx, 'scope'>,
  asked: Asked,
): RawBuilder<boolean> => sql<boolean>`${source.where ?? sql`true`}${conditions(spec.filters, source, scope, asked)}`;

/** @param plus what makes of a column an expression that no index has in order */
export function ordering(
  source: Pick<ListSource, 'id' | 'createdAt' | 'sort'>,
  sort: string | undefined,
  total: number,
  plus: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const field = sort?.replace(/^-/, '') ?? 'id';
  const direction = sort === undefined || sort.startsWith('-') ? sql`desc` : sql`asc`;
  const id = sql.ref(source.id);
  if (field === 'id') return sql`${id}${plus} ${direction}`;
  if (field === 'createdAt') return sql`${sql.ref(source.createdAt)}${plus} ${direction}, ${id} ${direction}`;
  const column = source.sort?.[field];
  if (column === undefined) throw refuseField('sort', '格式不正确');
  if (total > SORT_ROWS_MAX) throw refuseField('sort', `：结果超过 ${SORT_ROWS_MAX} 条，请先缩小范围`);
  return sql`${sql.ref(column)} ${direction} nulls last, ${id} ${direction}`;
}
