import { sql } from 'kysely';

/**
 * What follows from the mark price, computed here and nowhere else, for rows `o` of future_order with their market `m`: so
 * that lists can order and add up by it, and whatever is shown of one position is the same on every screen.
 *
 * The mark price is the last tick of the market. A profit is rounded down at 18 decimals, as the book does it; percentages
 * have four decimals, a liquidation price those of its market. The price of liquidation is where held and unrealized are
 * just the maintenance margin: rate · q · p. No price reaches one that is not above zero.
 */
export const figures = sql`
  left join lateral (
    select case when o.stage in (0, 1) then m.price end as mark, o.stage = 1 as live
  ) k on true
  left join lateral (
    select case when k.live then round(o.rest * k.mark, 18) end as notional,
      case when k.live then floor(case o.side when 1 then k.mark - o.open_price else o.open_price - k.mark end * o.rest
        * 1000000000000000000) / 1000000000000000000.000000000000000000 end as unrealized,
      case when k.live then m.maintenance_rate * o.rest * k.mark end as maintenance
  ) p on true
  left join lateral (
    select
      case when k.live then round(p.unrealized * 100 / nullif(o.held, 0), 4)
        when o.stage in (2, 4) then round(o.realized * 100 / nullif(o.margin, 0), 4) end as roe,
      round((o.held + p.unrealized) * 100 / nullif(p.maintenance, 0), 4) as ratio,
      case when k.live then nullif(greatest(round(case o.side
        when 1 then (o.open_price * o.rest - o.held) / (o.rest * (1 - m.maintenance_rate))
        else (o.open_price * o.rest + o.held) / (o.rest * (1 + m.maintenance_rate)) end, m.price_precision), 0), 0) end as liquidation
  ) f on true`;
