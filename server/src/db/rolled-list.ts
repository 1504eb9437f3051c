import type { Filter, ListSpec, PageInput } from '@hengtai/contract/list';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { conditions, isCounted, isMarket, isOfUsers, sidesOf } from './filter.ts';
import type { ListSource } from './list.ts';
import { type Question, allOf, countWithin, spansOf, timesOf } from './rolled-blocks.ts';
import { type Cut, MANY, type Place, byRows, fewOf, idsOf, isByPlace, isPast } from './rolled-pages.ts';
import { type Rows, findIds } from './rolled-rows.ts';
import { type Asked, type Target, WHO, findTarget } from './rolled-target.ts';
import { placeOfUsers } from './rolled-users.ts';
import { totalsOf } from './totals.ts';
import { GRAIN, type Grain, type Rolled, TOLD } from './rollup.ts';

type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/**
 * Finds a page by what was counted: the total and the sums are read, and only the rows around the page are looked at.
 * undefined where the rollups do not know the filters or the order; then the rows themselves are asked.
 */
export async function placeByRollup(
  ctx: Reader,
  spec: ListSpec,
  whole: ListSource,
  asked: Asked,
  cut: Cut,
): Promise<Place | undefined> {
  const { input } = asked;
  const values: Values = { ...input };
  const there = thereOf(whole, values);
  const source = there ?? whole;
  const { rollup } = source;
  const by = sortedBy(source, input.sort);
  if (!rollup || by === undefined) return undefined;
  const given = spec.filters.filter(({ field }) => values[field] !== undefined && source.filters[field] !== undefined);
  const counted = given.filter((filter) => isCounted(source, filter));
  if (given.some((filter) => !counted.includes(filter) && !WHO.includes(filter.field))) return undefined;
  const target = await findTarget(ctx, rollup, asked);
  if (target === 'unknown') return undefined;
  if (target === 'nobody') return { ...totalsOf([], source), ids: [] };
  const isBeside = ({ field }: Filter): boolean => field in (rollup.sideTable?.filters ?? {});
  const beginning = given.find((filter) => isOfUsers(source, filter, values[filter.field]));
  const beside = counted.filter(isBeside);
  const alone = counted.filter((filter) => !isBeside(filter));
  const question = questionOf(ctx.db, source, rollup.noun, target, counted, values);
  const users = target.userId === undefined ? beginning : undefined;
  const rare = (users !== undefined || !isByPlace(source, by)) && (await isRare(question, source, counted, values));
  const [table = ''] = source.id.split('.');
  const rows: Rows = {
    db: ctx.db,
    source,
    target,
    from: rollup.from,
    tree: source.where ?? sql`true`,
    where: sql`true${conditions(alone, source, ctx.scope, asked)}${rare ? sql.raw(` and ${table}.${TOLD}`) : sql``}`,
    ...(beside.length > 0 && {
      beside: sql`true${conditions(beside, source, ctx.scope, { ...asked, input: withoutTimes(input) })}`,
    }),
    ascending: input.sort !== undefined && !input.sort.startsWith('-'),
    by,
  };
  if (!users) return locate(question, rows, input, cut);
  const isOfFew = rare || there !== undefined || counted.some(({ field }) => question.noun.dims[field] === 'd1');
  const sides = sidesOf(ctx.scope, asked.agents, String(values[users.field]));
  return placeOfUsers({ ...question, sides, isOfFew, isBeside: there !== undefined }, rows, input, cut);
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The rows that have one in the table beside, read from there alone, where a filter asks for that: they are few, lie side by
 * side, and the large table need not be looked into for any.
 */
function thereOf({ rollup, ...source }: ListSource, values: Values): ListSource | undefined {
  if (!rollup?.sideTable) return undefined;
  const { sideTable, ...alone } = rollup;
  const isAsked = Object.keys(sideTable.filters).some((field) => values[field] !== undefined && values[field] !== 0);
  if (!isAsked) return undefined;
  return {
    ...source,
    filters: { ...source.filters, ...sideTable.filters },
    rollup: { ...alone, from: sideTable.rows },
  };
}

/** What of the rollups a filter is about. */
const rolledAs = (source: ListSource, noun: Rolled, { field }: Filter): string =>
  isMarket(source, { field }) ? 'market_key' : (noun.dims[field] ?? '');

function questionOf(
  db: Question['db'],
  source: ListSource,
  noun: Rolled,
  target: Target,
  counted: readonly Filter[],
  values: Values,
): Question {
  const dims = counted.filter((filter) => !isMarket(source, filter));
  const grain = grainOf(noun, dims);
  const conditionsOn = (columnOf: (filter: Filter) => string) =>
    sql.join(
      counted.map((filter) => {
        const type = sql.raw(filter.type === 'text' ? 'text' : 'bigint');
        // In a sub-select the planner does not look at it, and keeps its plan.
        return sql` and ${sql.raw(columnOf(filter))} = (select ${values[filter.field]}::${type})`;
      }),
      sql``,
    );
  const filters = conditionsOn((filter) => rolledAs(source, noun, filter));
  return {
    db,
    noun,
    target,
    filters,
    grain,
    grainFilters:
      grain === GRAIN.lead ? conditionsOn((filter) => (isMarket(source, filter) ? 'market_key' : 'd1')) : filters,
    market: counted.some((filter) => isMarket(source, filter)) ? Number(values['marketId']) : undefined,
  };
}

/** Whether few rows fulfil one of the filters that have an index for that. */
async function isRare(
  { db, noun, target }: Question,
  source: ListSource,
  counted: readonly Filter[],
  values: Values,
): Promise<boolean> {
  if (target.userId !== undefined) return false;
  for (const filter of counted.filter(({ field }) => noun.rare.includes(field))) {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(n), 0)::bigint as n from roll_sum where noun = ${noun.code} and kind = ${target.kind}
        and key = any(${target.keys}::bigint[]) and ${sql.raw(rolledAs(source, noun, filter))} = ${values[filter.field]}`.execute(
      db,
    );
    if ((rows[0]?.n ?? 0) <= MANY) return true;
  }
  return false;
}

/** Blocks are told apart no finer than the filters need. */
function grainOf({ lead }: Rolled, dims: readonly Filter[]): Grain {
  if (dims.length === 0) return GRAIN.whatever;
  return dims.length === 1 && dims[0]?.field === lead ? GRAIN.lead : GRAIN.apart;
}

const withoutTimes = ({ from: _from, to: _to, ...rest }: PageInput): PageInput => rest;

/** The column that orders the rows before their ids do; null where there is none, undefined where it lies in another table. */
function sortedBy(source: ListSource, sort: string | undefined): string | null | undefined {
  const field = sort?.replace(/^-/, '') ?? 'id';
  if (field === 'id') return null;
  if (field === 'createdAt') return source.createdAt;
  const column = source.sort?.[field];
  const [table = ''] = source.id.split('.');
  return column?.startsWith(`${table}.`) ? column : undefined;
}

async function locate(question: Question, rows: Rows, input: PageInput, cut: Cut): Promise<Place> {
  const { target } = question;
  const times = timesOf(input);
  const { totals: all, cuts } = await allOf(question, rows.source);
  // Of the users only those with blocks are counted.
  if (target.userId !== undefined && !cuts) return byRows(rows, cut);
  if (all.total === 0 || (!times && isPast(rows, cut, all))) return { ...all, ids: [] };
  // Few enough to be looked at one by one, or not cut into blocks yet.
  if (!cuts) {
    const few = fewOf(rows, all);
    return times ? byRows(few, cut) : { ...all, ids: await findIds(few, { ...cut, expected: all.total }) };
  }
  const cutQuestion = { ...question, cuts, shift: Math.max(...cuts.map(({ shift }) => shift)) };
  const found = times
    ? await countWithin(cutQuestion, rows, times)
    : { totals: all, parts: await spansOf(cutQuestion) };
  if (isPast(rows, cut, found.totals)) return { ...found.totals, ids: [] };
  return { ...found.totals, ids: await idsOf(cutQuestion, rows, found.parts, cut) };
}
