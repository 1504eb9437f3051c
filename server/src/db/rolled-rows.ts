import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import type { ListSource } from './list.ts';
import type { Ids } from './rolled-blocks.ts';
import type { Target } from './rolled-target.ts';
import { isAmong } from './scope.ts';

/** The rows of a list, by the table alone. */
export interface Rows {
  db: Db;
  source: ListSource;
  target: Target;
  from: RawBuilder<unknown>;
  /** All conditions on it but whose rows they are. */
  where: RawBuilder<unknown>;
  /** Those on the table beside it, where there are any. */
  beside?: RawBuilder<unknown>;
  ascending: boolean;
  /** The column that orders them, and their ids where it is the same; null: their ids alone. */
  by: string | null;
  /** They are few enough to be collected agent by agent, whatever the planner makes of it. */
  few?: boolean;
  /** The user of each is looked up. */
  perUser?: true;
}

export interface Stretch {
  size: number;
  offset: number;
  /** So many rows lie in it. */
  expected: number;
  ids?: Ids;
}

/** What the ways cost, in microseconds: to look at an id of the table, an agent's place in the index, a row there. */
const COST = { id: 0.4, agent: 4, row: 0.8 } as const;

const agentOf = (source: ListSource): RawBuilder<unknown> => {
  const column = source.filters['agent'];
  return typeof column === 'string' ? sql.ref(column) : sql`null`;
};

export const userOf = (source: ListSource): RawBuilder<unknown> => sql.ref(source.rollup?.user ?? '');

/** Whose rows they are, as a condition. */
export function whose({ source, target }: Rows): RawBuilder<unknown> {
  if (target.userId !== undefined) return sql`${userOf(source)} = ${target.userId}`;
  return target.ids === undefined || target.everybody ? sql`true` : isAmong(agentOf(source), target.ids);
}

/**
 * A stretch of ids stands together in the table. Where an index that begins with the user has all columns, PostgreSQL would
 * skip through the whole of it instead, unless it is asked for something that no index has.
 */
function inTable({ source, perUser }: Rows): RawBuilder<unknown> {
  const [table = ''] = source.id.split('.');
  return perUser ? sql` and ${sql.ref(`${table}.tableoid`)} <> 0` : sql``;
}

type Within = (key: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * A table with the one beside it, if it has one.
 *
 * @param of where the ids of the rows stand
 * @param within within what ids the rows lie, as a condition on the key of the table beside them
 */
export function besideToo(
  source: ListSource,
  from: RawBuilder<unknown>,
  of = source.id,
  within?: Within,
): RawBuilder<unknown> {
  const { beside } = source.rollup ?? {};
  if (!beside) return from;
  const key = sql.ref(beside.key);
  return sql`${from} left join ${sql.raw(beside.table)} on ${key} = ${sql.ref(of)}${within ? sql` and ${within(key)}` : sql``}`;
}

/** As `besideToo`, where one of the conditions is on the table beside. */
const asked = (rows: Rows, from: RawBuilder<unknown>, of?: string, within?: Within): RawBuilder<unknown> =>
  rows.beside ? besideToo(rows.source, from, of, within) : from;

/** The rows as a source of totals. Few ones are collected in the index of each agent and given their names again. */
export function rowsWhere(rows: Rows): { from: RawBuilder<unknown>; where: RawBuilder<boolean> } {
  const { source, target, from, where } = rows;
  if (!rows.few) {
    return {
      from: asked(rows, from),
      where: sql<boolean>`${where} and ${rows.beside ?? sql`true`} and ${whose(rows)}`,
    };
  }
  const columns = source.sums ? [source.sums.marketId, ...Object.values(source.sums.fields)] : [source.id];
  const [alias = ''] = source.id.split('.');
  const names = [...new Set([...columns, source.id])].map((column) => sql.ref(column));
  const few = sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
    select ${sql.join(names)} from ${from} where ${agentOf(source)} = whose.agent and ${where} offset 0) ${sql.ref(alias)}`;
  return {
    from: asked(rows, few),
    where: sql<boolean>`${rows.beside ?? sql`true`}`,
  };
}

/** The ids of some rows in the list's order. */
export async function findIds(rows: Rows, { size, offset, expected, ids }: Stretch): Promise<number[]> {
  const { db, source, target, from, where } = rows;
  const id = sql.ref(source.id);
  const within = ids && ((key: RawBuilder<unknown>) => sql`${key} >= ${ids.from} and ${key} < ${ids.to}`);
  const between = within ? sql` and ${within(id)}` : sql``;
  const beside = rows.beside ?? sql`true`;
  const { order, cut } = cutOf(rows, size, offset, expected);
  const agents = target.ids?.length ?? 0;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    (rows.few || (ids && COST.id * (ids.to - ids.from) > COST.agent * agents + COST.row * expected));
  const statement = sparse
    ? sql<{
        id: number;
      }>`select ${fieldsOf(rows, sql.ref('found.id'), sql.ref('found.at'))} from ${collected(rows, order, within)} where ${beside} ${cut}`
    : sql<{
        id: number;
      }>`select ${fieldsOf(rows, id)} from ${asked(rows, from, source.id, within)} where ${where} and ${beside} and ${whose(rows)}${between}${ids ? inTable(rows) : sql``} ${cut}`;
  const { rows: found } = await statement.execute(db);
  return found.map((row) => row.id);
}

/** The id, and what else the order is by. */
const fieldsOf = ({ by }: Rows, id: RawBuilder<unknown>, at?: RawBuilder<unknown>): RawBuilder<unknown> =>
  by === null ? sql`${id} as id` : sql`${id} as id, ${at ?? sql.ref(by)} as at`;

/** The page out of so many rows, by what `fieldsOf` selects: from the nearer end, so that the way is shorter and less is sorted. */
function cutOf(
  { ascending, by }: Rows,
  size: number,
  offset: number,
  expected: number,
): Record<'order' | 'cut', RawBuilder<unknown>> {
  const back = offset > expected / 2 && offset + size <= expected;
  const direction = ascending === back ? sql`desc` : sql`asc`;
  const order =
    by === null ? sql`1 ${direction}` : sql`2 ${direction} nulls ${back ? sql`first` : sql`last`}, 1 ${direction}`;
  const skip = back ? expected - offset - size : offset;
  return { order, cut: sql`order by ${order} limit ${size} offset ${skip}` };
}

/**
 * Ids of few rows, agent by agent. Where the table beside is asked they are put in order first: it is looked into row by row
 * then, and that ends with the page.
 */
function collected(rows: Rows, order: RawBuilder<unknown>, within: Within | undefined): RawBuilder<unknown> {
  const { source, target, from, where } = rows;
  const id = sql.ref(source.id);
  const found = sql`select found.* from unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
    select ${fieldsOf(rows, id)} from ${from} where ${agentOf(source)} = whose.agent and ${where}${within ? sql` and ${within(id)}` : sql``} offset 0) found`;
  if (!rows.beside) return sql`(${found}) found`;
  return asked(rows, sql`(${found} order by ${order} offset 0) found`, 'found.id', within);
}

/** What is summed of each row, by its coin. */
export function summedIn({ sums }: ListSource): Taken {
  const [market, ...summed] = sums
    ? [sums.marketId, ...Object.values(sums.fields)].map((column) => sql.ref(column))
    : [];
  const [s1 = sql`0::numeric`, s2 = sql`0::numeric`, s3 = sql`0::numeric`] = summed;
  return {
    fields: sql`${market ?? sql`0::bigint`} as market_key, ${s1} as s1, ${s2} as s2, ${s3} as s3`,
    names: sql`x.market_key, x.s1, x.s2, x.s3`,
  };
}

/** What is read of each row, and how it is called. */
interface Taken {
  fields: RawBuilder<unknown>;
  names: RawBuilder<unknown>;
}

/**
 * The ids of a page in the order of time, out of all rows of some blocks.
 *
 * @param expected so many rows there are, and in the fullest block
 */
export async function findByTime(
  rows: Rows,
  shift: number,
  blocks: readonly number[],
  expected: { all: number; most: number },
  { size, offset }: Pick<Stretch, 'size' | 'offset'>,
): Promise<number[]> {
  const { db, source } = rows;
  const taken: Taken = {
    fields: sql`${sql.ref(source.id)} as id, ${sql.ref(source.createdAt)} as at`,
    names: sql`x.id, x.at`,
  };
  const { rows: found } = await sql<{ id: number }>`
    select y.id, y.at from unnest(${[...blocks]}::bigint[]) as part(block)
    cross join lateral ${rowsIn(rows, shift, expected.most, taken)} y
    ${cutOf(rows, size, offset, expected.all).cut}`.execute(db);
  return found.map(({ id }) => id);
}

/** Rows of certain blocks, block by block: `rowsIn` is joined to `part(block)`. */
export function rowsIn(rows: Rows, shift: number, expected: number, { fields, names }: Taken): RawBuilder<unknown> {
  const { source, target, from, where } = rows;
  const id = sql.ref(source.id);
  const within = (key: RawBuilder<unknown>) =>
    sql`${key} >= part.block << ${shift} and ${key} < (part.block + 1) << ${shift}`;
  const bounds = within(id);
  const beside = rows.beside ?? sql`true`;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    COST.id * 2 ** shift > COST.agent * target.ids.length + COST.row * expected;
  return sparse
    ? sql`(select ${names} from ${asked(
        rows,
        sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
        select ${id} as row_id, ${fields} from ${from} where ${agentOf(source)} = whose.agent and ${bounds} and ${where} offset 0) x`,
        'x.row_id',
        within,
      )} where ${beside})`
    : sql`(select ${fields} from ${asked(rows, from, source.id, within)} where ${bounds} and ${where} and ${beside} and ${whose(rows)}${inTable(rows)} offset 0)`;
}
