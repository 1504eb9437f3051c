import { FUTURE_SIDE, HEAT_BANDS } from '@hengtai/contract/trading/future/calls';
import type { HeatRange } from '@hengtai/contract/wire/input-values';
import type {
  FutureAccountRisk,
  FutureExposure,
  FutureHeat,
  FutureSideTotal,
} from '@hengtai/contract/trading/future/schema';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { positionFigures } from './future-figures.store.ts';

type AccountRiskRow = Omit<FutureAccountRisk, 'positions'> & { positions: FutureAccountRisk['positions'] | null };

/** Equity, margin and real positions of users. Deleted users and users outside the scope are omitted. */
export async function fetchAccountRisk(ctx: Ctx, userIds: readonly number[]): Promise<FutureAccountRisk[]> {
  const { rows } = await sql<AccountRiskRow>`
    select u.id as "userId", u.account, (b.active + b.frozen + coalesce(t.unrealized, 0)) as equity,
      coalesce(t.held, 0) as margin, b.active as available, coalesce(t.unrealized, 0) as unrealized,
      round((t.held + t.unrealized) * 100 / nullif(t.maintenance, 0), 4) as "marginRatio", t.positions
    from users u
    left join lateral (
      select coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
        coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
      from account a join market s on s.id = a.market_id and s.market_name = ${SETTLEMENT}
      where a.user_id = u.id and a.platform = ${PLATFORM.future}
    ) b on true
    left join lateral (
      select sum(o.held) as held, sum(p.unrealized) as unrealized, sum(p.maintenance) as maintenance,
        jsonb_agg(jsonb_build_object('id', o.id, 'marketName', m.market_name, 'side', o.side, 'leverage', o.leverage,
          'amount', trim_scale(o.rest)::text, 'openPrice', trim_scale(o.open_price)::text, 'markPrice', trim_scale(k.mark)::text, 'margin', trim_scale(o.held)::text,
          'unrealized', trim_scale(p.unrealized)::text, 'marginRatio', trim_scale(f.ratio)::text, 'expectLiquidation', trim_scale(f.liquidation)::text)
          order by f.ratio nulls last, o.id) as positions
      from future_order o join market m on m.id = o.market_id ${positionFigures}
      where o.user_id = u.id and o.stage = 1 and o.demo = 0 and ${inScope(ctx.scope, 'o.agent_id')}
    ) t on true
    where u.id = any(${[...userIds]}::bigint[]) and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}
    order by u.id`.execute(ctx.db);
  return rows.map((row) => ({ ...row, positions: row.positions ?? [] }));
}

interface SideRow extends FutureSideTotal {
  marketId: number;
  marketName: string;
  markPrice: string | null;
  side: number;
}

const NO_POSITIONS: FutureSideTotal = {
  positions: 0,
  users: 0,
  amount: '0',
  notional: '0',
  held: '0',
  unrealized: '0',
};

/** Open positions per market, long and short: either real or demo positions, never a mix. */
export async function fetchExposure(ctx: Ctx, demo: 0 | 1): Promise<FutureExposure[]> {
  const { rows } = await sql<SideRow & { sort: number; net: string; netNotional: string | null }>`
    select x.*, sum(case x.side when 1 then x.amount else -x.amount end) over (partition by x."marketId") as net,
      sum(case x.side when 1 then x.notional else -x.notional end) over (partition by x."marketId") as "netNotional"
    from (
      select m.id as "marketId", m.market_name as "marketName", m.sort, max(k.mark) as "markPrice", o.side,
        count(*)::int as positions, count(distinct o.user_id)::int as users, sum(o.rest) as amount,
        sum(p.notional) as notional, sum(o.held) as held, sum(p.unrealized) as unrealized
      from future_order o join market m on m.id = o.market_id ${positionFigures}
      where o.stage = 1 and o.demo = ${demo} and ${inScope(ctx.scope, 'o.agent_id')}
      group by m.id, o.side
    ) x order by x.sort, x."marketId", x.side`.execute(ctx.db);
  const markets = new Map<number, FutureExposure>();
  for (const { marketId, marketName, markPrice, side, net, netNotional, ...sums } of rows) {
    const { positions, users, amount, notional, held, unrealized } = sums;
    const total = { positions, users, amount, notional, held, unrealized };
    const empty = markPrice === null ? { ...NO_POSITIONS, notional: null, unrealized: null } : NO_POSITIONS;
    const market = markets.get(marketId) ?? {
      marketId,
      marketName,
      demo,
      markPrice,
      net,
      netNotional,
      long: empty,
      short: empty,
    };
    markets.set(marketId, { ...market, ...(side === FUTURE_SIDE.long ? { long: total } : { short: total }) });
  }
  return [...markets.values()];
}

interface HeatMarket {
  marketName: string;
  price: string | null;
  pricePrecision: number;
}

interface BandRow {
  band: number | null;
  side: number;
  positions: number;
  amount: string;
  notional: string;
}

const EMPTY_BAND = { positions: 0, amount: '0', notional: '0' };

/**
 * Groups positions by liquidation price into bands of equal width around the mark price. width_bucket numbers the bands from
 * 1; 0 and the number of edges mean below and above all bands, null means that no price liquidates the position.
 *
 * @param range half the width of all bands, in percent of the mark price
 * @returns undefined if the market does not exist
 */
export async function fetchHeat(
  ctx: Ctx,
  marketId: number,
  demo: 0 | 1,
  range: HeatRange,
): Promise<FutureHeat | undefined> {
  const markets = await sql<HeatMarket>`
    select market_name as "marketName", price, price_precision as "pricePrecision" from market where id = ${marketId}`.execute(
    ctx.db,
  );
  const [market] = markets.rows;
  if (!market) return undefined;
  const head = { marketId, marketName: market.marketName, demo, range, markPrice: market.price };
  const none = { long: EMPTY_BAND, short: EMPTY_BAND };
  if (market.price === null) return { ...head, bands: [], below: none, above: none, never: 0 };
  const edges = await computeBandEdges(ctx, market, range);
  const { rows } = await sql<BandRow>`
    select case when f.liquidation is not null then width_bucket(f.liquidation, ${edges}::numeric[]) end as band, o.side,
      count(*)::int as positions, sum(o.rest) as amount, coalesce(sum(round(o.rest * f.liquidation, 18)), 0) as notional
    from future_order o join market m on m.id = o.market_id ${positionFigures}
    where o.stage = 1 and o.demo = ${demo} and o.market_id = ${marketId} and ${inScope(ctx.scope, 'o.agent_id')}
    group by 1, 2`.execute(ctx.db);
  const sideTotals = (band: number, side: number) => {
    const row = rows.find((candidate) => candidate.band === band && candidate.side === side);
    return row ? { positions: row.positions, amount: row.amount, notional: row.notional } : EMPTY_BAND;
  };
  const bothSides = (band: number) => ({ long: sideTotals(band, 1), short: sideTotals(band, 2) });
  const bands = edges.slice(1).map((to, n) => ({ from: edges[n] ?? '0', to, ...bothSides(n + 1) }));
  const never = rows.reduce((sum, { band, positions }) => sum + (band === null ? positions : 0), 0);
  return { ...head, bands, below: bothSides(0), above: bothSides(edges.length), never };
}

/** The edges of the bands, rounded to the precision of the market; equal edges merge, so there may be fewer bands. */
async function computeBandEdges(ctx: Ctx, { price, pricePrecision }: HeatMarket, range: number): Promise<string[]> {
  const { rows } = await sql<{ edge: string }>`
    select distinct round(${price}::numeric * (1 + ${range}::numeric / 100 * (2 * n::numeric / ${HEAT_BANDS}::numeric - 1)),
      ${pricePrecision}::int) as edge
    from generate_series(0, ${HEAT_BANDS}::int) n order by 1`.execute(ctx.db);
  return rows.map(({ edge }) => edge);
}
