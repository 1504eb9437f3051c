import type { InputOf, OutputOf } from '@hengtai/contract/endpoint';
import { PAGE_SIZE } from '@hengtai/contract/list';
import { FLOW_KINDS, type FlowKind, flowFields, flowKinds, type report as calls } from '@hengtai/contract/report';
import type { FundDayRow, FundDaySum, FundNow } from '@hengtai/contract/report.schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { fundBegan, fundFlows, fundSums } from '../db/fund-day.ts';
import { batchesOf } from '../db/cursor.ts';
import { type ListReader, type WholeList, ordering } from '../db/list.ts';
import { inScope } from '../db/scope.ts';
import { type ReportPeriod, resolvePeriod } from './report-period.ts';

interface Asked {
  agent?: string;
  split?: number;
  marketId?: number;
  from?: number;
  to?: number;
}

interface Question {
  ctx: Ctx;
  period: ReportPeriod;
  root: number | undefined;
  asked: Asked;
}

const source = {
  id: 'line.id',
  createdAt: 'line.start',
  sort: { opening: 'line.opening', in: 'line.i', out: 'line.o', closing: 'line.closing' },
} as const;

/**
 * The daily fund report: for each day, coin and part of the tree what its users had, what came, what went and what they
 * had at the end. Closing balances are counted back from what there is now; what came and went is added up by kinds of
 * business. That both agree is not assumed but asked of every row. Kinds are told apart for the rows of the page only.
 */
export const listFundDays: ListReader<ListInput, Page> = Object.assign(
  async (ctx: Ctx, input: ListInput): Promise<Page> => {
    const question = await questionOf(ctx, input);
    const size = input.size ?? PAGE_SIZE;
    const { total, summary } = await totalsOf(question);
    const offset = ((input.page ?? 1) - 1) * size;
    if (offset >= total) return { list: [], total, summary };
    const rows = sql<FundDayRow>`${rowsOf(question, ordering(source, input.sort, total), sql`limit ${size} offset ${offset}`)}`;
    return { list: (await rows.execute(ctx.db)).rows, total, summary };
  },
  {
    whole: async (ctx: Ctx, input: ListInput): Promise<WholeList> => {
      const question = await questionOf(ctx, input);
      const { total, summary } = await totalsOf(question);
      const rows = sql<FundDayRow>`${rowsOf(question, ordering(source, input.sort, total), sql``)}`;
      return { total, summary, batches: batchesOf<FundDayRow>(ctx.db, rows) };
    },
  },
);

type ListInput = InputOf<typeof calls.fund>;
type Page = OutputOf<typeof calls.fund> & { summary: FundDaySum[] };

async function questionOf(ctx: Ctx, input: ListInput): Promise<Question> {
  // The contract has the filters' types in its schema only.
  const asked = input as Asked;
  const period = await resolvePeriod(ctx, asked, await fundBegan(ctx.db));
  return { ctx, period, root: (await rootOf(ctx, asked.agent))?.id, asked };
}

/** The agent whose tree is asked about: an own one, or the top of what the operator sees. */
async function rootOf(ctx: Ctx, account: string | undefined): Promise<{ id: number; account: string } | undefined> {
  const { scope, operator } = ctx;
  const top = scope.kind === 'all' ? sql`x.parent_id is null` : sql`x.id = ${operator.id}`;
  const named = account === undefined ? top : sql`x.account_key = ${account.toLowerCase()} and x.deleted_at is null`;
  const { rows } = await sql<{ id: number; account: string }>`
    select x.id, x.account from agent x where ${named} and ${inScope(scope, 'x.id')}`.execute(ctx.db);
  return rows[0];
}

/** Every agent of the tree with the part of the report that it counts for. What a deleted agent had is its successor's. */
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
const known = sql.raw(FLOW_KINDS.flatMap((kind) => [...flowKinds[kind].types]).join(', '));
const kindSums = sql.join(
  FLOW_KINDS.flatMap((kind) => [
    sql`coalesce(sum(f.i) filter (where f.type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}In`)}`,
    sql`coalesce(sum(f.o) filter (where f.type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}Out`)}`,
  ]),
);

/**
 * What the rows and their sums are made of: `flow`, what came and went by type, and `line`, the rows without their kinds.
 * Without a root there are none.
 */
function linesOf({ ctx, period, root, asked }: Question): RawBuilder<unknown> {
  const { split, marketId } = asked;
  const market = marketId === undefined ? sql`true` : sql`f.market_key = ${marketId}`;
  return sql`
    day as materialized (
      select d.start, d.text, (d.text::date - date '1970-01-01') as day
      from unnest(${period.days.map(({ start }) => start)}::bigint[], ${period.days.map(({ day }) => day)}::text[]) as d(start, text)
    ),
    member as materialized (${membersOf(ctx, root, split === 1)}),
    flow as materialized (
      select m.node, m.part, f.market_key, f.day, f.type, sum(f.amount_in) as i, sum(f.amount_out) as o
      from (${fundFlows}) f join member m on m.agent_key = f.agent_key
      where f.day >= (select min(day) from day) and ${market} group by 1, 2, 3, 4, 5
    ),
    daily as (
      select node, part, market_key, day, sum(i - o) as net, sum(i) filter (where type in (${known})) as i,
        sum(o) filter (where type in (${known})) as o
      from flow group by 1, 2, 3, 4
    ),
    had as (
      select m.node, m.part, f.market_key, sum(f.amount) as amount
      from (${fundSums}) f join member m on m.agent_key = f.agent_key where ${market} group by 1, 2, 3
    ),
    began as (
      select h.node, h.part, h.market_key, h.amount - coalesce(l.net, 0) as amount
      from had h left join (select node, part, market_key, sum(net) as net from daily group by 1, 2, 3) l
        using (node, part, market_key)
    ),
    each_day as (
      select b.node, b.part, b.market_key, day.start, day.text, day.day, coalesce(f.net, 0) as net, coalesce(f.i, 0) as i,
        coalesce(f.o, 0) as o,
        b.amount + coalesce(sum(f.net) over (partition by b.node, b.part, b.market_key order by day.day), 0) as closing
      from began b cross join day
      left join daily f on f.node = b.node and f.part = b.part and f.market_key = b.market_key and f.day = day.day
    ),
    line as materialized (
      select row_number() over (order by e.start, e.part desc, g.account desc, m.sort desc, m.id desc) as id, e.*,
        e.closing - e.net as opening, g.account, m.market_name
      from each_day e join agent g on g.id = e.node join market m on m.id = e.market_key
      where e.closing <> 0 or e.net <> 0 or e.i <> 0 or e.o <> 0
    )`;
}

function rowsOf(question: Question, order: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const kinds = sql.join(flowFields.map((field) => sql`coalesce(k.${sql.ref(field)}, 0) as ${sql.ref(field)}`));
  return sql`
    with ${linesOf(question)},
    picked as materialized (select * from line order by ${order} ${limit}),
    kind as (
      select p.id, ${kindSums} from picked p
      join flow f on f.node = p.node and f.part = p.part and f.market_key = p.market_key and f.day = p.day group by p.id
    )
    select line.id, line.text as day, line.node as "agentId", line.account as agent, line.part,
      line.market_key as "marketId", line.market_name as "marketName", line.opening, line.i as "in", line.o as "out",
      line.closing, (line.opening + line.i - line.o = line.closing)::int as balanced, ${kinds}, line.start as "createdAt"
    from picked line left join kind k on k.id = line.id order by ${order}`;
}

async function totalsOf(question: Question): Promise<{ total: number; summary: FundDaySum[] }> {
  const sums = sql.join(flowFields.map((field) => sql`coalesce(s.${sql.ref(field)}, 0) as ${sql.ref(field)}`));
  const { rows } = await sql<FundDaySum>`
    with ${linesOf(question)},
    typed as (
      select market_key, type, sum(i) as i, sum(o) as o from flow where day <= (select max(day) from day) group by 1, 2
    ),
    summed as (
      select f.market_key, sum(f.i) as i, sum(f.o) as o, ${kindSums} from typed f group by 1
    )
    select m.id as "marketId", m.market_name as "marketName", c.count, coalesce(s.i, 0) as "in", coalesce(s.o, 0) as "out", ${sums}
    from (select market_key, count(*) as count from line group by 1) c
    join market m on m.id = c.market_key left join summed s on s.market_key = c.market_key order by m.sort, m.id`.execute(
    question.ctx.db,
  );
  return { total: rows.reduce((total, { count }) => total + count, 0), summary: rows };
}

/** What the tree's users have by the report and by their accounts, coin by coin. */
export async function fundNow(ctx: Ctx, { agent }: { agent?: string }): Promise<FundNow> {
  const { zone, days } = await resolvePeriod(ctx, { from: ctx.now }, ctx.now);
  const root = await rootOf(ctx, agent);
  const { rows } = await sql<FundNow['coins'][number]>`
    with member as (${membersOf(ctx, root?.id, false)}),
    kept as (
      select f.market_key as market, sum(f.amount) as amount from (${fundSums}) f join member m on m.agent_key = f.agent_key group by 1
    ),
    held as (
      select a.market_id as market, sum(a.balance) as amount from account a join member m on m.agent_key = a.agent_id
      where a.user_id is not null and ${inScope(ctx.scope, 'a.agent_id')} group by 1
    )
    select m.id as "marketId", m.market_name as "marketName", coalesce(k.amount, 0) as closing, coalesce(h.amount, 0) as ledger,
      coalesce(k.amount, 0) = coalesce(h.amount, 0) as same
    from kept k full join held h using (market) join market m on m.id = market
    where coalesce(k.amount, 0) <> 0 or coalesce(h.amount, 0) <> 0 order by m.sort, m.id`.execute(ctx.db);
  return { zone, today: days[0]?.day ?? '', agent: root?.account ?? '', coins: rows };
}
