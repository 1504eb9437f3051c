import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import type { ListSource } from './list.ts';
import type { Target } from './rolled-target.ts';
import { isAmong } from './scope.ts';

/** The rows of a list, by the table alone. */
export interface Rows {
  db: Db;
  source: ListSource;
  target: Target;
  from: RawBuilder<unknown>;
  /** All conditions but whose rows they are. */
  where: RawBuilder<unknown>;
  ascending: boolean;
  /** They are few enough to be collected agent by agent, whatever the planner makes of it. */
  few?: boolean;
}

export interface Stretch {
  size: number;
  offset: number;
  /** So many rows lie in it. */
  expected: number;
  /** Ids from, and below. */
  ids?: { from: number; to: number };
}

/** What the ways cost, in microseconds: to look at an id of the table, an agent's place in the index, a row there. */
const COST = { id: 0.4, agent: 4, row: 0.8 } as const;

const agentOf = (source: ListSource): RawBuilder<unknown> => {
  const column = source.filters['agent'];
  return typeof column === 'string' ? sql.ref(column) : sql`null`;
};

const userOf = (source: ListSource): RawBuilder<unknown> => sql.ref(source.rollup?.user ?? '');

/** Whose rows they are, as a condition. */
export function whose({ source, target }: Rows): RawBuilder<unknown> {
  if (target.userId !== undefined) return sql`${userOf(source)} = ${target.userId}`;
  return target.ids === undefined || target.everybody ? sql`true` : isAmong(agentOf(source), target.ids);
}

/** The rows as a source of totals. Few ones are collected in the index of each agent and given their names again. */
export function rowsWhere(rows: Rows): { from: RawBuilder<unknown>; where: RawBuilder<boolean> } {
  const { source, target, from, where } = rows;
  if (!rows.few) return { from, where: sql<boolean>`${where} and ${whose(rows)}` };
  const columns = source.sums ? [source.sums.marketId, ...Object.values(source.sums.fields)] : [source.id];
  const [alias = ''] = source.id.split('.');
  const names = columns.map((column) => sql.ref(column));
  return {
    from: sql`unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
      select ${sql.join(names)} from ${from} where ${agentOf(source)} = whose.agent and ${where} offset 0) ${sql.ref(alias)}`,
    where: sql<boolean>`true`,
  };
}

/** The ids of some rows in the list's order. */
export async function findIds(rows: Rows, { size, offset, expected, ids }: Stretch): Promise<number[]> {
  const { db, source, target, from, where, ascending } = rows;
  const id = sql.ref(source.id);
  const between = ids ? sql` and ${id} >= ${ids.from} and ${id} < ${ids.to}` : sql``;
  // The nearer end is the shorter way, and less is sorted.
  const back = offset > expected / 2 && offset + size <= expected;
  const skip = back ? expected - offset - size : offset;
  const order = ascending === back ? sql`desc` : sql`asc`;
  const cut = sql`order by 1 ${order} limit ${size} offset ${skip}`;
  const agents = target.ids?.length ?? 0;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    (rows.few || (ids && COST.id * (ids.to - ids.from) > COST.agent * agents + COST.row * expected));
  const statement = sparse
    ? sql<{
        id: number;
      }>`select found.id from unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
        select ${id} as id from ${from} where ${agentOf(source)} = whose.agent and ${where}${between} offset 0) found ${cut}`
    : sql<{ id: number }>`select ${id} as id from ${from} where ${where} and ${whose(rows)}${between} ${cut}`;
  const { rows: found } = await statement.execute(db);
  return found.map((row) => row.id);
}

/** Rows of certain blocks, block by block: `rowsIn` is joined to `part(block)`. */
export function rowsIn(rows: Rows, shift: number, expected: number): RawBuilder<unknown> {
  const { source, target, from, where } = rows;
  const id = sql.ref(source.id);
  const bounds = sql`${id} >= part.block << ${shift} and ${id} < (part.block + 1) << ${shift}`;
  const [market, ...sums] = source.sums
    ? [source.sums.marketId, ...Object.values(source.sums.fields)].map((column) => sql.ref(column))
    : [];
  const [s1 = sql`0::numeric`, s2 = sql`0::numeric`, s3 = sql`0::numeric`] = sums;
  const fields = sql`${market ?? sql`0::bigint`} as market_key, ${s1} as s1, ${s2} as s2, ${s3} as s3`;
  const sparse =
    target.userId === undefined &&
    target.ids !== undefined &&
    COST.id * 2 ** shift > COST.agent * target.ids.length + COST.row * expected;
  return sparse
    ? sql`(select x.* from unnest(${[...(target.ids ?? [])]}::bigint[]) as whose(agent) cross join lateral (
        select ${fields} from ${from} where ${agentOf(source)} = whose.agent and ${bounds} and ${where} offset 0) x)`
    : sql`(select ${fields} from ${from} where ${bounds} and ${where} and ${whose(rows)} offset 0)`;
}
