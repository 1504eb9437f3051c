import { FLOW_KINDS, type FlowKind, flowFields, flowKinds, report as calls } from '@hengtai/contract/report';
import type { FundNow } from '@hengtai/contract/report.schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { fundFlows, fundSums } from '../db/fund-day.ts';
import { type ListSource, defineList } from '../db/list.ts';
import { inScope } from '../db/scope.ts';
import { type Span, spanOf } from './report-span.ts';

interface Asked {
  agent?: string;
  split?: number;
  marketId?: number;
  from?: number;
  to?: number;
}

/**
 * The daily fund report: for each day, coin and part of the tree what its users had, what came, what went and what they
 * had at the end. Closing balances are counted back from what there is now; what came and went is added up by kinds of
 * business. That both agree is not assumed but asked of every row.
 */
export const listFundDays = defineList(calls.fund, async (ctx, input): Promise<ListSource> => {
  // The contract has the filters' types in its schema only.
  const asked = input as Asked;
  const span = await spanOf(ctx, asked);
  const root = await rootOf(ctx, asked.agent);
  return {
    fields: sql.join(shown.map((field) => sql`r.${sql.ref(field)}`)),
    from: sql`${rowsOf(ctx, span, root?.id, asked)} r`,
    id: 'r.id',
    // A day belongs to the report when it touches the time that is asked about.
    createdAt: 'r.within',
    filters: {},
    sort: { opening: 'r.opening', in: 'r.in', out: 'r.out', closing: 'r.closing' },
    sums: {
      marketId: 'r.marketId',
      fields: Object.fromEntries(['in', 'out', ...flowFields].map((field) => [field, `r.${field}`])),
    },
  };
});

const shown = [
  ...['id', 'day', 'agentId', 'agent', 'part', 'marketId', 'marketName', 'opening', 'in', 'out', 'closing', 'balanced'],
  ...flowFields,
  'createdAt',
];

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
const kindSums = sql.join(
  FLOW_KINDS.flatMap((kind) => [
    sql`coalesce(sum(i) filter (where type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}In`)}`,
    sql`coalesce(sum(o) filter (where type in (${typesOf(kind)})), 0) as ${sql.ref(`${kind}Out`)}`,
  ]),
);
const kindFields = sql.join(flowFields.map((field) => sql`coalesce(f.${sql.ref(field)}, 0) as ${sql.ref(field)}`));
const sumOfKinds = (way: 'In' | 'Out'): RawBuilder<unknown> =>
  sql.join(
    FLOW_KINDS.map((kind) => sql`coalesce(f.${sql.ref(`${kind}${way}`)}, 0)`),
    sql` + `,
  );

/** The rows in brackets, as a table; without a root there are none. */
function rowsOf(
  ctx: Ctx,
  { days, from }: Span,
  root: number | undefined,
  { split, marketId }: Asked,
): RawBuilder<unknown> {
  const market = marketId === undefined ? sql`true` : sql`f.market_key = ${marketId}`;
  return sql`(
    with day as (
      select d.start, d.text, (d.text::date - date '1970-01-01') as day
      from unnest(${days.map(({ start }) => start)}::bigint[], ${days.map(({ day }) => day)}::text[]) as d(start, text)
    ),
    member as (${membersOf(ctx, root, split === 1)}),
    flow as (
      select m.node, m.part, f.market_key, f.day, f.type, sum(f.amount_in) as i, sum(f.amount_out) as o
      from (${fundFlows}) f join member m on m.agent_key = f.agent_key
      where f.day >= (select min(day) from day) and ${market} group by 1, 2, 3, 4, 5
    ),
    daily as (
      select node, part, market_key, day, sum(i - o) as net, ${kindSums} from flow group by 1, 2, 3, 4
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
    line as (
      select b.node, b.part, b.market_key, day.start, day.text,
        b.amount + coalesce(sum(f.net) over w, 0) - coalesce(f.net, 0) as opening,
        b.amount + coalesce(sum(f.net) over w, 0) as closing,
        ${sumOfKinds('In')} as i, ${sumOfKinds('Out')} as o, ${kindFields}
      from began b cross join day
      left join daily f on f.node = b.node and f.part = b.part and f.market_key = b.market_key and f.day = day.day
      window w as (partition by b.node, b.part, b.market_key order by day.day)
    )
    select row_number() over (order by f.start, f.part desc, g.account desc, m.sort desc, m.id desc) as id, f.text as day,
      f.node as "agentId", g.account as agent, f.part, f.market_key as "marketId", m.market_name as "marketName",
      f.opening, f.i as "in", f.o as "out", f.closing, (f.opening + f.i - f.o = f.closing)::int as balanced, ${kindFields},
      f.start as "createdAt", greatest(f.start, ${from}::bigint) as within
    from line f join agent g on g.id = f.node join market m on m.id = f.market_key
    where f.opening <> 0 or f.closing <> 0 or f.i <> 0 or f.o <> 0
  )`;
}

/** What the tree's users have by the report and by their accounts, coin by coin. */
export async function fundNow(ctx: Ctx, { agent }: { agent?: string }): Promise<FundNow> {
  const { zone, days } = await spanOf(ctx, { from: ctx.now });
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
