import { type Filter, type ListSpec, type PageInput, filtersOf } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../core/context.ts';
import { prepared } from '../postgres/connect.ts';
import { inScope } from '../postgres/scope.ts';
import { columnOf, conditions, filterValue, isAccount, isAccountPrefix } from './filter.ts';
import type { Counters } from './counters.ts';
import type { Cut, ListSource } from './source.ts';
import { type CoinCount, type Totals, toTotals } from './totals.ts';

/** With more blocks that a time range cuts through, the rows are counted by a plain statement. */
const CUT_BLOCKS_MAX = 8;

/** Kinds of scopes in the counter tables. */
const KIND = { tree: 1, own: 2, user: 3 } as const;
const LEVEL_BLOCKS = 2;

/** Totals from the counters, and where the page is. */
export interface CountedPage {
  totals: Totals;
  /** Condition on the ids of the blocks that contain the page; undefined if the scope has no blocks. */
  within?: RawBuilder<unknown>;
  /** Rows to skip: inside these blocks, or else in the whole list. */
  offset: number;
}

/**
 * Reads the total, the sums and the place of a page from the counters.
 *
 * @returns undefined if the filters are not counted, or the scope has too few rows to be counted
 */
export async function readCounters(
  ctx: Reader,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
  cut: Cut,
): Promise<CountedPage | undefined> {
  const { counted } = source;
  const filters = counted && countedFilters(spec, source, counted, input);
  if (!filters) return undefined;
  const isTimed = input.from !== undefined || input.to !== undefined;
  const { kind, key, deltas = sql`counter_delta`, pending } = findScope(ctx, source, input);
  const of = sql`resource = ${sql.lit(counted.resource)}`;
  const where = sql.join([of, ...filters], sql` and `);
  const scoped = sql`${where} and kind = ${sql.lit(kind)} and key = (select key from target)`;
  const { rows } = await sql<CounterRow>`${prepared}
    with target as materialized (
      select x.key, (select level from counter_scope s where s.kind = ${sql.lit(kind)} and s.key = x.key and ${of}) as level
      from (select ${key} as key) x
    ),
    pending as materialized (select block, market_id, n, s1, s2, s3 from ${deltas} where ${where} and ${pending}),
    timed as materialized (${blockTimes(of, input)}),
    ${isTimed ? partsInTime(source, sql`${source.where ?? sql`true`}${conditions(spec, source, ctx.scope, input)}`, scoped) : partsOf(scoped)},
    totals as (
      select market_id, sum(n)::bigint as count, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
      from ${isTimed ? sql`parts` : sql`whole`} group by market_id having sum(n) <> 0
    ),
    placed as (select block, sum(n)::bigint as n from parts group by block having sum(n) <> 0),
    page as (${pageBlocks(input.sort, cut)})
    select t.key, coalesce(t.level, 0) as level, (select count(*) from timed where not inside) > ${sql.lit(CUT_BLOCKS_MAX)} as "isScattered",
      c.market_id as "marketId", m.market_name as "marketName", c.count, c.s1, c.s2, c.s3, p.blocks, p.before
    from target t left join totals c on true left join market m on m.id = c.market_id cross join page p
    order by m.sort, m.id`.execute(ctx.db);
  const [first] = rows;
  if (!first || first.key === null) return { totals: toTotals([], source), offset: 0 };
  if (first.level === 0 || (isTimed && (first.level < LEVEL_BLOCKS || first.isScattered))) return undefined;
  const totals = toTotals(first.count === null ? [] : rows, source);
  if (first.level < LEVEL_BLOCKS || !isPlaced(input.sort) || !first.blocks) return { totals, offset: cut.offset };
  return { totals, within: inBlocks(source, first.blocks), offset: cut.offset - first.before };
}

type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/** One row per coin, each with what is known about the page. */
interface CounterRow extends CoinCount {
  /** null if nobody in the operator's scope has the name in the filter. */
  key: number | null;
  level: number;
  /** The time range cuts through too many blocks. */
  isScattered: boolean;
  blocks: number[] | null;
  before: number;
}

/** The conditions of the filters on the counters; undefined if one of them is not counted. */
function countedFilters(
  spec: ListSpec,
  source: ListSource,
  counted: Counters,
  input: PageInput,
): RawBuilder<unknown>[] | undefined {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const parts = filtersOf(spec).flatMap((filter) => {
    const { field, kind } = filter;
    const value = values[field];
    if (value === undefined || isScopeFilter(filter, value) || columnOf(source, filter) === undefined) return [];
    if (field === 'marketId' && source.filters[field] === source.sums?.marketId)
      return [sql`market_id = ${value}::bigint`];
    return [counted.dims[kind === 'any' ? 'state' : field]?.(filterValue(filter, value))];
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Owner filters name the scope; an account prefix does not. */
const isScopeFilter = (filter: Filter, value: unknown): boolean =>
  ['account', 'userId', 'agent', 'agentRoot'].includes(filter.field) && !isAccountPrefix(filter, value);

interface ScopeOfList {
  kind: number;
  /** SQL of the key; null if nobody in the operator's scope is named so. */
  key: RawBuilder<unknown>;
  /** The pending deltas; by default those that row-level security shows. */
  deltas?: RawBuilder<unknown>;
  /** Condition of the deltas that belong to the scope. */
  pending: RawBuilder<unknown>;
}

/** The scope whose rows are listed: a user, the rows shown under an agent, or an agent's tree; by default the operator's. */
function findScope({ scope, operator }: Reader, source: ListSource, input: PageInput): ScopeOfList {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const text = (field: string): string | undefined =>
    values[field] === undefined || source.filters[field] === undefined
      ? undefined
      : String(values[field]).toLowerCase();
  const [account, userId, agent, root] = ['account', 'userId', 'agent', 'agentRoot'].map(text);
  const isBelow = (column: string): RawBuilder<unknown> =>
    root === undefined
      ? sql`true`
      : sql`exists (select from closure c join agent r on r.id = c.ancestor where c.descendant = ${sql.ref(column)}
          and r.account_key = ${root} and r.deleted_at is null and ${inScope(scope, 'r.id')})`;
  if (account !== undefined || userId !== undefined) {
    const isShown =
      agent === undefined
        ? sql`true`
        : sql`exists (select from agent a where a.id = u.agent_id and a.shown_key = ${agent})`;
    return {
      kind: KIND.user,
      key: sql`(select u.id from users u where ${account === undefined ? sql`true` : isAccount(sql.ref('u.account_key'), account)}
        and ${userId === undefined ? sql`true` : sql`u.id = ${userId}::bigint`} and ${inScope(scope, 'u.agent_id')}
        and ${isShown} and ${isBelow('u.agent_id')})`,
      deltas: sql`deltas_of_user(${sql.lit(source.counted?.resource ?? 0)}::smallint, (select key from target))`,
      pending: sql`true`,
    };
  }
  if (agent !== undefined) {
    return {
      kind: KIND.own,
      key: sql`(select x.id from agent x where x.account_key = ${agent} and x.shown_key = ${agent} and ${inScope(scope, 'x.id')}
        and ${isBelow('x.id')})`,
      pending: sql`agent_key in (select a.id from agent a where a.shown_key = ${agent})`,
    };
  }
  const key =
    root !== undefined
      ? sql`(select x.id from agent x where x.account_key = ${root} and x.deleted_at is null and ${inScope(scope, 'x.id')})`
      : scope.kind === 'all'
        ? sql`(select x.id from agent x where x.parent_id is null)`
        : sql`${operator.id}::bigint`;
  return {
    kind: KIND.tree,
    key,
    pending: sql`agent_key in (select c.descendant from closure c where c.ancestor = (select key from target))`,
  };
}

/** Selects the blocks with rows in a time range, with their times; a block that the range cuts through is not inside. */
const blockTimes = (
  of: RawBuilder<unknown>,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: PageInput,
): RawBuilder<unknown> => sql`
  select block, min(lo) as lo, max(hi) as hi, min(lo) >= ${from} and max(hi) <= ${to} as inside from (
    select block, lo, hi from counter_time where ${of}
    union all select block, lo, hi from counter_delta where ${of}
  ) t group by block having min(lo) <= ${to} and max(hi) >= ${from}`;

/** The counters of a whole scope, and of its blocks. */
const partsOf = (scoped: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  whole as (
    select market_id, n, s1, s2, s3 from counter where ${scoped} and block = -1
    union all select market_id, n, s1, s2, s3 from pending
  ),
  parts as (
    select block, n from counter where ${scoped} and block >= 0
    union all select block, n from pending
  )`;

/** The counters of blocks inside a time range; the rows of blocks that the range cuts through are counted one by one. */
function partsInTime(source: ListSource, where: RawBuilder<unknown>, scoped: RawBuilder<unknown>): RawBuilder<unknown> {
  const [market, ...sums] = source.sums ? [source.sums.marketId, ...Object.values(source.sums.fields)] : [];
  const columns = [0, 1, 2].map((at) => (sums[at] === undefined ? sql`0::numeric` : sql`sum(${sql.ref(sums[at])})`));
  const id = sql.ref(source.id);
  const bits = sql.lit(source.counted?.blockBits ?? 0);
  const isInside = sql`block in (select block from timed where inside)`;
  return sql`parts as materialized (
    select block, market_id, n, s1, s2, s3 from counter where ${scoped} and ${isInside}
    union all select block, market_id, n, s1, s2, s3 from pending where ${isInside}
    union all
    select t.block, r.* from timed t cross join lateral (
      select ${market === undefined ? sql`0::bigint` : sql.ref(market)} as market_id, count(*) as n, ${sql.join(columns)}
      from ${source.counted?.from ?? source.from}
      where ${id} >= t.block << ${bits} and ${id} < (t.block + 1) << ${bits} and ${where}
      group by 1 offset 0
    ) r where not t.inside and (select count(*) from timed where not inside) <= ${sql.lit(CUT_BLOCKS_MAX)}
  )`;
}

const isPlaced = (sort: string | undefined): boolean => sort === undefined || /^-?(id|createdAt)$/.test(sort);

/**
 * Selects the blocks that can contain rows of the page, and the number of rows in the blocks before them. By time, all rows of
 * a block come before those of another only if their ranges of times do not overlap.
 */
function pageBlocks(sort = '-id', { size, offset }: Cut): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-');
  const [isBefore, isNotAfter] = isDescending
    ? [sql`o.lo > b.hi`, sql`o.hi >= b.lo`]
    : [sql`o.hi < b.lo`, sql`o.lo <= b.hi`];
  const ranked = sort.endsWith('createdAt')
    ? sql`select b.block, b.n, coalesce(sum(o.n) filter (where ${isBefore}), 0) as before, sum(o.n) filter (where ${isNotAfter}) as upto
        from (placed join timed using (block)) b cross join (placed join timed using (block)) o group by b.block, b.n`
    : sql`select block, n, upto - n as before, upto
        from (select block, n, sum(n) over (order by block ${isDescending ? sql`desc` : sql`asc`}) as upto from placed) p`;
  return sql`select array_agg(block) filter (where upto > ${offset} and before < ${offset + size}) as blocks,
    coalesce(sum(n) filter (where upto <= ${offset}), 0)::bigint as before from (${ranked}) r`;
}

function inBlocks({ id, counted }: ListSource, blocks: readonly number[]): RawBuilder<unknown> {
  const column = sql.ref(id);
  const bits = counted?.blockBits ?? 0;
  return sql`${column} >= ${Math.min(...blocks) * 2 ** bits}::bigint
    and ${column} < ${(Math.max(...blocks) + 1) * 2 ** bits}::bigint
    and ${column} >> ${sql.lit(bits)} = any(${[...blocks]}::bigint[])`;
}
