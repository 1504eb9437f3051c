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
  /** What the list asks of every row: that it lies in the operator's tree, and is not gone. */
  tree: RawBuilder<unknown>;
  /** All conditions on it but whose rows they are. */
  where: RawBuilder<unknown>;
  /** Those on the table beside it, where there are any. */
  beside?: RawBuilder<unknown>;
  ascending: boolean;
  /** The column that orders them, and their ids where it is the same; null: their ids alone. */
  by: string | null;
  /** They are few enough to be collected agent by agent, whatever the planner makes of it. */
  few?: boolean;
  /** Whether it is one of these users', by a look at each. */
  perUser?: RawBuilder<unknown>;
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

/** All conditions on the table, for each row where it stands. */
const everyOf = ({ where, perUser }: Rows): RawBuilder<unknown> => (perUser ? sql`${where} and ${perUser}` : where);

/** The rows of one agent after the other, `whose.agent`, which are those of the operator's tree by that alone. */
const ofAgent = (rows: Rows): RawBuilder<unknown> =>
  sql`${agentOf(rows.source)} = whose.agent and ${rows.source.rollup?.counted ?? sql`true`} and ${everyOf(rows)}`;

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
  const { sideTable } = source.rollup ?? {};
  if (!sideTable) return from;
  const key = sql.ref(sideTable.key);
  return sql`${from} left join ${sql.raw(sideTable.table)} on ${key} = ${sql.ref(of)}${within ? sql` and ${within(key)}` : sql``}`;
}

/** As `besideToo`, where one of the conditions is on the table beside. */
const asked = (rows: Rows, from: RawBuilder<unknown>, of?: string, within?: Within): RawBuilder<unknown> =>
  rows.beside ? besideToo(rows.source, from, of, within) : from;

/**
 * The rows within some ids. Where the user of each is looked up, that is done of those alone that fulfil all else:
 * PostgreSQL would take every row of the stretch for one that is looked up, and do much in order to have fewer. A stretch
 * stands together in the table; it would also skip through the whole of an index that begins with the user and has all
 * columns, unless it is asked for something that no index has.
 */
function tableOf(
  rows: Rows,
  within: Within | undefined,
  order = sql``,
): { from: RawBuilder<unknown>; where: RawBuilder<unknown> } {
  const { source, tree, where, perUser, by } = rows;
  const between = within ? sql` and ${within(sql.ref(source.id))}` : sql``;
  const from = asked(rows, rows.from, source.id, within);
  const all = sql`${tree} and ${where} and ${rows.beside ?? sql`true`} and ${whose(rows)}${between}`;
  if (!perUser || !within) return { from, where: perUser ? sql`${all} and ${perUser}` : all };
  const [alias = ''] = source.id.split('.');
  const columns = [
    source.id,
    source.createdAt,
    source.rollup?.user ?? source.id,
    ...(by === null ? [] : [by]),
    ...columnsOf(source),
  ];
  const names = [...new Set(columns)].map((column) => sql.ref(column));
  return {
    from: sql`(select ${sql.join(names)} from ${from} where ${all} and ${sql.ref(`${alias}.tableoid`)} <> 0
      ${order} offset 0) ${sql.ref(alias)}`,
    where: perUser,
  };
}

/** What is summed of each row, and by which coin. */
const columnsOf = ({ sums }: ListSource): string[] => (sums ? [sums.marketId, ...Object.values(sums.fields)] : []);

/** The rows as a source of totals. Few ones are collected in the index of each agent and given their names again. */
export function rowsWhere(rows: Rows): { from: RawBuilder<unknown>; where: RawBuilder<boolean> } {
  const { source, target, from } = rows;
  if (!rows.few) {
    return {
      from: asked(rows, from),
      where: sql<boolean>`${rows.tree} and ${everyOf(rows)} and ${rows.beside ?? sql`true`} and ${whose(rows)}`,
    };
  }
  const [alias = ''] = source.id.split('.');
  const names = [...new Set([...columnsOf(source), source.id])].map((column) => sql.ref(column));
  const few = sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
    select ${sql.join(names)} from ${from} where ${ofAgent(rows)} offset 0) ${sql.ref(alias)}`;
  return {
    from: asked(rows, few),
    where: sql<boolean>`${rows.beside ?? sql`true`}`,
  };
}

/** The ids of some rows in the list's order. */
export async function findIds(rows: Rows, { size, offset, expected, ids }: Stretch): Promise<number[]> {
  const { db, source, target } = rows;
  const within = ids && ((key: RawBuilder<unknown>) => sql`${key} >= ${ids.from} and ${key} < ${ids.to}`);
  const { order, cut } = cutOf(rows, size, offset, expected);
  const table = tableOf(rows, within, rows.by === null ? sql`order by ${order}` : sql``);
  const agents = target.ids?.length ?? 0;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    (rows.few || (ids && COST.id * (ids.to - ids.from) > COST.agent * agents + COST.row * expected));
  const statement = sparse
    ? sql<{
        id: number;
      }>`select ${fieldsOf(rows, sql.ref('found.id'), sql.ref('found.at'))} from ${collected(rows, order, within)} ${cut}`
    : sql<{
        id: number;
      }>`select ${fieldsOf(rows, sql.ref(source.id))} from ${table.from} where ${table.where} ${cut}`;
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
 * Ids of few rows, agent by agent. Where the table beside is asked, most rows have what it is asked for, as they have no row
 * there: of a stretch of ids those that have one are found in the same way and left out. Otherwise, where these may be very
 * many, all are put in order first, and it is looked into row by row, which ends with the page.
 */
function collected(rows: Rows, order: RawBuilder<unknown>, within: Within | undefined): RawBuilder<unknown> {
  const { source, target, from } = rows;
  const id = sql.ref(source.id);
  const agents = sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent)`;
  const between = within ? sql` and ${within(id)}` : sql``;
  const found = sql`select found.* from ${agents} cross join lateral (
    select ${fieldsOf(rows, id)} from ${from} where ${ofAgent(rows)}${between} offset 0) found`;
  const { sideTable } = source.rollup ?? {};
  if (!rows.beside || !sideTable) return sql`(${found}) found`;
  if (within) {
    const isOther = Object.values(sideTable.filters).map((column) => sql`${sql.ref(column)} <> 0`);
    const others = sql`select other.id from ${agents} cross join lateral (
      select ${id} as id from ${sideTable.rows} where ${agentOf(source)} = whose.agent${between} and (${sql.join(isOther, sql` or `)})
      offset 0) other`;
    return sql`(${found}) found where found.id not in (${others})`;
  }
  const [alias = ''] = sideTable.key.split('.');
  return sql`(${found} order by ${order} offset 0) found
    left join lateral (select * from ${sql.raw(sideTable.table)} where ${sql.ref(sideTable.key)} = found.id offset 0) ${sql.ref(alias)} on true
    where ${rows.beside}`;
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
 * The ids of a page out of all rows of some blocks, which need not lie side by side.
 *
 * @param expected so many rows there are, and in the fullest block
 */
export async function findInBlocks(
  rows: Rows,
  shift: number,
  blocks: readonly number[],
  expected: { all: number; most: number },
  { size, offset }: Pick<Stretch, 'size' | 'offset'>,
): Promise<number[]> {
  const { db, source, by } = rows;
  const taken: Taken = {
    fields: fieldsOf(rows, sql.ref(source.id)),
    names: by === null ? sql`x.id` : sql`x.id, x.at`,
  };
  const { rows: found } = await sql<{ id: number }>`
    select y.* from unnest(${[...blocks]}::bigint[]) as part(block)
    cross join lateral ${rowsIn(rows, shift, expected.most, taken)} y
    ${cutOf(rows, size, offset, expected.all).cut}`.execute(db);
  return found.map(({ id }) => id);
}

/** Rows of certain blocks, block by block: `rowsIn` is joined to `part(block)`. */
export function rowsIn(rows: Rows, shift: number, expected: number, { fields, names }: Taken): RawBuilder<unknown> {
  const { source, target, from } = rows;
  const id = sql.ref(source.id);
  const within = (key: RawBuilder<unknown>) =>
    sql`${key} >= part.block << ${shift} and ${key} < (part.block + 1) << ${shift}`;
  const bounds = within(id);
  const table = tableOf(rows, within);
  const beside = rows.beside ?? sql`true`;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    COST.id * 2 ** shift > COST.agent * target.ids.length + COST.row * expected;
  return sparse
    ? sql`(select ${names} from ${asked(
        rows,
        sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
        select ${id} as row_id, ${fields} from ${from} where ${ofAgent(rows)} and ${bounds} offset 0) x`,
        'x.row_id',
        within,
      )} where ${beside})`
    : sql`(select ${fields} from ${table.from} where ${table.where} offset 0)`;
}
