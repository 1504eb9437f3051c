import type { InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { PAGE_SIZE } from '@hengtai/contract/wire/list';
import {
  FLOW_KINDS,
  type FlowKind,
  flowFields,
  flowKinds,
  type report as calls,
} from '@hengtai/contract/desk/report/calls';
import type { FundDayRow, FundDaySum, CurrentFunds } from '@hengtai/contract/desk/report/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { fetchFundStart, fundFlows, fundSums } from './fund-day.store.ts';
import { fetchBatches } from '../../../database/cursor.ts';
import { type ListReader, type FullList, ordering } from '../../../books/lists/list.ts';
import { inScope } from '../../../database/scope.ts';
import { type ReportPeriod, hoursOf, resolvePeriod } from './report-period.ts';

interface Filters {
  agent?: string;
  split?: number;
  marketId?: number;
  from?: number;
  to?: number;
}

interface ReportQuery {
  ctx: Ctx;
  period: ReportPeriod;
  root: number | undefined;
  filters: Filters;
}

const source = {
  id: 'line.id',
  createdAt: 'line.start',
  sort: { opening: 'line.opening', in: 'line.i', out: 'line.o', closing: 'line.closing' },
} as const;

/**
 * The daily fund report: opening and closing balance, inflow and outflow for each day, coin and part of the tree.
 * Closing balances are computed backwards from the current balances, flows from the sums per entry type; every row
 * states whether both agree (`balanced`). The breakdown by kind is computed for the rows of the page only.
 */
export const listFundDays: ListReader<ListInput, Page> = Object.assign(
  async (ctx: Ctx, input: ListInput): Promise<Page> => {
    const query = await resolveQuery(ctx, input);
    const size = input.size ?? PAGE_SIZE;
    const { total, summary } = await fetchTotals(query);
    const offset = ((input.page ?? 1) - 1) * size;
    if (offset >= total) return { list: [], total, summary };
    const rows = sql<FundDayRow>`${selectRows(query, ordering(source, input.sort, total), sql`limit ${size} offset ${offset}`)}`;
    return { list: (await rows.execute(ctx.db)).rows, total, summary };
  },
  {
    readAll: async (ctx: Ctx, input: ListInput): Promise<FullList> => {
      const query = await resolveQuery(ctx, input);
      const { total, summary } = await fetchTotals(query);
      const rows = sql<FundDayRow>`${selectRows(query, ordering(source, input.sort, total), sql``)}`;
      return { total, summary, batches: fetchBatches<FundDayRow>(ctx.db, rows) };
    },
  },
);

type ListInput = InputOf<typeof calls.fund>;
type Page = OutputOf<typeof calls.fund> & { summary: FundDaySum[] };

async function resolveQuery(ctx: Ctx, input: ListInput): Promise<ReportQuery> {
  // The contract has the filters' types in its schema only.
  const filters = input as Filters;
  const period = await resolvePeriod(ctx, filters, await fetchFundStart(ctx.db));
  return { ctx, period, root: (await findRoot(ctx, filters.agent))?.id, filters };
}

/** The agent at the top of the report: the filtered one if it is in scope; without a filter, the top of the scope. */
async function findRoot(ctx: Ctx, account: string | undefined): Promise<{ id: number; account: string } | undefined> {
  const { scope, operator } = ctx;
  const top = scope.kind === 'all' ? sql`x.parent_id is null` : sql`x.id = ${operator.id}`;
  const condition =
    account === undefined ? top : sql`x.account_key = ${account.toLowerCase()} and x.deleted_at is null`;
  const { rows } = await sql<{ id: number; account: string }>`
    select x.id, x.account from agent x where ${condition} and ${inScope(scope, 'x.id')}`.execute(ctx.db);
  return rows[0];
}

/**
 * Selects every agent of the tree with the row group (`node`, `part`) in which its money counts. The money of a deleted
 * agent counts for its successor.
 */
function membersOf(ctx: Ctx, root: number | undefined, split: boolean): RawBuilder<unknown> {
  const below = sql`from closure c
    ${
      split
        ? sql`left join (
            select k.id, d.descendant from agent k join closure d on d.ancestor = k.id
            where k.parent_id = ${root ?? 0} and k.deleted_at is null
          ) child on child.descendant = c.descendant`
        : sql``
    }
    where c.ancestor = ${root ?? 0} and ${inScope(ctx.scope, 'c.descendant')}`;
  return split
    ? sql`select c.descendant as agent_key, coalesce(child.id, ${root ?? 0}) as node, (child.id is null)::int + 1 as part ${below}`
    : sql`select c.descendant as agent_key, ${root ?? 0}::bigint as node, 0 as part ${below}`;
}

const typesOf = (kind: FlowKind): RawBuilder<unknown> => sql.raw(flowKinds[kind].types.join(', '));
const knownTypes = sql.raw(FLOW_KINDS.flatMap((kind) => [...flowKinds[kind].types]).join(', '));
const kindSums = sql.join(
  FLOW_KINDS.flatMap((kind) => [
    sql`coalesce(sum(f.i) filter (where f.type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}In`)}`,
    sql`coalesce(sum(f.o) filter (where f.type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}Out`)}`,
  ]),
);

/**
 * CTEs of the report: `flow`, inflow and outflow by entry type, and `line`, the rows without their breakdown by kind.
 * Without a root both are empty.
 */
function reportCtes({ ctx, period, root, filters }: ReportQuery): RawBuilder<unknown> {
  const { split, marketId } = filters;
  const market = marketId === undefined ? sql`true` : sql`f.market_key = ${marketId}`;
  return sql`
    day as materialized (
      select d.start, d.text, d.hours, (d.text::date - date '1970-01-01') as day
      from unnest(${period.days.map(({ start }) => start)}::bigint[], ${period.days.map(({ day }) => day)}::text[],
        ${period.days.map(hoursOf)}::float8[]) as d(start, text, hours)
    ),
    member as materialized (${membersOf(ctx, root, split === 1)}),
    flow as materialized (
      select m.node, m.part, f.market_key, f.day, f.type, sum(f.amount_in) as i, sum(f.amount_out) as o
      from (${fundFlows}) f join member m on m.agent_key = f.agent_key
      where f.day >= (select min(day) from day) and ${market} group by 1, 2, 3, 4, 5
    ),
    daily as (
      select node, part, market_key, day, sum(i - o) as net, sum(i) filter (where type in (${knownTypes})) as i,
        sum(o) filter (where type in (${knownTypes})) as o
      from flow group by 1, 2, 3, 4
    ),
    current as (
      select m.node, m.part, f.market_key, sum(f.amount) as amount
      from (${fundSums}) f join member m on m.agent_key = f.agent_key where ${market} group by 1, 2, 3
    ),
    initial as (
      select h.node, h.part, h.market_key, h.amount - coalesce(l.net, 0) as amount
      from current h left join (select node, part, market_key, sum(net) as net from daily group by 1, 2, 3) l
        using (node, part, market_key)
    ),
    each_day as (
      select b.node, b.part, b.market_key, day.start, day.text, day.hours, day.day, coalesce(f.net, 0) as net, coalesce(f.i, 0) as i,
        coalesce(f.o, 0) as o,
        b.amount + coalesce(sum(f.net) over (partition by b.node, b.part, b.market_key order by day.day), 0) as closing
      from initial b cross join day
      left join daily f on f.node = b.node and f.part = b.part and f.market_key = b.market_key and f.day = day.day
    ),
    line as materialized (
      select row_number() over (order by e.start, e.part desc, g.account desc, m.sort desc, m.id desc) as id, e.*,
        e.closing - e.net as opening, g.account, m.market_name
      from each_day e join agent g on g.id = e.node join market m on m.id = e.market_key
      where e.closing <> 0 or e.net <> 0 or e.i <> 0 or e.o <> 0
    )`;
}

function selectRows(query: ReportQuery, order: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const kinds = sql.join(flowFields.map((field) => sql`coalesce(k.${sql.ref(field)}, 0) as ${sql.ref(field)}`));
  return sql`
    with ${reportCtes(query)},
    picked as materialized (select * from line order by ${order} ${limit}),
    kind as (
      select p.id, ${kindSums} from picked p
      join flow f on f.node = p.node and f.part = p.part and f.market_key = p.market_key and f.day = p.day group by p.id
    )
    select line.id, line.text as day, line.hours, line.node as "agentId", line.account as agent, line.part,
      line.market_key as "marketId", line.market_name as "marketName", line.opening, line.i as "in", line.o as "out",
      line.closing, (line.opening + line.i - line.o = line.closing)::int as balanced, ${kinds}, line.start as "createdAt"
    from picked line left join kind k on k.id = line.id order by ${order}`;
}

async function fetchTotals(query: ReportQuery): Promise<{ total: number; summary: FundDaySum[] }> {
  const sums = sql.join(flowFields.map((field) => sql`coalesce(s.${sql.ref(field)}, 0) as ${sql.ref(field)}`));
  const { rows } = await sql<FundDaySum>`
    with ${reportCtes(query)},
    typed as (
      select market_key, type, sum(i) as i, sum(o) as o from flow where day <= (select max(day) from day) group by 1, 2
    ),
    summed as (
      select f.market_key, sum(f.i) as i, sum(f.o) as o, ${kindSums} from typed f group by 1
    )
    select m.id as "marketId", m.market_name as "marketName", c.count, coalesce(s.i, 0) as "in", coalesce(s.o, 0) as "out", ${sums}
    from (select market_key, count(*) as count from line group by 1) c
    join market m on m.id = c.market_key left join summed s on s.market_key = c.market_key order by m.sort, m.id`.execute(
    query.ctx.db,
  );
  return { total: rows.reduce((total, { count }) => total + count, 0), summary: rows };
}

/** Compares the current balances of the report with the sums of the ledger accounts, per coin. */
export async function fetchCurrentFunds(ctx: Ctx, { agent }: { agent?: string }): Promise<CurrentFunds> {
  const { zone, days } = await resolvePeriod(ctx, { from: ctx.now }, ctx.now);
  const root = await findRoot(ctx, agent);
  const { rows } = await sql<CurrentFunds['coins'][number]>`
    with member as (${membersOf(ctx, root?.id, false)}),
    reported as (
      select f.market_key as market, sum(f.amount) as amount from (${fundSums}) f join member m on m.agent_key = f.agent_key group by 1
    ),
    held as (
      select a.market_id as market, sum(a.balance) as amount from account a join member m on m.agent_key = a.agent_id
      where a.user_id is not null and ${inScope(ctx.scope, 'a.agent_id')} group by 1
    )
    select m.id as "marketId", m.market_name as "marketName", coalesce(k.amount, 0) as closing, coalesce(h.amount, 0) as ledger,
      coalesce(k.amount, 0) = coalesce(h.amount, 0) as same
    from reported k full join held h using (market) join market m on m.id = market
    where coalesce(k.amount, 0) <> 0 or coalesce(h.amount, 0) <> 0 order by m.sort, m.id`.execute(ctx.db);
  return { zone, today: days[0]?.day ?? '', agent: root?.account ?? '', coins: rows };
}
