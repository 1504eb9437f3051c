import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { KIND, ROLL_LIMITS, type RollKey, type RollLimits, type Rolled, shownAs } from './rollup.ts';

/** A range of accounts, of those whom its owner's key counts. */
export interface Range {
  id: number;
  owner: RollKey;
  first: string;
  /** The first account of the next one; null: there is none. */
  next: string | null;
  /** With more rows than these it is divided. */
  most: number;
}

/** So many times what a range is meant to have is too much for it. */
const TOO_MUCH = 1.5;
const mostOf = ({ rangeRows }: RollLimits): number => Math.round(TOO_MUCH * rangeRows);

/** The ranges for which rows of this user, its agent and whom that is shown as are counted; each is a column or a number. */
export const rangesFor = (noun: string, agent: string, shown: string, user: string): RawBuilder<unknown> =>
  sql.raw(`(select lies.id as key from users owner
    cross join lateral (
      select 0 as kind, 0::bigint as key
      union all select 1, c.ancestor from closure c where c.descendant = ${agent}
      union all select 2, ${shown}
    ) whose
    cross join lateral (
      select o.id from roll_range o where o.noun = ${noun} and o.kind = whose.kind and o.key = whose.key
        and o.first <= owner.account_key collate "C" order by o.first desc limit 1
    ) lies
    where owner.id = ${user})`);

/** Whoever has so many rows gets one range, which is divided when its blocks are made; those who have ranges keep them. */
export async function wantRanges(db: Db, owners: readonly RollKey[], limits: RollLimits): Promise<void> {
  if (owners.length === 0) return;
  const { rows: wanted } = await sql<RollKey>`
    insert into roll_range (noun, kind, key, first, most)
    select noun, kind, key, '', ${mostOf(limits)}::bigint from ${keyRows(owners)}
    on conflict do nothing returning noun, ${sql.lit(KIND.range)} as kind, id as key`.execute(db);
  await blocksFor(db, wanted);
}

async function blocksFor(db: Db, keys: readonly RollKey[]): Promise<void> {
  await sql`insert into roll_grid (noun, kind, key) select noun, kind, key from ${keyRows(keys)}`.execute(db);
}

export async function rangeOf(db: Db, id: number): Promise<Range | undefined> {
  const { rows } = await sql<RollKey & Omit<Range, 'owner'>>`
    select r.id, r.noun, r.kind, r.key, r.first, r.most, (select min(n.first) from roll_range n
      where (n.noun, n.kind, n.key) = (r.noun, r.kind, r.key) and n.first > r.first) as next
    from roll_range r where r.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { noun, kind, key, ...range } = row;
  return { ...range, owner: { noun, kind, key } };
}

/** The rows `r` of a range, by their users: all rows of a user lie with the agent that it has. */
export function rowsOfRange(what: Rolled, { owner, first, next }: Range): RawBuilder<unknown> {
  const { kind, key } = owner;
  const agents = {
    [KIND.all]: sql`true`,
    [KIND.tree]: sql`x.agent_id in (select descendant from closure where ancestor = ${key})`,
    [KIND.own]: sql`x.agent_id in ${shownAs(key)}`,
  }[kind];
  const before = next === null ? sql`true` : sql`x.account_key ~<~ ${next}`;
  return sql`${sql.raw(what.counted)} and ${sql.raw(what.user)} = any(array(
    select x.id from users x where x.account_key ~>=~ ${first} and ${before} and ${agents}))`;
}

/**
 * Divides a range that has `n` rows into even ones, whose blocks are to be made; a user's rows are never divided.
 *
 * @param image its rows, as `imageOf` has them
 * @returns whether it could be divided; one that cannot is left alone until it has twice as many
 */
export async function divideRange(
  db: Db,
  { id, owner, first }: Range,
  image: RawBuilder<unknown>,
  n: number,
  limits: RollLimits,
): Promise<boolean> {
  const size = n / Math.max(2, Math.round(n / limits.rangeRows));
  const { rows } = await sql<{ first: string }>`
    with counted as (select x_user, count(*) as n from ${image} group by x_user),
    placed as (
      select x.account_key as key, sum(c.n) over (order by x.account_key collate "C") - c.n / 2.0 as middle
      from counted c join users x on x.id = c.x_user
    )
    select min(key collate "C") as first from placed group by floor(middle / ${size}::float8) order by 1`.execute(db);
  if (rows.length < 2) {
    await sql`update roll_range set most = ${2 * n} where id = ${id}`.execute(db);
    return false;
  }
  await dropRanges(db, sql`o.id = ${id}`);
  const firsts = [first, ...rows.slice(1).map((row) => row.first)];
  const { rows: parts } = await sql<RollKey>`
    insert into roll_range (noun, kind, key, first, most)
    select ${owner.noun}::smallint, ${owner.kind}::smallint, ${owner.key}::bigint, f.first, ${mostOf(limits)}::bigint
    from unnest(${firsts}::text[]) f(first) returning noun, ${sql.lit(KIND.range)} as kind, id as key`.execute(db);
  await blocksFor(db, parts);
  return true;
}

/** Forgets ranges `o`. What was counted for them is deleted when their blocks are to be made. */
export async function dropRanges(db: Db, condition: RawBuilder<unknown>): Promise<void> {
  await sql`update roll_grid g set shift = null from roll_range o
    where g.noun = o.noun and g.kind = ${sql.lit(KIND.range)} and g.key = o.id and ${condition}`.execute(db);
  await sql`delete from roll_range o where ${condition}`.execute(db);
}

/**
 * Before a user goes to another agent: where a range begins with its account, those who lose the user may no longer read
 * that, so their rows are divided anew.
 */
export async function leaveRanges(db: Db, userId: number, agentId: number): Promise<void> {
  const find = () =>
    sql<RollKey>`
      select o.noun, o.kind, o.key from users x join roll_range o on o.first = x.account_key collate "C"
      where x.id = ${userId} and (o.kind = ${KIND.own} or o.kind = ${KIND.tree}
        and o.key not in (select ancestor from closure where descendant = ${agentId}))`.execute(db);
  if ((await find()).rows.length === 0) return;
  // Nobody divides them meanwhile.
  await sql`update roll_tree set version = version + 1`.execute(db);
  const { rows: owners } = await find();
  await dropRanges(db, sql`(o.noun, o.kind, o.key) in (select k.noun, k.kind, k.key from ${keyRows(owners)})`);
  await wantRanges(db, owners, ROLL_LIMITS);
}

/** Keys as a table `k`. */
export const keyRows = (keys: readonly RollKey[]): RawBuilder<unknown> =>
  sql`unnest(${keys.map(({ noun }) => noun)}::int[], ${keys.map(({ kind }) => kind)}::int[],
    ${keys.map(({ key }) => key)}::bigint[]) as k(noun, kind, key)`;
